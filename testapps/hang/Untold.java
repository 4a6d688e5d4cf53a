import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads wait to be notified, "signal": for a signal, and nobody is left to do it: main waits for their end. */
public final class Untold {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition CHANGED = LOCK.newCondition();

    public static void main(String[] args) throws Exception {
        boolean signal = args.length > 0 && args[0].equals("signal");
        Stage stage = new Stage();
        Thread last = null;
        for (int i = 0; i < 2; i++) {
            last = stage.start("reader-" + i, signal ? Untold::await : Untold::stay);
        }
        stage.standStill();
        System.out.println("READY");
        last.join();
    }

    private static synchronized void stay() {
        try {
            while (true) {
                Untold.class.wait();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await() {
        LOCK.lock();
        try {
            while (true) {
                CHANGED.await();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            LOCK.unlock();
        }
    }
}
