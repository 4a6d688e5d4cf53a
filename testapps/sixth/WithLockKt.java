// @lock WithLockKt$Latchable
// @type LOCK reentrant=false
// @role lock WithLockKt$Latchable.lock
// @role unlock WithLockKt$Latchable.unlock

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Settings changed through a helper in the style of other JVM languages: withLock { ... }, translated to Java. */
public final class WithLockKt {
    interface Block<R> {
        R invoke() throws InterruptedException;
    }

    static final class Latchable {
        private Boolean locked = Boolean.FALSE;

        final void lock() throws InterruptedException {
            Latchable $this$synchronized = this;
            synchronized ($this$synchronized) {
                while (Objects.equals(locked, Boolean.TRUE)) {
                    $this$synchronized.wait();
                }
                locked = Boolean.TRUE;
            }
        }

        final void unlock() {
            Latchable $this$synchronized = this;
            synchronized ($this$synchronized) {
                locked = Boolean.FALSE;
                $this$synchronized.notify();
            }
        }
    }

    static <R> R withLock(Latchable lock, Block<R> block) throws InterruptedException {
        lock.lock();
        try {
            return block.invoke();
        } finally {
            lock.unlock();
        }
    }

    static final class Pair {
        final int first;
        final int second;

        Pair(int first, int second) {
            this.first = first;
            this.second = second;
        }
    }

    private final Latchable latchable = new Latchable();
    private int width;
    private int height;
    private final AtomicLong uses = new AtomicLong();
    private volatile String fault;

    Pair size() throws InterruptedException {
        return withLock(latchable, () -> {
            int w = width;
            Thread.sleep(1);
            return new Pair(w, height);
        });
    }

    int grow(int by) throws InterruptedException {
        return withLock(latchable, () -> {
            width += by;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            height += by;
            return width;
        });
    }

    private void use(int id) {
        try {
            while (fault == null) {
                if (id % 2 == 0) {
                    grow(id + 1);
                } else {
                    Pair size = size();
                    if (size.first != size.second) {
                        fault = size.first + " by " + size.second;
                    }
                }
                uses.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        WithLockKt settings = new WithLockKt();
        for (int i = 0; i < 5; i++) {
            int id = i;
            Thread t = new Thread(() -> settings.use(id), "coroutine-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (settings.fault != null) {
            throw new IllegalStateException(settings.fault);
        }
        System.out.println("DONE " + settings.uses);
    }
}
