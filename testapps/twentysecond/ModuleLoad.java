// @lock ModuleLoad$Transfer
// @type PRODUCER-CONSUMER+LATCH capacity=4 count=1
// @role put ModuleLoad$Transfer.block
// @role take ModuleLoad$Transfer.nextBlock
// @role count-down ModuleLoad$Transfer.complete
// @role await ModuleLoad$Transfer.awaitComplete
//
// @lock ModuleLoad$Flash
// @type MUTEX
// @role enter ModuleLoad$Flash.program
// @role enter ModuleLoad$Flash.verify

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Software modules from a broadcast carousel: an object for each transfer holds at most four blocks on their way to the flash, and is what everybody awaits who wants the module. */
public class ModuleLoad {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Transfer {
        private static final class Node {
            final int data;
            Node next;
            Node(int data) { this.data = data; }
        }

        final int blocks;
        private Node oldest, newest;
        private int onTheWay;
        private boolean complete;

        Transfer(int blocks) { this.blocks = blocks; }

        synchronized void block(int data) throws InterruptedException {
            while (onTheWay == 4) wait();
            Node n = new Node(data);
            if (onTheWay++ == 0) oldest = n; else newest.next = n;
            newest = n;
            notifyAll();
        }

        synchronized int nextBlock() throws InterruptedException {
            while (onTheWay == 0) wait();
            Node n = oldest;
            oldest = n.next;
            onTheWay--;
            notifyAll();
            return n.data;
        }

        synchronized void complete() {
            complete = true;
            notifyAll();
        }

        synchronized void awaitComplete() throws InterruptedException {
            while (!complete) wait();
        }
    }

    /** The one flash chip of the box. */
    static final class Flash {
        private final int[] cells = new int[8];
        private int checksum;

        void program(int d) throws InterruptedException {
            synchronized (this) {
                write(d);
            }
        }

        private void write(int d) throws InterruptedException {
            int i = d & 7;
            checksum -= cells[i];
            cells[i] = d;
            Thread.sleep(1);
            checksum += d;
        }

        void verify() {
            synchronized (this) {
                int s = 0;
                for (int c : cells) s += c;
                if (s != checksum) broken = "flash spoilt";
            }
        }
    }

    static final Flash flash = new Flash();

    static final class Slot {
        volatile Transfer current = new Transfer(12);

        void receiver() throws InterruptedException {
            while (!stop) {
                Transfer t = current;
                for (int i = 0; i < t.blocks; i++) {
                    t.block(i);
                    if (ThreadLocalRandom.current().nextInt(3) == 0) Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
                }
                t.awaitComplete();
                while (current == t) Thread.sleep(1);
            }
        }

        void programmer() throws InterruptedException {
            while (!stop) {
                Transfer t = current;
                for (int i = 0; i < t.blocks; i++) {
                    int d = t.nextBlock();
                    if (d != i) broken = "block " + d + " instead of " + i;
                    flash.program(d);
                }
                t.complete();
                ops.incrementAndGet();
                Thread.sleep(2);
                current = new Transfer(12);
            }
        }

        void application() throws InterruptedException {
            while (!stop) {
                Transfer t = current;
                t.awaitComplete();
                if (t.onTheWay != 0) broken = "complete with blocks on their way";
                flash.verify();
                Thread.sleep(3);
            }
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void start(Body b) {
        Thread t = new Thread(() -> {
            try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            Slot s = new Slot();
            start(s::receiver);
            start(s::programmer);
            start(s::application);
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
