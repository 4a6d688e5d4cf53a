// @lock TokenTap
// @type SEMAPHORE form=rate-limiter
// @role acquire TokenTap.take
// @role release TokenTap.drip

import java.util.concurrent.atomic.AtomicLong;

/** A token bucket: calls take a token each, a drip thread adds one per tick up to the bucket's size. */
public class TokenTap {
    private final int size;
    private int tokens;
    private long granted;
    private long dripped;

    TokenTap(int size) {
        this.size = size;
        this.tokens = size;
    }

    synchronized void take() throws InterruptedException {
        while (tokens == 0) {
            wait();
        }
        tokens--;
        granted++;
    }

    synchronized void drip() {
        if (tokens < size) {
            tokens++;
            dripped++;
            notify();
        }
    }

    synchronized boolean withinRate() {
        return granted == dripped + size - tokens;
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        int burst = a.length > 1 ? Integer.parseInt(a[1]) : 6;
        final TokenTap tap = new TokenTap(burst);
        final AtomicLong calls = new AtomicLong();
        for (int i = 0; i < 4; i++) {
            final int gap = 2 + i;
            daemon("caller-" + i, new Step() {
                @Override
                public void once() throws InterruptedException {
                    tap.take();
                    calls.incrementAndGet();
                    Thread.sleep(gap);
                }
            });
        }
        daemon("drip", new Step() {
            @Override
            public void once() throws InterruptedException {
                Thread.sleep(2);
                tap.drip();
            }
        });
        System.out.println("READY");
        System.out.flush();
        long end = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < end) {
            Thread.sleep(100);
            if (!tap.withinRate()) {
                System.out.println("more calls than tokens");
                System.exit(1);
            }
        }
        System.out.println("DONE " + calls);
    }

    interface Step {
        void once() throws InterruptedException;
    }

    static void daemon(String name, final Step step) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    while (true) {
                        step.once();
                    }
                } catch (InterruptedException e) {
                    interrupt();
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }
}
