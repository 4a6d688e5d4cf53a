// @lock BoxedState$Box
// @type READ-WRITE+CONDITION preference=writers reentrant=false
// @role read-lock BoxedState$Box.beginRead
// @role read-unlock BoxedState$Box.endRead
// @role write-lock BoxedState$Box.beginWrite
// @role write-unlock BoxedState$Box.endWrite
// @role wait BoxedState$Box.newerThan
// @role notify BoxedState$Box.endWrite

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** A stock exchange's board in a box: functions read or replace what is in it, and brokers wait on the same monitor for a newer one. */
public final class BoxedState {
    static final class Box<S> {
        private S state;
        private long version;
        private int reading;
        private int wantToWrite;
        private boolean writing;

        Box(S initial) {
            state = initial;
        }

        <R> R read(Function<? super S, ? extends R> view) {
            return quietly(() -> {
                beginRead();
                try {
                    return view.apply(state);
                } finally {
                    endRead();
                }
            });
        }

        void update(UnaryOperator<S> change) {
            quietly(() -> {
                beginWrite();
                try {
                    state = change.apply(state);
                } finally {
                    endWrite();
                }
                return null;
            });
        }

        private void beginRead() throws InterruptedException {
            synchronized (this) {
                while (writing || wantToWrite > 0) {
                    wait();
                }
                reading++;
            }
        }

        private void endRead() {
            synchronized (this) {
                if (--reading == 0) {
                    notifyAll();
                }
            }
        }

        private void beginWrite() throws InterruptedException {
            synchronized (this) {
                wantToWrite++;
                while (writing || reading > 0) {
                    wait();
                }
                wantToWrite--;
                writing = true;
            }
        }

        private void endWrite() {
            synchronized (this) {
                writing = false;
                version++;
                notifyAll();
            }
        }

        long newerThan(long seen) throws InterruptedException {
            synchronized (this) {
                while (version <= seen) {
                    wait();
                }
                return version;
            }
        }
    }

    interface Blocking<T> {
        T call() throws InterruptedException;
    }

    static <T> T quietly(Blocking<T> body) {
        try {
            return body.call();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static <T> T slowly(T value, int millis) {
        quietly(() -> {
            Thread.sleep(millis);
            return null;
        });
        return value;
    }

    static final class Quote {
        private long bid;
        private long ask;

        Quote(long bid, long ask) {
            this.bid = bid;
            this.ask = ask;
        }
    }

    private static final AtomicLong looks = new AtomicLong();
    private static final AtomicLong wrong = new AtomicLong();

    private static void forever(String name, Runnable step) {
        Thread t = new Thread(() -> {
            while (true) {
                step.run();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static Runnable broker(Box<Quote> box) {
        long[] seen = {0};
        return () -> {
            long now = quietly(() -> box.newerThan(seen[0]));
            if (now <= seen[0]) {
                wrong.incrementAndGet();
            }
            seen[0] = slowly(now, 2);
            looks.incrementAndGet();
        };
    }

    public static void main(String[] args) {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Box<Quote> box = new Box<>(new Quote(10, 12));
        ToLongFunction<Quote> spread = q -> {
            long bid = q.bid;
            return slowly(q, ThreadLocalRandom.current().nextInt(1, 4)).ask - bid;
        };
        for (int i = 0; i < 4; i++) {
            forever("viewer-" + i, () -> {
                if (box.read(spread::applyAsLong) != 2) {
                    wrong.incrementAndGet();
                }
                slowly(looks.incrementAndGet(), ThreadLocalRandom.current().nextInt(2, 9));
            });
        }
        for (int i = 0; i < 2; i++) {
            forever("broker-" + i, broker(box));
            forever("market-" + i, () -> {
                box.update(q -> {
                    q.bid++;
                    slowly(q, 1).ask++;
                    return q;
                });
                slowly(box, ThreadLocalRandom.current().nextInt(5, 15));
            });
        }
        System.out.println("READY");
        slowly(box, seconds * 1000);
        if (wrong.get() > 0) {
            throw new IllegalStateException(wrong + " impossible quotes");
        }
        System.out.println("DONE " + looks);
    }
}
