// @lock Kiosk
// @type PRODUCER-CONSUMER+MUTEX capacity=4
// @role put Kiosk.order
// @role take Kiosk.nextOrder
// @role enter Kiosk.recount
// @role enter Kiosk.tip
//
// @lock Kiosk$Fridge
// @type SEMAPHORE permits=1
// @role acquire Kiosk$Fridge.open
// @role release Kiosk$Fridge.shut

import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A kiosk: a spike for four orders and the tip jar share the object's monitor; the fridge door is opened by one and shut by another. */
public class Kiosk {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    private final List<String> spike = new LinkedList<>();
    private int tips;
    private int counted;

    synchronized void order(String what) throws InterruptedException {
        while (spike.size() >= 4) {
            wait();
        }
        spike.add(what);
        notifyAll();
    }

    synchronized String nextOrder() throws InterruptedException {
        while (spike.isEmpty()) {
            wait();
        }
        String what = spike.remove(0);
        notifyAll();
        return what;
    }

    synchronized void tip(int cents) throws InterruptedException {
        tips += cents;
        nap(1, 1);
        counted += cents;
    }

    synchronized int recount() throws InterruptedException {
        check(tips == counted, "tip jar disturbed");
        nap(1, 2);
        return tips;
    }

    /** Whoever opens it goes for a crate; the boy who sees the crate gone shuts it. */
    static class Fridge {
        private boolean shut = true;

        synchronized void open() throws InterruptedException {
            while (!shut) {
                wait();
            }
            shut = false;
        }

        synchronized void shut() {
            shut = true;
            notify();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Kiosk kiosk = new Kiosk();
        AtomicLong asked = new AtomicLong();
        AtomicLong served = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            loop("guest-" + i, () -> {
                asked.incrementAndGet();
                kiosk.order("tea");
                if (served.get() / 150 % 2 == 0) {
                    nap(1, 5);
                } else {
                    nap(8, 25);
                }
                kiosk.tip(20);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("cook-" + i, () -> {
                check("tea".equals(kiosk.nextOrder()), "strange order");
                check(served.incrementAndGet() <= asked.get(), "served too many");
                nap(5, 9);
            });
        }
        loop("owner", () -> {
            check(kiosk.recount() >= 0, "debts");
            nap(4, 9);
        });
        Fridge fridge = new Fridge();
        AtomicLong crates = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            loop("porter-" + i, () -> {
                fridge.open();
                check(crates.incrementAndGet() == 1, "fridge opened twice");
                nap(1, 4);
            });
        }
        loop("boy", () -> {
            nap(2, 5);
            if (crates.get() == 1) {
                crates.set(0);
                fridge.shut();
            }
        });
        finish(args);
    }
}
