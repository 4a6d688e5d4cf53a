// @lock Silo
// @type PRODUCER-CONSUMER capacity=6
// @role put Silo.tip
// @role take Silo.draw
// @lock Weighbridge
// @type MUTEX
// @role enter Weighbridge.weigh
// @role enter Weighbridge.balance

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A grain terminal: trucks tip loads into a silo of six cells, barges draw them; both cross one weighbridge. */
public class GrainTerminal {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static void fail(String m) {
        if (broken == null) {
            broken = m;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Silo silo = new Silo(6);
        Weighbridge bridge = new Weighbridge();
        for (int i = 0; i < 4; i++) {
            start("truck-" + i, new Truck(silo, bridge, i));
        }
        for (int i = 0; i < 3; i++) {
            start("barge-" + i, new Barge(silo, bridge));
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(20);
            long b = bridge.balance();
            if (b < 0) {
                fail("more grain out than in: " + b);
            }
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static void start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }
}

final class Load {
    final int truck;
    final int tonnes;

    Load(int truck, int tonnes) {
        this.truck = truck;
        this.tonnes = tonnes;
    }
}

final class Silo {
    private final Load[] cells;
    private int head;
    private int filled;

    Silo(int n) {
        cells = new Load[n];
    }

    synchronized void tip(Load l) throws InterruptedException {
        while (filled == cells.length) {
            wait();
        }
        cells[(head + filled) % cells.length] = l;
        filled++;
        notifyAll();
    }

    synchronized Load draw() throws InterruptedException {
        while (filled == 0) {
            wait();
        }
        Load l = cells[head];
        cells[head] = null;
        head = (head + 1) % cells.length;
        filled--;
        if (l == null) {
            GrainTerminal.fail("empty cell drawn");
        }
        notifyAll();
        return l;
    }
}

final class Weighbridge {
    private long in;
    private long out;
    private boolean busy;

    void weigh(int tonnes, boolean incoming) throws InterruptedException {
        synchronized (this) {
            if (busy) {
                GrainTerminal.fail("two vehicles on the weighbridge");
            }
            busy = true;
            Thread.sleep(1);
            if (incoming) {
                in += tonnes;
            } else {
                out += tonnes;
            }
            busy = false;
        }
    }

    synchronized long balance() {
        return in - out;
    }
}

final class Truck implements Runnable {
    private final Silo silo;
    private final Weighbridge bridge;
    private final int id;

    Truck(Silo s, Weighbridge b, int id) {
        silo = s;
        bridge = b;
        this.id = id;
    }

    @Override
    public void run() {
        try {
            for (int n = 0;; n++) {
                int t = ThreadLocalRandom.current().nextInt(5, 25);
                bridge.weigh(t, true);
                silo.tip(new Load(id, t));
                // harvest comes in bursts
                Thread.sleep((n / 40) % 2 == 0 ? 1 : 14);
            }
        } catch (InterruptedException e) {
            GrainTerminal.fail("truck interrupted");
        }
    }
}

final class Barge implements Runnable {
    private final Silo silo;
    private final Weighbridge bridge;

    Barge(Silo s, Weighbridge b) {
        silo = s;
        bridge = b;
    }

    @Override
    public void run() {
        try {
            while (true) {
                Load l = silo.draw();
                bridge.weigh(l.tonnes, false);
                Thread.sleep(4);
                GrainTerminal.OPS.incrementAndGet();
            }
        } catch (InterruptedException e) {
            GrainTerminal.fail("barge interrupted");
        }
    }
}
