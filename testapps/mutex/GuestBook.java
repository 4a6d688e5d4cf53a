// @lock GuestBook$Page
// @type MUTEX
// @role enter GuestBook$Page.sign
// @role enter GuestBook$Page.turn
// @quiet

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A guest book locked for so short a time that its guests hardly ever meet: shared, and all but never contended. */
public final class GuestBook {
    static final class Page {
        private final String[] names = new String[12];
        private int signed;

        void sign(String name) {
            synchronized (this) {
                if (signed < names.length) {
                    names[signed++] = name;
                }
            }
        }

        int turn() {
            synchronized (this) {
                int n = signed;
                for (int i = 0; i < n; i++) {
                    if (names[i] == null) {
                        return -1;
                    }
                }
                Arrays.fill(names, null);
                signed = 0;
                return n;
            }
        }
    }

    private static final AtomicLong guests = new AtomicLong();
    private static volatile boolean failed;

    private static void guest(Page page) {
        try {
            while (!failed) {
                page.sign(Thread.currentThread().getName());
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Page page = new Page();
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(() -> guest(page), "guest-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - until < 0) {
            int n = page.turn();
            failed |= n < 0;
            guests.addAndGet(n);
            Thread.sleep(5);
        }
        if (failed) {
            throw new IllegalStateException("a signature vanished");
        }
        System.out.println("DONE " + guests);
    }
}
