// @finds nothing
// @records monitors

/** The orders of {@code CrossedLedgers}, but who takes the second one is started by who is through with the first: main closes the books, then its clerk opens them. Nobody waits for its end. */
public final class StartedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;

    private static void close() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
    }

    private static void open() {
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) {
        close();
        Runnable opens =
                () -> {
                    open();
                    System.out.println("DONE " + booked);
                };
        new Thread(opens, "clerk").start();
    }
}
