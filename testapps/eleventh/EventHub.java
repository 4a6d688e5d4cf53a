// @lock EventHub$FairAccess
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock EventHub$FairAccess.enterShared
// @role read-unlock EventHub$FairAccess.leave
// @role write-lock EventHub$FairAccess.enterExclusive
// @role write-unlock EventHub$FairAccess.leave
//
// @lock EventHub
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put EventHub.publish
// @role take EventHub.next

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** An event dispatcher: published events are queued, dispatchers call the listeners, and listeners come and go, first come, first served. */
public class EventHub {
    /** Access strictly in order of arrival; neighbouring readers share. */
    static class FairAccess {
        private static class Request {
            final boolean exclusive;

            Request(boolean exclusive) {
                this.exclusive = exclusive;
            }
        }

        private final LinkedList<Request> line = new LinkedList<Request>();
        private int sharing;
        private boolean excluded;

        public synchronized void enterShared() throws InterruptedException {
            Request mine = new Request(false);
            queueUp(mine);
            sharing++;
            notifyAll();
        }

        public synchronized void enterExclusive() throws InterruptedException {
            queueUp(new Request(true));
            excluded = true;
        }

        private void queueUp(Request mine) throws InterruptedException {
            line.addLast(mine);
            try {
                while (line.getFirst() != mine || excluded || mine.exclusive && sharing > 0) {
                    wait();
                }
            } catch (InterruptedException e) {
                notifyAll();
                throw e;
            } finally {
                line.remove(mine);
            }
        }

        /** Ends whatever the caller had entered. */
        public synchronized void leave() {
            if (excluded) {
                excluded = false;
            } else {
                sharing--;
            }
            notifyAll();
        }
    }

    private final ArrayDeque<Long> events = new ArrayDeque<Long>();
    private final FairAccess access = new FairAccess();
    private final List<LongConsumer> listeners = new ArrayList<LongConsumer>();
    private final AtomicInteger walkers = new AtomicInteger();
    private final AtomicLong delivered = new AtomicLong();
    private volatile boolean corrupt;

    public void publish(long event) {
        synchronized (this) {
            events.addLast(event);
            this.notify();
        }
    }

    private long next() throws InterruptedException {
        synchronized (this) {
            while (events.isEmpty()) {
                this.wait();
            }
            return events.removeFirst();
        }
    }

    void dispatch() {
        try {
            while (!corrupt) {
                long event = next();
                access.enterShared();
                try {
                    if (walkers.incrementAndGet() <= 0) {
                        corrupt = true;
                    }
                    for (LongConsumer listener : listeners) {
                        listener.accept(event);
                    }
                    if (event % 2 == 0) {
                        Thread.sleep(1);
                    }
                    walkers.decrementAndGet();
                } finally {
                    access.leave();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void subscribe(LongConsumer listener, boolean present) throws InterruptedException {
        access.enterExclusive();
        try {
            if (!walkers.compareAndSet(0, -1000)) {
                corrupt = true;
            }
            if (present) {
                listeners.add(listener);
                Thread.sleep(1);
            } else {
                if (!listeners.remove(listener)) {
                    corrupt = true;
                }
            }
            walkers.addAndGet(1000);
        } finally {
            access.leave();
        }
    }

    void widget() {
        LongConsumer listener = event -> delivered.incrementAndGet();
        try {
            for (boolean present = true; !corrupt; present = !present) {
                subscribe(listener, present);
                Thread.sleep(ThreadLocalRandom.current().nextInt(6, 16));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void source() {
        try {
            for (long n = 0; !corrupt; n++) {
                publish(n);
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        EventHub hub = new EventHub();
        List<Runnable> roles = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            roles.add(hub::dispatch);
            roles.add(hub::source);
            roles.add(hub::widget);
        }
        for (Runnable role : roles) {
            Thread t = new Thread(role);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (hub.corrupt) {
            throw new IllegalStateException("listeners changed under a dispatcher");
        }
        System.out.println("DONE " + hub.delivered);
    }
}
