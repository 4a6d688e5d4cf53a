// Magee and Kramer's one-lane bridge, the fair version of the second sheet, and a toll booth that is hardly ever busy.
// @lock OneLaneBridge$Bridge
// @type CONDITION
// @role wait OneLaneBridge$Bridge.redEnter
// @role wait OneLaneBridge$Bridge.blueEnter
// @role notify OneLaneBridge$Bridge.redExit
// @role notify OneLaneBridge$Bridge.blueExit
// @lock OneLaneBridge$Booth
// @type SEMAPHORE permits=2
// @role acquire OneLaneBridge$Booth.enter
// @role release OneLaneBridge$Booth.leave
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class OneLaneBridge {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static final class Bridge {
        private int nred;
        private int nblue;
        private int waitred;
        private int waitblue;
        private boolean blueturn = true;

        synchronized void redEnter() throws InterruptedException {
            ++waitred;
            while (nblue > 0 || (waitblue > 0 && blueturn)) {
                wait();
            }
            --waitred;
            ++nred;
        }

        synchronized void redExit() {
            --nred;
            blueturn = true;
            if (nred == 0) {
                notifyAll();
            }
        }

        synchronized void blueEnter() throws InterruptedException {
            ++waitblue;
            while (nred > 0 || (waitred > 0 && !blueturn)) {
                wait();
            }
            --waitblue;
            ++nblue;
        }

        synchronized void blueExit() {
            --nblue;
            blueturn = false;
            if (nblue == 0) {
                notifyAll();
            }
        }
    }

    static final class Booth {
        private final boolean[] window = new boolean[2];

        synchronized int enter() throws InterruptedException {
            while (window[0] && window[1]) {
                wait();
            }
            int w = window[0] ? 1 : 0;
            window[w] = true;
            return w;
        }

        synchronized void leave(int w) {
            window[w] = false;
            notify();
        }
    }

    final Bridge bridge = new Bridge();
    final Booth booth = new Booth();
    final AtomicInteger reds = new AtomicInteger();
    final AtomicInteger blues = new AtomicInteger();

    void red() throws InterruptedException {
        bridge.redEnter();
        reds.incrementAndGet();
        check(blues.get() == 0, "red meets blue");
        nap(4);
        check(blues.get() == 0, "red meets blue");
        reds.decrementAndGet();
        bridge.redExit();
        OPS.incrementAndGet();
        nap(6);
    }

    void blue() throws InterruptedException {
        bridge.blueEnter();
        blues.incrementAndGet();
        check(reds.get() == 0, "blue meets red");
        nap(4);
        check(reds.get() == 0, "blue meets red");
        blues.decrementAndGet();
        bridge.blueExit();
        OPS.incrementAndGet();
        nap(6);
    }

    void pay() throws InterruptedException {
        Thread.sleep(150 + dice(100));
        int w = booth.enter();
        Thread.sleep(60);
        booth.leave(w);
    }

    public static void main(String[] args) throws InterruptedException {
        OneLaneBridge b = new OneLaneBridge();
        for (int i = 0; i < 3; i++) {
            go("red-" + i, b::red);
            go("blue-" + i, b::blue);
            go("lorry-" + i, b::pay);
        }
        finish(args);
    }
}
