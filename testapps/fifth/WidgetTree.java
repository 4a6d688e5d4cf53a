// @lock WidgetTree$TreeLock
// @type LOCK reentrant=true
// @role lock WidgetTree$TreeLock.grab
// @role unlock WidgetTree$TreeLock.drop

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/** A toolkit whose widgets are laid out, painted and changed by several threads under one tree lock that may be taken again by its owner. */
public final class WidgetTree {
    static final class TreeLock {
        private Thread owner;
        private int depth;

        private void grab() {
            Thread me = Thread.currentThread();
            boolean interrupted = false;
            synchronized (this) {
                while (owner != null && owner != me) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                owner = me;
                depth++;
            }
            if (interrupted) {
                me.interrupt();
            }
        }

        private synchronized void drop() {
            if (owner != Thread.currentThread()) {
                throw new IllegalMonitorStateException("tree lock is not yours");
            }
            if (--depth == 0) {
                owner = null;
                notify();
            }
        }

        int with(IntSupplier body) {
            grab();
            try {
                return body.getAsInt();
            } finally {
                drop();
            }
        }
    }

    static class Widget {
        private final TreeLock lock;
        private final List<Widget> children = new ArrayList<>();
        private int width = 10;

        Widget(TreeLock lock) {
            this.lock = lock;
        }

        Widget add(Widget child) {
            lock.with(() -> {
                children.add(child);
                return children.size();
            });
            return this;
        }

        int layout() {
            return lock.with(() -> {
                if (!children.isEmpty()) {
                    width = 0;
                    for (Widget c : children) {
                        width += c.layout();
                    }
                    nap();
                }
                return width;
            });
        }

        void resizeChild(int index, int by) {
            lock.with(() -> {
                Widget c = children.get(index);
                c.width = Math.max(1, c.width + by);
                nap();
                return layout();
            });
        }

        boolean consistent() {
            return lock.with(() -> {
                int sum = 0;
                for (Widget c : children) {
                    sum += c.width;
                }
                return sum == width ? 1 : 0;
            }) == 1;
        }
    }

    private static void nap() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile boolean failed;

    private static void use(Widget root) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!failed) {
            if (random.nextInt(3) == 0) {
                root.resizeChild(random.nextInt(4), random.nextInt(-3, 4));
            }
            if (!root.consistent()) {
                failed = true;
            }
            ops.incrementAndGet();
            nap();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TreeLock lock = new TreeLock();
        Widget root = new Widget(lock);
        for (int i = 0; i < 4; i++) {
            root.add(new Widget(lock));
        }
        root.layout();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> use(root), "ui-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("a window was seen half laid out");
        }
        System.out.println("DONE " + ops);
    }
}
