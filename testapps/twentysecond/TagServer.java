// @lock TagServer$Semaphore
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock TagServer$Semaphore.acquire
// @role read-unlock TagServer$Semaphore.release
// @role write-lock TagServer$Semaphore.await
// @role write-unlock TagServer$Semaphore.countDown
//
// @lock TagServer$ReadBuffer
// @type MUTEX
// @role enter TagServer$ReadBuffer.put
// @role enter TagServer$ReadBuffer.take

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A tag data base behind an OPC server, ported from C by somebody with his own ideas about names: clients and drivers pass strictly by ticket. */
public class TagServer {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    static class Semaphore {
        private int next, serving;
        private int permits;          // 0 nobody, -1 a driver, else the clients inside

        private void turn(int ticket) throws InterruptedException {
            while (serving != ticket) wait();
        }

        synchronized void acquire() throws InterruptedException {
            turn(next++);
            while (permits < 0) wait();
            permits++;
            serving++;
            notifyAll();
        }

        synchronized void release() {
            if (--permits == 0) notifyAll();
        }

        synchronized void await() throws InterruptedException {
            turn(next++);
            while (permits != 0) wait();
            permits = -1;
            serving++;
            notifyAll();
        }

        synchronized void countDown() {
            permits = 0;
            notifyAll();
        }
    }

    static class ReadBuffer {
        private final Map<String, Integer> map = new TreeMap<>();
        private int sum;

        synchronized void put(String s) throws InterruptedException {
            map.merge(s, 1, Integer::sum);
            Thread.sleep(1);
            sum++;
        }

        synchronized int take(String s) throws InterruptedException {
            Integer n = map.remove(s);
            Thread.sleep(1);
            if (n == null) return 0;
            sum -= n;
            int all = 0;
            for (int v : map.values()) all += v;
            if (all != sum) broken = "access counts wrong";
            return n;
        }
    }

    static final Semaphore sem = new Semaphore();
    static final ReadBuffer buffer = new ReadBuffer();
    static final double[] value = new double[10], copy = new double[10];

    static void client() throws InterruptedException {
        while (!stop) {
            int i = ThreadLocalRandom.current().nextInt(10);
            sem.acquire();
            try {
                double v = value[i];
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
                if (v != copy[i]) broken = "tag " + i + " torn";
            } finally {
                sem.release();
            }
            buffer.put("tag" + i);
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        }
    }

    static void driver() throws InterruptedException {
        while (!stop) {
            sem.await();
            try {
                int i = ThreadLocalRandom.current().nextInt(10);
                value[i] = ThreadLocalRandom.current().nextDouble();
                Thread.sleep(2);
                copy[i] = value[i];
            } finally {
                sem.countDown();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
        }
    }

    static void statistics() throws InterruptedException {
        for (int i = 0; !stop; i++) {
            if (buffer.take("tag" + i % 10) < 0) broken = "negative count";
            Thread.sleep(4);
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void threads(int n, Body b) {
        for (; n > 0; n--) {
            Thread t = new Thread(() -> {
                try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        threads(5, TagServer::client);
        threads(2, TagServer::driver);
        threads(1, TagServer::statistics);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
