// @edge ChainWalk.Link -> ChainWalk.Link
// @same ChainWalk.Link ordered
// @no-cycle

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A sorted list walked hand over hand: the next link is locked before the last one is let go. */
public final class ChainWalk {
    private static final int LENGTH = 12;
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;
    private static volatile boolean broken;

    static final class Link {
        private final int place;
        private final Link next;
        private int visitors;

        Link(int place, Link next) {
            this.place = place;
            this.next = next;
        }

        /** Visits this link while the one before it is still locked, and so on to the end. */
        void walk(int before) throws InterruptedException {
            synchronized (this) {
                if (place != before + 1 || ++visitors != 1) {
                    broken = true;
                }
                if (ThreadLocalRandom.current().nextInt(LENGTH) == 0) {
                    Thread.sleep(1);
                }
                if (next != null) {
                    next.walk(place);
                }
                visitors--;
            }
            done.incrementAndGet();
        }
    }

    private static void walk(Link head) {
        try {
            while (open) {
                head.walk(-1);
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Enters the list in the middle. */
    private static void visit(Link[] links) {
        try {
            while (open) {
                int place = ThreadLocalRandom.current().nextInt(LENGTH);
                links[place].walk(place - 1);
                Thread.sleep(1);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Link[] links = new Link[LENGTH];
        for (int place = LENGTH - 1; place >= 0; place--) {
            links[place] = new Link(place, place + 1 < LENGTH ? links[place + 1] : null);
        }
        for (int i = 0; i < 4; i++) {
            boolean whole = i % 2 == 0;
            Thread walker = new Thread(whole ? () -> walk(links[0]) : () -> visit(links), "walker-" + i);
            walker.setDaemon(true);
            walker.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (broken || done.get() == 0) {
            throw new IllegalStateException("the chain is broken");
        }
        System.out.println("DONE " + done.get());
    }
}
