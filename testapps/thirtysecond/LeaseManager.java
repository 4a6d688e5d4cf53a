// @lock LeaseManager$Lease
// @type LOCK reentrant=true
// @role lock LeaseManager$Lease.acquire
// @role lock LeaseManager$Lease.tryAcquire
// @role unlock LeaseManager$Lease.release

// @lock LeaseManager$Turnstile
// @type LOCK reentrant=false
// @role lock LeaseManager$Turnstile.enter
// @role unlock LeaseManager$Turnstile.exit

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Leases by holder and count, with and without time limit, and a turnstile that serves in order. */
public class LeaseManager {
    static final class Lease {
        private Thread holder;
        private int holds;

        synchronized void acquire() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (holder != null && holder != t) {
                wait();
            }
            holder = t;
            holds++;
        }

        synchronized boolean tryAcquire(long millis) throws InterruptedException {
            Thread t = Thread.currentThread();
            long end = System.nanoTime() + millis * 1_000_000L;
            while (holder != null && holder != t) {
                long left = (end - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            holder = t;
            holds++;
            return true;
        }

        synchronized void release() {
            if (holder != Thread.currentThread()) {
                throw new IllegalMonitorStateException("lease of " + holder);
            }
            if (--holds == 0) {
                holder = null;
                notify();
            }
        }
    }

    static final class Turnstile {
        private int nextTicket;
        private int nowServing;

        void enter() throws InterruptedException {
            synchronized (this) {
                int ticket = nextTicket++;
                while (ticket != nowServing) {
                    wait();
                }
            }
        }

        void exit() {
            synchronized (this) {
                nowServing++;
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
        Lease lease = new Lease();
        Turnstile gate = new Turnstile();
        AtomicInteger a = new AtomicInteger();
        AtomicInteger b = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            int me = i;
            loop("node-" + i, () -> {
                if (me % 2 == 0) {
                    lease.acquire();
                } else if (!lease.tryAcquire(3)) {
                    return;
                }
                lease.acquire();
                check(a.incrementAndGet() == 1, "two leases");
                pause(1, 4);
                a.decrementAndGet();
                lease.release();
                lease.release();
                gate.enter();
                check(b.incrementAndGet() == 1, "two in the turnstile");
                pause(1, 3);
                b.decrementAndGet();
                gate.exit();
            });
        }
        finish(args);
    }
}
