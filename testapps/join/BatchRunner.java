// @lock java.lang.Thread
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Batches of short jobs, a thread each, joined one after the other. */
public final class BatchRunner {
    private static void job(AtomicInteger done) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        done.incrementAndGet();
    }

    private static long dispatch(long until) throws InterruptedException {
        long batches = 0;
        while (System.nanoTime() - until < 0) {
            AtomicInteger done = new AtomicInteger();
            List<Thread> jobs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread t = new Thread(() -> job(done), "job");
                t.setDaemon(true);
                jobs.add(t);
                t.start();
            }
            for (Thread t : jobs) {
                t.join();
            }
            if (done.get() != 4) {
                throw new IllegalStateException("joined before the end: " + done);
            }
            batches++;
        }
        return batches;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        AtomicInteger failures = new AtomicInteger();
        Thread second = new Thread(() -> {
            try {
                dispatch(until);
            } catch (InterruptedException | RuntimeException e) {
                e.printStackTrace();
                failures.incrementAndGet();
            }
        }, "dispatcher-2");
        second.setDaemon(true);
        second.start();
        System.out.println("READY");
        System.out.flush();
        long batches = dispatch(until);
        second.join();
        if (failures.get() > 0) {
            throw new IllegalStateException("the second dispatcher failed");
        }
        System.out.println("DONE " + batches);
    }
}
