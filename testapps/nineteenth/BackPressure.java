// An ingest stage with back-pressure: receivers are stopped on one monitor while nine batches are in the pipe, indexers
// wait on another one for batches. Each side counts for itself and signals the other after it has left its own monitor.
// (Composite: one bounded queue over two monitors.)
//
// @lock BackPressure$Room
// @type PRODUCER-CONSUMER capacity=9
// @role put BackPressure$Pipe.push
// @role take BackPressure$Pipe.pull

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class BackPressure {
    static final AtomicLong pushed = new AtomicLong();
    static final AtomicLong pulled = new AtomicLong();
    static volatile String broken;

    static final class Room {
        int free;

        Room(int free) {
            this.free = free;
        }
    }

    static final class Stock {
        final ArrayDeque<int[]> batches = new ArrayDeque<>();
    }

    static final class Pipe {
        private final Room room = new Room(9);
        private final Stock stock = new Stock();

        void push(int[] batch) throws InterruptedException {
            synchronized (room) {
                while (room.free == 0) {
                    room.wait();
                }
                room.free--;
            }
            synchronized (stock) {
                stock.batches.addLast(batch);
                stock.notify();
            }
        }

        int[] pull() throws InterruptedException {
            int[] batch;
            synchronized (stock) {
                while (stock.batches.isEmpty()) {
                    stock.wait();
                }
                batch = stock.batches.removeFirst();
            }
            synchronized (room) {
                room.free++;
                room.notify();
            }
            return batch;
        }
    }

    static void receiver(Pipe pipe) throws InterruptedException {
        ThreadLocalRandom rnd = ThreadLocalRandom.current();
        while (true) {
            for (int i = 0; i < 8; i++) {
                int x = rnd.nextInt(100);
                pipe.push(new int[] {x, 100 - x});
                pushed.addAndGet(x);
            }
            Thread.sleep(35 + rnd.nextInt(30));
        }
    }

    static void indexer(Pipe pipe) throws InterruptedException {
        while (true) {
            int[] batch = pipe.pull();
            if (batch[0] + batch[1] != 100) {
                broken = "damaged batch";
            }
            pulled.incrementAndGet();
            Thread.sleep(1 + batch[0] % 5);
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Pipe pipe = new Pipe();
        for (int i = 0; i < 5; i++) {
            final boolean in = i < 3;
            Thread t = new Thread(() -> {
                try {
                    if (in) {
                        receiver(pipe);
                    } else {
                        indexer(pipe);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, (in ? "receiver-" : "indexer-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        long before = -1;
        for (int n = 1; System.currentTimeMillis() < end && broken == null; n++) {
            Thread.sleep(50);
            if (n % 200 == 0) {
                if (pulled.get() == before) {
                    broken = "the pipe stands still";
                }
                before = pulled.get();
            }
        }
        System.out.println(broken != null ? broken : "DONE " + pulled.get());
        System.exit(broken != null ? 1 : 0);
    }
}
