// @finds nothing

/** As {@code NightPorter}, but the guest has the bench for himself when he sends for the porter: who is sent for can't call before he sits. */
public final class RungPorter {
    private static final Object BENCH = new Object();

    private static void call() {
        synchronized (BENCH) {
            BENCH.notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread porter = new Thread(RungPorter::call, "porter");
        synchronized (BENCH) {
            porter.start();
            BENCH.wait();
        }
        porter.join();
        System.out.println("DONE");
    }
}
