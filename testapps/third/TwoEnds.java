// @lock TwoEnds$BoundedDeque
// @type PRODUCER-CONSUMER capacity=5
// @role put TwoEnds$BoundedDeque.addFirst
// @role put TwoEnds$BoundedDeque.addLast
// @role take TwoEnds$BoundedDeque.takeFirst
// @role take TwoEnds$BoundedDeque.takeLast

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Parcels on a siding with room for five, shunted in and out at both ends. */
public final class TwoEnds {
    static final class BoundedDeque<E> {
        private final Deque<E> items = new ArrayDeque<>();
        private int room;

        BoundedDeque(int capacity) {
            room = capacity;
        }

        private void awaitRoom() throws InterruptedException {
            while (room == 0) {
                wait();
            }
            room--;
        }

        private void awaitItem() throws InterruptedException {
            while (items.isEmpty()) {
                wait();
            }
            room++;
        }

        synchronized void addFirst(E item) throws InterruptedException {
            awaitRoom();
            items.addFirst(item);
            notifyAll();
        }

        synchronized void addLast(E item) throws InterruptedException {
            awaitRoom();
            items.addLast(item);
            notifyAll();
        }

        synchronized E takeFirst() throws InterruptedException {
            awaitItem();
            notifyAll();
            return items.removeFirst();
        }

        synchronized E takeLast() throws InterruptedException {
            awaitItem();
            notifyAll();
            return items.removeLast();
        }

        synchronized int size() {
            return items.size();
        }
    }

    private static final BoundedDeque<String> siding = new BoundedDeque<>(5);
    private static final AtomicLong in = new AtomicLong();
    private static final AtomicLong out = new AtomicLong();
    private static volatile boolean closing;
    private static volatile boolean overfull;

    private static void load(boolean front) throws InterruptedException {
        while (!closing) {
            for (int i = ThreadLocalRandom.current().nextInt(6); i >= 0; i--) {
                if (front) {
                    siding.addFirst("parcel");
                } else {
                    siding.addLast("parcel");
                }
                in.incrementAndGet();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 18));
        }
    }

    private static void unload(boolean front) throws InterruptedException {
        for (;;) {
            String parcel = front ? siding.takeFirst() : siding.takeLast();
            if (parcel.isEmpty()) {
                return;
            }
            out.incrementAndGet();
            if (siding.size() > 5) {
                overfull = true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    interface Work {
        void run() throws InterruptedException;
    }

    private static Thread crew(String name, Work work) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    work.run();
                } catch (InterruptedException e) {
                    overfull = true;
                }
            }
        };
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] loaders = {crew("load-f", () -> load(true)), crew("load-b", () -> load(false)), crew("load-b2", () -> load(false))};
        Thread[] unloaders = {crew("unload-f", () -> unload(true)), crew("unload-b", () -> unload(false))};
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        closing = true;
        for (Thread t : loaders) {
            t.join(5_000);
        }
        while (siding.size() > 0) {
            Thread.sleep(2);
        }
        siding.addLast("");
        siding.addLast("");
        for (Thread t : unloaders) {
            t.join(5_000);
        }
        if (overfull || in.get() != out.get()) {
            throw new IllegalStateException(in + " in, " + out + " out");
        }
        System.out.println("DONE " + out);
    }
}
