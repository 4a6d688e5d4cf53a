// @lock BathHouse$Hall
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock BathHouse$Hall$Door.pass
// @role read-unlock BathHouse$Hall.leaves
// @role write-lock BathHouse$Hall$Hatch.pass
// @role write-unlock BathHouse$Hall.ends

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Bathers share a hall that cleaners need for themselves; either kind waits at an entrance of its own, and the book is kept by the hall. */
public final class BathHouse {
    abstract static class Hall {
        final Door door = new Door();
        final Hatch hatch = new Hatch();
        protected int inside;
        protected boolean wet;
        protected int outside;
        protected int pails;

        /** Whether somebody may come in who only bathes. */
        protected abstract boolean admits();

        protected synchronized boolean enters(boolean waited) {
            boolean in = admits();
            if (in) {
                inside++;
                outside -= waited ? 1 : 0;
            } else if (!waited) {
                outside++;
            }
            return in;
        }

        protected synchronized boolean begins(boolean waited) {
            boolean in = !wet && inside == 0;
            if (in) {
                wet = true;
                pails -= waited ? 1 : 0;
            } else if (!waited) {
                pails++;
            }
            return in;
        }

        protected synchronized Entrance leaves() {
            return --inside == 0 && pails > 0 ? hatch : null;
        }

        protected synchronized Entrance ends() {
            wet = false;
            if (outside > 0 && admits()) {
                return door;
            }
            return pails > 0 ? hatch : null;
        }

        interface Entrance {
            void call();
        }

        final class Door implements Entrance {
            public void pass() throws InterruptedException {
                synchronized (this) {
                    boolean in = enters(false);
                    while (!in) {
                        wait();
                        in = enters(true);
                    }
                }
            }

            public void back() {
                Entrance next = leaves();
                if (next != null) {
                    next.call();
                }
            }

            @Override
            public synchronized void call() {
                notifyAll();
            }
        }

        final class Hatch implements Entrance {
            public void pass() throws InterruptedException {
                synchronized (this) {
                    boolean in = begins(false);
                    while (!in) {
                        wait();
                        in = begins(true);
                    }
                }
            }

            public void back() {
                Entrance next = ends();
                if (next != null) {
                    next.call();
                }
            }

            @Override
            public synchronized void call() {
                notify();
            }
        }
    }

    /** Who bathes goes before who cleans. */
    static final class Public extends Hall {
        @Override
        protected boolean admits() {
            return !wet;
        }
    }

    private final Hall hall = new Public();
    private final AtomicInteger bathers = new AtomicInteger();
    private final AtomicInteger cleaners = new AtomicInteger();
    private final AtomicLong served = new AtomicLong();
    private volatile boolean slipped;
    private volatile boolean closed;

    private void bathe() {
        try {
            while (!closed) {
                hall.door.pass();
                bathers.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                slipped |= cleaners.get() > 0;
                bathers.decrementAndGet();
                hall.door.back();
                served.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void clean() {
        try {
            while (!closed) {
                hall.hatch.pass();
                slipped |= cleaners.incrementAndGet() > 1 || bathers.get() > 0;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                cleaners.decrementAndGet();
                hall.hatch.back();
                served.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        BathHouse house = new BathHouse();
        Thread[] people = new Thread[6];
        for (int i = 0; i < people.length; i++) {
            boolean cleans = i % 3 == 0;
            people[i] = new Thread(cleans ? house::clean : house::bathe, (cleans ? "cleaner-" : "bather-") + i);
            people[i].setDaemon(true);
            people[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        house.closed = true;
        for (Thread t : people) {
            t.join(5_000);
        }
        if (house.slipped) {
            throw new IllegalStateException("a cleaner was not alone");
        }
        System.out.println("DONE " + house.served);
    }
}
