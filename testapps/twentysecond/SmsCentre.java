// @lock SmsCentre$Store
// @type PRODUCER-CONSUMER capacity=12
// @role put SmsCentre$Store.submit
// @role take SmsCentre$Store.drain
//
// @lock SmsCentre$Backoff
// @type DELAY
// @role delay SmsCentre$Backoff.pause
//
// @lock SmsCentre
// @type MUTEX
// @role enter SmsCentre.record
// @role enter SmsCentre.audit

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A short message centre: a store of twelve messages, deliverers that take up to three at a time and back off when the mobile does not answer, a journal. */
public class SmsCentre {
    private volatile boolean stop;
    private volatile String broken;
    private final AtomicLong submitted = new AtomicLong(), delivered = new AtomicLong();
    private final Store store = new Store();
    private long journal, journalSum;

    static final class Store {
        private final ArrayDeque<Long> messages = new ArrayDeque<>(12);

        synchronized boolean submit(long m, long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (messages.size() >= 12) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) return false;
                wait(left);
            }
            messages.add(m);
            notifyAll();
            return true;
        }

        synchronized List<Long> drain(int max) throws InterruptedException {
            while (messages.isEmpty()) wait();
            List<Long> l = new ArrayList<>(max);
            while (l.size() < max && !messages.isEmpty()) l.add(messages.poll());
            notifyAll();
            return l;
        }
    }

    /** One for each deliverer. */
    static final class Backoff {
        private int step = 2;

        synchronized void pause() throws InterruptedException {
            long until = System.currentTimeMillis() + step;
            step = step >= 16 ? 2 : step * 2;
            long now;
            while ((now = System.currentTimeMillis()) < until) wait(until - now);
        }
    }

    private synchronized void record(long m) throws InterruptedException {
        journal++;
        Thread.sleep(1);
        journalSum += m;
        if (journalSum < journal) broken = "journal spoilt";
    }

    private synchronized void audit() throws InterruptedException {
        long n = journal;
        Thread.sleep(2);
        if (n != journal) broken = "journal changed during audit";
        if (n > submitted.get()) broken = "message out of nothing";
    }

    private void mobile() throws InterruptedException {
        while (!stop) {
            int burst = ThreadLocalRandom.current().nextInt(1, 9);
            for (int i = 0; i < burst; i++) {
                submitted.incrementAndGet();
                if (!store.submit(1 + ThreadLocalRandom.current().nextInt(160), 500)) submitted.decrementAndGet();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(15, 45));
        }
    }

    private void deliverer() throws InterruptedException {
        Backoff b = new Backoff();
        while (!stop) {
            for (long m : store.drain(3)) {
                while (ThreadLocalRandom.current().nextInt(3) == 0) b.pause();
                record(m);
                delivered.incrementAndGet();
            }
        }
    }

    private void auditor() throws InterruptedException {
        while (!stop) {
            audit();
            Thread.sleep(7);
        }
    }

    private interface Body { void run() throws InterruptedException; }

    private void fork(Body b) {
        Thread t = new Thread(() -> {
            try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        SmsCentre c = new SmsCentre();
        for (int i = 0; i < 4; i++) c.fork(c::mobile);
        for (int i = 0; i < 4; i++) c.fork(c::deliverer);
        c.fork(c::auditor);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && c.broken == null) Thread.sleep(50);
        c.stop = true;
        if (c.broken != null) {
            System.out.println(c.broken);
            System.exit(1);
        }
        System.out.println("DONE " + c.delivered);
    }
}
