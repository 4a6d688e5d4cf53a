// Request/response correlation over one connection: callers put a numbered request on the send queue and wait on
// a promise of their own; the receiver finds the promise by its number and resolves it. Obfuscated.
//
// @lock ReplyTable$c
// @type LATCH count=1 form=future
// @role count-down ReplyTable$c.a
// @role await ReplyTable$c.b
//
// @lock ReplyTable$a
// @type PRODUCER-CONSUMER capacity=3
// @role put ReplyTable$a.a
// @role take ReplyTable$a.b
//
// @lock ReplyTable$b
// @type MUTEX
// @role enter ReplyTable$b.a
// @role enter ReplyTable$b.b
// @quiet

import java.util.HashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class ReplyTable {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class c {
        private Object a;
        final int b;

        c(int x) {
            b = x;
        }

        void a(Object x) {
            synchronized (this) {
                a = x;
                notifyAll();
            }
        }

        Object b() throws InterruptedException {
            synchronized (this) {
                while (a == null) {
                    wait();
                }
                return a;
            }
        }
    }

    static class b {
        private final Map<Integer, c> a = new HashMap<>();
        private int b;

        synchronized c a() {
            c x = new c(++b);
            a.put(x.b, x);
            return x;
        }

        synchronized c b(int x) {
            return a.remove(x);
        }
    }

    static class a {
        private final LinkedList<int[]> a = new LinkedList<>();

        synchronized void a(int[] x) throws InterruptedException {
            while (a.size() > 2) {
                wait();
            }
            a.addLast(x);
            notifyAll();
        }

        synchronized int[] b() throws InterruptedException {
            while (a.size() < 1) {
                wait();
            }
            int[] x = a.removeFirst();
            notifyAll();
            return x;
        }
    }

    static class d extends Thread {
        private final a a;
        private final b b;

        d(a x, b y) {
            a = x;
            b = y;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    c p = b.a();
                    int q = r.nextInt(1000);
                    a.a(new int[] {p.b, q});
                    if (!Integer.valueOf(q * 3 + 1).equals(p.b())) {
                        ReplyTable.b = "wrong reply";
                    }
                    ReplyTable.a.incrementAndGet();
                    sleep(r.nextInt(5) == 0 ? 70 : 1);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class e extends Thread {
        private final a a;
        private final b b;

        e(a x, b y) {
            a = x;
            b = y;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    int[] x = a.b();
                    sleep(ThreadLocalRandom.current().nextInt(2) + 2);
                    c p = b.b(x[0]);
                    if (p == null) {
                        ReplyTable.b = "reply to nobody";
                        return;
                    }
                    p.a(x[1] * 3 + 1);
                }
            } catch (InterruptedException x) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a x = new a();
        b y = new b();
        new e(x, y).start();
        for (int i = 0; i < 8; i++) {
            new d(x, y).start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
