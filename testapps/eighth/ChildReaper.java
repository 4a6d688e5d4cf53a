// @lock ChildReaper$Proc
// @type JOIN
// @role join ChildReaper$Proc.waitpid

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * fork, exit and waitpid for a shell ported from C, with threads in place of processes. Exiting is the last thing that
 * a child does; its entry stays in the table (a zombie) until the parent has fetched the status.
 */
public final class ChildReaper {
    private static final AtomicInteger zombies = new AtomicInteger();
    private static final AtomicLong reaped = new AtomicLong();

    static final class Proc {
        private static final int RUNNING = -1;
        private static final AtomicInteger nextPid = new AtomicInteger(1);

        final int pid = nextPid.getAndIncrement();
        private int status = RUNNING;

        static Proc fork(IntSupplier program) {
            Proc child = new Proc();
            Thread thread = new Thread(() -> child.exit(program.getAsInt()), "pid " + child.pid);
            thread.setDaemon(true);
            thread.start();
            return child;
        }

        private synchronized void exit(int code) {
            status = code & 0xff;
            zombies.incrementAndGet();
            notifyAll();
        }

        synchronized int waitpid() throws InterruptedException {
            while (status == RUNNING) {
                wait();
            }
            zombies.decrementAndGet();
            return status;
        }
    }

    private static int sleepAndReturn(int code) {
        try {
            Thread.sleep(1 + code % 4);
            return code;
        } catch (InterruptedException e) {
            return 130;
        }
    }

    /** A pipeline of three commands; its status is that of the last one. */
    private static int pipeline(int seed) throws InterruptedException {
        Deque<Proc> children = new ArrayDeque<>();
        for (int i = 0; i < 3; i++) {
            int code = (seed + i) % 100;
            children.add(Proc.fork(() -> sleepAndReturn(code)));
        }
        int status = 0;
        while (!children.isEmpty()) {
            status = children.poll().waitpid();
            reaped.incrementAndGet();
        }
        return status;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        AtomicInteger wrong = new AtomicInteger();
        Thread[] shells = new Thread[2];
        for (int s = 0; s < 2; s++) {
            int first = s * 7;
            shells[s] = new Thread(() -> {
                try {
                    for (int i = first; System.nanoTime() - end < 0; i++) {
                        if (pipeline(i) != (i + 2) % 100) {
                            wrong.incrementAndGet();
                        }
                    }
                } catch (InterruptedException e) {
                    wrong.incrementAndGet();
                }
            }, "shell-" + s);
            shells[s].start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread shell : shells) {
            shell.join();
        }
        if (wrong.get() != 0 || zombies.get() != 0) {
            System.out.println(wrong + " wrong, " + zombies + " zombies");
            System.exit(1);
        }
        System.out.println("DONE " + reaped);
    }
}
