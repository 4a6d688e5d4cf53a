/** Four threads take two locks in both orders, behind a gate, as fast as they can; says how often when they are done. */
public final class GatedOrders {
    private static final int ROUNDS = 4000;
    private static final Object GATE = new Object();
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static int rounds;

    private static void leftFirst() {
        synchronized (GATE) {
            synchronized (LEFT) {
                synchronized (RIGHT) {
                    rounds++;
                }
            }
        }
    }

    private static void rightFirst() {
        synchronized (GATE) {
            synchronized (RIGHT) {
                synchronized (LEFT) {
                    rounds++;
                }
            }
        }
    }

    private static void go(boolean left) {
        for (int i = 0; i < ROUNDS; i++) {
            if (left) {
                leftFirst();
            } else {
                rightFirst();
            }
            if (i % 16 == 0) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            boolean left = i % 2 == 0;
            threads[i] = new Thread(() -> go(left), "taker-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("DONE " + rounds);
    }
}
