// @finds join T3 stall

/** The foreman waits for the end of the painter, for a second at most, and keeps the shed locked, in which the painter has been. He had ended this time. */
public final class JoinForAWhile {
    private static final Object shed = new Object();
    private static int cans;

    public static void main(String[] args) throws InterruptedException {
        Thread painter = new Thread(() -> {
            synchronized (shed) {
                cans++;
            }
        }, "painter");
        painter.start();
        while (painter.getState() != Thread.State.TERMINATED) {
            Thread.sleep(1);
        }
        synchronized (shed) {
            painter.join(1_000);
        }
        System.out.println("DONE " + cans);
    }
}
