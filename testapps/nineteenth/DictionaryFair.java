// A data dictionary: plans are compiled under its shared lock, changes made under the exclusive one, strictly in the order of arrival; the
// same monitor also guards the (slow) usage statistics, which have nothing to do with the dictionary. Obfuscated.
//
// @lock DictionaryFair$a
// @type READ-WRITE+MUTEX preference=fair reentrant=false
// @role read-lock DictionaryFair$a.a
// @role read-unlock DictionaryFair$a.b
// @role write-lock DictionaryFair$a.c
// @role write-unlock DictionaryFair$a.d
// @role enter DictionaryFair$a.e
// @role enter DictionaryFair$a.f

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class DictionaryFair {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class a {
        private int a;
        private int b;
        private int c;
        private boolean d;
        private long e;
        private long f;

        synchronized void a() throws InterruptedException {
            int x = a++;
            while (x != b || d) {
                wait();
            }
            b++;
            c++;
            notifyAll();
        }

        synchronized void b() {
            if (--c == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            int x = a++;
            while (x != b || d || c > 0) {
                wait();
            }
            b++;
            d = true;
        }

        synchronized void d() {
            d = false;
            notifyAll();
        }

        synchronized void e(int x) throws InterruptedException {
            long y = e;
            Thread.sleep(1);
            e = y + x;
            f += x;
        }

        synchronized long f() throws InterruptedException {
            if (e != f) {
                DictionaryFair.b = "statistics " + e + " " + f;
            }
            Thread.sleep(1);
            return e;
        }
    }

    static class b extends Thread {
        private final a a;
        private final int[] b;
        private final int c;

        b(a x, int[] y, int z) {
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
                    if (c < 4) {
                        a.a();
                        int x = b[0];
                        sleep(3 + r.nextInt(4));
                        if (x != b[1]) {
                            DictionaryFair.b = "half a change";
                        }
                        a.b();
                        sleep(3);
                    } else if (c < 6) {
                        a.c();
                        b[0]++;
                        sleep(2);
                        b[1]++;
                        a.d();
                        sleep(6 + r.nextInt(10));
                    } else {
                        a.e(r.nextInt(9));
                        sleep(4 + r.nextInt(4));
                        if (r.nextInt(4) == 0) {
                            a.f();
                        }
                    }
                    DictionaryFair.a.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a x = new a();
        int[] y = new int[2];
        for (int i = 0; i < 9; i++) {
            new b(x, y, i).start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
