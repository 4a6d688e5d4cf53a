/** Threads that wait for a bell nobody rings; one of them gives up after a while, in vain. */
public final class Sleepers {
    private static final Object BELL = new Object();

    private static void sleep(long millis) {
        synchronized (BELL) {
            while (true) {
                try {
                    BELL.wait(millis);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            long millis = i == 0 ? 600_000 : 0;
            Thread thread = new Thread(() -> sleep(millis), "sleeper-" + i);
            thread.setDaemon(true);
            thread.start();
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.yield();
            }
        }
        System.out.println("READY");
        Thread.sleep(600_000);
    }
}
