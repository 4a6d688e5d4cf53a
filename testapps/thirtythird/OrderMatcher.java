// @lock OrderMatcher$Ingress
// @type PRODUCER-CONSUMER capacity=16
// @role put OrderMatcher$Ingress.offer
// @role take OrderMatcher$Ingress.next

// @lock OrderMatcher$Book
// @type MUTEX
// @role enter OrderMatcher$Book.cross
// @role enter OrderMatcher$Book.depth

// @lock OrderMatcher$Margin
// @type SEMAPHORE permits=20
// @role acquire OrderMatcher$Margin.reserve
// @role release OrderMatcher$Margin.free

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A matching engine: an ingress ring (one slot is always left empty), a book by price, and margin taken in lots. */
public final class OrderMatcher {
    static final class Order {
        final long id;
        final int price;
        final int lots;

        Order(long id, int price, int lots) {
            this.id = id;
            this.price = price;
            this.lots = lots;
        }
    }

    /** Sixteen orders at most: head == tail says empty, so the seventeenth slot is never filled. */
    static final class Ingress {
        private final Order[] slots = new Order[17];
        private int head;
        private int tail;

        synchronized void offer(Order o) throws InterruptedException {
            while ((tail + 1) % slots.length == head) {
                wait();
            }
            slots[tail] = o;
            tail = (tail + 1) % slots.length;
            notifyAll();
        }

        synchronized Order next() throws InterruptedException {
            while (head == tail) {
                wait();
            }
            Order o = slots[head];
            slots[head] = null;
            head = (head + 1) % slots.length;
            notifyAll();
            return o;
        }
    }

    static final class Book {
        private final TreeMap<Integer, Integer> levels = new TreeMap<>();
        private long volume;

        synchronized int cross(Order o) {
            levels.merge(o.price, o.lots, Integer::sum);
            volume += o.lots;
            int open = 0;
            for (int round = 0; round < 40; round++) {
                for (Map.Entry<Integer, Integer> e : levels.entrySet()) {
                    open += e.getKey() ^ e.getValue();
                }
            }
            return open;
        }

        long depth() {
            synchronized (this) {
                long sum = 0;
                for (int round = 0; round < 200; round++) {
                    sum = 0;
                    for (int lots : levels.values()) {
                        sum += lots;
                    }
                }
                if (sum != volume) {
                    fail("the book lost volume");
                }
                return sum;
            }
        }
    }

    static final class Margin {
        private final int limit;
        private int used;

        Margin(int limit) {
            this.limit = limit;
        }

        synchronized void reserve(int lots) throws InterruptedException {
            while (used + lots > limit) {
                wait();
            }
            used += lots;
        }

        synchronized void free(int lots) {
            used -= lots;
            notifyAll();
        }
    }

    private static final AtomicReference<String> broken = new AtomicReference<>();
    private static final AtomicLong done = new AtomicLong();
    private static final AtomicInteger exposure = new AtomicInteger();

    static void fail(String why) {
        broken.compareAndSet(null, why);
    }

    public static void main(String[] args) throws Exception {
        Ingress ingress = new Ingress();
        Book book = new Book();
        Margin margin = new Margin(20);
        AtomicLong ids = new AtomicLong();
        for (int g = 0; g < 5; g++) {
            start("gateway-" + g, () -> {
                int burst = ThreadLocalRandom.current().nextInt(1, 10);
                for (int i = 0; i < burst; i++) {
                    ThreadLocalRandom r = ThreadLocalRandom.current();
                    ingress.offer(new Order(ids.incrementAndGet(), r.nextInt(90, 110), r.nextInt(1, 8)));
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 20));
            });
        }
        for (int m = 0; m < 4; m++) {
            start("matcher-" + m, () -> {
                Order o = ingress.next();
                margin.reserve(o.lots);
                if (exposure.addAndGet(o.lots) > 20) {
                    fail("more margin out than there is");
                }
                book.cross(o);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                exposure.addAndGet(-o.lots);
                margin.free(o.lots);
                done.incrementAndGet();
            });
        }
        for (int h = 0; h < 3; h++) {
            start("hedger-" + h, () -> {
                int lots = ThreadLocalRandom.current().nextInt(3, 9);
                margin.reserve(lots);
                if (exposure.addAndGet(lots) > 20) {
                    fail("more margin out than there is");
                }
                Thread.sleep(2);
                exposure.addAndGet(-lots);
                margin.free(lots);
                book.depth();
            });
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (broken.get() != null) {
            System.out.println(broken.get());
            System.exit(1);
        }
        System.out.println("DONE " + done.get());
    }

    private interface Job {
        void once() throws Exception;
    }

    private static void start(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                while (broken.get() == null) {
                    job.once();
                }
            } catch (Exception e) {
                fail(e.toString());
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
}
