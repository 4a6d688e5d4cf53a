// @lock java.lang.Object#send
// @type PRODUCER-CONSUMER capacity=5
// @role put Estuary$Channel.send
// @role take Estuary$Channel.receive

// @lock Estuary$Cell
// @type LATCH count=1 form=future
// @role count-down Estuary$Cell.fulfil
// @role await Estuary$Cell.value

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A typed channel with a lock for either end and a count that both share, and answers that arrive in typed cells. */
public class Estuary {
    static final class Channel<T> {
        private static final class Link<E> {
            E item;
            Link<E> next;

            Link(E item) {
                this.item = item;
            }
        }

        private final Object tailEnd = new Object();
        private final Object headEnd = new Object();
        private final AtomicInteger count = new AtomicInteger();
        private final int bound;
        private Link<T> head = new Link<>(null);
        private Link<T> tail = head;

        Channel(int bound) {
            this.bound = bound;
        }

        void send(T item) throws InterruptedException {
            int before;
            synchronized (tailEnd) {
                while (count.get() == bound) {
                    tailEnd.wait();
                }
                tail = tail.next = new Link<>(item);
                before = count.getAndIncrement();
                if (before + 1 < bound) {
                    tailEnd.notify();
                }
            }
            if (before == 0) {
                synchronized (headEnd) {
                    headEnd.notify();
                }
            }
        }

        T receive() throws InterruptedException {
            T item;
            int before;
            synchronized (headEnd) {
                while (count.get() == 0) {
                    headEnd.wait();
                }
                head = head.next;
                item = head.item;
                head.item = null;
                before = count.getAndDecrement();
                if (before > 1) {
                    headEnd.notify();
                }
            }
            if (before == bound) {
                synchronized (tailEnd) {
                    tailEnd.notify();
                }
            }
            return item;
        }
    }

    static final class Cell<V> {
        private V value;
        private boolean set;

        synchronized void fulfil(V v) {
            if (!set) {
                value = v;
                set = true;
                notifyAll();
            }
        }

        V value() throws InterruptedException {
            synchronized (this) {
                while (!set) {
                    wait();
                }
                return value;
            }
        }
    }

    static final class Ask<Q, A> {
        final Q question;
        final Cell<A> answer = new Cell<>();

        Ask(Q question) {
            this.question = question;
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
        Channel<Ask<Integer, String>> channel = new Channel<>(5);
        for (int i = 0; i < 4; i++) {
            loop("boat-" + i, () -> {
                List<Ask<Integer, String>> asked = new ArrayList<>();
                for (int k = 0; k < 3; k++) {
                    Ask<Integer, String> a = new Ask<>(k);
                    asked.add(a);
                    channel.send(a);
                }
                for (Ask<Integer, String> a : asked) {
                    check(a.answer.value().equals("n" + a.question), "another's answer");
                }
                pause(1, 6);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("pilot-" + i, () -> {
                Ask<Integer, String> a = channel.receive();
                pause(1, 3);
                a.answer.fulfil("n" + a.question);
            });
        }
        finish(args);
    }
}
