// @lock TicketLine$Counter
// @type LOCK reentrant=false
// @role lock TicketLine$Counter.step
// @role unlock TicketLine$Counter$Place.clear

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A counter for one: each remembers who came before him and waits until that one has left his place. */
public final class TicketLine {
    static final class Counter {
        private static final class Place {
            private boolean taken = true;

            synchronized void behind() throws InterruptedException {
                while (taken) {
                    wait();
                }
            }

            synchronized void clear() {
                taken = false;
                notifyAll();
            }
        }

        private final ThreadLocal<Place> mine = new ThreadLocal<Place>();
        private Place last = new Place();

        Counter() {
            last.taken = false;
        }

        void step() throws InterruptedException {
            Place place = new Place();
            Place before;
            synchronized (this) {
                before = last;
                last = place;
            }
            mine.set(place);
            before.behind();
        }

        void leave() {
            mine.get().clear();
        }
    }

    private final Counter counter = new Counter();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong served = new AtomicLong();
    private volatile boolean crowded;
    private volatile boolean closed;

    private void guest() {
        try {
            while (!closed) {
                counter.step();
                try {
                    if (inside.incrementAndGet() > 1) {
                        crowded = true;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                    served.incrementAndGet();
                } finally {
                    inside.decrementAndGet();
                    counter.leave();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TicketLine line = new TicketLine();
        Thread[] people = new Thread[5];
        for (int i = 0; i < people.length; i++) {
            people[i] = new Thread(line::guest, "guest-" + i);
            people[i].setDaemon(true);
            people[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        line.closed = true;
        for (Thread t : people) {
            t.join(5_000);
        }
        if (line.crowded) {
            throw new IllegalStateException("two at the counter");
        }
        System.out.println("DONE " + line.served);
    }
}
