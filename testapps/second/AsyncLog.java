// @lock java.util.ArrayList#append
// @type PRODUCER-CONSUMER capacity=12
// @role put AsyncLog.append
// @role take AsyncLog$Dispatcher.run

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** An asynchronous log appender: appenders block on a full buffer, the dispatcher drains it in one go. */
public class AsyncLog {
    static final class Event {
        final int source;
        final long seq;

        Event(int source, long seq) {
            this.source = source;
            this.seq = seq;
        }
    }

    private final List<Event> buffer = new ArrayList<>();
    private final int bufferSize;
    private final Thread dispatcher;
    private volatile boolean closed;

    AsyncLog(int bufferSize, Sink sink) {
        this.bufferSize = bufferSize < 1 ? 1 : bufferSize;
        dispatcher = new Thread(new Dispatcher(this, buffer, sink), "log-dispatcher");
        dispatcher.setDaemon(true);
        dispatcher.start();
    }

    interface Sink {
        void write(Event e) throws InterruptedException;
    }

    void append(Event e) throws InterruptedException {
        synchronized (buffer) {
            while (true) {
                int previous = buffer.size();
                if (previous < bufferSize) {
                    buffer.add(e);
                    if (previous == 0) {
                        buffer.notifyAll();
                    }
                    break;
                }
                buffer.wait();
            }
        }
    }

    void close() throws InterruptedException {
        closed = true;
        dispatcher.interrupt();
        dispatcher.join();
    }

    static final class Dispatcher implements Runnable {
        private final AsyncLog parent;
        private final List<Event> buffer;
        private final Sink sink;

        Dispatcher(AsyncLog parent, List<Event> buffer, Sink sink) {
            this.parent = parent;
            this.buffer = buffer;
            this.sink = sink;
        }

        @Override
        public void run() {
            try {
                while (!parent.closed) {
                    Event[] events;
                    synchronized (buffer) {
                        while (buffer.size() == 0) {
                            buffer.wait();
                        }
                        events = buffer.toArray(new Event[0]);
                        buffer.clear();
                        buffer.notifyAll();
                    }
                    for (Event e : events) {
                        sink.write(e);
                    }
                }
            } catch (InterruptedException e) {
                // closing
            }
        }
    }

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final int sources = 4;
        final long[] last = new long[sources];
        final AtomicLong written = new AtomicLong();
        final boolean[] lost = new boolean[1];
        AsyncLog log = new AsyncLog(12, e -> {
            if (e.seq != last[e.source] + 1) {
                lost[0] = true;
            }
            last[e.source] = e.seq;
            if (written.incrementAndGet() % 4 == 0) {
                Thread.sleep(written.get() / 600 % 2 == 0 ? 4 : 1);
            }
        });
        for (int i = 0; i < sources; i++) {
            final int me = i;
            Thread t = new Thread(() -> {
                try {
                    for (long s = 1; !log.closed; s++) {
                        log.append(new Event(me, s));
                        if (s % 4 == 0) {
                            Thread.sleep(6);
                        }
                    }
                } catch (InterruptedException e) {
                    lost[0] = true;
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        log.close();
        if (lost[0]) {
            System.out.println("events lost or out of order");
            System.exit(1);
        }
        System.out.println("DONE " + written);
    }
}
