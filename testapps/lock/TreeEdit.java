// @lock TreeEdit$TreeLock
// @type LOCK reentrant=true
// @role lock TreeEdit$TreeLock.acquire
// @role unlock TreeEdit$TreeLock.release

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An outline editor: operations on a tree call one another, under a lock that knows its owner and its depth. */
public final class TreeEdit {
    static final class TreeLock {
        private Thread owner;
        private int depth;

        synchronized void acquire() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (owner == me) {
                depth++;
                return;
            }
            while (owner != null) {
                wait();
            }
            owner = me;
            depth = 1;
        }

        synchronized void release() {
            if (owner != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not the owner");
            }
            if (--depth == 0) {
                owner = null;
                notify();
            }
        }
    }

    static final class Node {
        private final List<Node> children = new ArrayList<>();
        private int size = 1;
    }

    private final TreeLock lock = new TreeLock();
    private final Node root = new Node();
    private volatile boolean failed;
    private final AtomicLong edits = new AtomicLong();

    private void grow(Node at, int levels) throws InterruptedException {
        lock.acquire();
        try {
            Node child = new Node();
            at.children.add(child);
            if (levels > 1) {
                grow(child, levels - 1);
            }
            recount(at);
        } finally {
            lock.release();
        }
    }

    private int recount(Node n) throws InterruptedException {
        lock.acquire();
        try {
            int size = 1;
            for (Node c : n.children) {
                size += c.size;
            }
            n.size = size;
            return size;
        } finally {
            lock.release();
        }
    }

    private void prune() throws InterruptedException {
        lock.acquire();
        try {
            if (recount(root) > 50) {
                root.children.clear();
                Thread.sleep(2); // the view is laid out anew
                if (recount(root) != 1) {
                    failed = true;
                }
            }
        } finally {
            lock.release();
        }
    }

    private void editor() {
        try {
            while (!failed) {
                grow(root, 3);
                prune();
                if (edits.incrementAndGet() % 2 == 0) {
                    lock.acquire();
                    Thread.sleep(1);
                    lock.release();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TreeEdit tree = new TreeEdit();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(tree::editor, "editor-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (tree.failed) {
            throw new IllegalStateException("somebody grew the tree while it was pruned");
        }
        System.out.println("DONE " + tree.edits);
    }
}
