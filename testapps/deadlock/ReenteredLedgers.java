// @finds nothing

/** One clerk takes the first ledger again while he has both: that is no second order. */
public final class ReenteredLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;

    private static void book() {
        synchronized (sales) {
            synchronized (stock) {
                synchronized (sales) {
                    booked++;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(ReenteredLedgers::book, "one");
        Thread two = new Thread(ReenteredLedgers::book, "two");
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("DONE " + booked);
    }
}
