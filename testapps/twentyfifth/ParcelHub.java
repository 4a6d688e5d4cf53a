// A parcel hub: scanners put parcels on a belt of twelve places, sorters take them off; vans use three dock doors.
// @lock ParcelHub$Belt
// @type PRODUCER-CONSUMER capacity=12
// @role put ParcelHub$Belt.load
// @role take ParcelHub$Belt.unload
// @role take ParcelHub$Belt.unloadWithin
//
// @lock ParcelHub$Doors
// @type SEMAPHORE permits=3
// @role acquire ParcelHub$Doors.dock
// @role release ParcelHub$Doors.leave
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ParcelHub {
    static final AtomicLong ops = new AtomicLong();

    static final class Parcel {
        final int scanner;
        final long seq;
        Parcel(int scanner, long seq) { this.scanner = scanner; this.seq = seq; }
    }

    static final class Belt {
        private final Parcel[] place;
        private long in, out;

        Belt(int n) { place = new Parcel[n]; }

        private int at(long pos) { return (int) (pos % place.length); }

        synchronized void load(Parcel p) throws InterruptedException {
            while (in - out >= place.length) wait();
            if (place[at(in)] != null) die("place taken");
            place[at(in++)] = p;
            notifyAll();
        }

        synchronized Parcel unload() throws InterruptedException {
            while (in == out) wait();
            return pick();
        }

        synchronized Parcel unloadWithin(long ms) throws InterruptedException {
            long end = System.nanoTime() + ms * 1000000L;
            while (in == out) {
                long left = (end - System.nanoTime()) / 1000000L;
                if (left <= 0) return null;
                wait(left);
            }
            return pick();
        }

        private Parcel pick() {
            int i = at(out++);
            Parcel p = place[i];
            place[i] = null;
            notifyAll();
            return p;
        }
    }

    /** A bit for each free door. */
    static final class Doors {
        private int free;
        Doors(int n) { free = (1 << n) - 1; }

        int dock() throws InterruptedException {
            synchronized (this) {
                while (free == 0) wait();
                int d = Integer.numberOfTrailingZeros(free);
                free &= ~(1 << d);
                return d;
            }
        }

        void leave(int d) {
            synchronized (this) {
                if ((free & 1 << d) != 0) die("door was free");
                free |= 1 << d;
                notify();
            }
        }
    }

    static void die(String m) { System.out.println(m); System.exit(1); }

    interface Step { void go() throws InterruptedException; }

    static void spawn(String name, Step s) {
        Thread t = new Thread(() -> {
            try {
                for (;;) s.go();
            } catch (InterruptedException e) {
                die("interrupted: " + name);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] a) throws Exception {
        Belt belt = new Belt(12);
        Doors doors = new Doors(3);
        AtomicInteger[] at = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        for (int s = 0; s < 3; s++) {
            int id = s;
            AtomicLong seq = new AtomicLong();
            spawn("scanner-" + s, () -> {
                for (int i = 0; i < 26; i++) belt.load(new Parcel(id, seq.incrementAndGet()));
                Thread.sleep(38);
            });
        }
        for (int s = 0; s < 3; s++) {
            boolean patient = s > 0;
            long[] last = new long[3];
            spawn("sorter-" + s, () -> {
                Parcel p = patient ? belt.unload() : belt.unloadWithin(30);
                if (p == null) return;
                if (p.seq <= last[p.scanner]) die("parcel overtaken");
                last[p.scanner] = p.seq;
                ops.incrementAndGet();
                Thread.sleep(1);
            });
        }
        for (int v = 0; v < 6; v++) {
            int len = 2 + v % 3;
            spawn("van-" + v, () -> {
                int d = doors.dock();
                try {
                    if (at[d].incrementAndGet() != 1) die("two vans at a door");
                    Thread.sleep(len);
                    at[d].decrementAndGet();
                } finally {
                    doors.leave(d);
                }
                ops.incrementAndGet();
                Thread.sleep(2);
            });
        }
        System.out.println("READY");
        Thread.sleep((a.length > 0 ? Integer.parseInt(a[0]) : 600) * 1000L);
        System.out.println("DONE " + ops.get());
    }
}
