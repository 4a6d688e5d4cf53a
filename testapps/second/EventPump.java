// @lock EventPump$EventQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put EventPump$EventQueue.postEvent
// @role take EventPump$EventQueue.getNextEvent

import java.util.EventObject;
import java.util.Random;

/** A user-interface event queue: one linked list per priority, one dispatch thread, listeners. */
public class EventPump {
    static final int LOW = 0;
    static final int NORM = 1;
    static final int HIGH = 2;

    static class UiEvent extends EventObject {
        private static final long serialVersionUID = 1L;
        final int priority;
        final long serial;
        transient UiEvent next;

        UiEvent(Object source, int priority, long serial) {
            super(source);
            this.priority = priority;
            this.serial = serial;
        }
    }

    static class EventQueue {
        private final UiEvent[] head = new UiEvent[3];
        private final UiEvent[] tail = new UiEvent[3];

        public synchronized void postEvent(UiEvent e) {
            boolean wasEmpty = noEvents();
            if (head[e.priority] == null) {
                head[e.priority] = tail[e.priority] = e;
            } else {
                tail[e.priority].next = e;
                tail[e.priority] = e;
            }
            if (wasEmpty) {
                notifyAll();
            }
        }

        public UiEvent getNextEvent() throws InterruptedException {
            synchronized (this) {
                do {
                    for (int p = HIGH; p >= LOW; p--) {
                        UiEvent e = head[p];
                        if (e != null) {
                            head[p] = e.next;
                            if (e.next == null) {
                                tail[p] = null;
                            }
                            return e;
                        }
                    }
                    wait();
                } while (true);
            }
        }

        private boolean noEvents() {
            for (UiEvent e : head) {
                if (e != null) {
                    return false;
                }
            }
            return true;
        }
    }

    interface Listener {
        void handle(UiEvent e);
    }

    static class DispatchThread extends Thread {
        private final EventQueue queue;
        private final Listener listener;

        DispatchThread(EventQueue queue, Listener listener) {
            super("dispatch");
            this.queue = queue;
            this.listener = listener;
        }

        @Override
        public void run() {
            try {
                while (!isInterrupted()) {
                    listener.handle(queue.getNextEvent());
                }
            } catch (InterruptedException e) {
                // closed
            }
        }
    }

    static class Device extends Thread {
        final EventQueue queue;
        final int priority;
        final Random rnd;
        long serial;

        Device(EventQueue queue, int priority) {
            this.queue = queue;
            this.priority = priority;
            rnd = new Random(priority);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    for (int burst = rnd.nextInt(3); burst >= 0; burst--) {
                        queue.postEvent(new UiEvent(this, priority, serial++));
                    }
                    Thread.sleep(3 + rnd.nextInt(10));
                }
            } catch (InterruptedException e) {
                // unplugged
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final long[] expected = new long[3];
        final String[] broken = new String[1];
        EventQueue queue = new EventQueue();
        DispatchThread dispatch = new DispatchThread(queue, new Listener() {
            @Override
            public void handle(UiEvent e) {
                if (e.serial != expected[e.priority]++) {
                    broken[0] = "event " + e.serial + " of priority " + e.priority;
                }
            }
        });
        dispatch.start();
        Device[] devices = new Device[3];
        for (int p = LOW; p <= HIGH; p++) {
            devices[p] = new Device(queue, p);
            devices[p].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (Device d : devices) {
            d.interrupt();
            d.join();
        }
        for (int i = 0; i < 200 && expected[LOW] < devices[LOW].serial; i++) {
            Thread.sleep(25);
        }
        dispatch.interrupt();
        dispatch.join();
        for (int p = LOW; p <= HIGH; p++) {
            if (expected[p] != devices[p].serial) {
                broken[0] = "events left in the queue";
            }
        }
        if (broken[0] != null) {
            System.out.println(broken[0]);
            System.exit(1);
        }
        System.out.println("DONE " + (expected[0] + expected[1] + expected[2]));
    }
}
