// @lock SlotRing$Slot
// @type PRODUCER-CONSUMER
// @role put SlotRing$Slot.fill
// @role take SlotRing$Slot.empty

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A ring of slots between packet readers and decoders: tickets say which slot is next, and each slot is a monitor of its own. */
public final class SlotRing {
    static final class Slot {
        /** Even: empty, waiting for the put of turn/2; odd: full. */
        private long turn;
        private Object item;

        synchronized void fill(long round, Object x) throws InterruptedException {
            while (turn != 2 * round) {
                wait();
            }
            item = x;
            turn++;
            notifyAll();
        }

        synchronized Object empty(long round) throws InterruptedException {
            while (turn != 2 * round + 1) {
                wait();
            }
            Object x = item;
            item = null;
            turn++;
            notifyAll();
            return x;
        }
    }

    static final class Ring<T> {
        private final Slot[] slots;
        private final AtomicLong puts = new AtomicLong();
        private final AtomicLong takes = new AtomicLong();

        Ring(int size) {
            slots = new Slot[size];
            for (int i = 0; i < size; i++) {
                slots[i] = new Slot();
            }
        }

        void put(T x) throws InterruptedException {
            long ticket = puts.getAndIncrement();
            slots[(int) (ticket % slots.length)].fill(ticket / slots.length, x);
        }

        @SuppressWarnings("unchecked")
        T take() throws InterruptedException {
            long ticket = takes.getAndIncrement();
            return (T) slots[(int) (ticket % slots.length)].empty(ticket / slots.length);
        }
    }

    private static final AtomicLong sent = new AtomicLong();
    private static final AtomicLong received = new AtomicLong();
    private static final AtomicLong packets = new AtomicLong();
    private static volatile boolean stop;

    private static void reader(Ring<Long> ring) {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        try {
            for (int n = 0; !stop; n++) {
                long packet = r.nextLong(1, 1 << 20);
                sent.addAndGet(packet);
                ring.put(packet);
                if (n / 50 % 2 == 0) {
                    Thread.sleep(r.nextInt(2, 7));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void decoder(Ring<Long> ring) {
        try {
            while (true) {
                received.addAndGet(ring.take());
                packets.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Ring<Long> ring = new Ring<>(4);
        for (int i = 0; i < 6; i++) {
            Runnable body = i % 2 == 0 ? () -> reader(ring) : () -> decoder(ring);
            Thread t = new Thread(body);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (int i = 0; i < 1000 && sent.get() != received.get(); i++) {
            Thread.sleep(1);
        }
        if (sent.get() != received.get()) {
            throw new IllegalStateException("sent and received differ");
        }
        System.out.println("DONE " + packets);
    }
}
