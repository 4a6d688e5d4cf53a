// Soundings taken by a thread each: the mate joins them, the bosun waits on the thread objects himself until they are dead.
// @lock Fathom$Lead
// @type JOIN
// @role join java.lang.Thread.join
// @lock Fathom$Diver
// @type JOIN
// @role join Fathom.awaitSurface
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Fathom {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Lead extends Thread {
        int depth;

        Lead(int n) {
            super("lead-" + n);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                nap(2, 12);
                depth = 7;
            } catch (InterruptedException e) {
                broken = "lead lost";
            }
        }
    }

    static final class Diver extends Thread {
        private int pearls;

        Diver() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 3; i++) {
                    nap(1, 5);
                    pearls++;
                }
            } catch (InterruptedException e) {
                broken = "diver lost";
            }
        }
    }

    static void awaitSurface(Diver d) throws InterruptedException {
        synchronized (d) {
            while (d.isAlive()) {
                d.wait(1000);
            }
        }
    }

    static void mate() throws InterruptedException {
        List<Lead> leads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Lead l = new Lead(i);
            leads.add(l);
            l.start();
        }
        int sum = 0;
        for (Lead l : leads) {
            l.join();
            sum += l.depth;
        }
        if (sum != 21) {
            broken = "sounding incomplete";
        }
        OPS.incrementAndGet();
        nap(1, 6);
    }

    static void bosun() throws InterruptedException {
        Diver d = new Diver();
        d.start();
        awaitSurface(d);
        if (d.pearls != 3) {
            broken = "diver came up early";
        }
        OPS.incrementAndGet();
        nap(1, 4);
    }

    public static void main(String[] args) throws InterruptedException {
        crew("mate", Fathom::mate);
        crew("bosun-1", Fathom::bosun);
        crew("bosun-2", Fathom::bosun);
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
