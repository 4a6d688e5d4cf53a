// @lock CompletionBus$Promise
// @type LATCH count=1 form=future
// @role count-down CompletionBus$Promise.settle
// @role await CompletionBus$Promise.get

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Remote calls answered by promises: one may wait for a promise, hang a callback on it, or derive another one from it. */
public final class CompletionBus {

    static final class Promise<T> {
        private enum Outcome { OPEN, VALUE, ERROR }

        private Outcome outcome = Outcome.OPEN;
        private T value;
        private Throwable error;
        private List<BiConsumer<T, Throwable>> callbacks = new ArrayList<>();

        void resolve(T value) {
            settle(Outcome.VALUE, value, null);
        }

        void reject(Throwable error) {
            settle(Outcome.ERROR, null, error);
        }

        private void settle(Outcome how, T value, Throwable error) {
            List<BiConsumer<T, Throwable>> toCall;
            synchronized (this) {
                if (outcome != Outcome.OPEN) {
                    throw new IllegalStateException("settled twice");
                }
                outcome = how;
                this.value = value;
                this.error = error;
                toCall = callbacks;
                callbacks = null;
                notifyAll();
            }
            toCall.forEach(callback -> callback.accept(value, error));
        }

        T get() throws InterruptedException, ExecutionException {
            synchronized (this) {
                while (outcome == Outcome.OPEN) {
                    wait();
                }
            }
            if (error != null) {
                throw new ExecutionException(error);
            }
            return value;
        }

        void whenSettled(BiConsumer<T, Throwable> callback) {
            synchronized (this) {
                if (outcome == Outcome.OPEN) {
                    callbacks.add(callback);
                    return;
                }
            }
            callback.accept(value, error);
        }

        <R> Promise<R> map(Function<? super T, ? extends R> function) {
            Promise<R> result = new Promise<>();
            whenSettled((v, e) -> {
                if (e != null) {
                    result.reject(e);
                } else {
                    result.resolve(function.apply(v));
                }
            });
            return result;
        }
    }

    private static final class Call {
        final int argument;
        final Promise<Integer> answer = new Promise<>();

        Call(int argument) {
            this.argument = argument;
        }
    }

    private static final ConcurrentLinkedQueue<Call> wire = new ConcurrentLinkedQueue<>();
    private static final AtomicLong answered = new AtomicLong();
    private static volatile Throwable failure;

    private static void serve() throws InterruptedException {
        for (;;) {
            Call call = wire.poll();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (call != null) {
                if (call.argument % 10 == 9) {
                    call.answer.reject(new ArithmeticException());
                } else {
                    call.answer.resolve(call.argument * 2);
                }
            }
        }
    }

    private static void call() throws InterruptedException {
        Call call = new Call(ThreadLocalRandom.current().nextInt(1000));
        Promise<String> text = call.answer.map(number -> "<" + number + ">");
        call.answer.whenSettled((v, e) -> answered.incrementAndGet());
        wire.add(call);
        boolean failed = false;
        try {
            if (!text.get().equals("<" + 2 * call.argument + ">") || call.answer.get() != 2 * call.argument) {
                throw new IllegalStateException("a wrong answer");
            }
        } catch (ExecutionException e) {
            failed = true;
        }
        if (failed != (call.argument % 10 == 9)) {
            throw new IllegalStateException("failed: " + failed);
        }
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private static void daemon(Body body) {
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    body.run();
                }
            } catch (Throwable t) {
                failure = t;
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            daemon(CompletionBus::call);
        }
        for (int i = 0; i < 3; i++) {
            daemon(CompletionBus::serve);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + answered);
    }
}
