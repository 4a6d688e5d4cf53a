// A replicated simulation that advances in phases: four partitions meet after each phase; the last to come adds up the phase's
// result. Two observers swap a report for an acknowledgement at a rendezvous of two. Obfuscated.
//
// @lock PhaseSteps$a
// @type BARRIER parties=4
// @role arrive PhaseSteps$a.a
//
// @lock PhaseSteps$b
// @type BARRIER parties=2 form=exchanger
// @role arrive PhaseSteps$b.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class PhaseSteps {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static class a {
        private long a;
        private int b;
        private final int c;
        private final int[] d;
        int e;

        a(int x, int[] y) {
            c = x;
            d = y;
        }

        private void b() {
            e = 0;
            for (int i : d) {
                e += i;
            }
            b = 0;
            a++;
            notifyAll();
        }

        synchronized long a() throws InterruptedException {
            long x = a;
            b++;
            if (b == c) {
                b();
                return x;
            }
            do {
                wait();
            } while (a == x);
            return x;
        }
    }

    static class b {
        private Object a;
        private Object b;

        synchronized Object a(Object x) throws InterruptedException {
            while (b != null) {
                wait();
            }
            if (a == null) {
                a = x;
                while (b == null) {
                    wait();
                }
                Object y = b;
                b = null;
                a = null;
                notifyAll();
                return y;
            }
            Object y = a;
            b = x;
            notifyAll();
            return y;
        }
    }

    static class c extends Thread {
        private final a a;
        private final int[] b;
        private final int c;

        c(a x, int[] y, int z) {
            a = x;
            b = y;
            c = z;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0;; i++) {
                    b[c] = i * (c + 1);
                    sleep(1 + ThreadLocalRandom.current().nextInt(6));
                    if (a.a() != i * 2L || a.e != i * 10) {
                        PhaseSteps.b = "phase " + i + " out of step";
                    }
                    a.a();
                    PhaseSteps.a.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class d extends Thread {
        private final b a;
        private final boolean b;

        d(b x, boolean y) {
            a = x;
            b = y;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 1;; i++) {
                    Object x = a.a(b ? (Object) Integer.valueOf(i) : "" + i);
                    if (x instanceof Integer == b || !x.toString().equals("" + i)) {
                        PhaseSteps.b = "swapped " + x + " at " + i;
                    }
                    sleep(1 + ThreadLocalRandom.current().nextInt(8));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        int[] x = new int[4];
        a y = new a(4, x);
        for (int i = 0; i < 4; i++) {
            new c(y, x, i).start();
        }
        b z = new b();
        new d(z, true).start();
        new d(z, false).start();
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
