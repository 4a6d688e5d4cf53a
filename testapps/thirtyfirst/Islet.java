// @lock java.util.PriorityQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Islet$Loop.post
// @role take Islet$Loop.next

// @lock Islet$Call
// @type LATCH count=1
// @role count-down Islet$Call.run
// @role await Islet$Call.await

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An event loop with things due at a time, and calls into it that the caller waits for. */
public class Islet {
    static final class Event implements Comparable<Event> {
        final long due;
        final Runnable action;

        Event(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        public int compareTo(Event o) {
            return Long.compare(due, o.due);
        }
    }

    static final class Loop implements Runnable {
        private final PriorityQueue<Event> events = new PriorityQueue<>();

        void post(Runnable r, long delay) {
            Event e = new Event(System.nanoTime() / 1_000_000 + delay, r);
            synchronized (events) {
                events.add(e);
                if (events.peek() == e) {
                    events.notify();
                }
            }
        }

        private Event next() throws InterruptedException {
            synchronized (events) {
                for (;;) {
                    Event e = events.peek();
                    if (e == null) {
                        events.wait();
                        continue;
                    }
                    long left = e.due - System.nanoTime() / 1_000_000;
                    if (left <= 0) {
                        return events.poll();
                    }
                    events.wait(left);
                }
            }
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    next().action.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Call implements Runnable {
        private final Runnable body;
        private boolean over;

        Call(Runnable body) {
            this.body = body;
        }

        @Override
        public void run() {
            try {
                body.run();
            } finally {
                synchronized (this) {
                    over = true;
                    notifyAll();
                }
            }
        }

        void await() throws InterruptedException {
            synchronized (this) {
                while (!over) {
                    wait();
                }
            }
        }
    }

    static int state;

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
        Loop ui = new Loop();
        Thread t = new Thread(ui, "loop");
        t.setDaemon(true);
        t.start();
        for (int i = 0; i < 4; i++) {
            loop("caller-" + i, () -> {
                int[] got = new int[2];
                Call c = new Call(() -> {
                    got[0] = state++;
                    got[1] = state--;
                });
                ui.post(c, 0);
                c.await();
                check(got[1] == got[0] + 1, "two loops");
                pause(1, 8);
            });
        }
        loop("timer", () -> {
            ui.post(() -> state += 0, ThreadLocalRandom.current().nextInt(3, 12));
            pause(2, 6);
        });
        finish(args);
    }
}
