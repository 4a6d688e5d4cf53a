// @lock FreightScale$Span
// @type SEMAPHORE permits=10
// @role acquire FreightScale$Span.drive_on
// @role release FreightScale$Span.drive_off

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A bridge that bears ten tons: lorries of one to five tons must wait until it can carry them as well. */
public final class FreightScale {
    static final class Span {
        private static final int MAX_TONS = 10;
        private int load = 0;

        void drive_on(int tons) throws InterruptedException {
            synchronized (this) {
                while (load + tons > MAX_TONS) {
                    wait();
                }
                load += tons;
            }
        }

        void drive_off(int tons) {
            synchronized (this) {
                load -= tons;
                notifyAll();
            }
        }
    }

    private static final AtomicInteger weight = new AtomicInteger();
    private static final AtomicLong crossings = new AtomicLong();
    private static volatile int heaviest;

    private static void lorry(Span span, int tons) {
        try {
            for (;;) {
                span.drive_on(tons);
                int now = weight.addAndGet(tons);
                if (now > heaviest) {
                    heaviest = now;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                weight.addAndGet(-tons);
                span.drive_off(tons);
                crossings.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Span span = new Span();
        int[] fleet = {1, 2, 2, 3, 3, 4, 5, 5};
        for (int tons : fleet) {
            Thread t = new Thread(() -> lorry(span, tons), "lorry-" + tons + "t");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (heaviest > 10) {
            throw new IllegalStateException("the bridge carried " + heaviest + " tons");
        }
        System.out.println("DONE " + crossings);
    }
}
