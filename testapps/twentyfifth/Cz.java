// Consignments that are complete when three named papers have come in; couriers are threads that mark their own end. (obfuscated)
// @lock java.util.HashSet
// @type LATCH count=3
// @role count-down Cz$a.a
// @role await Cz$a.b
// @role await Cz$a.c
//
// @lock Cz$b
// @type JOIN
// @role join Cz$b.a
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Cz {
    static final AtomicLong a = new AtomicLong();
    static final String[] b = {"k", "l", "m"};

    static final class a {
        private final Set<String> a = new HashSet<>(Arrays.asList(b));

        void a(String c) {
            synchronized (a) {
                if (a.remove(c) && a.isEmpty()) a.notifyAll();
            }
        }

        void b() throws InterruptedException {
            synchronized (a) {
                while (!a.isEmpty()) a.wait();
            }
        }

        boolean c(long c) throws InterruptedException {
            long d = System.currentTimeMillis() + c;
            synchronized (a) {
                for (;;) {
                    if (a.isEmpty()) return true;
                    long e = d - System.currentTimeMillis();
                    if (e <= 0) return false;
                    a.wait(e);
                }
            }
        }
    }

    static final class b extends Thread {
        private final a a;
        private final String b;
        private boolean c;
        private int d;

        b(a a, String b) {
            this.a = a;
            this.b = b;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(1, 6));
                d = 1;
                a.a(b);
                sleep(2);
                d = 2;
            } catch (InterruptedException e) {
                d = -1;
            } finally {
                synchronized (this) {
                    c = true;
                    notifyAll();
                }
            }
        }

        synchronized int a() throws InterruptedException {
            while (!c) wait(500);
            return d;
        }
    }

    static void a(String a) {
        System.out.println("BROKEN " + a);
        System.exit(1);
    }

    static void b() {
        try {
            for (;;) {
                a c = new a();
                b[] d = new b[3];
                for (int e = 0; e < 3; e++) (d[e] = new b(c, b[e])).start();
                if (ThreadLocalRandom.current().nextBoolean()) c.b();
                else if (!c.c(3000)) continue;
                for (b e : d) if (e.a() != 2) a("b");
                a.incrementAndGet();
                Thread.sleep(4);
            }
        } catch (InterruptedException e) {
            a("i");
        }
    }

    public static void main(String[] c) throws Exception {
        for (int d = 0; d < 3; d++) {
            Thread e = new Thread(Cz::b);
            e.setDaemon(true);
            e.start();
        }
        System.out.println("READY");
        Thread.sleep((c.length > 0 ? Integer.parseInt(c[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
