/** Threads that want each other's locks all the time, always in one order, and an idle pool: nothing is stuck. */
public final class Busy {
    private static final Object OUTER = new Object(), INNER = new Object();
    static long count;

    private static void work() {
        while (true) {
            synchronized (OUTER) {
                synchronized (INNER) {
                    count++;
                }
            }
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Stage().start("worker-" + i, Busy::work);
        }
        Stage.ready();
    }
}
