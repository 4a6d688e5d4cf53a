// @lock DeferredValue$Deferred
// @type LATCH count=1 form=future
// @role await DeferredValue$Deferred.get
// @role await DeferredValue$Deferred.getUntil
// @role count-down DeferredValue$Deferred.complete

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** A promise library: values that arrive later, with call-backs, mapping and time-outs. Servers resolve what clients ask. */
public final class DeferredValue {
    static final class Deferred<T> {
        private Object outcome; // null: open; a Failure or a Value otherwise
        private List<Consumer<Object>> callbacks = new ArrayList<>();

        private static final class Value {
            final Object it;

            Value(Object it) {
                this.it = it;
            }
        }

        boolean resolve(T value) {
            return complete(new Value(value));
        }

        boolean reject(Throwable reason) {
            return complete(reason);
        }

        private boolean complete(Object result) {
            List<Consumer<Object>> toCall;
            synchronized (this) {
                if (outcome != null) {
                    return false;
                }
                outcome = result;
                toCall = callbacks;
                callbacks = null;
                notifyAll();
            }
            for (Consumer<Object> callback : toCall) {
                callback.accept(result);
            }
            return true;
        }

        private void whenDone(Consumer<Object> callback) {
            synchronized (this) {
                if (outcome == null) {
                    callbacks.add(callback);
                    return;
                }
            }
            callback.accept(outcome);
        }

        <R> Deferred<R> map(Function<? super T, ? extends R> f) {
            Deferred<R> mapped = new Deferred<>();
            whenDone(result -> {
                if (result instanceof Value) {
                    mapped.resolve(f.apply(cast(result)));
                } else {
                    mapped.reject((Throwable) result);
                }
            });
            return mapped;
        }

        synchronized T get() throws InterruptedException, ExecutionException {
            while (outcome == null) {
                wait();
            }
            return open();
        }

        synchronized T getUntil(long deadlineNanos) throws InterruptedException, ExecutionException, TimeoutException {
            while (outcome == null) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) {
                    throw new TimeoutException();
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return open();
        }

        private T open() throws ExecutionException {
            if (outcome instanceof Throwable) {
                throw new ExecutionException((Throwable) outcome);
            }
            return cast(outcome);
        }

        @SuppressWarnings("unchecked")
        private static <T> T cast(Object result) {
            return (T) ((Value) result).it;
        }
    }

    static final class Question {
        final int number;
        final Deferred<Integer> answer = new Deferred<>();

        Question(int number) {
            this.number = number;
        }
    }

    private static final ConcurrentLinkedQueue<Question> questions = new ConcurrentLinkedQueue<>();
    private static final AtomicLong answered = new AtomicLong();
    private static volatile Throwable fault;

    private static void client(int id) throws Exception {
        for (int i = id;; i += 7) {
            Question question = new Question(i);
            Deferred<String> text = question.answer.map(n -> "<" + n + ">");
            questions.add(question);
            try {
                int square = i % 3 == 0 ? question.answer.getUntil(System.nanoTime() + 10_000_000_000L) : question.answer.get();
                if (square != i * i || !text.get().equals("<" + square + ">")) {
                    throw new IllegalStateException("wrong answer");
                }
                if (i % 11 == 5) {
                    throw new IllegalStateException("a bad question was answered");
                }
            } catch (ExecutionException e) {
                if (i % 11 != 5) {
                    throw e;
                }
            }
            answered.incrementAndGet();
        }
    }

    private static void server() throws Exception {
        for (;;) {
            Question question = questions.poll();
            Thread.sleep(1);
            if (question != null) {
                boolean first = question.number % 11 == 5
                    ? question.answer.reject(new ArithmeticException())
                    : question.answer.resolve(question.number * question.number);
                if (!first || question.answer.reject(new Error())) {
                    throw new IllegalStateException("completed twice");
                }
            }
        }
    }

    interface Body {
        void run() throws Exception;
    }

    private static void go(Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                fault = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            int id = i;
            go(() -> client(id));
        }
        go(DeferredValue::server);
        go(DeferredValue::server);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new Exception(fault);
        }
        System.out.println("DONE " + answered);
    }
}
