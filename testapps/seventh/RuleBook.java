// @lock RuleBook$Access
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock RuleBook$Access.enterShared
// @role read-unlock RuleBook$Access.leaveShared
// @role write-lock RuleBook$Access.enterAlone
// @role write-unlock RuleBook$Access.leaveAlone

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Rules that refer to rules: evaluated recursively under shared access, edited alone; an editor may look while it edits. */
public final class RuleBook {
    static final class Access {
        private final ThreadLocal<int[]> mine = ThreadLocal.withInitial(() -> new int[1]);
        private int sharers;
        private Thread editor;
        private int edits;

        <T> T shared(Supplier<? extends T> body) {
            enterShared();
            try {
                return body.get();
            } finally {
                leaveShared();
            }
        }

        void alone(Runnable body) {
            enterAlone();
            try {
                body.run();
            } finally {
                leaveAlone();
            }
        }

        private void enterShared() {
            int[] depth = mine.get();
            synchronized (this) {
                if (depth[0] == 0) {
                    while (editor != null && editor != Thread.currentThread()) {
                        pause();
                    }
                    sharers++;
                }
                depth[0]++;
            }
        }

        private void leaveShared() {
            int[] depth = mine.get();
            synchronized (this) {
                if (--depth[0] == 0 && --sharers == 0) {
                    notifyAll();
                }
            }
        }

        private void enterAlone() {
            Thread me = Thread.currentThread();
            synchronized (this) {
                if (editor != me) {
                    if (mine.get()[0] > 0) {
                        throw new IllegalStateException("reads already, and would wait for itself");
                    }
                    while (editor != null || sharers > 0) {
                        pause();
                    }
                    editor = me;
                }
                edits++;
            }
        }

        private synchronized void leaveAlone() {
            if (--edits == 0) {
                editor = null;
                notifyAll();
            }
        }

        private void pause() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final Access access = new Access();
    private final List<Integer> parent = new ArrayList<>();
    private int roots;

    private int depth(int rule) {
        return access.shared(() -> parent.get(rule) < 0 ? work(0) : 1 + depth(parent.get(rule)));
    }

    private int countRoots() {
        return access.shared(() -> {
            int n = 0;
            for (int p : parent) {
                n += p < 0 ? 1 : 0;
            }
            return n;
        });
    }

    private void attach(int rule, int to) {
        access.alone(() -> {
            roots += (to < 0 ? 1 : 0) - (parent.get(rule) < 0 ? 1 : 0);
            work(0);
            parent.set(rule, to);
        });
    }

    private void rearrange(int rule) {
        access.alone(() -> {
            attach(rule, rule - 1);
            attach(rule / 2, -1);
            broken |= countRoots() != roots;
        });
    }

    private static int work(int result) {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return result;
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicLong ops = new AtomicLong();

    private void use(boolean edit) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (!stop) {
                int rule = dice.nextInt(8);
                if (edit) {
                    rearrange(rule);
                } else {
                    broken |= depth(rule) > rule;
                }
                ops.incrementAndGet();
                Thread.sleep(edit ? dice.nextInt(3, 12) : dice.nextInt(2, 8));
            }
        } catch (InterruptedException | RuntimeException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RuleBook book = new RuleBook();
        for (int i = 0; i < 8; i++) {
            book.parent.add(i - 1);
        }
        book.roots = 1;
        Thread[] threads = new Thread[6];
        for (int i = 0; i < threads.length; i++) {
            boolean edit = i < 2;
            threads[i] = new Thread(() -> book.use(edit), (edit ? "editor-" : "engine-") + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : threads) {
            t.join(5_000);
            broken |= t.isAlive();
        }
        if (broken) {
            throw new IllegalStateException("the book was read while it was edited");
        }
        System.out.println("DONE " + ops);
    }
}
