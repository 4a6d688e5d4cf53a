// @lock EventChain$Chain
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put EventChain$Chain.post
// @role take EventChain$Chain.next

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A desktop program's event loop: any thread posts, one dispatcher takes; an endless chain of linked nodes. */
public final class EventChain {
    static final class Chain {
        private static final class Link {
            private final Runnable event;
            private Link next;

            Link(Runnable event) {
                this.event = event;
            }
        }

        private Link first;
        private Link last;

        synchronized void post(Runnable event) {
            Link link = new Link(event);
            if (last == null) {
                first = link;
            } else {
                last.next = link;
            }
            last = link;
            notify();
        }

        synchronized Runnable next() throws InterruptedException {
            while (first == null) {
                wait();
            }
            Link link = first;
            first = link.next;
            if (first == null) {
                last = null;
            }
            return link.event;
        }
    }

    private final Chain chain = new Chain();
    private final AtomicLong posted = new AtomicLong();
    private long handled;
    private volatile boolean stop;

    private void dispatch() {
        try {
            for (;;) {
                chain.next().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void source() {
        try {
            while (!stop) {
                posted.incrementAndGet();
                chain.post(() -> handled++);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        EventChain desk = new EventChain();
        Thread dispatcher = new Thread(desk::dispatch, "dispatcher");
        dispatcher.setDaemon(true);
        dispatcher.start();
        Thread[] sources = new Thread[3];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = new Thread(desk::source, "source-" + i);
            sources[i].setDaemon(true);
            sources[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        desk.stop = true;
        for (Thread t : sources) {
            t.join(5_000);
        }
        desk.chain.post(dispatcher::interrupt);
        dispatcher.join(5_000);
        if (desk.handled != desk.posted.get()) {
            throw new IllegalStateException(desk.posted + " posted, " + desk.handled + " handled");
        }
        System.out.println("DONE " + desk.handled);
    }
}
