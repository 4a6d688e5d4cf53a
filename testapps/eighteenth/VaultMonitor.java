// @lock VaultMonitor$Door
// @type LOCK+CONDITION reentrant=false
// @role lock VaultMonitor$Door.lock
// @role unlock VaultMonitor$Door.unlock
// @role wait VaultMonitor$Door.await
// @role notify VaultMonitor$Door.signalAll
// @lock java.lang.Object
// @type MUTEX
// @role enter VaultMonitor$Journal.append
// @role enter VaultMonitor$Journal.size

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Accounts in a vault with a door of its own making: one inside, who may step out to wait for a deposit. */
public class VaultMonitor {
    static volatile String alarm;
    static final AtomicLong PAYOUTS = new AtomicLong();

    static final class Door {
        private Thread inside;
        private long signals;

        synchronized void lock() throws InterruptedException {
            if (inside == Thread.currentThread()) {
                throw new IllegalStateException("already inside");
            }
            while (inside != null) {
                wait();
            }
            inside = Thread.currentThread();
        }

        synchronized void unlock() {
            checkInside();
            inside = null;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            checkInside();
            long seen = signals;
            inside = null;
            notifyAll();
            while (signals == seen || inside != null) {
                wait();
            }
            inside = Thread.currentThread();
        }

        synchronized void signalAll() {
            checkInside();
            signals++;
            notifyAll();
        }

        private void checkInside() {
            if (inside != Thread.currentThread()) {
                alarm = "not inside";
            }
        }
    }

    static final class Journal {
        private final Object pen = new Object();
        private long lines;
        private long confirmed;

        void append() throws InterruptedException {
            synchronized (pen) {
                lines++;
                Thread.sleep(1);
                confirmed++;
                if (lines != confirmed) {
                    alarm = "two pens";
                }
            }
        }

        long size() {
            synchronized (pen) {
                return confirmed;
            }
        }
    }

    static final class Vault {
        final Door door = new Door();
        int balance;

        void deposit(int n) throws InterruptedException {
            door.lock();
            int b = balance;
            Thread.sleep(2);
            balance = b + n;
            door.signalAll();
            door.unlock();
        }

        void withdraw(int n) throws InterruptedException {
            door.lock();
            while (balance < n) {
                door.await();
            }
            int b = balance;
            Thread.sleep(1);
            balance = b - n;
            if (balance < 0) {
                alarm = "overdrawn";
            }
            door.unlock();
        }
    }

    static void run(Vault v, Journal j, boolean pays) {
        try {
            while (alarm == null) {
                if (pays) {
                    v.deposit(ThreadLocalRandom.current().nextInt(1, 10));
                    j.append();
                    Thread.sleep(3);
                } else {
                    v.withdraw(ThreadLocalRandom.current().nextInt(5, 20));
                    PAYOUTS.incrementAndGet();
                    j.append();
                }
            }
        } catch (InterruptedException e) {
            alarm = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Vault v = new Vault();
        Journal j = new Journal();
        for (int i = 0; i < 6; i++) {
            boolean pays = i < 3;
            Thread t = new Thread(() -> run(v, j, pays), (pays ? "payer-" : "drawer-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && alarm == null) {
            Thread.sleep(50);
            long paid = PAYOUTS.get();
            if (j.size() < paid - 3) {
                alarm = "journal behind";
            }
        }
        if (alarm != null) {
            System.out.println(alarm);
            System.exit(1);
        }
        System.out.println("DONE " + PAYOUTS);
    }
}
