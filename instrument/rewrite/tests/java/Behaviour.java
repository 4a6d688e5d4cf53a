import probe.Probe;

/**
 * Every way to take, leave, wait for and notify a monitor, each held against the books of the
 * probes. Java 1.3 syntax, so that it compiles at every level the rewriter knows.
 */
public class Behaviour {
    static final Object a = new Object(), b = new Object();
    int field;

    static void expect(String what, int entered, int exit) {
        Probe.expect(what, new int[] {entered, exit, 0, 0, 0, 0, 0});
    }

    // ---- regions ---------------------------------------------------------------------------------

    int nested(int n) {
        synchronized (a) {
            if (n == 0) return 0;
            synchronized (b) {
                if (n == 1) return 1;
                field = n;
            }
            if (n == 2) return 2;
        }
        return 3;
    }

    int loops(int n) {
        int sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            synchronized (a) {
                for (int j = 0; j < n; j++) {
                    synchronized (b) {
                        if (j == 1) continue;
                        if (j == 3) continue outer;
                        if (i == 5) break outer;
                        sum += j;
                    }
                }
            }
        }
        return sum;
    }

    static void thrown(int n) throws Exception {
        synchronized (a) {
            synchronized (b) {
                if (n == 1) throw new Exception("checked");
                if (n == 2) throw new IllegalStateException("unchecked");
                if (n == 3) ((Object) null).hashCode();
            }
        }
    }

    int withFinally(int n) {
        long wide = n;
        double wider = n;
        try {
            synchronized (a) {
                try {
                    if (n == 1) throw new IllegalStateException();
                    if (n == 2) return (int) wide;
                } finally {
                    synchronized (b) { field += (int) wider; }
                }
            }
        } catch (IllegalStateException caught) {
            synchronized (a) { return -1; }
        }
        return -2;
    }

    int recursive(int n) {
        synchronized (this) { return n == 0 ? 0 : 1 + recursive(n - 1); }
    }

    int switches(int n) {
        synchronized (a) {
            switch (n) {
                case 0: return 10;
                case 1: field = 3; break;
                case 2: synchronized (b) { return 12; }
                default: field = 4;
            }
            switch (n) {
                case -1000: return 1;
                case 1: return 11;
                case 1000000: return 2;
            }
        }
        return 13;
    }

    static void nulls() {
        Object nothing = null;
        synchronized (nothing) { a.hashCode(); }
    }

    // ---- synchronized methods --------------------------------------------------------------------

    synchronized int instance(int n) {
        if (n == 0) return 0;
        if (n == 1) throw new IllegalStateException();
        try {
            if (n == 2) throw new IllegalStateException();
            synchronized (this) { field++; }
        } catch (IllegalStateException caught) {
            return 2;
        }
        return 3;
    }

    synchronized long wide(long x, double y) {
        for (long i = 0; i < 3; i++) { x += i; if (x > 1000) return x; }
        return x + (long) y;
    }

    synchronized void empty() {}

    synchronized int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

    static synchronized int shared(int n) {
        if (n == 1) throw new IllegalStateException();
        return n == 0 ? 0 : 5;
    }

    synchronized void endless(int n) {
        while (true) {
            if (n-- == 0) throw new IllegalStateException();
        }
    }

    // ---- waiting ---------------------------------------------------------------------------------

    static boolean ready;

    /** A waiter that loops, as it should; woken by one notify or notifyAll for each of its waits. */
    static void handshake(final boolean all) throws Exception {
        ready = false;
        Thread waker = new Thread() {
            public void run() {
                synchronized (a) {
                    ready = true;
                    if (all) a.notifyAll(); else a.notify();
                }
            }
        };
        synchronized (a) {
            waker.start();
            while (!ready) a.wait();
        }
        waker.join();
    }

    static void timed() throws Exception {
        synchronized (a) {
            a.wait(3L);
            a.wait(2L, 999);
        }
    }

    static void shortly() throws Exception {
        synchronized (a) {
            a.wait(0L, 999);
        }
    }

    static boolean interrupted() {
        synchronized (a) {
            Thread.currentThread().interrupt();
            try {
                a.wait(100000);
                return false;
            } catch (InterruptedException caught) {
                synchronized (b) { return true; }
            }
        }
    }

    static int misused() {
        int thrown = 0;
        try { a.notify(); } catch (IllegalMonitorStateException e) { thrown++; }
        try { a.wait(1); } catch (IllegalMonitorStateException e) { thrown++; } catch (InterruptedException e) { }
        try { Object n = null; n.notifyAll(); } catch (NullPointerException e) { thrown++; }
        try { int[] n = null; n.wait(); } catch (NullPointerException e) { thrown++; } catch (InterruptedException e) { }
        return thrown;
    }

    synchronized void waitsInside(long millis) throws InterruptedException {
        wait(millis);
        notifyAll();
    }

    /** Its own method of that name is no monitor's. */
    static int own;
    static void notify(int n) { own += n; }

    // ---- the end of the stack --------------------------------------------------------------------

    static int bottom;

    int down(int n) {
        bottom = n;
        synchronized (a) {
            synchronized (b) { return down(n + 1) + 1; }
        }
    }

    synchronized int downSynchronized(int n) {
        bottom = n;
        return downSynchronized(n + 1) + 1;
    }

    /** How many stacks ran full. Each must end, with everything released. */
    int overflows(final int rounds) throws Exception {
        final int[] seen = {0};
        for (int i = 0; i < rounds; i++) {
            Thread t = new Thread() {
                public void run() {
                    try { down(0); } catch (StackOverflowError e) { seen[0]++; }
                    try { downSynchronized(0); } catch (StackOverflowError e) { seen[0]++; }
                }
            };
            t.start();
            t.join();
        }
        return seen[0];
    }

    static void check(String what, long actual, long expected) {
        if (actual != expected) System.out.println("WRONG " + what + ": " + actual + ", not " + expected);
    }

    void regions() throws Exception {
        for (int i = 0; i < 4; i++) check("nested", nested(i), i);
        expect("nested", 7, 7);
        check("loops", loops(7), 10);
        expect("loops", 27, 27);
        for (int i = 0; i < 4; i++) {
            try { thrown(i); } catch (Exception caught) { field++; }
        }
        expect("thrown", 8, 8);
        check("finally", withFinally(0) + 10 * withFinally(1) + 100 * withFinally(2), 188);
        expect("finally", 7, 7);
        check("recursive", recursive(20), 20);
        expect("recursive", 21, 21);
        for (int i = 0; i < 4; i++) check("switches", switches(i), 10 + i);
        expect("switches", 5, 5);
        try { nulls(); System.out.println("WRONG: no exception"); } catch (NullPointerException caught) { }
        expect("nulls", 0, 0);
    }

    void methods() {
        int caught = 0;
        for (int i = 0; i < 4; i++) {
            try { check("instance", instance(i), i); } catch (IllegalStateException e) { caught++; }
        }
        expect("instance", 5, 5);
        check("wide", wide(1, 2.0), 6);
        empty();
        check("deep", deep(10), 10);
        expect("wide, empty, deep", 13, 13);
        for (int i = 0; i < 3; i++) {
            try { shared(i); } catch (IllegalStateException e) { caught++; }
        }
        try { endless(3); } catch (IllegalStateException e) { caught++; }
        check("exceptions", caught, 3);
        expect("shared, endless", 4, 4);
    }

    void waits() throws Exception {
        handshake(false);
        Probe.expect("notify", new int[] {2, 2, 1, 1, 0, 1, 0});
        handshake(true);
        Probe.expect("notifyAll", new int[] {2, 2, 1, 1, 0, 0, 1});
        Probe.expectMillis(0);
        timed();
        Probe.expectMillis(2);
        Probe.expect("timed", new int[] {1, 1, 2, 2, 0, 0, 0});
        shortly();
        Probe.expectMillis(1);
        Probe.expect("shortly", new int[] {1, 1, 1, 1, 0, 0, 0});
        if (!interrupted()) System.out.println("WRONG: not interrupted");
        Probe.expectMillis(100000);
        Probe.expect("interrupted", new int[] {2, 2, 1, 0, 1, 0, 0});
        check("misused", misused(), 4);
        Probe.expect("misused", new int[] {0, 0, 2, 0, 2, 1, 1});
        waitsInside(1);
        Probe.expect("inside", new int[] {1, 1, 1, 1, 0, 0, 1});
        notify(3);
        Probe.expect("own", new int[7]);
        check("own", own, 3);
    }

    public static void main(String[] args) throws Exception {
        final Behaviour test = new Behaviour();
        // Twice, so that the second time every reference in the code has been resolved.
        for (int i = 0; i < 2; i++) {
            own = 0;
            test.regions();
            test.methods();
            test.waits();
        }
        Probe.plain = 1;
        check("overflows", test.overflows(40), 80);
        // Where the stack has no room for a probe its event is lost, once or twice for each overflow.
        if (Math.abs(Probe.depth) > 160) System.out.println("WRONG: " + Probe.depth + " exits are missing");
        final boolean[] free = {false};
        Thread other = new Thread() {
            public void run() {
                synchronized (a) { synchronized (b) { free[0] = true; } }
                synchronized (test) { test.field++; }
            }
        };
        other.setDaemon(true);
        other.start();
        other.join(60000);
        if (!free[0] || other.isAlive()) System.out.println("WRONG: a monitor was not released");
        Probe.plain = 0;
        Probe.finish();
    }
}
