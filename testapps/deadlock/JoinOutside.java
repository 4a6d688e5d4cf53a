// @finds nothing

/** The foreman waits for the end of the painter and has left the shed. */
public final class JoinOutside {
    private static final Object shed = new Object();
    private static int cans;
    private static volatile boolean through;
    private static volatile boolean waiting;

    private static void paint(Thread foreman) {
        synchronized (shed) {
            cans++;
        }
        through = true;
        while (!waiting || foreman.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread foreman = Thread.currentThread();
        Thread painter = new Thread(() -> paint(foreman), "painter");
        painter.start();
        while (!through) {
            Thread.yield();
        }
        synchronized (shed) {
            cans++;
        }
        waiting = true;
        painter.join();
        System.out.println("DONE " + cans);
    }
}
