// @lock Kennels$Dogs
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Kennels$Shelter.take
// @role release Kennels$Shelter.bringBack
// @lock Kennels$Nap
// @type DELAY
// @role delay Kennels$Nap.sleep
// @lock Kennels$Diary
// @type MUTEX
// @role enter Kennels$Diary.write

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three dogs for six walkers. A dog in the kennel knows which dog lies behind it; walkers nap between walks, three on a
 * sofa.
 */
public final class Kennels {

    abstract static class Animal<A extends Animal<A>> {
        private A behind;
    }

    abstract static class Shelter<A extends Animal<A>> {
        private A front;

        final A take() throws InterruptedException {
            synchronized (this) {
                while (front == null) {
                    wait();
                }
                A a = front;
                Animal<A> node = a;
                front = node.behind;
                node.behind = null;
                return a;
            }
        }

        final void bringBack(A a) {
            check(a);
            synchronized (this) {
                add(a);
                notify();
            }
        }

        protected final void add(A a) {
            Animal<A> node = a;
            node.behind = front;
            front = a;
        }

        protected abstract void check(A a);
    }

    static final class Dog extends Animal<Dog> {
        private final String name;
        private final AtomicBoolean leash = new AtomicBoolean();

        Dog(String name) {
            this.name = name;
        }
    }

    static final class Dogs extends Shelter<Dog> {
        Dogs() {
            add(new Dog("Rex"));
            add(new Dog("Bello"));
            add(new Dog("Waldi"));
        }

        @Override
        protected void check(Dog d) {
            if (d.leash.get()) {
                throw new IllegalStateException(d.name + " comes back on the leash");
            }
        }
    }

    static final class Nap {
        private final long shortest;

        Nap(long shortest) {
            this.shortest = shortest;
        }

        synchronized void sleep() throws InterruptedException {
            long wake = System.nanoTime() + (shortest + ThreadLocalRandom.current().nextInt(6)) * 1000000;
            long left;
            while ((left = wake - System.nanoTime()) > 0) {
                wait(left / 1000000, (int) (left % 1000000));
            }
        }
    }

    static final class Diary {
        private final List<String> page = new ArrayList<>();
        private long full;

        synchronized void write(String line) throws InterruptedException {
            page.add(line);
            int before = page.size();
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
            if (page.size() != before) {
                throw new IllegalStateException("two hands in the diary");
            }
            if (before == 30) {
                page.clear();
                full++;
            }
        }
    }

    private final Dogs dogs = new Dogs();
    private final Diary diary = new Diary();
    private final AtomicLong walks = new AtomicLong();
    private volatile Throwable bitten;

    private void walk(Nap nap) throws InterruptedException {
        Dog d = dogs.take();
        if (!d.leash.compareAndSet(false, true)) {
            throw new IllegalStateException(d.name + " has two walkers");
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(5, 14));
        d.leash.set(false);
        dogs.bringBack(d);
        diary.write(d.name + ' ' + walks.incrementAndGet());
        nap.sleep();
    }

    private Runnable walker(Nap nap) {
        return () -> {
            try {
                while (bitten == null) {
                    walk(nap);
                }
            } catch (InterruptedException | RuntimeException e) {
                bitten = e;
            }
        };
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Kennels k = new Kennels();
        Nap[] sofas = {new Nap(2), new Nap(4)};
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(k.walker(sofas[i / 3]), "walker-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (k.bitten != null) {
            throw new IllegalStateException(k.bitten);
        }
        System.out.println("DONE " + k.walks);
    }
}
