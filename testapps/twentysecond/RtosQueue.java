// @lock RtosQueue$Count
// @type PRODUCER-CONSUMER capacity=8
// @role put RtosQueue$MsgQueue.send
// @role take RtosQueue$MsgQueue.receive
//
// @lock RtosQueue$EventFlags
// @type CONDITION
// @role wait RtosQueue$EventFlags.pend
// @role notify RtosQueue$EventFlags.set

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** What was carried over from a real-time kernel: a message queue made of a list and two counts, each a monitor, and event flags that tasks wait for in combinations. */
public class RtosQueue {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class Count {
        int n;
        Count(int n) { this.n = n; }
    }

    static final class MsgQueue {
        private final Count room = new Count(8), filled = new Count(0);
        private final LinkedList<Long> list = new LinkedList<>();

        void send(long m) throws InterruptedException {
            synchronized (room) {
                while (room.n == 0) room.wait();
                room.n--;
            }
            synchronized (list) {
                list.add(m);
                if (list.size() > 8) broken = "queue of more than eight";
            }
            synchronized (filled) {
                filled.n++;
                filled.notify();
            }
        }

        long receive() throws InterruptedException {
            synchronized (filled) {
                while (filled.n == 0) filled.wait();
                filled.n--;
            }
            long m;
            synchronized (list) {
                m = list.removeFirst();
            }
            synchronized (room) {
                room.n++;
                room.notify();
            }
            return m;
        }
    }

    /** Eight bits; a task pends on all bits of its mask and clears them. */
    static final class EventFlags {
        private int flags;

        synchronized void pend(int mask) throws InterruptedException {
            while ((flags & mask) != mask) wait();
            flags &= ~mask;
        }

        synchronized void set(int bits) {
            flags |= bits;
            notifyAll();
        }
    }

    static final MsgQueue queue = new MsgQueue();
    static final EventFlags events = new EventFlags();
    static final AtomicLong sent = new AtomicLong(), received = new AtomicLong();

    static void driver() throws InterruptedException {
        while (!stop) {
            for (int k = ThreadLocalRandom.current().nextInt(1, 14); k > 0; k--) {
                sent.incrementAndGet();
                queue.send(System.nanoTime());
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(10, 30));
        }
    }

    static void handler() throws InterruptedException {
        while (!stop) {
            long m = queue.receive();
            if (m > System.nanoTime()) broken = "message from the future";
            if (received.incrementAndGet() > sent.get()) broken = "message out of nothing";
            Thread.sleep(2);
            ops.incrementAndGet();
        }
    }

    static void isr(int mod) throws InterruptedException {
        for (int i = 0; !stop; i++) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
            events.set(1 << (i % mod));
        }
    }

    static void task(int mask) throws InterruptedException {
        while (!stop) {
            events.pend(mask);
            ops.incrementAndGet();
        }
    }

    interface Entry { void run() throws InterruptedException; }

    static void create(Entry e) {
        Thread t = new Thread(() -> {
            try { e.run(); } catch (InterruptedException x) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            create(RtosQueue::driver);
            create(RtosQueue::handler);
        }
        create(() -> isr(6));
        create(() -> isr(6));
        create(() -> task(0x03));
        create(() -> task(0x0c));
        create(() -> task(0x30));
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
