// @lock LoopHub$TaskQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put LoopHub$TaskQueue.post
// @role take LoopHub$TaskQueue.poll

// @lock LoopHub$Invocation
// @type LATCH count=1 form=future
// @role count-down LoopHub$Invocation.run
// @role await LoopHub$Invocation.get

// @lock LoopHub$PauseGate
// @type CONDITION form=resettable-event
// @role wait LoopHub$PauseGate.pass
// @role notify LoopHub$PauseGate.open

// @lock LoopHub$Limiter
// @type SEMAPHORE form=rate-limiter
// @role acquire LoopHub$Limiter.spend
// @role release LoopHub$Limiter.run

import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** An event loop that anybody may post to or call into, a gate for its clients, and a budget of bytes topped up by a clock. */
public final class LoopHub {

    static final class TaskQueue {
        private static final class Node {
            final Runnable task;
            Node next;

            Node(Runnable task) {
                this.task = task;
            }
        }

        private Node first;
        private Node last;

        void post(Runnable task) {
            Node n = new Node(task);
            synchronized (this) {
                if (last == null) {
                    first = n;
                } else {
                    last.next = n;
                }
                last = n;
                notify();
            }
        }

        Runnable poll() throws InterruptedException {
            synchronized (this) {
                while (first == null) {
                    wait();
                }
                Node n = first;
                first = n.next;
                if (first == null) {
                    last = null;
                }
                return n.task;
            }
        }
    }

    static final class Invocation<T> implements Runnable {
        private final Callable<T> call;
        private boolean done;
        private T result;
        private Exception thrown;

        Invocation(Callable<T> call) {
            this.call = call;
        }

        @Override
        public void run() {
            T r = null;
            Exception x = null;
            try {
                r = call.call();
            } catch (Exception e) {
                x = e;
            }
            synchronized (this) {
                result = r;
                thrown = x;
                done = true;
                notifyAll();
            }
        }

        T get() throws Exception {
            synchronized (this) {
                while (!done) {
                    wait();
                }
                if (thrown != null) {
                    throw thrown;
                }
                return result;
            }
        }
    }

    static final class PauseGate {
        private boolean paused;

        synchronized void pause() {
            paused = true;
        }

        synchronized void open() {
            paused = false;
            notifyAll();
        }

        synchronized void pass() throws InterruptedException {
            while (paused) {
                wait();
            }
        }
    }

    /** Refilled by its own thread, up to a burst; senders spend several at a time. */
    static final class Limiter extends Thread {
        private static final int BURST = 64;
        private int budget = BURST;

        Limiter() {
            super("limiter");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    sleep(8);
                    synchronized (this) {
                        budget += 24;
                        if (budget > BURST) {
                            budget = BURST;
                        }
                        notifyAll();
                    }
                }
            } catch (InterruptedException e) {
                problem = e.toString();
            }
        }

        void spend(int bytes) throws InterruptedException {
            synchronized (this) {
                while (budget < bytes) {
                    wait();
                }
                budget -= bytes;
            }
        }
    }

    static volatile String problem;

    private static void client(String name, Callable<?> body) {
        Thread t = new Thread(() -> {
            try {
                while (problem == null) {
                    body.call();
                }
            } catch (Exception e) {
                problem = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        TaskQueue queue = new TaskQueue();
        PauseGate gate = new PauseGate();
        Limiter limiter = new Limiter();
        limiter.start();
        int[] counter = new int[1];
        AtomicInteger calls = new AtomicInteger();
        client("loop", () -> {
            queue.poll().run();
            return null;
        });
        for (int i = 0; i < 3; i++) {
            client("caller-" + i, () -> {
                gate.pass();
                Invocation<Integer> v = new Invocation<>(() -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(0, 3));
                    return ++counter[0];
                });
                queue.post(v);
                if (v.get() <= 0) {
                    throw new IllegalStateException("not counted");
                }
                calls.incrementAndGet();
                return null;
            });
        }
        for (int i = 0; i < 3; i++) {
            client("sender-" + i, () -> {
                gate.pass();
                limiter.spend(ThreadLocalRandom.current().nextInt(5, 30));
                queue.post(() -> counter[0]++);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                return null;
            });
        }
        client("operator", () -> {
            Thread.sleep(ThreadLocalRandom.current().nextInt(10, 30));
            gate.pause();
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
            gate.open();
            return null;
        });
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (problem != null) {
            System.out.println(problem);
            System.exit(1);
        }
        System.out.println("DONE " + calls);
    }
}
