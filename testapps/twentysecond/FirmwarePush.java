// @lock FirmwarePush$p1
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock FirmwarePush$p2
// @type SEMAPHORE form=rate-limiter
// @role acquire FirmwarePush$p2.a
// @role release FirmwarePush$p2.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Firmware for line cards, a thread for each card of a shelf; blocks are sent as the bandwidth of the management channel allows. */
public class FirmwarePush {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static final class p2 {
        private static final int g = 10;
        private int c = g;
        private long d, f = g;

        synchronized void a(int blocks) throws InterruptedException {
            while (c < blocks) wait();
            c -= blocks;
            d += blocks;
            if (d > f) broken = "more spent than ever added";
        }

        synchronized void b(int n) {
            int before = c;
            c = Math.min(g, c + n);
            f += c - before;
            notifyAll();
        }
    }

    static final class p1 extends Thread {
        private final p2 x;
        private final int y;
        private int z;

        p1(p2 x, int y) {
            this.x = x;
            this.y = y;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (z < y) {
                    int n = Math.min(2, y - z);
                    x.a(n);
                    Thread.sleep(1);
                    z += n;
                }
            } catch (InterruptedException e) {
                broken = "push interrupted";
            }
        }
    }

    static void q1(p2 x) {
        try {
            while (!stop) {
                p1[] cards = new p1[3];
                for (int i = 0; i < cards.length; i++) {
                    cards[i] = new p1(x, ThreadLocalRandom.current().nextInt(2, 6));
                    cards[i].start();
                }
                for (p1 p : cards) {
                    p.join();
                    if (p.z != p.y) broken = "image incomplete";
                    ops.addAndGet(p.z);
                }
            }
        } catch (InterruptedException e) {
            broken = "shelf interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        p2 x = new p2();
        Thread clock = new Thread("refill") {
            @Override public void run() {
                try {
                    while (!stop) {
                        Thread.sleep(5);
                        x.b(4);
                    }
                } catch (InterruptedException e) {
                    broken = "clock interrupted";
                }
            }
        };
        clock.setDaemon(true);
        clock.start();
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(() -> q1(x), "shelf-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
