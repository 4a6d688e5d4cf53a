// @finds unserved-waiter T4

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** As {@code NightPorter}, with a lock and a condition of the JDK's. */
public final class BellPush {
    private static final class Push implements NightPorter.Lobby {
        private final ReentrantLock bench = new ReentrantLock();
        private final Condition called = bench.newCondition();

        @Override
        public void await() throws InterruptedException {
            bench.lock();
            try {
                called.await();
            } finally {
                bench.unlock();
            }
        }

        @Override
        public void call() {
            bench.lock();
            try {
                called.signalAll();
            } finally {
                bench.unlock();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        NightPorter.run(new Push());
    }
}
