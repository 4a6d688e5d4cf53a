// @lock MailQuota$Bucket
// @type SEMAPHORE form=rate-limiter
// @role acquire MailQuota$Bucket.take
// @role release MailQuota$Bucket.refill

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A token bucket in front of a mail server: tokens are added by a timer, up to a burst, and never given back by senders. */
public final class MailQuota {
    static final class Bucket {
        private final int burst;
        private int tokens;

        Bucket(int burst) {
            this.burst = burst;
        }

        synchronized void take() throws InterruptedException {
            while (tokens < 1) {
                wait();
            }
            tokens--;
        }

        synchronized void refill() {
            if (tokens < burst) {
                tokens++;
                notify();
            }
        }
    }

    private static final AtomicLong refills = new AtomicLong();
    private static final AtomicLong sent = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Bucket bucket = new Bucket(10);
        for (int i = 0; i < 4; i++) {
            daemon("sender-" + i, () -> {
                bucket.take();
                sent.incrementAndGet();
                // Mail comes in bursts.
                Thread.sleep(sent.get() % 200 < 20 ? 20 : ThreadLocalRandom.current().nextInt(3));
            });
        }
        daemon("timer", () -> {
            refills.incrementAndGet();
            bucket.refill();
            Thread.sleep(1);
        });
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long s = sent.get();
        if (s > refills.get()) {
            throw new IllegalStateException(s + " mails on " + refills + " tokens");
        }
        System.out.println("DONE " + s);
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void daemon(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
}
