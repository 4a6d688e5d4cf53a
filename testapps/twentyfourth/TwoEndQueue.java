// The linked queue of Michael and Scott with a monitor for each end, filled by porters that live for one load only.
// @lock TwoEndQueue$End
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TwoEndQueue$Chain.put
// @role take TwoEndQueue$Chain.take
// @lock TwoEndQueue$Porter
// @type JOIN
// @role join java.lang.Thread.join

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class TwoEndQueue {
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

    static final class Node {
        final int item;
        volatile Node next;

        Node(int item) {
            this.item = item;
        }
    }

    /** One end of the chain, and the monitor that guards it. */
    static final class End {
        Node node;

        End(Node node) {
            this.node = node;
        }
    }

    static final class Chain {
        private final End head;
        private final End tail;

        Chain() {
            Node dummy = new Node(0);
            head = new End(dummy);
            tail = new End(dummy);
        }

        void put(int item) {
            Node n = new Node(item);
            synchronized (tail) {
                tail.node.next = n;
                tail.node = n;
            }
            synchronized (head) {
                head.notify();
            }
        }

        int take() throws InterruptedException {
            synchronized (head) {
                while (head.node.next == null) {
                    head.wait();
                }
                head.node = head.node.next;
                return head.node.item;
            }
        }
    }

    static final class Porter extends Thread {
        private final Chain chain;
        private final int load;
        int carried;

        Porter(Chain chain, int load) {
            super("porter");
            this.chain = chain;
            this.load = load;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < load; i++) {
                    nap(4);
                    chain.put(i + 1);
                    carried++;
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final AtomicLong SENT = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        Chain chain = new Chain();
        for (int f = 0; f < 2; f++) {
            go("foreman-" + f, () -> {
                Porter a = new Porter(chain, 3);
                Porter b = new Porter(chain, 5);
                SENT.addAndGet(a.load + b.load);
                a.start();
                b.start();
                a.join();
                b.join();
                check(a.carried == 3 && b.carried == 5, "joined too early");
                nap(3);
            });
        }
        for (int i = 0; i < 3; i++) {
            go("shop-" + i, () -> {
                int item = chain.take();
                check(item >= 1 && item <= 5, "item " + item);
                check(OPS.incrementAndGet() <= SENT.get(), "more taken than sent");
                nap(3);
            });
        }
        finish(args);
    }
}
