// @lock Quartz$a
// @type PRODUCER-CONSUMER capacity=5
// @role put Quartz$a.a
// @role take Quartz$a.c
//
// @lock java.util.ArrayList#a
// @type BARRIER parties=3
// @role arrive Quartz$b.a
//
// @lock Quartz$c
// @type DELAY
// @role delay Quartz$c.a

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A recorder: a source that pauses between takes, a short queue, and three filters that work on the same block in step. Obfuscated. */
public final class Quartz {
    static final class a<a> {
        private final LinkedList<a> a = new LinkedList<>();
        private final int b;

        a(int c) {
            b = c;
        }

        void a(a c) throws InterruptedException {
            synchronized (this) {
                while (b()) {
                    wait();
                }
                a.addLast(c);
                if (a.size() == 1) {
                    notifyAll();
                }
            }
        }

        private boolean b() {
            return a.size() >= b;
        }

        a c() throws InterruptedException {
            synchronized (this) {
                while (a.isEmpty()) {
                    wait();
                }
                if (b()) {
                    notifyAll();
                }
                return a.removeFirst();
            }
        }
    }

    static final class b {
        private final List<Thread> a = new ArrayList<>();
        private final Runnable b;

        b(Runnable c) {
            b = c;
        }

        void a() throws InterruptedException {
            Thread c = Thread.currentThread();
            synchronized (a) {
                a.add(c);
                if (a.size() == 3) {
                    b.run();
                    a.clear();
                    a.notifyAll();
                    return;
                }
                while (a.contains(c)) {
                    a.wait();
                }
            }
        }
    }

    static final class c {
        private long a;

        synchronized void a(int b) throws InterruptedException {
            a += b;
            wait(b);
        }
    }

    private static final a<long[]> d = new a<>(5);
    private static final AtomicLongArray e = new AtomicLongArray(3);
    private static final AtomicLong f = new AtomicLong();
    private static final AtomicLong g = new AtomicLong();
    private static volatile String h;
    private static volatile long[] i;

    private static void a() throws InterruptedException {
        c j = new c();
        while (h == null) {
            for (int k = ThreadLocalRandom.current().nextInt(1, 8); k > 0; k--) {
                d.a(new long[] {f.incrementAndGet(), 0, 0, 0});
            }
            j.a(ThreadLocalRandom.current().nextInt(8, 32));
        }
    }

    private static void b() {
        long[] j = i;
        if (j != null && (j[1] != 1 || j[2] != 1 || j[3] != 1)) {
            h = "a block without all its filters";
        }
    }

    private static void a(b j, b k, int l) throws InterruptedException {
        while (h == null) {
            if (l == 0) {
                i = d.c();
                g.incrementAndGet();
            }
            j.a();
            i[l + 1]++;
            e.incrementAndGet(l);
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            k.a();
            if (e.get((l + 1) % 3) < e.get(l)) {
                h = "out of step";
            }
        }
    }

    interface d {
        void a() throws InterruptedException;
    }

    private static void a(d j) {
        Thread k = new Thread(() -> {
            try {
                j.a();
            } catch (InterruptedException l) {
                h = "interrupted";
            }
        });
        k.setDaemon(true);
        k.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b k = new b(() -> { });
        b l = new b(Quartz::b);
        for (int m = 0; m < 3; m++) {
            int n = m;
            a(() -> a(k, l, n));
        }
        a(Quartz::a);
        a(Quartz::a);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (g.get() > f.get()) {
            h = "more came out than went in";
        }
        if (h != null) {
            throw new IllegalStateException(h);
        }
        System.out.println("DONE " + g);
    }
}
