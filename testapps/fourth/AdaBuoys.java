// @lock AdaBuoys$Buoys
// @type SEMAPHORE permits=4
// @role acquire AdaBuoys$ProtectedObject.entry
// @role release AdaBuoys$ProtectedObject.procedure

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Four mooring buoys for nine yachts; the harbour was once written in Ada, and its protected objects came along. */
public final class AdaBuoys {
    /** Entries with a barrier, procedures and functions; barriers are looked at again after every entry and procedure. */
    abstract static class ProtectedObject {
        protected final synchronized void entry(BooleanSupplier barrier, Runnable body) {
            boolean interrupted = false;
            while (!barrier.getAsBoolean()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            body.run();
            notifyAll();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        protected final synchronized void procedure(Runnable body) {
            body.run();
            notifyAll();
        }

        protected final synchronized int function(IntSupplier body) {
            return body.getAsInt();
        }
    }

    static final class Buoys extends ProtectedObject {
        private int free = 4;

        void secure() {
            entry(() -> free > 0, () -> free--);
        }

        void release() {
            procedure(() -> free++);
        }

        int available() {
            return function(() -> free);
        }
    }

    private static final AtomicInteger moored = new AtomicInteger();
    private static final AtomicLong visits = new AtomicLong();
    private static final AtomicLong collisions = new AtomicLong();

    private static void yacht(Buoys buoys) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                buoys.secure();
                if (moored.incrementAndGet() > 4) {
                    collisions.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
                moored.decrementAndGet();
                buoys.release();
                visits.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Buoys buoys = new Buoys();
        for (int i = 0; i < 9; i++) {
            Thread t = new Thread(() -> yacht(buoys), "yacht-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        int free = buoys.available();
        if (collisions.get() > 0 || free < 0 || free > 4) {
            throw new IllegalStateException(collisions + " collisions, " + free + " buoys free");
        }
        System.out.println("DONE " + visits);
    }
}
