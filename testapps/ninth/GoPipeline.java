// @lock GoPipeline$Chan
// @type PRODUCER-CONSUMER capacity=3
// @role put GoPipeline$Chan.send
// @role take GoPipeline$Chan.recv

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The squares pipeline of the Go tutorials: stages linked by channels of three, each closed by its sender when it is done. */
public final class GoPipeline {
    static final class Chan<T> {
        private static final int SIZE = 3;
        private final ArrayDeque<T> buf = new ArrayDeque<>(SIZE);
        private boolean closed;

        synchronized void send(T v) throws InterruptedException {
            while (!closed && buf.size() == SIZE) {
                wait();
            }
            if (closed) {
                throw new IllegalStateException("send on closed channel");
            }
            buf.addLast(v);
            notifyAll();
        }

        /** The next value, or nothing when the channel is closed and empty. */
        synchronized Optional<T> recv() throws InterruptedException {
            while (buf.isEmpty() && !closed) {
                wait();
            }
            Optional<T> v = Optional.ofNullable(buf.pollFirst());
            if (v.isPresent()) {
                notifyAll();
            }
            return v;
        }

        synchronized void close() {
            if (closed) {
                throw new IllegalStateException("close of closed channel");
            }
            closed = true;
            notifyAll();
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static final AtomicLong values = new AtomicLong();
    private static volatile String panic;

    static void go(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IllegalStateException e) {
                panic = e.getMessage();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static Chan<Integer> generate(int from, int n) {
        Chan<Integer> out = new Chan<>();
        go("generate", () -> {
            for (int i = 0; i < n; i++) {
                out.send(from + i);
                if (i % 10 == 9) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
                }
            }
            out.close();
        });
        return out;
    }

    static <A, B> Chan<B> stage(Chan<A> in, Function<A, B> f) {
        Chan<B> out = new Chan<>();
        go("stage", () -> {
            for (Optional<A> v = in.recv(); v.isPresent(); v = in.recv()) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                out.send(f.apply(v.get()));
            }
            out.close();
        });
        return out;
    }

    static void batches(int seed) throws InterruptedException {
        for (int from = seed; panic == null; from += 7) {
            Chan<Integer> numbers = generate(from, 100);
            Chan<Long> squares = stage(numbers, n -> (long) n * n);
            Chan<Long> diffs = stage(squares, s -> s - 1);
            long n = 0;
            for (Optional<Long> v = diffs.recv(); v.isPresent(); v = diffs.recv()) {
                long x = from + n;
                if (v.get() != x * x - 1) {
                    panic = "got " + v.get() + " for " + x;
                }
                n++;
                values.incrementAndGet();
                if (n % 20 < 10) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                }
            }
            if (n != 100) {
                panic = n + " of 100 values arrived";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        go("main.1", () -> batches(1));
        go("main.2", () -> batches(1000));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (panic != null) {
            throw new IllegalStateException(panic);
        }
        System.out.println("DONE " + values);
    }
}
