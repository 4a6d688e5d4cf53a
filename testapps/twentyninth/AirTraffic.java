// @lock AirTraffic$Barrier
// @type LATCH count=3
// @role count-down AirTraffic$Barrier.pass
// @role await AirTraffic$Barrier.stop
// @lock AirTraffic$Queue
// @type LOCK reentrant=false
// @role lock AirTraffic$Queue.add
// @role unlock AirTraffic$Queue.remove

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A plane may leave the stand after catering, fuelling and boarding have reported; one runway for all. */
public class AirTraffic {

    /** In front of one plane, once. */
    static class Barrier {
        private int score = -3;

        synchronized void pass() {
            if (score < 0 && ++score == 0) {
                notifyAll();
            }
        }

        synchronized void stop() throws InterruptedException {
            while (score < 0) {
                wait();
            }
        }
    }

    enum Runway { CLEAR, OCCUPIED }

    static class Queue {
        private Runway runway = Runway.CLEAR;
        private Thread pilot;

        void add() throws InterruptedException {
            synchronized (this) {
                if (pilot == Thread.currentThread()) {
                    throw new IllegalStateException("already on the runway");
                }
                while (runway == Runway.OCCUPIED) {
                    this.wait();
                }
                runway = Runway.OCCUPIED;
                pilot = Thread.currentThread();
            }
        }

        void remove() {
            synchronized (this) {
                if (pilot != Thread.currentThread()) {
                    throw new IllegalStateException("not your runway");
                }
                pilot = null;
                runway = Runway.CLEAR;
                this.notify();
            }
        }
    }

    static class Turnaround {
        final Barrier barrier = new Barrier();
        final AtomicInteger services = new AtomicInteger();
    }

    private static final Queue queue = new Queue();
    private static final AtomicInteger rolling = new AtomicInteger();
    private static final AtomicLong departures = new AtomicLong();
    private static volatile Throwable incident;

    /** Driver only: one hand-over channel for each service. */
    private static final class Service extends Thread {
        final SynchronousQueue<Turnaround> calls = new SynchronousQueue<>();
        private final int most;

        Service(String name, int most) {
            super(name);
            this.most = most;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (incident == null) {
                    Turnaround t = calls.take();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, most));
                    t.services.incrementAndGet();
                    t.barrier.pass();
                }
            } catch (InterruptedException | RuntimeException e) {
                incident = e;
            }
        }
    }

    private static final class Plane extends Thread {
        private final Service[] services;

        Plane(int i, Service... services) {
            super("plane-" + i);
            this.services = services;
            setDaemon(true);
        }

        private void fly() throws InterruptedException {
            Turnaround t = new Turnaround();
            for (Service s : services) {
                s.calls.put(t);
            }
            t.barrier.stop();
            if (t.services.get() != 3) {
                throw new IllegalStateException("left with " + t.services + " services");
            }
            for (int i = 0; i < 2; i++) { // take-off and landing
                queue.add();
                try {
                    if (rolling.incrementAndGet() > 1) {
                        throw new IllegalStateException("runway incursion");
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
                    rolling.decrementAndGet();
                } finally {
                    queue.remove();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
            }
            departures.incrementAndGet();
        }

        @Override
        public void run() {
            try {
                while (incident == null) {
                    fly();
                }
            } catch (InterruptedException | RuntimeException e) {
                incident = e;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Service[] s = {new Service("catering", 5), new Service("fuel", 7), new Service("boarding", 8)};
        for (Service one : s) {
            one.start();
        }
        for (int i = 0; i < 5; i++) {
            new Plane(i, s).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (incident != null) {
            throw new IllegalStateException(incident);
        }
        System.out.println("DONE " + departures);
    }
}
