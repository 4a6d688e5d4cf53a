// @lock PaintShop$Booth
// @type LOCK reentrant=false
// @role lock PaintShop$Booth.enter
// @role lock PaintShop$Booth.tryEnter
// @role unlock PaintShop$Booth.leave

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A paint booth for one painter at a time, passed around as a function that runs other functions inside it. */
public final class PaintShop {
    static final class Booth {
        private Thread occupant;

        private synchronized void enter() {
            if (occupant == Thread.currentThread()) {
                throw new IllegalStateException("you are inside already");
            }
            while (occupant != null) {
                uninterruptibly(0);
            }
            occupant = Thread.currentThread();
        }

        private synchronized boolean tryEnter(long millis) {
            if (occupant == Thread.currentThread()) {
                throw new IllegalStateException("you are inside already");
            }
            long end = System.nanoTime() + millis * 1_000_000;
            for (long left = millis; occupant != null; left = (end - System.nanoTime()) / 1_000_000) {
                if (left <= 0) {
                    return false;
                }
                uninterruptibly(left);
            }
            occupant = Thread.currentThread();
            return true;
        }

        private synchronized void leave() {
            occupant = null;
            notifyAll();
        }

        private void uninterruptibly(long millis) {
            try {
                wait(millis);
            } catch (InterruptedException e) {
                throw new IllegalStateException("painters are not interrupted", e);
            }
        }

        <T> T inside(Supplier<T> job) {
            enter();
            try {
                return job.get();
            } finally {
                leave();
            }
        }

        <T> Optional<T> insideWithin(long millis, Supplier<T> job) {
            if (!tryEnter(millis)) {
                return Optional.empty();
            }
            try {
                return Optional.of(job.get());
            } finally {
                leave();
            }
        }
    }

    private static int painting;
    private static final AtomicLong painted = new AtomicLong();
    private static final AtomicLong smudges = new AtomicLong();

    private static void pause(int from, int to) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Long paint() {
        if (++painting > 1) {
            smudges.incrementAndGet();
        }
        pause(1, 4);
        painting--;
        return painted.incrementAndGet();
    }

    private static Runnable painter(int number, Booth booth) {
        Supplier<Long> job = PaintShop::paint;
        return () -> {
            for (;;) {
                if (number % 3 == 0) {
                    booth.insideWithin(9, job).ifPresent(n -> pause(1, 5));
                } else {
                    booth.inside(job);
                }
                pause(1, 9);
            }
        };
    }

    public static void main(String[] args) {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Booth booth = new Booth();
        IntStream.range(0, 6).mapToObj(i -> new Thread(painter(i, booth), "painter-" + i)).forEach(t -> {
            t.setDaemon(true);
            t.start();
        });
        System.out.println("READY");
        IntStream.range(0, (int) seconds * 10).forEach(i -> pause(100, 101));
        if (smudges.get() > 0) {
            throw new IllegalStateException(smudges + " smudges");
        }
        System.out.println("DONE " + painted);
    }
}
