// A database in four shards that is rolled up round after round: the shards meet at a turnstile that flips, and report
// by name to the round, which the reporter waits for. Names as an obfuscator leaves them.
//
// @lock ShardRollup$a
// @type LATCH count=4
// @role count-down ShardRollup$a.a
// @role await ShardRollup$a.b
//
// @lock java.lang.Object#c
// @type BARRIER parties=4
// @role arrive ShardRollup$b.c

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ShardRollup {
    static volatile String f;
    static final AtomicLong g = new AtomicLong();

    static final class a {
        private final Set<String> a;
        final AtomicInteger b = new AtomicInteger();

        a(String... s) {
            a = new HashSet<>(Arrays.asList(s));
        }

        synchronized void a(String s) {
            if (!a.remove(s))
                throw new IllegalArgumentException(s);
            if (a.isEmpty())
                notifyAll();
        }

        synchronized void b() throws InterruptedException {
            while (!a.isEmpty())
                wait();
        }
    }

    static final class b {
        private final Object a = new Object();
        private final int b;
        private int d;
        private boolean e;

        b(int n) {
            b = n;
        }

        boolean c(Runnable r) throws InterruptedException {
            synchronized (a) {
                boolean s = e;
                if (++d == b) {
                    if (r != null)
                        r.run();
                    d = 0;
                    e = !s;
                    a.notifyAll();
                    return true;
                }
                while (e == s)
                    a.wait();
                return false;
            }
        }
    }

    static final String[] c = {"n", "e", "s", "w"};
    static volatile a d = new a(c);

    static final class e extends Thread {
        private final b a;
        private int b;

        e(b a, String n) {
            super(n);
            this.a = a;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    a r = d;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
                    r.b.incrementAndGet();
                    r.a(getName());
                    b++;
                    // the last one to come opens the next round
                    a.c(() -> d = new a(c));
                    if (d == r)
                        ShardRollup.f = "the round is still the old one";
                }
            } catch (InterruptedException | RuntimeException x) {
                ShardRollup.f = getName() + " " + x;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        b b = new b(4);
        for (String s : c)
            new e(b, s).start();
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread() {
                @Override
                public void run() {
                    a l = null;
                    try {
                        for (;;) {
                            a r = d;
                            if (r == l) {
                                Thread.sleep(1);
                                continue;
                            }
                            r.b();
                            if (r.b.get() != 4)
                                f = "reported before all were there";
                            l = r;
                            g.incrementAndGet();
                        }
                    } catch (InterruptedException x) {
                        f = "reporter";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long t = System.nanoTime() + n * 1_000_000_000L, o = -1;
        int idle = 0;
        while (f == null && System.nanoTime() < t) {
            Thread.sleep(400);
            idle = g.get() == o ? idle + 1 : 0;
            if (idle > 25)
                f = "no round ends";
            o = g.get();
        }
        if (f != null) {
            System.out.println("BROKEN " + f);
            System.exit(1);
        }
        System.out.println("DONE " + g);
    }
}
