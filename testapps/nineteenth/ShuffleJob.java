// Map/reduce in small: each job starts two mapper threads and awaits their results, set by each as its last act; three reducers
// that live for ever go through their rounds on a barrier of three. Obfuscated.
//
// @lock ShuffleJob$b
// @type JOIN
// @role join ShuffleJob$b.b
//
// @lock ShuffleJob$c
// @type BARRIER parties=3
// @role arrive ShuffleJob$c.a

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ShuffleJob {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class b implements Runnable {
        private int[] a;
        private final int b;

        b(int x) {
            b = x;
        }

        private synchronized void a(int[] x) {
            a = x;
            notifyAll();
        }

        synchronized int[] b() throws InterruptedException {
            while (a == null) {
                wait();
            }
            return a;
        }

        @Override
        public void run() {
            int[] x = new int[4];
            for (int i = 0; i < b; i++) {
                x[i & 3]++;
            }
            try {
                Thread.sleep(2 + ThreadLocalRandom.current().nextInt(6));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            a(x);
        }
    }

    static class c {
        private Set<Thread> a = new HashSet<>();

        synchronized void a() throws InterruptedException {
            Set<Thread> x = a;
            x.add(Thread.currentThread());
            if (x.size() > 2) {
                a = new HashSet<>();
                notifyAll();
            } else {
                while (x == a) {
                    wait();
                }
            }
        }
    }

    static class d extends Thread {
        d() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    b[] x = new b[2];
                    int y = 0;
                    for (int i = 0; i < x.length; i++) {
                        int n = ThreadLocalRandom.current().nextInt(500);
                        y += n;
                        x[i] = new b(n);
                        Thread t = new Thread(x[i]);
                        t.setDaemon(true);
                        t.start();
                    }
                    for (b i : x) {
                        for (int j : i.b()) {
                            y -= j;
                        }
                    }
                    if (y != 0) {
                        ShuffleJob.b = "shuffled away " + y;
                    }
                    ShuffleJob.a.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class e extends Thread {
        private final c a;
        private final AtomicInteger[] b;
        private final int c;

        e(c x, AtomicInteger[] y, int z) {
            a = x;
            b = y;
            c = z;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 1;; i++) {
                    sleep(2 + ThreadLocalRandom.current().nextInt(7));
                    b[c].set(i);
                    a.a();
                    for (AtomicInteger x : b) {
                        int y = x.get();
                        if (y != i && y != i + 1) {
                            ShuffleJob.b = "round " + i + " met " + y;
                        }
                    }
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        AtomicInteger[] y = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        c x = new c();
        for (int i = 0; i < 3; i++) {
            new e(x, y, i).start();
        }
        for (int i = 0; i < 2; i++) {
            new d().start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
