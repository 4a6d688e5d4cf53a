/**
 * Three locks, each held for a share of the time: a fifth, half, and most of it. One thread holds it so, another wants it as
 * soon as it is held, and so is blocked for that share, nearly. READY when all six run.
 */
public class Shares {
    static class Lock {
        volatile boolean held;
    }

    static final class Fifth extends Lock {}

    static final class Half extends Lock {}

    static final class Most extends Lock {}

    static final int CYCLE = 50;

    public static void main(String[] args) throws Exception {
        start(new Fifth(), 20);
        start(new Half(), 50);
        start(new Most(), 80);
        System.out.println("READY");
        Thread.sleep(1L << 40);
    }

    static void start(Lock lock, int percent) {
        String name = lock.getClass().getSimpleName();
        int held = CYCLE * percent / 100;
        new Thread(() -> hold(lock, held), "holds-" + name).start();
        new Thread(() -> want(lock), "wants-" + name).start();
    }

    static void hold(Lock lock, int held) {
        while (true) {
            synchronized (lock) {
                lock.held = true;
                sleep(held);
                lock.held = false;
            }
            sleep(CYCLE - held);
        }
    }

    static void want(Lock lock) {
        while (true) {
            while (!lock.held) sleep(1);
            synchronized (lock) {
                Thread.yield();
            }
        }
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
