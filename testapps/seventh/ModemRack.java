// @lock ModemRack
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire ModemRack.borrow
// @role acquire ModemRack.tryBorrow
// @role release ModemRack.giveBack

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A rack of three modems: some callers wait as long as it takes, others give up. A modem is given back by closing its lease. */
public final class ModemRack {
    static final class Modem {
        private final AtomicBoolean online = new AtomicBoolean();

        void dial() throws InterruptedException {
            if (!online.compareAndSet(false, true)) {
                broken = true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            online.set(false);
        }
    }

    final class Lease implements AutoCloseable {
        private Modem modem;

        Lease(Modem modem) {
            this.modem = modem;
        }

        Modem modem() {
            return modem;
        }

        @Override
        public void close() {
            if (modem != null) {
                giveBack(modem);
                modem = null;
            }
        }
    }

    private final Deque<Modem> idle = new ArrayDeque<>();

    ModemRack(int size) {
        for (int i = 0; i < size; i++) {
            idle.push(new Modem());
        }
    }

    Lease borrow() throws InterruptedException {
        synchronized (this) {
            while (idle.isEmpty()) {
                wait();
            }
            return new Lease(idle.pop());
        }
    }

    synchronized Lease tryBorrow(int millis) throws InterruptedException {
        long giveUp = System.nanoTime() + millis * 1_000_000L;
        while (idle.isEmpty()) {
            long left = (giveUp - System.nanoTime()) / 1_000_000L;
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
        return new Lease(idle.pop());
    }

    private void giveBack(Modem m) {
        synchronized (this) {
            idle.push(m);
            notifyAll();
        }
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicLong calls = new AtomicLong();

    private void caller(boolean patient) {
        try {
            while (!stop) {
                try (Lease lease = patient ? borrow() : tryBorrow(4)) {
                    if (lease != null) {
                        lease.modem().dial();
                        calls.incrementAndGet();
                    }
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ModemRack rack = new ModemRack(3);
        Thread[] callers = new Thread[8];
        for (int i = 0; i < callers.length; i++) {
            boolean patient = i % 4 != 0;
            callers[i] = new Thread(() -> rack.caller(patient), "caller-" + i);
            callers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : callers) {
            t.join();
        }
        if (broken || rack.idle.size() != 3) {
            throw new IllegalStateException("a modem was lost or dialled twice");
        }
        System.out.println("DONE " + calls);
    }
}
