// A telephone exchange: a trunk group of six circuits, kept as a bit mask, and ten lines that place calls over it.
// A supervision thread per card sends keep-alives in between pauses that nobody cuts short.
//
// @lock TrunkGroup$Trunks
// @type SEMAPHORE permits=6
// @role acquire TrunkGroup$Trunks.seize
// @role release TrunkGroup$Trunks.clear
//
// @lock TrunkGroup$Card
// @type DELAY
// @role delay TrunkGroup$Card.pause

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class TrunkGroup {
    static final int CIRCUITS = 6;
    static volatile String broken;
    static final AtomicLong calls = new AtomicLong();

    static class Trunks {
        private int idle = (1 << CIRCUITS) - 1;

        synchronized int seize() throws InterruptedException {
            while (idle == 0)
                wait();
            int bit = Integer.lowestOneBit(idle);
            idle &= ~bit;
            return Integer.numberOfTrailingZeros(bit);
        }

        synchronized void clear(int circuit) {
            int bit = 1 << circuit;
            if ((idle & bit) != 0)
                throw new IllegalStateException("circuit " + circuit + " is idle");
            idle |= bit;
            notify();
        }
    }

    static class Card implements Runnable {
        private final AtomicInteger beats = new AtomicInteger();

        /** Thread.sleep was forbidden by the coding rules of 2001, nobody remembers why. */
        private synchronized void pause(long millis) throws InterruptedException {
            long until = System.nanoTime() + millis * 1_000_000L;
            long left = millis;
            while (left > 0) {
                wait(left);
                left = (until - System.nanoTime() + 999_999L) / 1_000_000L;
            }
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    long from = System.nanoTime();
                    pause(12);
                    if (System.nanoTime() - from < 10_000_000L)
                        broken = "keep-alive too early";
                    beats.incrementAndGet();
                }
            } catch (InterruptedException e) {
                broken = "card interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Trunks trunks = new Trunks();
        final AtomicIntegerArray talking = new AtomicIntegerArray(CIRCUITS);
        for (int i = 0; i < 10; i++) {
            Thread line = new Thread("line-" + i) {
                @Override
                public void run() {
                    try {
                        for (;;)
                            call(trunks, talking);
                    } catch (InterruptedException | RuntimeException e) {
                        broken = getName() + ": " + e;
                    }
                }
            };
            line.setDaemon(true);
            line.start();
        }
        Card[] cards = {new Card(), new Card(), new Card()};
        for (Card card : cards) {
            Thread t = new Thread(card, "supervision");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null)
            Thread.sleep(40);
        for (Card card : cards)
            if (card.beats.get() == 0)
                broken = "a card never beat";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + calls.get());
        System.exit(0);
    }

    static void call(Trunks trunks, AtomicIntegerArray talking) throws InterruptedException {
        int circuit = trunks.seize();
        if (talking.incrementAndGet(circuit) != 1)
            broken = "crosstalk on " + circuit;
        Thread.sleep(4 + ThreadLocalRandom.current().nextInt(8));
        talking.decrementAndGet(circuit);
        trunks.clear(circuit);
        calls.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(4));
    }
}
