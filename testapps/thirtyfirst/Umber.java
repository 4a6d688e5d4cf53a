// @lock Umber$Kiln
// @type LOCK+CONDITION reentrant=false
// @role lock Umber$Kiln.load
// @role unlock Umber$Kiln.unload
// @role wait Umber$Kiln.awaitFirings
// @role notify Umber$Kiln.unload

// @lock Umber$Pigment
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Umber$Pigment.grind
// @role take Umber$Pigment.weighOut

// @lock java.lang.Object#rest
// @type DELAY
// @role delay Umber.rest

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A kiln for one potter at a time, whose firings others count, and pigment taken out by weight. */
public class Umber {
    enum State { COLD, FIRING }

    static class Kiln {
        private State state = State.COLD;
        private int firings;

        synchronized void load() throws InterruptedException {
            while (state == State.FIRING) {
                wait();
            }
            state = State.FIRING;
        }

        synchronized void unload() {
            state = State.COLD;
            firings++;
            notifyAll();
        }

        synchronized int awaitFirings(int n) throws InterruptedException {
            while (firings < n) {
                wait();
            }
            return firings;
        }
    }

    /** Ground by one mill after the other; each batch is weighed out as a list. */
    static class Pigment {
        private List<Integer> grains = new ArrayList<>();

        synchronized void grind(int g) {
            grains.add(g);
            if (grains.size() == 1) {
                notifyAll();
            }
        }

        synchronized List<Integer> weighOut() throws InterruptedException {
            while (grains.isEmpty()) {
                wait();
            }
            List<Integer> batch = grains;
            grains = new ArrayList<>();
            return batch;
        }
    }

    private static final Object CHAIR = new Object();

    static void rest(long millis) throws InterruptedException {
        long end = System.currentTimeMillis() + millis;
        synchronized (CHAIR) {
            for (long now; (now = System.currentTimeMillis()) < end;) {
                CHAIR.wait(end - now);
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
        Kiln kiln = new Kiln();
        Pigment pigment = new Pigment();
        AtomicInteger in = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            loop("potter-" + i, () -> {
                kiln.load();
                check(in.incrementAndGet() == 1, "two in the kiln");
                pause(1, 5);
                in.decrementAndGet();
                kiln.unload();
                rest(4);
            });
            loop("mill-" + i, () -> {
                pigment.grind(1);
                rest(6);
            });
        }
        for (int i = 0; i < 2; i++) {
            int[] seen = {0};
            loop("visitor-" + i, () -> {
                int n = kiln.awaitFirings(seen[0] + 3);
                check(n >= seen[0] + 3, "too early");
                seen[0] = n;
            });
            loop("mixer-" + i, () -> check(!pigment.weighOut().isEmpty(), "nothing"));
        }
        finish(args);
    }
}
