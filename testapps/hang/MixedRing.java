import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

/** A monitor and a ReentrantLock taken in both orders. */
public final class MixedRing {
    private final ReentrantLock lock = new ReentrantLock();

    private synchronized void inward(CyclicBarrier both) {
        Meeting.of(both);
        lock.lock();
        throw new AssertionError("not stuck");
    }

    private void outward(CyclicBarrier both) {
        lock.lock();
        Meeting.of(both);
        synchronized (this) {
            throw new AssertionError("not stuck");
        }
    }

    public static void main(String[] args) {
        MixedRing ring = new MixedRing();
        CyclicBarrier both = new CyclicBarrier(2);
        Stage stage = new Stage();
        stage.start("inward", () -> ring.inward(both));
        stage.start("outward", () -> ring.outward(both));
        stage.standStill();
        Stage.ready();
    }
}
