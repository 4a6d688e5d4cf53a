// @lock RenderNode
// @type SEMAPHORE+MUTEX permits=3
// @role acquire RenderNode.checkOut
// @role release RenderNode.checkIn
// @role enter RenderNode.charge
// @role enter RenderNode.invoice

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A render node with three licences. The same monitor guards what customers have to pay, which has nothing to do with the
 * licences; it has just always been done that way.
 */
public class RenderNode {

    private int licencesInUse;
    private final int[] owed = new int[4];
    private int owedByAll;

    synchronized void checkOut() throws InterruptedException {
        while (licencesInUse >= 3) {
            wait();
        }
        ++licencesInUse;
    }

    synchronized void checkIn() {
        if (licencesInUse <= 0) {
            throw new IllegalStateException("nothing to check in");
        }
        --licencesInUse;
        notifyAll();
    }

    synchronized void charge(int customer, int cents) throws InterruptedException {
        owed[customer] += cents;
        Thread.sleep(1);
        owedByAll += cents;
    }

    synchronized int invoice(int customer) throws InterruptedException {
        int sum = 0;
        for (int cents : owed) {
            sum += cents;
        }
        if (sum != owedByAll) {
            wrong("customers owe " + sum + ", the books say " + owedByAll);
        }
        int bill = owed[customer];
        owed[customer] = 0;
        owedByAll -= bill;
        return bill;
    }

    private static volatile String wrong;
    private static final AtomicInteger rendering = new AtomicInteger();
    private static final AtomicLong frames = new AtomicLong();

    private static void wrong(String what) {
        wrong = what;
    }

    private void render(Random random) throws InterruptedException {
        checkOut();
        try {
            if (rendering.incrementAndGet() > 3) {
                wrong("more than three at work");
            }
            Thread.sleep(3 + random.nextInt(6));
            rendering.decrementAndGet();
        } finally {
            checkIn();
        }
        frames.incrementAndGet();
        Thread.sleep(1 + random.nextInt(4));
    }

    private void book(Random random) throws InterruptedException {
        if (random.nextInt(4) > 0) {
            charge(random.nextInt(4), random.nextInt(100));
        } else {
            invoice(random.nextInt(4));
        }
        Thread.sleep(2 + random.nextInt(5));
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        RenderNode node = new RenderNode();
        for (int i = 0; i < 8; i++) {
            boolean artist = i < 5;
            Random random = new Random(i);
            Thread t = new Thread(() -> {
                try {
                    while (wrong == null) {
                        if (artist) {
                            node.render(random);
                        } else {
                            node.book(random);
                        }
                    }
                } catch (InterruptedException e) {
                    wrong("interrupted");
                }
            }, (artist ? "artist-" : "clerk-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (wrong == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
        }
        System.out.println(wrong == null ? "DONE " + frames : "WRONG " + wrong);
        System.exit(wrong == null ? 0 : 1);
    }
}
