// @lock SurveyTeam$Bureau
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put SurveyTeam$Bureau.order
// @role take SurveyTeam$Bureau.nextOrder
// @lock SurveyTeam$Fix
// @type LATCH count=3
// @role count-down SurveyTeam$Fix.report
// @role await SurveyTeam$Fix.position

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A position needs three bearings. Orders go to the surveyor who has been idle for longest, straight into his hand;
 * only when nobody is idle they are put on the pile.
 */
public class SurveyTeam {

    /** Three slots; the position is known as soon as all are filled. */
    static class Fix {
        private final Double[] bearing = new Double[3];

        private boolean complete() {
            for (Double b : bearing) {
                if (b == null) {
                    return false;
                }
            }
            return true;
        }

        synchronized void report(int slot, double degrees) {
            if (bearing[slot] != null) {
                throw new IllegalStateException("bearing " + slot + " taken twice");
            }
            bearing[slot] = degrees;
            if (complete()) {
                notifyAll();
            }
        }

        synchronized double position() throws InterruptedException {
            while (!complete()) {
                wait();
            }
            return bearing[0] + bearing[1] + bearing[2];
        }
    }

    private static class Order {
        final Fix fix;
        final int slot;

        Order(Fix fix, int slot) {
            this.fix = fix;
            this.slot = slot;
        }
    }

    private static class Hand {
        private Order holds;
    }

    static class Bureau {
        private final Queue<Order> pile = new ArrayDeque<>();
        private final Queue<Hand> idle = new ArrayDeque<>();

        void order(Order o) {
            Hand h;
            synchronized (this) {
                h = idle.poll();
                if (h == null) {
                    pile.add(o);
                    return;
                }
            }
            synchronized (h) {
                h.holds = o;
                h.notify();
            }
        }

        Order nextOrder() throws InterruptedException {
            Hand h = new Hand();
            synchronized (this) {
                Order o = pile.poll();
                if (o != null) {
                    return o;
                }
                idle.add(h);
            }
            synchronized (h) {
                while (h.holds == null) {
                    h.wait();
                }
                return h.holds;
            }
        }
    }

    private final Bureau bureau = new Bureau();
    private final AtomicLong fixes = new AtomicLong();
    private volatile Exception lost;

    private void leader() throws InterruptedException {
        Fix f = new Fix();
        for (int i = 0; i < 3; i++) {
            bureau.order(new Order(f, i));
        }
        if (f.position() != 123) {
            throw new IllegalStateException("off the map");
        }
        fixes.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(5, 16));
    }

    private void surveyor() throws InterruptedException {
        Order o = bureau.nextOrder();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
        o.fix.report(o.slot, o.slot == 0 ? 100 : o.slot == 1 ? 20 : 3);
    }

    private interface Duty {
        void perform() throws InterruptedException;
    }

    private void enlist(int count, Duty d) {
        for (int i = 0; i < count; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (lost == null) {
                        d.perform();
                    }
                } catch (InterruptedException | RuntimeException e) {
                    lost = e;
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SurveyTeam team = new SurveyTeam();
        team.enlist(5, team::surveyor);
        team.enlist(3, team::leader);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (team.lost != null) {
            throw new IllegalStateException(team.lost);
        }
        System.out.println("DONE " + team.fixes);
    }
}
