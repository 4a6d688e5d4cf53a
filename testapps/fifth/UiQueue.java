// @lock UiQueue$EventQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put UiQueue$EventQueue.post
// @role take UiQueue$EventQueue.getNextEvent
// @lock UiQueue$InvocationEvent
// @type LATCH count=1
// @role count-down UiQueue$InvocationEvent.dispatch
// @role await UiQueue.invokeAndWait

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A desktop toolkit: threads post events, some wait until their own has been dispatched; repaints of one window are merged. */
public final class UiQueue {
    abstract static class Event {
        abstract void dispatch();

        boolean absorbs(Event later) {
            return false;
        }
    }

    static final class PaintEvent extends Event {
        private final int window;

        PaintEvent(int window) {
            this.window = window;
        }

        @Override
        void dispatch() {
            painted.incrementAndGet();
        }

        @Override
        boolean absorbs(Event later) {
            return later instanceof PaintEvent && ((PaintEvent) later).window == window;
        }
    }

    static final class InvocationEvent extends Event {
        private final Runnable runnable;
        private boolean dispatched;
        private Throwable thrown;

        InvocationEvent(Runnable runnable) {
            this.runnable = runnable;
        }

        @Override
        void dispatch() {
            Throwable t = null;
            try {
                runnable.run();
            } catch (RuntimeException e) {
                t = e;
            }
            synchronized (this) {
                thrown = t;
                dispatched = true;
                notifyAll();
            }
        }
    }

    static final class EventQueue {
        private final Deque<Event> events = new ArrayDeque<>();

        void post(Event event) {
            synchronized (this) {
                for (Event e : events) {
                    if (e.absorbs(event)) {
                        return;
                    }
                }
                events.addLast(event);
                notifyAll();
            }
        }

        Event getNextEvent() throws InterruptedException {
            synchronized (this) {
                while (events.isEmpty()) {
                    wait();
                }
                return events.removeFirst();
            }
        }
    }

    private final EventQueue queue = new EventQueue();

    Throwable invokeAndWait(Runnable r) throws InterruptedException {
        InvocationEvent event = new InvocationEvent(r);
        queue.post(event);
        synchronized (event) {
            while (!event.dispatched) {
                event.wait();
            }
            return event.thrown;
        }
    }

    private static final AtomicLong painted = new AtomicLong();
    private static final AtomicLong invoked = new AtomicLong();
    private static volatile Thread dispatcher;
    private static volatile String failure;

    private void dispatchLoop() throws InterruptedException {
        dispatcher = Thread.currentThread();
        while (failure == null) {
            queue.getNextEvent().dispatch();
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                Thread.sleep(1);
            }
        }
    }

    private void animator(int window) throws InterruptedException {
        while (failure == null) {
            queue.post(new PaintEvent(window));
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        }
    }

    private void background() throws InterruptedException {
        while (failure == null) {
            int[] box = new int[1];
            boolean fail = ThreadLocalRandom.current().nextInt(10) == 0;
            Throwable t = invokeAndWait(() -> {
                if (Thread.currentThread() != dispatcher) {
                    failure = "not on the dispatcher";
                }
                box[0] = 7;
                if (fail) {
                    throw new IllegalArgumentException("a listener failed");
                }
            });
            if (box[0] != 7 || fail != (t != null)) {
                failure = "came back before it was dispatched";
            }
            invoked.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static void start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        UiQueue ui = new UiQueue();
        start("dispatcher", ui::dispatchLoop);
        for (int i = 0; i < 3; i++) {
            int window = i;
            start("animator-" + i, () -> ui.animator(window));
            start("background-" + i, ui::background);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + (painted.get() + invoked.get()));
    }
}
