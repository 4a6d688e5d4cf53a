// @lock InterpreterLock$Gil
// @type LOCK reentrant=false
// @role lock InterpreterLock$Gil.acquire
// @role unlock InterpreterLock$Gil.release

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A script engine that runs one script at a time: scripts let go of the interpreter for input, and when somebody asks them to. */
public final class InterpreterLock {
    static final class Gil {
        private Thread holder;
        private volatile boolean dropRequested;

        synchronized void acquire() throws InterruptedException {
            if (holder == Thread.currentThread()) {
                throw new IllegalStateException("this thread runs the interpreter already");
            }
            while (holder != null) {
                dropRequested = true;
                wait();
            }
            holder = Thread.currentThread();
            dropRequested = false;
        }

        synchronized void release() {
            if (holder != Thread.currentThread()) {
                throw new IllegalStateException("this thread does not run the interpreter");
            }
            holder = null;
            notify();
        }

        /** The interpreter looks at this between instructions. */
        void yieldIfAsked() throws InterruptedException {
            if (dropRequested) {
                release();
                Thread.yield();
                acquire();
            }
        }
    }

    static final class Interpreter {
        private final Gil gil = new Gil();
        private Thread running;
        private long instructions;

        void execute() throws InterruptedException {
            if (running != null) {
                throw new IllegalStateException("two scripts run at once");
            }
            running = Thread.currentThread();
            Thread.sleep(1);
            instructions++;
            running = null;
        }
    }

    private static final AtomicLong scripts = new AtomicLong();
    private static volatile Exception failure;

    private static void script(Interpreter in) throws InterruptedException {
        in.gil.acquire();
        try {
            for (int left = ThreadLocalRandom.current().nextInt(2, 6); left > 0; left--) {
                in.execute();
                in.gil.yieldIfAsked();
            }
        } finally {
            in.gil.release();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        scripts.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Interpreter interpreter = new Interpreter();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        script(interpreter);
                    }
                } catch (InterruptedException | RuntimeException e) {
                    failure = e;
                }
            }, "script-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + scripts);
    }
}
