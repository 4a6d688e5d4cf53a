// @lock GalleryVisits$FifoRwLock
// @type READ-WRITE preference=fair reentrant=true
// @role read-lock GalleryVisits$FifoRwLock.lockRead
// @role write-lock GalleryVisits$FifoRwLock.lockWrite
// @role read-unlock GalleryVisits$FifoRwLock.unlock
// @role write-unlock GalleryVisits$FifoRwLock.unlock

import java.util.Random;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicInteger;

/** Visitors and cleaners queue in one line; a vector of nodes decides who may be inside. One unlock for both. */
public class GalleryVisits {
    static class Node {
        static final int READER = 0;
        static final int WRITER = 1;
        final Thread t;
        final int state;
        int acquires;

        Node(Thread t, int state) {
            this.t = t;
            this.state = state;
        }
    }

    static class FifoRwLock {
        private final Vector<Node> waiters = new Vector<>();

        private int firstWriter() {
            int i = 0;
            for (Node n : waiters) {
                if (n.state == Node.WRITER) {
                    return i;
                }
                i++;
            }
            return Integer.MAX_VALUE;
        }

        private int indexOf(Thread t) {
            for (int i = 0; i < waiters.size(); i++) {
                if (waiters.elementAt(i).t == t) {
                    return i;
                }
            }
            return -1;
        }

        public synchronized void lockRead() throws InterruptedException {
            Thread me = Thread.currentThread();
            int index = indexOf(me);
            Node node;
            if (index == -1) {
                node = new Node(me, Node.READER);
                waiters.addElement(node);
            } else {
                node = waiters.elementAt(index);
            }
            while (indexOf(me) > firstWriter()) {
                wait();
            }
            node.acquires++;
        }

        public synchronized void lockWrite() throws InterruptedException {
            Thread me = Thread.currentThread();
            int index = indexOf(me);
            Node node;
            if (index == -1) {
                node = new Node(me, Node.WRITER);
                waiters.addElement(node);
            } else {
                node = waiters.elementAt(index);
                if (node.state == Node.READER) {
                    throw new IllegalArgumentException("Upgrade lock");
                }
            }
            while (indexOf(me) != 0) {
                wait();
            }
            node.acquires++;
        }

        public synchronized void unlock() {
            int index = indexOf(Thread.currentThread());
            if (index < 0 || index > firstWriter()) {
                throw new IllegalArgumentException("Lock not held");
            }
            Node node = waiters.elementAt(index);
            node.acquires--;
            if (node.acquires == 0) {
                waiters.removeElementAt(index);
                notifyAll();
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final FifoRwLock room = new FifoRwLock();
        final AtomicInteger visitors = new AtomicInteger();
        final AtomicInteger cleaners = new AtomicInteger();
        final AtomicInteger ops = new AtomicInteger();
        for (int i = 0; i < 7; i++) {
            final boolean cleaner = i < 2;
            final Random rnd = new Random(i);
            Thread t = new Thread(cleaner ? "cleaner" + i : "visitor" + i) {
                @Override
                public void run() {
                    try {
                        while (true) {
                            boolean twice = rnd.nextInt(4) == 0;
                            for (int k = twice ? 2 : 1; k > 0; k--) {
                                if (cleaner) {
                                    room.lockWrite();
                                } else {
                                    room.lockRead();
                                }
                            }
                            int c = cleaner ? cleaners.incrementAndGet() : cleaners.get();
                            int v = cleaner ? visitors.get() : visitors.incrementAndGet();
                            if (c > 1 || c == 1 && v > 0) {
                                throw new IllegalStateException(c + " cleaners, " + v + " visitors");
                            }
                            sleep(rnd.nextInt(3));
                            (cleaner ? cleaners : visitors).decrementAndGet();
                            ops.incrementAndGet();
                            for (int k = twice ? 2 : 1; k > 0; k--) {
                                room.unlock();
                            }
                            sleep(2 + rnd.nextInt(8));
                        }
                    } catch (Exception e) {
                        System.out.println(e);
                        System.exit(1);
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        System.out.println("DONE " + ops);
    }
}
