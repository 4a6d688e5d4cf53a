// @lock RpcReplies$Call
// @type LATCH count=1 form=future
// @role count-down RpcReplies$Call.complete
// @role await RpcReplies$Call.get

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A remote call library: calls wait for their reply, which the reader thread finds by its number; a reply may also run a callback. */
public final class RpcReplies {
    static final class Call<T> {
        private T value;
        private boolean done;
        private Consumer<T> callback;

        void complete(T v) {
            Consumer<T> then;
            synchronized (this) {
                if (done) {
                    return;
                }
                value = v;
                done = true;
                then = callback;
                notifyAll();
            }
            if (then != null) {
                then.accept(v);
            }
        }

        T get(long time, TimeUnit unit) throws InterruptedException, TimeoutException {
            long deadline = System.nanoTime() + unit.toNanos(time);
            synchronized (this) {
                while (!done) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        throw new TimeoutException();
                    }
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
                return value;
            }
        }

        synchronized void whenDone(Consumer<T> c) {
            callback = c;
        }
    }

    private final Map<Long, Call<Long>> pending = new ConcurrentHashMap<>();
    private final Queue<Long> wire = new ConcurrentLinkedQueue<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong replies = new AtomicLong();
    private final AtomicLong callbacks = new AtomicLong();
    private volatile String failure;

    private Call<Long> send() {
        long number = numbers.incrementAndGet();
        Call<Long> call = new Call<>();
        call.whenDone(v -> callbacks.incrementAndGet());
        pending.put(number, call);
        wire.add(number);
        return call;
    }

    private void stub() {
        while (failure == null) {
            try {
                Call<Long> first = send();
                Call<Long> second = send();
                long a = first.get(20, TimeUnit.SECONDS);
                long b = second.get(20, TimeUnit.SECONDS);
                if (a >= b) {
                    failure = "replies were mixed up";
                }
                replies.addAndGet(2);
                Thread.sleep(1);
            } catch (TimeoutException e) {
                failure = "no reply";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void reader() {
        while (failure == null) {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            } catch (InterruptedException e) {
                return;
            }
            Long number;
            while ((number = wire.poll()) != null) {
                pending.remove(number).complete(number * 2);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RpcReplies client = new RpcReplies();
        for (int i = 0; i < 6; i++) {
            Runnable body = i < 5 ? client::stub : client::reader;
            Thread t = new Thread(body, i < 5 ? "stub-" + i : "reader");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (client.failure != null || client.callbacks.get() > client.numbers.get()) {
            throw new IllegalStateException(client.failure);
        }
        System.out.println("DONE " + client.replies);
    }
}
