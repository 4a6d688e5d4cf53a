// @lock Quarry$Faces
// @type LOCK reentrant=true
// @role lock Quarry$Faces.claim
// @role unlock Quarry$Faces.quit

// @lock Quarry$Crane
// @type SEMAPHORE permits=10
// @role acquire Quarry$Crane.hook
// @role release Quarry$Crane.unhook

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many faces of rock under one monitor, each with owner and depth, and a crane that bears ten tons in all. */
public class Quarry {
    static final class Faces {
        private final Map<Integer, Thread> owner = new HashMap<>();
        private final Map<Integer, Integer> depth = new HashMap<>();

        synchronized void claim(int face) throws InterruptedException {
            Thread me = Thread.currentThread();
            for (;;) {
                Thread o = owner.get(face);
                if (o == null) {
                    owner.put(face, me);
                    depth.put(face, 1);
                    return;
                }
                if (o == me) {
                    depth.put(face, depth.get(face) + 1);
                    return;
                }
                wait();
            }
        }

        synchronized void quit(int face) {
            if (owner.get(face) != Thread.currentThread()) {
                throw new IllegalMonitorStateException("face " + face);
            }
            int d = depth.get(face) - 1;
            if (d > 0) {
                depth.put(face, d);
            } else {
                owner.remove(face);
                depth.remove(face);
                notifyAll();
            }
        }
    }

    static final class Crane {
        private int tons = 10;

        void hook(int t) throws InterruptedException {
            synchronized (this) {
                while (tons < t) {
                    wait();
                }
                tons -= t;
            }
        }

        void unhook(int t) {
            synchronized (this) {
                tons += t;
                notifyAll();
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
        Faces faces = new Faces();
        Crane crane = new Crane();
        AtomicInteger[] at = {new AtomicInteger(), new AtomicInteger()};
        AtomicInteger load = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            loop("digger-" + i, () -> {
                int face = ThreadLocalRandom.current().nextInt(2);
                faces.claim(face);
                faces.claim(face);
                check(at[face].incrementAndGet() == 1, "two at a face");
                pause(1, 4);
                at[face].decrementAndGet();
                faces.quit(face);
                faces.quit(face);
                int t = ThreadLocalRandom.current().nextInt(2, 6);
                crane.hook(t);
                check(load.addAndGet(t) <= 10, "the crane breaks");
                pause(1, 5);
                load.addAndGet(-t);
                crane.unhook(t);
            });
        }
        finish(args);
    }
}
