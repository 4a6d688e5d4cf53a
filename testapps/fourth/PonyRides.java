// @lock PonyRides$FairLock
// @type LOCK reentrant=false
// @role lock PonyRides$FairLock.lock
// @role unlock PonyRides$FairLock.unlock

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One pony and a row of children: a fair lock out of a list of waiting places, each with a monitor of its own. */
public class PonyRides {
    static class QueuePlace {
        private boolean isCalled = false;

        synchronized void doWait() throws InterruptedException {
            while (!isCalled) {
                this.wait();
            }
            this.isCalled = false;
        }

        synchronized void doNotify() {
            this.isCalled = true;
            this.notify();
        }
    }

    static class FairLock {
        private boolean isLocked = false;
        private Thread rider = null;
        private final List<QueuePlace> places = new ArrayList<>();

        void lock() throws InterruptedException {
            QueuePlace place = new QueuePlace();
            synchronized (this) {
                if (rider == Thread.currentThread()) {
                    throw new IllegalMonitorStateException("already riding");
                }
                places.add(place);
            }
            for (;;) {
                synchronized (this) {
                    if (!isLocked && places.get(0) == place) {
                        isLocked = true;
                        rider = Thread.currentThread();
                        places.remove(0);
                        return;
                    }
                }
                try {
                    place.doWait();
                } catch (InterruptedException e) {
                    synchronized (this) {
                        places.remove(place);
                    }
                    throw e;
                }
            }
        }

        synchronized void unlock() {
            if (rider != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not riding");
            }
            isLocked = false;
            rider = null;
            if (!places.isEmpty()) {
                places.get(0).doNotify();
            }
        }
    }

    private static int onPony;
    private static long rides;
    private static final AtomicLong falls = new AtomicLong();

    private static void child(FairLock pony) {
        try {
            while (true) {
                pony.lock();
                try {
                    if (++onPony != 1) {
                        falls.incrementAndGet();
                    }
                    rides++;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    onPony--;
                } finally {
                    pony.unlock();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        FairLock pony = new FairLock();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> child(pony), "child-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        pony.lock();
        long total = rides;
        pony.unlock();
        if (falls.get() > 0) {
            throw new IllegalStateException(falls + " falls");
        }
        System.out.println("DONE " + total);
    }
}
