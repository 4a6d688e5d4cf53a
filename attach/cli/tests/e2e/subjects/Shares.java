/**
 * Three locks, each held for a share of the time: a fifth, half, and most of it. One thread holds it so, another wants it as
 * soon as it is held, and so is blocked for that share, nearly. READY when all six run.
 */
public class Shares {
    abstract static class Lock {
        volatile boolean held;

        abstract void hold(int millis);

        abstract void want();

        void during(int millis) {
            held = true;
            sleep(millis);
            held = false;
        }
    }

    static final class Fifth extends Lock {
        @Override
        synchronized void hold(int millis) {
            during(millis);
        }

        @Override
        synchronized void want() {
            Thread.yield();
        }
    }

    static final class Half extends Lock {
        @Override
        synchronized void hold(int millis) {
            during(millis);
        }

        @Override
        synchronized void want() {
            Thread.yield();
        }
    }

    static final class Most extends Lock {
        @Override
        synchronized void hold(int millis) {
            during(millis);
        }

        @Override
        synchronized void want() {
            Thread.yield();
        }
    }

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
            lock.hold(held);
            sleep(CYCLE - held);
        }
    }

    static void want(Lock lock) {
        while (true) {
            while (!lock.held) sleep(1);
            lock.want();
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
