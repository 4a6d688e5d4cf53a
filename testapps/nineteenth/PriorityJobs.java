// A job scheduler: clients enter jobs with a priority, runners take the most urgent one; the jobs are kept sorted in an array
// that grows. At most two run at once: a set of threads knows who. Obfuscated.
//
// @lock PriorityJobs$a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put PriorityJobs$a.a
// @role take PriorityJobs$a.b
//
// @lock PriorityJobs$c
// @type SEMAPHORE permits=2
// @role acquire PriorityJobs$c.a
// @role release PriorityJobs$c.b

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class PriorityJobs {
    static final AtomicLong a = new AtomicLong();
    static final AtomicLong c = new AtomicLong();
    static final AtomicInteger d = new AtomicInteger();
    static volatile String b;

    static class a {
        private long[] a = new long[2];
        private int b;

        void a(long x) {
            synchronized (this) {
                if (b == a.length) {
                    a = Arrays.copyOf(a, b * 2);
                }
                int i = b++;
                while (i > 0 && a[i - 1] < x) {
                    a[i] = a[i - 1];
                    i--;
                }
                a[i] = x;
                notify();
            }
        }

        long b() throws InterruptedException {
            synchronized (this) {
                while (b == 0) {
                    wait();
                }
                long x = a[--b];
                if (b > 0 && a[b - 1] < x) {
                    PriorityJobs.b = "not the most urgent";
                }
                return x;
            }
        }
    }

    static class c {
        private final Set<Thread> a = new HashSet<>();
        private final int b;

        c(int x) {
            b = x;
        }

        private boolean c() {
            return a.size() < b && a.add(Thread.currentThread());
        }

        synchronized void a() throws InterruptedException {
            while (!c()) {
                wait(500);
            }
        }

        synchronized void b() {
            if (!a.remove(Thread.currentThread())) {
                PriorityJobs.b = "left without entering";
            }
            notifyAll();
        }
    }

    static class d extends Thread {
        private final a a;
        private final c b;
        private final boolean c;

        d(a x, c y, boolean z) {
            a = x;
            b = y;
            c = z;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    if (c) {
                        sleep(4 + r.nextInt(14));
                        long x = 1 + r.nextInt(50);
                        PriorityJobs.c.addAndGet(x);
                        a.a(x);
                        continue;
                    }
                    long x = a.b();
                    PriorityJobs.c.addAndGet(-x);
                    b.a();
                    if (PriorityJobs.d.incrementAndGet() > 2) {
                        PriorityJobs.b = "three at once";
                    }
                    sleep(4 + r.nextInt(3));
                    PriorityJobs.d.decrementAndGet();
                    b.b();
                    PriorityJobs.a.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a x = new a();
        c y = new c(2);
        for (int i = 0; i < 8; i++) {
            new d(x, y, i < 3).start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
            if (c.get() < 0) {
                b = "more taken than put";
            }
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
