// @lock Mooring$Swap
// @type BARRIER parties=2 form=exchanger
// @role arrive Mooring$Swap.trade

// @lock Mooring$Knots
// @type NOT-SHARED
// @quiet

// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Mooring$Chandler.order
// @role take Mooring$Chandler.serve
// @role take Mooring$Chandler.serveWithin

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two by two sailors trade what they carry; a chandler serves orders as they come; knots are everybody's own. */
public class Mooring {
    static final class Swap<T> {
        private T offered;
        private T returned;
        private boolean waiting;
        private boolean done;

        synchronized T trade(T mine) throws InterruptedException {
            while (done) {
                wait();
            }
            if (waiting) {
                T theirs = offered;
                returned = mine;
                done = true;
                notifyAll();
                return theirs;
            }
            waiting = true;
            offered = mine;
            while (!done) {
                wait();
            }
            T theirs = returned;
            waiting = false;
            done = false;
            offered = null;
            returned = null;
            notifyAll();
            return theirs;
        }
    }

    static class Knots {
        private final StringBuilder rope = new StringBuilder();

        synchronized void tie(char k) {
            rope.append(k);
        }

        synchronized int untie() {
            int n = rope.length();
            rope.setLength(0);
            return n;
        }
    }

    static class Chandler {
        private final List<Integer> orders = new LinkedList<>();

        void order(int what) {
            synchronized (orders) {
                orders.add(what);
                orders.notify();
            }
        }

        int serve() throws InterruptedException {
            synchronized (orders) {
                while (orders.isEmpty()) {
                    orders.wait();
                }
                return orders.remove(0);
            }
        }

        int serveWithin(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000;
            synchronized (orders) {
                while (orders.isEmpty()) {
                    long left = (end - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        return -1;
                    }
                    orders.wait(left);
                }
                return orders.remove(0);
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Swap<String> swap = new Swap<>();
        Chandler chandler = new Chandler();
        for (int i = 0; i < 4; i++) {
            String name = "sailor-" + i;
            Knots knots = new Knots();
            loop(name, () -> {
                check(!swap.trade(name).equals(name), "traded with himself");
                knots.tie('x');
                knots.tie('y');
                check(knots.untie() == 2, "knots");
                chandler.order(ThreadLocalRandom.current().nextInt(9));
                pause(1, 6);
            });
        }
        loop("clerk-0", () -> check(chandler.serve() >= 0, "order"));
        loop("clerk-1", () -> check(chandler.serveWithin(40) < 9, "order"));
        finish(args);
    }
}
