/** Waits for a lock that is an empty array of numbers, as the JVM's own lock of class initialisation is. */
public final class Bare {
    private static final int[] LOCK = new int[0];
    private static boolean told;

    private static void await() {
        synchronized (LOCK) {
            while (!told) {
                try {
                    LOCK.wait();
                } catch (InterruptedException stop) {
                    throw new IllegalStateException(stop);
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(Bare::await, "waiter");
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        synchronized (LOCK) {
            told = true;
            LOCK.notifyAll();
        }
        waiter.join();
        System.out.println("READY");
    }
}
