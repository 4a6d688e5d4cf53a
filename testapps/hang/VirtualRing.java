import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads that take two monitors in both orders; "lock": two ReentrantLocks. */
public final class VirtualRing {
    static final class Shelf { }

    private static void monitors(Shelf mine, Shelf other, CyclicBarrier both) {
        synchronized (mine) {
            Meeting.of(both);
            synchronized (other) {
                throw new AssertionError("not stuck");
            }
        }
    }

    private static void locks(ReentrantLock mine, ReentrantLock other, CyclicBarrier both) {
        mine.lock();
        Meeting.of(both);
        other.lock();
        throw new AssertionError("not stuck");
    }

    public static void main(String[] args) {
        CyclicBarrier both = new CyclicBarrier(2);
        Stage stage = new Stage();
        if (args.length > 0) {
            ReentrantLock one = new ReentrantLock(), other = new ReentrantLock();
            stage.startVirtual("borrower", () -> locks(one, other, both));
            stage.startVirtual("lender", () -> locks(other, one, both));
        } else {
            Shelf one = new Shelf(), other = new Shelf();
            stage.startVirtual("borrower", () -> monitors(one, other, both));
            stage.startVirtual("lender", () -> monitors(other, one, both));
        }
        stage.standStill();
        Stage.ready();
    }
}
