import java.util.concurrent.locks.LockSupport;

/** Threads that are parked without saying on what, as futures and queues of some libraries do. */
public final class Blockerless {
    private static void await() {
        while (true) {
            LockSupport.park();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(Blockerless::await, "caller-" + i);
            thread.setDaemon(true);
            thread.start();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
        }
        System.out.println("READY");
        Thread.sleep(600_000);
    }
}
