// @lock LoomPattern$Crossing
// @type BARRIER parties=2 form=exchanger
// @role arrive LoomPattern$Crossing.swap
//
// @lock LoomPattern$Loom
// @type LOCK reentrant=false
// @role lock LoomPattern$Loom.engage
// @role lock LoomPattern$Loom.engageWithin
// @role unlock LoomPattern$Loom.disengage

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A weaving mill: spinner and winder swap a full bobbin for an empty one; weavers engage the one loom, or give up in time. */
public class LoomPattern {
    static final class Bobbin {
        int yarn;
    }

    static final class Crossing {
        private Bobbin left;
        private Bobbin right;
        private boolean done;

        Bobbin swap(Bobbin mine) throws InterruptedException {
            synchronized (this) {
                while (done) {
                    wait();
                }
                if (left == null) {
                    left = mine;
                    while (!done) {
                        wait();
                    }
                    Bobbin got = right;
                    left = null;
                    right = null;
                    done = false;
                    notifyAll();
                    return got;
                }
                right = mine;
                done = true;
                notifyAll();
                return left;
            }
        }
    }

    static final class Loom {
        private boolean engaged;

        synchronized void engage() throws InterruptedException {
            while (engaged) {
                wait();
            }
            engaged = true;
        }

        synchronized boolean engageWithin(long millis) throws InterruptedException {
            long now = System.currentTimeMillis();
            long end = now + millis;
            while (engaged && now < end) {
                wait(end - now);
                now = System.currentTimeMillis();
            }
            if (engaged) {
                return false;
            }
            engaged = true;
            return true;
        }

        synchronized void disengage() {
            if (!engaged) {
                throw new IllegalStateException("not engaged");
            }
            engaged = false;
            notify();
        }
    }

    static int shuttle;
    static volatile Throwable torn;
    static final AtomicLong OPS = new AtomicLong();

    static void spin(Crossing c) throws InterruptedException {
        Bobbin b = new Bobbin();
        while (torn == null) {
            if (b.yarn != 0) {
                throw new IllegalStateException("a full bobbin came back");
            }
            b.yarn = 100;
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 10));
            b = c.swap(b);
        }
    }

    static void wind(Crossing c) throws InterruptedException {
        Bobbin b = new Bobbin();
        while (torn == null) {
            b = c.swap(b);
            if (b.yarn != 100) {
                throw new IllegalStateException("an empty bobbin came");
            }
            b.yarn = 0;
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 10));
            OPS.incrementAndGet();
        }
    }

    static void weave(Loom loom, boolean hasty) throws InterruptedException {
        while (torn == null) {
            if (hasty) {
                if (!loom.engageWithin(12)) {
                    Thread.sleep(2);
                    continue;
                }
            } else {
                loom.engage();
            }
            try {
                int s = ++shuttle;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                if (s != shuttle) {
                    throw new IllegalStateException("two shuttles");
                }
            } finally {
                loom.disengage();
            }
            OPS.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        }
    }

    interface Task {
        void perform() throws InterruptedException;
    }

    static void employ(String name, Task task) {
        Thread t = new Thread(() -> {
            try {
                task.perform();
            } catch (Throwable e) {
                torn = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Crossing c = new Crossing();
            employ("spinner-" + i, () -> spin(c));
            employ("winder-" + i, () -> wind(c));
        }
        Loom loom = new Loom();
        for (int i = 0; i < 4; i++) {
            boolean hasty = i == 3;
            employ("weaver-" + i, () -> weave(loom, hasty));
        }
        System.out.println("READY");
        for (long i = 0; i < seconds * 40L && torn == null; i++) {
            Thread.sleep(25);
        }
        if (torn != null) {
            System.out.println("torn: " + torn);
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
        System.exit(0);
    }
}
