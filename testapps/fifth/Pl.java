// @lock Pl$a
// @type PRODUCER-CONSUMER capacity=24
// @role put Pl$a.b
// @role take Pl$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A console's pipe of characters, obfuscated: one writer sends lines, one reader picks the lines apart; a ring of 24. */
public final class Pl {
    static final class a {
        private final char[] d = new char[24];
        private int e;
        private int f;

        synchronized void b(char x) throws InterruptedException {
            while (f - e == d.length) {
                wait();
            }
            d[f++ % d.length] = x;
            if (x == '\n' || f - e == d.length) {
                notify();
            }
            g();
        }

        synchronized char c() throws InterruptedException {
            while (f == e) {
                wait();
            }
            char x = d[e++ % d.length];
            if (f - e == d.length / 2) {
                notify();
            }
            g();
            return x;
        }

        private void g() {
            if (e >= d.length) {
                e -= d.length;
                f -= d.length;
            }
        }
    }

    static final AtomicLong h = new AtomicLong();
    static volatile boolean i;

    static void j(a x) throws InterruptedException {
        for (long n = 0; !i; n++) {
            String s = "line " + n + "\n";
            for (int k = 0; k < s.length(); k++) {
                x.b(s.charAt(k));
            }
            if (n % 5 == 0) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        }
    }

    static void l(a x) throws InterruptedException {
        StringBuilder s = new StringBuilder();
        for (long n = 0; !i; n++) {
            for (char y; (y = x.c()) != '\n';) {
                s.append(y);
            }
            if (!s.toString().equals("line " + n)) {
                i = true;
            }
            s.setLength(0);
            h.incrementAndGet();
            if (n % 7 == 0) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int p = 0; p < 2; p++) {
            a x = new a();
            for (int q = 0; q < 2; q++) {
                boolean w = q == 0;
                Thread t = new Thread(() -> {
                    try {
                        if (w) {
                            j(x);
                        } else {
                            l(x);
                        }
                    } catch (InterruptedException z) {
                        i = true;
                    }
                }, "p" + p + q);
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (i || h.get() == 0) {
            throw new IllegalStateException("a line came out wrong");
        }
        System.out.println("DONE " + h);
    }
}
