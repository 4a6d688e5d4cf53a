import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** 100 threads, each parked for good at a condition of its own. */
final class Strewn {
    private Strewn() {
    }

    static void await(Condition condition, ReentrantLock lock) {
        lock.lock();
        try {
            while (true) {
                condition.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 100; n++) {
            ReentrantLock lock = new ReentrantLock();
            Condition condition = lock.newCondition();
            Thread thread = new Thread(() -> await(condition, lock), "waits-" + n);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        while (System.in.read() >= 0) {
            continue;
        }
    }
}
