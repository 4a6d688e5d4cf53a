// @finds nothing

/** As {@code NightPorter}, but the porter watches until the guest has come to the bench, who has it for himself from then on until he sits. */
public final class SeenSeated {
    private static final Object BENCH = new Object();
    private static volatile boolean there;

    private static void sit() {
        try {
            synchronized (BENCH) {
                there = true;
                BENCH.wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void call() {
        while (!there) {
            Thread.yield();
        }
        synchronized (BENCH) {
            BENCH.notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread porter = new Thread(SeenSeated::call, "porter");
        Thread guest = new Thread(SeenSeated::sit, "guest");
        porter.start();
        guest.start();
        porter.join();
        guest.join();
        System.out.println("DONE");
    }
}
