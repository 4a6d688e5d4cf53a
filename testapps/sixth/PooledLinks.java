// @lock PooledLinks$GenericPool
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire PooledLinks$GenericPool.borrow
// @role release PooledLinks$GenericPool.giveBack
// @role release PooledLinks$GenericPool.discard

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An object pool in the manner of a commons library: a factory makes, tests and destroys what borrowers share. */
public final class PooledLinks {
    interface Factory<T> {
        T make();

        boolean isSound(T object);

        void destroy(T object);
    }

    static final class GenericPool<T> {
        private final Factory<T> factory;
        private final int maxTotal;
        private final Deque<T> idle = new ArrayDeque<>();
        private final Set<T> lent = new HashSet<>();

        GenericPool(Factory<T> factory, int maxTotal) {
            this.factory = factory;
            this.maxTotal = maxTotal;
        }

        T borrow(long maxWaitMillis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + maxWaitMillis;
            synchronized (this) {
                for (;;) {
                    T object = idle.pollLast();
                    if (object != null && !factory.isSound(object)) {
                        factory.destroy(object);
                        continue;
                    }
                    if (object == null && lent.size() < maxTotal) {
                        object = factory.make();
                    }
                    if (object != null) {
                        lent.add(object);
                        return object;
                    }
                    long left = deadline - System.currentTimeMillis();
                    if (left <= 0) {
                        notify(); // a notification may have come with the end of the time
                        throw new NoSuchElementException("pool exhausted");
                    }
                    wait(left);
                }
            }
        }

        synchronized void giveBack(T object) {
            if (!lent.remove(object)) {
                throw new IllegalStateException("not borrowed from this pool, or returned already");
            }
            idle.addLast(object);
            notify();
        }

        /** Takes back an object known to be broken. */
        synchronized void discard(T object) {
            if (lent.remove(object)) {
                factory.destroy(object);
                notify();
            }
        }
    }

    static final class Link {
        final AtomicInteger users = new AtomicInteger();
        volatile int uses;
    }

    private static final AtomicInteger open = new AtomicInteger();
    private static final AtomicLong calls = new AtomicLong();
    private static final AtomicLong refused = new AtomicLong();
    private static volatile Throwable fault;

    static final class LinkFactory implements Factory<Link> {
        @Override
        public Link make() {
            if (open.incrementAndGet() > 3) {
                throw new IllegalStateException("a fourth link");
            }
            return new Link();
        }

        @Override
        public boolean isSound(Link link) {
            return link.uses < 50;
        }

        @Override
        public void destroy(Link link) {
            open.decrementAndGet();
        }
    }

    private static void caller(GenericPool<Link> pool) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (fault == null) {
                Link link;
                try {
                    link = pool.borrow(random.nextInt(5, 200));
                } catch (NoSuchElementException e) {
                    refused.incrementAndGet();
                    continue;
                }
                if (link.users.getAndIncrement() != 0) {
                    throw new IllegalStateException("a link is shared");
                }
                link.uses++;
                Thread.sleep(random.nextInt(1, 5));
                link.users.decrementAndGet();
                if (random.nextInt(20) == 0) {
                    pool.discard(link);
                } else {
                    pool.giveBack(link);
                }
                calls.incrementAndGet();
                Thread.sleep(random.nextInt(1, 4));
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        GenericPool<Link> pool = new GenericPool<>(new LinkFactory(), 3);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> caller(pool), "caller-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            fault.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + calls);
    }
}
