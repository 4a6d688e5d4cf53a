// @lock CardStack$ArrayStack
// @type PRODUCER-CONSUMER capacity=6
// @role put CardStack$Buffer.put
// @role take CardStack$Buffer.take

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Workpieces stacked between two machines: the waiting is in a base class, the storing (last in, first out) in a subclass. */
public final class CardStack {
    abstract static class Buffer {
        final void put(Object o) throws InterruptedException {
            if (o == null) {
                throw new NullPointerException();
            }
            synchronized (this) {
                while (!hasRoom()) {
                    wait();
                }
                store(o);
                notifyAll();
            }
        }

        final Object take() throws InterruptedException {
            synchronized (this) {
                Object o;
                while ((o = fetch()) == null) {
                    wait();
                }
                notifyAll();
                return o;
            }
        }

        abstract boolean hasRoom();

        abstract void store(Object o);

        /** Null if there is nothing. */
        abstract Object fetch();
    }

    static final class ArrayStack extends Buffer {
        private final Object[] items = new Object[6];
        private int top;

        @Override
        boolean hasRoom() {
            return top < items.length;
        }

        @Override
        void store(Object o) {
            items[top++] = o;
        }

        @Override
        Object fetch() {
            if (top == 0) {
                return null;
            }
            Object o = items[--top];
            items[top] = null;
            return o;
        }
    }

    private static final AtomicLong made = new AtomicLong();
    private static final AtomicLong used = new AtomicLong();
    private static volatile boolean stop;

    private static void saw(Buffer b) throws InterruptedException {
        while (!stop) {
            int burst = ThreadLocalRandom.current().nextInt(1, 9);
            for (int i = 0; i < burst; i++) {
                b.put(made.incrementAndGet());
            }
            Thread.sleep(burst * 2);
        }
    }

    private static void drill(Buffer b) throws InterruptedException {
        for (;;) {
            b.take();
            used.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4));
        }
    }

    interface Machine {
        void run(Buffer b) throws InterruptedException;
    }

    private static Thread start(String name, Machine m, Buffer b) {
        Thread t = new Thread(() -> {
            try {
                m.run(b);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Buffer b = new ArrayStack();
        Thread[] all = {start("saw-a", CardStack::saw, b), start("saw-b", CardStack::saw, b),
            start("drill-a", CardStack::drill, b), start("drill-b", CardStack::drill, b)};
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        all[0].join(5_000);
        all[1].join(5_000);
        for (int i = 0; i < 5_000 && made.get() != used.get(); i++) {
            Thread.sleep(1);
        }
        if (made.get() != used.get()) {
            throw new IllegalStateException(made + " made, " + used + " used");
        }
        System.out.println("DONE " + used);
    }
}
