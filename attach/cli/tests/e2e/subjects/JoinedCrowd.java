/** Threads that are joined while they end, one after the other; each takes the same lock once. */
public final class JoinedCrowd {
    private static final int THREADS = 400;
    private static final Object roll = new Object();
    private static int signed;

    private static void sign() {
        synchronized (roll) {
            signed++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int n = 0; n < THREADS; n++) {
            Thread thread = new Thread(JoinedCrowd::sign, "guest-" + n);
            thread.start();
            thread.join();
        }
        System.out.println("SIGNED " + signed);
    }
}
