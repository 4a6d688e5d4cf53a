// @lock ComponentTree$TreeLock
// @type LOCK reentrant=true
// @role lock ComponentTree$TreeLock.lock
// @role unlock ComponentTree$TreeLock.unlock

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A window toolkit with one lock for the whole tree of components. Layout, painting and input come from different threads, call
 * each other recursively, and each method takes the tree lock for itself.
 */
public class ComponentTree {

    static final class TreeLock {
        private Thread owner;
        private int depth;

        synchronized void lock() {
            Thread me = Thread.currentThread();
            boolean interrupted = false;
            while (owner != null && owner != me) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            owner = me;
            depth++;
            if (interrupted) {
                me.interrupt();
            }
        }

        synchronized void unlock() {
            if (owner != Thread.currentThread()) {
                throw new IllegalMonitorStateException("the tree is locked by " + owner);
            }
            if (--depth == 0) {
                owner = null;
                notify();
            }
        }
    }

    static class Component {
        final TreeLock tree;
        protected int width = 1;
        protected boolean valid;

        Component(TreeLock tree) {
            this.tree = tree;
        }

        int layout() {
            tree.lock();
            try {
                valid = true;
                return width;
            } finally {
                tree.unlock();
            }
        }

        void resize(int newWidth) {
            tree.lock();
            try {
                width = newWidth;
                valid = false;
            } finally {
                tree.unlock();
            }
        }
    }

    static class Container extends Component {
        final List<Component> children = new ArrayList<>();

        Container(TreeLock tree) {
            super(tree);
        }

        @Override
        int layout() {
            tree.lock();
            try {
                int sum = 0;
                for (Component child : children) {
                    sum += child.layout();
                }
                rest();
                width = sum;
                return super.layout();
            } finally {
                tree.unlock();
            }
        }

        boolean paint() {
            tree.lock();
            try {
                int expected = layout();
                int sum = 0;
                for (Component child : children) {
                    sum += child.width;
                }
                return sum == expected;
            } finally {
                tree.unlock();
            }
        }

        private static void rest() {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final AtomicLong events = new AtomicLong();
    private static volatile boolean torn;
    private static volatile boolean disposed;

    private static Thread loop(String name, Runnable event) {
        Random random = new Random(name.length());
        Thread thread = new Thread(() -> {
            while (!disposed) {
                event.run();
                events.incrementAndGet();
                try {
                    Thread.sleep(1 + random.nextInt(4));
                } catch (InterruptedException e) {
                    return;
                }
            }
        }, name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TreeLock lock = new TreeLock();
        Container frame = new Container(lock);
        Container[] panels = new Container[2];
        for (int i = 0; i < panels.length; i++) {
            panels[i] = new Container(lock);
            frame.children.add(panels[i]);
            for (int j = 0; j < 3; j++) {
                panels[i].children.add(new Component(lock));
            }
        }
        Random random = new Random(1);
        List<Thread> threads = new ArrayList<>();
        threads.add(loop("paint", () -> torn |= !frame.paint()));
        threads.add(loop("layout", frame::layout));
        threads.add(loop("animation", () -> torn |= !panels[0].paint()));
        threads.add(loop("input", () -> panels[random.nextInt(2)].children.get(random.nextInt(3)).resize(random.nextInt(100))));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        disposed = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (torn || lock.depth != 0) {
            throw new IllegalStateException("painted while somebody changed the tree");
        }
        System.out.println("DONE " + events);
    }
}
