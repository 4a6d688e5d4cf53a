/** Contention from the first moment on, then an end with exit status 7. */
public class Brief {
    private static final Object LOCK = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 20; n++) {
                    synchronized (LOCK) {
                        hold();
                    }
                }
            }, "brief-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("ready");
        System.exit(7);
    }

    private static void hold() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
