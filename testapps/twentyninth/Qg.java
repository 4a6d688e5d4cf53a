// @lock Qg$a
// @type PRODUCER-CONSUMER+JOIN capacity=unbounded
// @role put Qg$a.a
// @role take Qg$a.b
// @role join Qg$a.c
// @lock Qg$d
// @type MUTEX
// @role enter Qg$d.a
// @role enter Qg$d.b

import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Qg {
    static class a extends Thread {
        private final LinkedList<int[]> a = new LinkedList<>();
        private final d b;
        private int c;

        a(d e) {
            b = e;
            setDaemon(true);
        }

        void a(int... e) {
            synchronized (this) {
                a.addLast(e);
                notifyAll();
            }
        }

        private int[] b() throws InterruptedException {
            synchronized (this) {
                while (a.isEmpty()) {
                    wait();
                }
                return a.removeFirst();
            }
        }

        int c() throws InterruptedException {
            synchronized (this) {
                while (isAlive()) {
                    wait();
                }
            }
            return c;
        }

        @Override
        public void run() {
            try {
                for (int[] e = b(); e.length > 0; e = b()) {
                    for (int f : e) {
                        c += f;
                    }
                    b.a(e);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
            } catch (InterruptedException e) {
                c = -1;
            }
        }
    }

    static class d {
        private final List<Integer> a = new LinkedList<>();
        private long b;
        private long c;

        synchronized void a(int... e) throws InterruptedException {
            for (int f : e) {
                a.add(f);
                b += f;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }

        synchronized long b() throws InterruptedException {
            Thread.sleep(1);
            for (int e : a) {
                c += e;
            }
            a.clear();
            if (b != c) {
                throw new IllegalStateException("e");
            }
            return b;
        }
    }

    private static final AtomicLong a = new AtomicLong();
    private static volatile Throwable b;

    private static void a(d e) throws InterruptedException {
        a f = new a(e);
        f.start();
        int g = 0;
        for (int h = ThreadLocalRandom.current().nextInt(2, 6); h > 0; h--) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
            int i = a.intValue() & 15;
            f.a(h, i);
            g += h + i;
        }
        f.a();
        int i = f.c();
        if (i != g || f.isAlive()) {
            throw new IllegalStateException("f" + i);
        }
        a.incrementAndGet();
    }

    private static void a(d e, int f) throws InterruptedException {
        e.b();
        Thread.sleep(f);
    }

    public static void main(String[] e) throws InterruptedException {
        long f = e.length > 0 ? Long.parseLong(e[0]) : 600;
        d g = new d();
        for (int h = 0; h < 4; h++) {
            int i = h;
            Thread j = new Thread(() -> {
                try {
                    while (b == null) {
                        if (i > 0) {
                            a(g);
                        } else {
                            a(g, 7);
                        }
                    }
                } catch (InterruptedException | RuntimeException k) {
                    b = k;
                }
            });
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(f * 1000);
        if (b != null) {
            throw new IllegalStateException(b);
        }
        System.out.println("DONE " + a);
    }
}
