// Four lanes of a sorter advance together; the tally is kept by inspectors behind the same monitor. (obfuscated)
// @lock Np$a
// @type BARRIER+MUTEX parties=4
// @role arrive Np$a.a
// @role enter Np$a.b
// @role enter Np$a.c
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Np {
    static final AtomicLong a = new AtomicLong();
    static final int b = 4;

    static final class a {
        private List<Thread> a = new ArrayList<>();
        private final Map<Integer, Long> b = new HashMap<>();
        private long c;
        private long d;

        synchronized long a() throws InterruptedException {
            List<Thread> e = a;
            e.add(Thread.currentThread());
            if (e.size() == Np.b) {
                a = new ArrayList<>();
                c++;
                notifyAll();
                return c;
            }
            while (a == e) wait();
            return c;
        }

        synchronized void b(int e) throws InterruptedException {
            b.merge(e, 1L, Long::sum);
            Thread.sleep(1);
            d++;
        }

        synchronized long c() throws InterruptedException {
            long e = 0;
            for (long f : b.values()) e += f;
            Thread.sleep(1);
            if (e != d) Np.a("c");
            return e;
        }
    }

    static final class b implements Runnable {
        private final a a;
        private final int c;

        b(a a, int c) {
            this.a = a;
            this.c = c;
        }

        private void a() throws InterruptedException {
            for (long d = 1; ; d++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                if (a.a() != d) Np.a("a");
                Np.a.incrementAndGet();
            }
        }

        private void b() throws InterruptedException {
            for (long d = 0; ; ) {
                if (c % 2 == 0) {
                    a.b(c);
                } else {
                    long e = a.c();
                    if (e < d) Np.a("b");
                    d = e;
                }
                Np.a.incrementAndGet();
                Thread.sleep(3);
            }
        }

        @Override public void run() {
            try {
                if (c < Np.b) a(); else b();
            } catch (InterruptedException d) {
                Np.a("i");
            }
        }
    }

    static void a(String b) {
        System.out.println("BROKEN " + b);
        System.exit(1);
    }

    public static void main(String[] d) throws Exception {
        a e = new a();
        for (int f = 0; f < b + 3; f++) {
            Thread g = new Thread(new b(e, f));
            g.setDaemon(true);
            g.start();
        }
        System.out.println("READY");
        Thread.sleep((d.length > 0 ? Integer.parseInt(d[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
