// @lock PluginBoot$Holder
// @type LATCH count=1 form=future
// @role count-down PluginBoot$Holder.resolve
// @role await PluginBoot$Holder.get

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/** A plug-in, reinstalled now and then: who asks first builds it, the others wait; once built, nobody takes the lock. */
public final class PluginBoot {
    enum Stage { NEW, BUILDING, READY }

    /** Double-checked: the volatile stage is read first. */
    static final class Holder<T> {
        private volatile Stage stage = Stage.NEW;
        private T value;
        private final AtomicInteger claim = new AtomicInteger();

        T obtain(int id, IntFunction<T> builder) throws InterruptedException {
            if (stage == Stage.READY) {
                return value;
            }
            if (claim.getAndIncrement() == 0) {
                stage = Stage.BUILDING;
                resolve(builder.apply(id));
            }
            return get();
        }

        private synchronized void resolve(T built) {
            value = built;
            stage = Stage.READY;
            notifyAll();
        }

        private T get() throws InterruptedException {
            if (stage != Stage.READY) {
                synchronized (this) {
                    while (stage != Stage.READY) {
                        wait();
                    }
                }
            }
            return value;
        }
    }

    private static final AtomicInteger built = new AtomicInteger();
    private static final AtomicLong used = new AtomicLong();
    private static final AtomicReference<Holder<String>> current = new AtomicReference<>(new Holder<>());
    private static volatile boolean stop;
    private static volatile boolean broken;

    private static String build(int id) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        built.incrementAndGet();
        return "plugin-" + id;
    }

    private static void client() {
        try {
            while (!stop) {
                broken |= !current.get().obtain(7, PluginBoot::build).equals("plugin-7");
                used.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] clients = new Thread[6];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Thread(PluginBoot::client, "client-" + i);
            clients[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int installed = 1;
        while (System.nanoTime() < end) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
            current.set(new Holder<>());
            installed++;
        }
        stop = true;
        for (Thread t : clients) {
            t.join(5_000);
            broken |= t.isAlive();
        }
        if (broken || built.get() > installed) {
            throw new IllegalStateException("a wrong plug-in, or one built twice");
        }
        System.out.println("DONE " + used);
    }
}
