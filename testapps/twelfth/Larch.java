// @lock Larch$Hand
// @type JOIN
// @role join Larch.gone
//
// @lock Larch$Sheet
// @type LATCH count=4
// @role count-down Larch$Sheet.sign
// @role await Larch$Sheet.signed
// @role await Larch$Sheet.signedOrLate
//
// @lock Larch$Rules
// @type READ-WRITE reentrant=false preference=readers
// @role read-lock Larch$Rules.open
// @role read-unlock Larch$Rules.shut
// @role write-lock Larch$Rules.claim
// @role write-unlock Larch$Rules.shut
// @quiet

/** A forestry office: day labourers are threads, a sheet needs four signatures, and the house rules hardly ever change. */
public class Larch {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class Hand extends Thread {
        final int trees;
        volatile int felled;

        Hand(int trees) {
            super("hand");
            this.trees = trees;
        }

        @Override
        public void run() {
            for (int i = 0; i < trees; i++) {
                nap(1);
                felled++;
            }
        }
    }

    /** Waits on the thread itself: the virtual machine wakes everybody when it ends. */
    static boolean gone(Thread hand, long atMost) throws InterruptedException {
        long end = System.currentTimeMillis() + atMost;
        synchronized (hand) {
            while (hand.isAlive()) {
                long rest = end - System.currentTimeMillis();
                if (rest <= 0)
                    return false;
                hand.wait(rest);
            }
        }
        return true;
    }

    static class Sheet {
        private static final int FULL = 0xf;
        private int marks;

        void sign(int who) {
            synchronized (this) {
                marks |= 1 << who;
                if (marks == FULL)
                    notifyAll();
            }
        }

        synchronized void signed() throws InterruptedException {
            while (marks != FULL)
                wait();
        }

        synchronized boolean signedOrLate(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1000000L;
            while (marks != FULL) {
                long rest = (end - System.nanoTime() + 999999L) / 1000000L;
                if (rest <= 0)
                    return false;
                wait(rest);
            }
            return true;
        }

        boolean has(int who) {
            return (marks & 1 << who) != 0;
        }
    }

    static class Rules {
        private int use;                                   // -1: being rewritten, else how many read
        int text, copy;

        synchronized void open() throws InterruptedException {
            while (use < 0)
                wait();
            use++;
        }

        synchronized void claim() throws InterruptedException {
            while (use != 0)
                wait();
            use = -1;
        }

        synchronized void shut() {
            if (use < 0)
                use = 0;
            else
                use--;
            if (use == 0)
                notifyAll();
        }
    }

    static class Clerk extends Thread {
        final java.util.concurrent.ConcurrentLinkedQueue<Sheet> tray = new java.util.concurrent.ConcurrentLinkedQueue<>();
        final int who;

        Clerk(int who) {
            super("clerk-" + who);
            this.who = who;
            setDaemon(true);
        }

        @Override
        public void run() {
            for (;;) {
                nap(rnd(2, 5));
                Sheet s = tray.poll();
                if (s != null)
                    s.sign(who);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final Rules rules = new Rules();
        final Clerk[] clerks = new Clerk[4];
        for (int i = 0; i < 4; i++)
            (clerks[i] = new Clerk(i)).start();
        for (int i = 0; i < 2; i++) {
            final boolean impatient = i == 1;
            loop("petitioner-" + i, () -> {
                Sheet s = new Sheet();
                for (Clerk c : clerks)
                    c.tray.add(s);
                if (impatient) {
                    if (!s.signedOrLate(200))
                        return;
                } else
                    s.signed();
                for (Clerk c : clerks)
                    check(s.has(c.who), "a signature is missing");
            });
            loop("foreman-" + i, () -> {
                Hand h = new Hand(rnd(4, 9));
                h.start();
                if (gone(h, 2000))
                    check(h.felled == h.trees, "left too early");
                rules.open();
                check(rules.text == rules.copy, "rules in revision");
                rules.shut();
            });
        }
        loop("director", () -> {
            nap(700);
            rules.claim();
            rules.text++;
            rules.copy++;
            rules.shut();
        });
        supervise(args);
    }
}
