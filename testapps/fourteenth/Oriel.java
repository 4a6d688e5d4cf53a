// A fair read-write lock over several monitors: one guards the state, each who must wait does so on a card of his own.
// @lock Oriel$Window
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Oriel$Window.peek
// @role read-unlock Oriel$Window.close
// @role write-lock Oriel$Window.clean
// @role write-unlock Oriel$Window.close
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Oriel {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Card {
        final boolean exclusive;
        private boolean served;

        Card(boolean exclusive) {
            this.exclusive = exclusive;
        }

        void sit() throws InterruptedException {
            synchronized (this) {
                while (!served) {
                    this.wait();
                }
            }
        }

        void serve() {
            synchronized (this) {
                served = true;
                this.notify();
            }
        }
    }

    static final class Window {
        private final Queue<Card> bench = new ArrayDeque<>();
        private int peeking;
        private boolean cleaning;

        void peek() throws InterruptedException {
            Card c;
            synchronized (this) {
                if (!cleaning && bench.isEmpty()) {
                    peeking++;
                    return;
                }
                c = new Card(false);
                bench.add(c);
            }
            c.sit();
        }

        void clean() throws InterruptedException {
            Card c;
            synchronized (this) {
                if (!cleaning && peeking == 0 && bench.isEmpty()) {
                    cleaning = true;
                    return;
                }
                c = new Card(true);
                bench.add(c);
            }
            c.sit();
        }

        void close() {
            List<Card> go = new ArrayList<>();
            synchronized (this) {
                if (cleaning) {
                    cleaning = false;
                } else {
                    peeking--;
                }
                while (!bench.isEmpty() && !cleaning) {
                    if (bench.peek().exclusive) {
                        if (peeking > 0) {
                            break;
                        }
                        cleaning = true;
                    } else {
                        peeking++;
                    }
                    go.add(bench.remove());
                }
            }
            for (Card c : go) {
                c.serve();
            }
        }
    }

    final Window window = new Window();
    final AtomicInteger eyes = new AtomicInteger();
    final AtomicInteger cloths = new AtomicInteger();

    void guest() throws InterruptedException {
        window.peek();
        eyes.incrementAndGet();
        if (cloths.get() > 0) {
            broken = "peeked through soap";
        }
        nap(1, 4);
        eyes.decrementAndGet();
        window.close();
        OPS.incrementAndGet();
        nap(2, 6);
    }

    void cleaner() throws InterruptedException {
        window.clean();
        if (cloths.incrementAndGet() != 1 || eyes.get() != 0) {
            broken = "cleaned in company";
        }
        nap(1, 4);
        cloths.decrementAndGet();
        window.close();
        OPS.incrementAndGet();
        nap(4, 12);
    }

    public static void main(String[] args) throws InterruptedException {
        Oriel o = new Oriel();
        for (int i = 0; i < 5; i++) {
            crew("guest-" + i, o::guest);
        }
        crew("cleaner-1", o::cleaner);
        crew("cleaner-2", o::cleaner);
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
