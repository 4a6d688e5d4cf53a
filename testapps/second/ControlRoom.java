// @lock java.lang.Object#awaitRunning
// @type PRODUCER-CONSUMER+CONDITION capacity=4
// @role put ControlRoom$Orders.put
// @role take ControlRoom$Orders.take
// @role wait ControlRoom$Switch.awaitRunning
// @role notify ControlRoom$Switch.resume

import java.util.LinkedList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** One global lock for everything: a bounded order queue, and a halt/resume switch for the machines. */
public class ControlRoom {
    static final Object GLOBAL = new Object();

    static class Orders {
        private final LinkedList<Integer> list = new LinkedList<>();
        private final int max;

        Orders(int max) {
            this.max = max;
        }

        void put(int order) throws InterruptedException {
            synchronized (GLOBAL) {
                while (list.size() >= max) {
                    GLOBAL.wait();
                }
                list.add(order);
                GLOBAL.notifyAll();
            }
        }

        int take() throws InterruptedException {
            synchronized (GLOBAL) {
                while (list.isEmpty()) {
                    GLOBAL.wait();
                }
                int o = list.removeFirst();
                GLOBAL.notifyAll();
                return o;
            }
        }
    }

    static class Switch {
        private boolean halted;
        private long halts;

        void halt() {
            synchronized (GLOBAL) {
                halted = true;
                halts++;
            }
        }

        void resume() {
            synchronized (GLOBAL) {
                halted = false;
                GLOBAL.notifyAll();
            }
        }

        long awaitRunning() throws InterruptedException {
            synchronized (GLOBAL) {
                while (halted) {
                    GLOBAL.wait();
                }
                return halts;
            }
        }
    }

    static volatile String broken;
    static final AtomicLong handled = new AtomicLong();
    static final AtomicLong turns = new AtomicLong();

    interface Job {
        void once(int n) throws InterruptedException;
    }

    static void start(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (int n = 0;; n++) {
                    job.once(n);
                }
            } catch (InterruptedException e) {
                broken = name;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Orders orders = new Orders(4);
        Switch power = new Switch();
        start("office", n -> {
            orders.put(n);
            Thread.sleep(n / 50 % 2 == 0 ? 1 : 5);
        });
        start("shop-floor", n -> {
            if (orders.take() != n) {
                broken = "order " + n + " missing";
            }
            handled.incrementAndGet();
            Thread.sleep(3);
        });
        for (int i = 0; i < 2; i++) {
            Random rnd = new Random(i);
            start("machine-" + i, n -> {
                power.awaitRunning();
                turns.incrementAndGet();
                Thread.sleep(1 + rnd.nextInt(4));
            });
        }
        start("safety", n -> {
            Thread.sleep(6);
            power.halt();
            Thread.sleep(6);
            power.resume();
        });
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken != null || turns.get() == 0) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + handled);
    }
}
