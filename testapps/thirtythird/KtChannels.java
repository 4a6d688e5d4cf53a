// @lock KtChannels$Deferred
// @type LATCH count=1 form=future
// @role count-down KtChannels$Deferred.complete
// @role await KtChannels$Deferred.await

// @lock KtChannels$Conflated
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put KtChannels$Conflated.send
// @role take KtChannels$Conflated.receive

// @lock KtChannels$TokenMutex
// @type LOCK reentrant=false
// @role lock KtChannels$TokenMutex.lock
// @role unlock KtChannels$TokenMutex.unlock

// @lock java.lang.Object#synchronizedOn
// @type MUTEX
// @role enter KtChannels.synchronizedOn

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Kotlin read back as Java: deferred values, a channel for one element, a mutex with an owner token, scope functions over lambdas. */
public final class KtChannels {
    public static final KtChannels INSTANCE = new KtChannels();

    private KtChannels() {
    }

    static <T> T synchronizedOn(Object lock, Supplier<T> block) {
        synchronized (lock) {
            return block.get();
        }
    }

    static final class Deferred<T> {
        private static final Object PENDING = new Object();
        private Object state = PENDING;

        boolean complete(T value) {
            synchronized (this) {
                if (state != PENDING) {
                    return false;
                }
                state = value;
                notifyAll();
                return true;
            }
        }

        @SuppressWarnings("unchecked")
        T await() throws InterruptedException {
            synchronized (this) {
                while (state == PENDING) {
                    wait();
                }
                return (T) state;
            }
        }
    }

    static final class Conflated<E> {
        private E element;

        synchronized void send(E e) throws InterruptedException {
            while (element != null) {
                wait();
            }
            element = e;
            notifyAll();
        }

        synchronized E receive() throws InterruptedException {
            while (element == null) {
                wait();
            }
            E e = element;
            element = null;
            notifyAll();
            return e;
        }
    }

    static final class TokenMutex {
        private Object owner;

        void lock(Object token) throws InterruptedException {
            synchronized (this) {
                if (owner == token) {
                    throw new IllegalStateException("already locked by " + token);
                }
                while (owner != null) {
                    wait();
                }
                owner = token;
            }
        }

        void unlock(Object token) {
            synchronized (this) {
                if (owner != token) {
                    throw new IllegalStateException("locked by " + owner);
                }
                owner = null;
                notify();
            }
        }
    }

    static final class Request {
        final int argument;
        final Deferred<Long> reply = new Deferred<>();

        Request(int argument) {
            this.argument = argument;
        }
    }

    interface Suspending {
        void invoke() throws Exception;
    }

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    void launch(String name, Suspending body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    body.invoke();
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void require(boolean ok) {
        if (!ok) {
            throw new AssertionError();
        }
    }

    void run(int seconds) throws InterruptedException {
        Conflated<Request> channel = new Conflated<>();
        TokenMutex mutex = new TokenMutex();
        Object log = new Object();
        List<Long> lines = new ArrayList<>();
        AtomicBoolean inside = new AtomicBoolean();
        AtomicLong served = new AtomicLong();
        for (int i = 0; i < 4; i++) {
            launch("caller-" + i, () -> {
                Request r = new Request(ThreadLocalRandom.current().nextInt(1000));
                channel.send(r);
                require(r.reply.await() == (long) r.argument * r.argument);
                Object token = new Object();
                mutex.lock(token);
                require(inside.compareAndSet(false, true));
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                inside.set(false);
                mutex.unlock(token);
                int size = synchronizedOn(log, () -> {
                    lines.add((long) r.argument);
                    if (lines.size() > 2000) {
                        lines.clear();
                    }
                    long sum = 0;
                    for (int k = 0; k < 40; k++) {
                        for (long v : lines) {
                            sum += v;
                        }
                    }
                    require(sum >= 0);
                    return lines.size();
                });
                require(size <= 2000);
            });
        }
        for (int i = 0; i < 2; i++) {
            launch("actor-" + i, () -> {
                Request r = channel.receive();
                Thread.sleep(ThreadLocalRandom.current().nextInt(0, 3));
                require(r.reply.complete((long) r.argument * r.argument));
                served.incrementAndGet();
                synchronizedOn(log, () -> lines.add(-0L));
            });
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (failure.get() != null) {
            failure.get().printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + served);
    }

    public static void main(String[] args) throws InterruptedException {
        INSTANCE.run(args.length > 0 ? Integer.parseInt(args[0]) : 600);
    }
}
