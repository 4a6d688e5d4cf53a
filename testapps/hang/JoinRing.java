/**
 * Waits for a thread's end and keeps the shed that it wants. With an argument another thread runs beside these: whose end it is that
 * is waited for no thread dump says, so that with one that could end it is only suspected.
 */
public final class JoinRing {
    static final class Shed { }

    private static void paint(Shed shed) {
        synchronized (shed) {
            throw new AssertionError("not stuck");
        }
    }

    private static void lookAfter(Shed shed, boolean beside) {
        synchronized (shed) {
            Stage stage = new Stage();
            Thread foreman = Thread.currentThread();
            Thread painter = stage.start("painter", () -> paint(shed));
            stage.standStill();
            if (beside) {
                new Stage().start("radio", Stage::ready);
            } else {
                System.out.println("READY");
            }
            try {
                painter.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        lookAfter(new Shed(), args.length > 0);
    }
}
