// @lock Ux$b
// @type LOCK reentrant=false
// @role lock Ux$b.c
// @role unlock Ux$b.d

import java.util.LinkedList;
import java.util.Random;

/** A first-come-first-served lock: a list of threads, its head is in. Obfuscated. */
public class Ux {
    static class b {
        private final LinkedList<Thread> a = new LinkedList<>();

        synchronized void c() throws InterruptedException {
            Thread e = Thread.currentThread();
            a.addLast(e);
            try {
                while (a.getFirst() != e) {
                    wait();
                }
            } catch (InterruptedException f) {
                a.remove(e);
                notifyAll();
                throw f;
            }
        }

        synchronized void d() {
            if (a.isEmpty() || a.getFirst() != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            a.removeFirst();
            if (!a.isEmpty()) {
                notifyAll();
            }
        }
    }

    private long g;
    private long h;
    private final b i = new b();
    private volatile boolean j;

    public static void main(String[] k) throws InterruptedException {
        long l = k.length > 0 ? Long.parseLong(k[0]) : 600;
        final Ux[] m = {new Ux(), new Ux()};
        for (int n = 0; n < 6; n++) {
            final Ux o = m[n & 1];
            final Random p = new Random(n * 17);
            Thread q = new Thread(() -> {
                try {
                    while (true) {
                        o.i.c();
                        long r = o.g + 1;
                        if (o.h != r - 1) {
                            o.j = true;
                        }
                        o.g = r;
                        Thread.sleep(p.nextInt(3));
                        o.h = r;
                        o.i.d();
                        Thread.sleep(p.nextInt(6));
                    }
                } catch (InterruptedException s) {
                    o.j = true;
                }
            });
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(l * 1000);
        if (m[0].j || m[1].j) {
            System.out.println("two in");
            System.exit(1);
        }
        System.out.println("DONE " + (m[0].g + m[1].g));
    }
}
