// @lock TurnTable$b
// @type CONDITION
// @role wait TurnTable$b.a
// @role notify TurnTable$b.b
//
// @lock TurnTable$d
// @type JOIN
// @role join TurnTable$d.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

// A board game server: seats move in turn; each move is computed by a thread of its own that says so as the last thing it does.
public class TurnTable {
    enum a {
        a, b, c, d;

        a a() {
            return values()[(ordinal() + 1) % 4];
        }
    }

    static final class b {
        private a a = TurnTable.a.a;

        synchronized void a(a p) throws InterruptedException {
            while (a != p)
                wait();
        }

        synchronized void b(a p) {
            if (a != p)
                throw new IllegalStateException(p + " is not at move");
            a = a.a();
            notifyAll();
        }
    }

    static final class d extends Thread {
        private final int a;
        private int b;
        private boolean c;

        d(int a) {
            this.a = a;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(2 + a % 4);
                b = a * a;
            } catch (InterruptedException e) {
                b = -1;
            } finally {
                synchronized (this) {
                    c = true;
                    notifyAll();
                }
            }
        }

        int a() throws InterruptedException {
            synchronized (this) {
                while (!c)
                    wait();
            }
            return b;
        }
    }

    static final AtomicInteger e = new AtomicInteger(-1);
    static final b f = new b();
    static volatile int g;
    static volatile String h;

    static final class c implements Runnable {
        private final a a;

        c(a a) {
            this.a = a;
        }

        @Override
        public void run() {
            try {
                while (h == null) {
                    int n = ThreadLocalRandom.current().nextInt(1000);
                    d m = new d(n);
                    f.a(a);
                    if (!e.compareAndSet(-1, a.ordinal()))
                        h = "two at move";
                    if (g % 4 != a.ordinal())
                        h = "move " + g + " by " + a;
                    m.start();
                    if (m.a() != n * n)
                        h = "wrong move";
                    g++;
                    e.set(-1);
                    f.b(a);
                }
            } catch (InterruptedException x) {
                h = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (a i : a.values()) {
            Thread t = new Thread(new c(i));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        while (n-- > 0 && h == null) {
            Thread.sleep(1000);
        }
        System.out.println(h == null ? "DONE " + g : "FAILED " + h);
        System.exit(h == null ? 0 : 1);
    }
}
