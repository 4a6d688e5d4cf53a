// @lock CronService$DelayedWork
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put CronService$DelayedWork.schedule
// @role take CronService$DelayedWork.take

// @lock CronService$Execution
// @type LATCH count=1 form=future
// @role count-down CronService$Execution.complete
// @role await CronService$Execution.get

// @lock java.lang.Class#nextId
// @type MUTEX
// @role enter CronService.nextId

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A scheduler: a binary heap by due time, two runners, and handles by which the caller gets the result. */
public class CronService {
    private static long ids;

    static synchronized long nextId() throws InterruptedException {
        long id = ids;
        Thread.sleep(1);
        return ids = id + 1;
    }

    static final class Execution {
        final long id;
        final long due;
        private Object result;
        private Throwable error;
        private boolean done;

        Execution(long id, long due) {
            this.id = id;
            this.due = due;
        }

        private void complete(Object result, Throwable error) {
            synchronized (this) {
                if (done) {
                    return;
                }
                this.result = result;
                this.error = error;
                done = true;
                notifyAll();
            }
        }

        void succeed(Object r) {
            complete(r, null);
        }

        void fail(Throwable t) {
            complete(null, t);
        }

        Object get() throws Exception {
            synchronized (this) {
                while (!done) {
                    wait();
                }
                if (error != null) {
                    throw new Exception(error);
                }
                return result;
            }
        }
    }

    static final class DelayedWork {
        private Execution[] heap = new Execution[16];
        private int size;

        synchronized void schedule(Execution e) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            int k = size++;
            while (k > 0) {
                int parent = (k - 1) >>> 1;
                if (heap[parent].due <= e.due) {
                    break;
                }
                heap[k] = heap[parent];
                k = parent;
            }
            heap[k] = e;
            notify();
        }

        synchronized Execution take() throws InterruptedException {
            for (;;) {
                if (size == 0) {
                    wait();
                } else {
                    long millis = (heap[0].due - System.nanoTime()) / 1_000_000;
                    if (millis <= 0) {
                        return poll();
                    }
                    wait(millis);
                }
            }
        }

        private Execution poll() {
            Execution top = heap[0];
            Execution last = heap[--size];
            heap[size] = null;
            int k = 0;
            int half = size >>> 1;
            while (k < half) {
                int child = 2 * k + 1;
                if (child + 1 < size && heap[child + 1].due < heap[child].due) {
                    child++;
                }
                if (last.due <= heap[child].due) {
                    break;
                }
                heap[k] = heap[child];
                k = child;
            }
            heap[k] = size == 0 ? null : last;
            return top;
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        DelayedWork work = new DelayedWork();
        for (int i = 0; i < 2; i++) {
            loop("runner-" + i, () -> {
                Execution e = work.take();
                check(e.due - System.nanoTime() < 1_000_000, "too early");
                e.succeed(e.id);
            });
        }
        for (int i = 0; i < 4; i++) {
            loop("client-" + i, () -> {
                Execution e = new Execution(nextId(), System.nanoTime() + 1_000_000L * ThreadLocalRandom.current().nextInt(1, 12));
                work.schedule(e);
                check(e.get().equals(e.id), "another's result");
            });
        }
        finish(args);
    }
}
