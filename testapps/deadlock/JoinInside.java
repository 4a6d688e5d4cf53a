// @finds join T3

/** The foreman waits for the end of the painter and keeps the shed locked; the painter has been in the shed, this time before. */
public final class JoinInside {
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
            waiting = true;
            painter.join();
        }
        System.out.println("DONE " + cans);
    }
}
