// @lock CreditDesk$Guarded
// @type MUTEX
// @role enter CreditDesk$Guarded.apply
// @role enter CreditDesk$Guarded.with

// @lock CreditDesk$Promise
// @type LATCH count=1 form=future
// @role await CreditDesk$Promise.get
// @role count-down CreditDesk$Promise.complete

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** Credit checks answered by an agency through promises; limits in a map that can only be reached with a lambda. House library of 2015. */
public class CreditDesk {
    static final class Guarded<T> {
        private final T value;

        Guarded(T value) {
            this.value = value;
        }

        synchronized <R> R apply(Function<? super T, R> f) {
            return f.apply(value);
        }

        void with(Consumer<? super T> c) {
            synchronized (this) {
                c.accept(value);
            }
        }
    }

    static final class Promise<T> {
        private T value;
        private List<Consumer<T>> listeners = new ArrayList<>();

        void complete(T v) {
            List<Consumer<T>> toCall;
            synchronized (this) {
                if (listeners == null) {
                    return;
                }
                value = v;
                toCall = listeners;
                listeners = null;
                notifyAll();
            }
            toCall.forEach(l -> l.accept(v));
        }

        T get() throws InterruptedException {
            synchronized (this) {
                while (listeners != null) {
                    wait();
                }
                return value;
            }
        }

        void whenDone(Consumer<T> listener) {
            synchronized (this) {
                if (listeners != null) {
                    listeners.add(listener);
                    return;
                }
            }
            listener.accept(value);
        }
    }

    static final class Inquiry {
        final int customer;
        final Promise<Integer> answer = new Promise<>();

        Inquiry(int customer) {
            this.customer = customer;
        }
    }

    static final Guarded<Map<Integer, Integer>> limits = new Guarded<>(new TreeMap<>());
    static final ConcurrentLinkedQueue<Inquiry> agency = new ConcurrentLinkedQueue<>();
    static final AtomicLong answers = new AtomicLong();
    static final AtomicLong heard = new AtomicLong();
    static volatile Throwable failure;

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void answerOne() {
        Inquiry q = agency.poll();
        if (q == null) {
            nap(1);
            return;
        }
        nap(ThreadLocalRandom.current().nextInt(1, 4));
        q.answer.complete(q.customer * 1000);
    }

    static void askOne() {
        int customer = ThreadLocalRandom.current().nextInt(50);
        Inquiry q = new Inquiry(customer);
        q.answer.whenDone(x -> heard.incrementAndGet());
        agency.add(q);
        int limit;
        try {
            limit = q.answer.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (limit != customer * 1000) {
            throw new IllegalStateException("the answer to another question");
        }
        limits.with(m -> {
            m.put(customer, limit);
            m.put(-1, -1);
            nap(1);
            m.remove(-1);
        });
        if (limits.apply(m -> m.containsKey(-1))) {
            throw new IllegalStateException("half a change");
        }
        answers.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 7; i++) {
            Runnable step = i < 2 ? CreditDesk::answerOne : CreditDesk::askOne;
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        step.run();
                    }
                } catch (RuntimeException e) {
                    failure = e;
                }
            }, (i < 2 ? "agency-" : "desk-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null || heard.get() < answers.get()) {
            throw new IllegalStateException("failed", failure);
        }
        System.out.println("DONE " + answers);
    }
}
