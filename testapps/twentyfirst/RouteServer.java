// @lock RouteServer$ReaderWriterLock
// @type PRODUCER-CONSUMER capacity=5
// @role put RouteServer$ReaderWriterLock.write
// @role take RouteServer$ReaderWriterLock.read
//
// @lock RouteServer$Mutex
// @type CONDITION
// @role notify RouteServer$Mutex.unlock
// @role wait RouteServer$Mutex.await
//
// @lock RouteServer$Semaphore
// @type DELAY
// @role delay RouteServer$Semaphore.acquire

import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Route planning for couriers. Its classes have kept the names of a library that was thrown out; what they do is something else. */
public class RouteServer {

    static class Request implements Comparable<Request> {
        final int urgency;
        final long id;

        Request(int urgency, long id) {
            this.urgency = urgency;
            this.id = id;
        }

        @Override
        public int compareTo(Request o) {
            return urgency != o.urgency ? Integer.compare(o.urgency, urgency) : Long.compare(id, o.id);
        }
    }

    /** Requests on their way from those who write them to those who read them, the most urgent first. */
    static class ReaderWriterLock {
        private final PriorityQueue<Request> waiting = new PriorityQueue<>();
        private final int max;

        ReaderWriterLock(int max) {
            this.max = max;
        }

        /** False if there was no room in time. */
        synchronized boolean write(Request r, long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (waiting.size() == max) {
                long left = end - System.currentTimeMillis();
                if (left <= 0)
                    return false;
                wait(left);
            }
            waiting.add(r);
            notifyAll();
            return true;
        }

        synchronized Request read() throws InterruptedException {
            Request r;
            while ((r = waiting.poll()) == null)
                wait();
            notifyAll();
            return r;
        }
    }

    /** How many routes are being planned; a new map is loaded only at a moment when there is none. */
    static class Mutex {
        private int planning;
        private long idleMoments;

        synchronized void lock() {
            planning++;
        }

        synchronized void unlock() {
            planning--;
            if (planning == 0) {
                idleMoments++;
                notifyAll();
            }
        }

        /** Waits for a moment at which nothing is planned, later than the one given. */
        synchronized long await(long seen) throws InterruptedException {
            while (idleMoments == seen)
                wait();
            return idleMoments;
        }
    }

    /** Couriers report every so many milliseconds. */
    static class Semaphore {
        private final int permits;

        Semaphore(int permits) {
            this.permits = permits;
        }

        synchronized void acquire() throws InterruptedException {
            long start = System.nanoTime();
            long gone = 0;
            while (gone < permits) {
                wait(permits - gone);
                gone = (System.nanoTime() - start) / 1_000_000;
            }
        }
    }

    static final ReaderWriterLock requests = new ReaderWriterLock(5);
    static final Mutex planning = new Mutex();
    static final AtomicLong ids = new AtomicLong(), written = new AtomicLong(), read = new AtomicLong(), ops = new AtomicLong();
    static volatile String fault;

    interface Life {
        void step(Random random) throws InterruptedException;
    }

    static void live(String name, Life life) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                Random random = new Random(name.hashCode());
                try {
                    while (fault == null)
                        life.step(random);
                } catch (InterruptedException e) {
                    fault = name + " interrupted";
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    static void customer(Random random) throws InterruptedException {
        int n = 1 + random.nextInt(9);
        for (int i = 0; i < n; i++) {
            written.incrementAndGet();
            if (!requests.write(new Request(random.nextInt(3), ids.incrementAndGet()), 400))
                written.decrementAndGet();
        }
        Thread.sleep(20 + random.nextInt(20));
    }

    static void planner(Random random) throws InterruptedException {
        Request r = requests.read();
        planning.lock();
        try {
            if (r.id > ids.get())
                fault = "request from the future";
            if (read.incrementAndGet() > written.get())
                fault = "more read than written";
            Thread.sleep(1 + random.nextInt(4));
        } finally {
            planning.unlock();
        }
        ops.incrementAndGet();
    }

    static class MapLoader implements Life {
        private long seen;

        public void step(Random random) throws InterruptedException {
            long now = planning.await(seen);
            if (now <= seen)
                fault = "time runs backwards";
            seen = now;
        }
    }

    static class Courier implements Life {
        private final Semaphore pause;
        private final int millis;

        Courier(int millis) {
            this.millis = millis;
            pause = new Semaphore(millis);
        }

        public void step(Random random) throws InterruptedException {
            long start = System.nanoTime();
            pause.acquire();
            if (System.nanoTime() - start < millis * 1_000_000L)
                fault = "reported too early";
            ops.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        live("customer-1", RouteServer::customer);
        live("customer-2", RouteServer::customer);
        live("customer-3", RouteServer::customer);
        live("planner-1", RouteServer::planner);
        live("planner-2", RouteServer::planner);
        live("map-loader-1", new MapLoader());
        live("map-loader-2", new MapLoader());
        live("courier-1", new Courier(7));
        live("courier-2", new Courier(12));
        System.out.println("READY");
        for (int i = 0; i < seconds * 10 && fault == null; i++)
            Thread.sleep(100);
        System.out.println(fault == null ? "DONE " + ops : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
