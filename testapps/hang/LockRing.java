import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two locks of java.util.concurrent taken in both orders; "write": the write locks of two that readers share. */
public final class LockRing {
    private static void transfer(Lock from, Lock to, CyclicBarrier both) {
        from.lock();
        Meeting.of(both);
        to.lock();
        throw new AssertionError("not stuck");
    }

    public static void main(String[] args) {
        boolean write = args.length > 0 && args[0].equals("write");
        Lock one = write ? new ReentrantReadWriteLock().writeLock() : new ReentrantLock();
        Lock other = write ? new ReentrantReadWriteLock().writeLock() : new ReentrantLock(true);
        CyclicBarrier both = new CyclicBarrier(2);
        Stage stage = new Stage();
        stage.start("payer", () -> transfer(one, other, both));
        stage.start("payee", () -> transfer(other, one, both));
        stage.standStill();
        Stage.ready();
    }
}
