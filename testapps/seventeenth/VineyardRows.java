// @lock java.util.Stack#lock
// @type PRODUCER-CONSUMER capacity=3
// @role put VineyardRows$Mutex.lock
// @role take VineyardRows$Mutex.unlock
//
// @lock VineyardRows$Barrier
// @type CONDITION
// @role wait VineyardRows$Barrier.await
// @role notify VineyardRows$Barrier.reset

import java.util.Stack;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Grape crates stacked three high between pickers and presses; three tasters who speak in turn. Names mislead. */
public class VineyardRows {
    static class Crate {
        final int grapes;

        Crate(int grapes) {
            this.grapes = grapes;
        }
    }

    /** In truth a stack of at most three crates. */
    static class Mutex {
        private final Stack<Crate> owner = new Stack<>();

        void lock(Crate c) throws InterruptedException {
            synchronized (owner) {
                awaitRoom();
                owner.push(c);
                owner.notifyAll();
            }
        }

        private void awaitRoom() throws InterruptedException {
            while (owner.size() > 2) {
                owner.wait();
            }
        }

        Crate unlock() throws InterruptedException {
            synchronized (owner) {
                while (owner.empty()) {
                    owner.wait();
                }
                Crate c = owner.pop();
                owner.notifyAll();
                return c;
            }
        }
    }

    /** In truth whose turn it is. */
    static class Barrier {
        private int parties;

        synchronized void await(int index) throws InterruptedException {
            while (parties % 3 != index) {
                wait();
            }
        }

        synchronized void reset() {
            parties++;
            notifyAll();
        }
    }

    static final AtomicLong GRAPES = new AtomicLong();
    static final AtomicLong OPS = new AtomicLong();
    static volatile int speaker = -1;
    static volatile String sour;

    static void pick(Mutex m) throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        for (int i = r.nextInt(1, 9); i > 0; i--) {
            int g = r.nextInt(100);
            GRAPES.addAndGet(g);
            m.lock(new Crate(g));
        }
        Thread.sleep(r.nextInt(8, 25));
    }

    static void press(Mutex m) throws InterruptedException {
        Crate c = m.unlock();
        if (GRAPES.addAndGet(-c.grapes) < 0) {
            sour = "pressed what was never picked";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        OPS.incrementAndGet();
    }

    static void taste(Barrier b, int index) throws InterruptedException {
        b.await(index);
        speaker = index;
        Thread.sleep(3);
        if (speaker != index) {
            sour = "interrupted by taster " + speaker;
        }
        OPS.incrementAndGet();
        b.reset();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Mutex m = new Mutex();
        Barrier b = new Barrier();
        for (int i = 0; i < 7; i++) {
            int id = i;
            Thread t = new Thread() {
                @Override
                public void run() {
                    while (sour == null) {
                        try {
                            if (id < 3) {
                                taste(b, id);
                            } else if (id < 5) {
                                pick(m);
                            } else {
                                press(m);
                            }
                        } catch (InterruptedException e) {
                            sour = "interrupted";
                        }
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (sour == null && System.nanoTime() < end) {
            Thread.sleep(60);
        }
        System.out.println(sour == null ? "DONE " + OPS : sour);
        System.exit(sour == null ? 0 : 1);
    }
}
