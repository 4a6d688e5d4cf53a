// @lock SwapDesk$Desk
// @type BARRIER parties=2 form=exchanger
// @role arrive SwapDesk$Desk.swap

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Collectors swap cards two by two at a desk: a rendezvous that exchanges values. */
public class SwapDesk {
    static class Desk<T> {
        private static final int EMPTY = 0;
        private static final int ONE = 1;
        private static final int PAIR = 2;
        private int state = EMPTY;
        private T first;
        private T second;

        synchronized T swap(T mine) throws InterruptedException {
            while (state == PAIR) {
                wait();
            }
            if (state == EMPTY) {
                first = mine;
                state = ONE;
                while (state == ONE) {
                    wait();
                }
                T got = second;
                first = null;
                second = null;
                state = EMPTY;
                notifyAll();
                return got;
            }
            second = mine;
            state = PAIR;
            notifyAll();
            return first;
        }
    }

    static final class Card {
        final AtomicLong moves = new AtomicLong();
        volatile Thread holder;
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Desk<Card> desk = new Desk<>();
        AtomicLong ops = new AtomicLong();
        String[] broken = new String[1];
        for (int i = 0; i < 4; i++) {
            Random rnd = new Random(i);
            Thread t = new Thread(() -> {
                Card card = new Card();
                try {
                    while (true) {
                        card.holder = Thread.currentThread();
                        Thread.sleep(1 + rnd.nextInt(4));
                        if (card.holder != Thread.currentThread()) {
                            broken[0] = "card held twice";
                        }
                        Card other = desk.swap(card);
                        if (other == null || other == card) {
                            broken[0] = "bad swap";
                        }
                        other.moves.incrementAndGet();
                        card = other;
                        ops.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    broken[0] = "interrupted";
                }
            }, "collector-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken[0] != null) {
            System.out.println(broken[0]);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
