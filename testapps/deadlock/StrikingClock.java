// @finds nothing

/** As {@code NightPorter}, but the porter calls again and again until the guest has gone: who misses one call hears the next. */
public final class StrikingClock {
    private static final Object BENCH = new Object();
    private static volatile boolean gone;

    private static void sit() {
        try {
            synchronized (BENCH) {
                BENCH.wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        gone = true;
    }

    private static void call() {
        while (!gone) {
            synchronized (BENCH) {
                BENCH.notifyAll();
            }
            Thread.yield();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread guest = new Thread(StrikingClock::sit, "guest");
        guest.start();
        Thread porter = new Thread(StrikingClock::call, "porter");
        porter.start();
        porter.join();
        guest.join();
        System.out.println("DONE");
    }
}
