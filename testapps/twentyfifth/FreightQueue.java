// Freight between two yards over a lane of eight places with a lock at each end; the yard book is hardly ever in anybody's way.
// @lock FreightQueue$Lane$End
// @type PRODUCER-CONSUMER capacity=8
// @role put FreightQueue$Lane.send
// @role take FreightQueue$Lane.receive
//
// @lock FreightQueue$YardBook
// @type MUTEX
// @role enter FreightQueue$YardBook.note
// @role enter FreightQueue$YardBook.last
// @quiet
import java.util.concurrent.atomic.AtomicLong;

public class FreightQueue {
    static final AtomicLong moved = new AtomicLong();

    static final class Lane {
        static final class End {
            volatile long position;
        }

        private final End near = new End(), far = new End();
        private final long[] wagons;

        Lane(int n) { wagons = new long[n]; }

        void send(long w) throws InterruptedException {
            synchronized (near) {
                while (near.position - far.position == wagons.length) near.wait();
                wagons[(int) (near.position % wagons.length)] = w;
                near.position++;
            }
            synchronized (far) {
                far.notify();
            }
        }

        long receive() throws InterruptedException {
            long w;
            synchronized (far) {
                while (far.position == near.position) far.wait();
                w = wagons[(int) (far.position % wagons.length)];
                far.position++;
            }
            synchronized (near) {
                near.notify();
            }
            return w;
        }
    }

    static final class YardBook {
        private long last, notes;

        synchronized void note(long w) { last = w; notes++; }

        synchronized long last() { return notes == 0 ? -1 : last; }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static void sender(Lane l, int id, YardBook book) {
        try {
            for (long n = 1; ; ) {
                for (int i = 0; i < 18; i++) l.send(n++ << 2 | id);
                book.note(n);
                Thread.sleep(24);
            }
        } catch (InterruptedException e) { fail("sender interrupted"); }
    }

    static void receiver(Lane l, YardBook book, AtomicLong[] sum) {
        try {
            long[] last = new long[4];
            for (;;) {
                long w = l.receive();
                int id = (int) (w & 3);
                if (w >> 2 <= last[id]) fail("wagon overtaken");
                last[id] = w >> 2;
                sum[id].incrementAndGet();
                if (moved.incrementAndGet() % 20 == 0 && book.last() == 0) fail("book empty");
                Thread.sleep(1);
            }
        } catch (InterruptedException e) { fail("receiver interrupted"); }
    }

    static void go(String n, Runnable r) {
        Thread t = new Thread(r, n);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Lane l = new Lane(8);
        YardBook b = new YardBook();
        AtomicLong[] sum = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
        for (int i = 0; i < 2; i++) { int id = i; go("sender-" + i, () -> sender(l, id, b)); }
        for (int i = 0; i < 2; i++) go("receiver-" + i, () -> receiver(l, b, sum));
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        if (sum[0].get() == 0 || sum[1].get() == 0) fail("a sender starved");
        System.out.println("DONE " + moved.get());
    }
}
