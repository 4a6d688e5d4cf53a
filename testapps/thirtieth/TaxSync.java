// @lock TaxSync$Semaphore
// @type LATCH count=1
// @role await TaxSync$Semaphore.acquire
// @role await TaxSync$Semaphore.tryAcquire
// @role count-down TaxSync$Semaphore.release

// @lock TaxSync$ReadWriteLock
// @type MUTEX
// @role enter TaxSync$ReadWriteLock.read
// @role enter TaxSync$ReadWriteLock.write

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tax periods: calculations wait until the authority has released the rates of their period. "Semaphore" is meant as on the railway: once it is
 * up it stays up. "ReadWriteLock" was going to be one.
 */
public class TaxSync {
    static class Semaphore {
        private boolean up;

        synchronized void acquire() throws InterruptedException {
            while (!up)
                wait();
        }

        synchronized boolean tryAcquire(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1000000L;
            while (!up) {
                long left = (end - System.nanoTime()) / 1000000L;
                if (left <= 0)
                    return false;
                wait(left);
            }
            return true;
        }

        synchronized void release() {
            up = true;
            notifyAll();
        }
    }

    static class ReadWriteLock {
        private final Map<String, Integer> collected = new HashMap<String, Integer>();
        private int total;

        synchronized int read(String country) {
            int sum = 0;
            for (int v : collected.values())
                sum += v;
            if (sum != total)
                throw new IllegalStateException("collected " + sum + ", total says " + total);
            Integer v = collected.get(country);
            return v == null ? 0 : v;
        }

        synchronized void write(String country, int tax) throws InterruptedException {
            int before = read(country);
            collected.put(country, before + tax);
            Thread.sleep(1);
            total += tax;
        }
    }

    static class Period {
        final int number;
        final Semaphore released = new Semaphore();
        volatile int rate;

        Period(int number) {
            this.number = number;
        }
    }

    static final AtomicReference<Period> current = new AtomicReference<Period>(new Period(0));
    static final ReadWriteLock taxes = new ReadWriteLock();
    static final AtomicLong calculations = new AtomicLong();
    static volatile Exception failure;

    static class Calculation extends Thread {
        private final boolean patient;
        private final Random random = new Random();

        Calculation(String country, boolean patient) {
            super(country);
            this.patient = patient;
            setDaemon(true);
        }

        @Override
        public void run() {
            int last = -1;
            try {
                while (failure == null) {
                    Period p = current.get();
                    if (p.number == last) {
                        sleep(1);
                        continue;
                    }
                    if (patient)
                        p.released.acquire();
                    else if (!p.released.tryAcquire(3000))
                        continue;
                    if (p.rate != 10 + p.number % 10)
                        throw new IllegalStateException("calculated without a rate");
                    for (int i = 0; i < 2; i++) {
                        int before = taxes.read(getName());
                        taxes.write(getName(), p.rate);
                        if (taxes.read(getName()) != before + p.rate)
                            throw new IllegalStateException("tax of " + getName() + " changed by others");
                        sleep(random.nextInt(2));
                    }
                    calculations.incrementAndGet();
                    last = p.number;
                }
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    static class Authority extends Thread {
        @Override
        public void run() {
            try {
                while (true) {
                    Period p = current.get();
                    sleep(7);
                    p.rate = 10 + p.number % 10;
                    p.released.release();
                    sleep(9);
                    current.set(new Period(p.number + 1));
                }
            } catch (InterruptedException e) {
                failure = e;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        String[] countries = {"at", "be", "ch", "dk", "es"};
        for (int i = 0; i < countries.length; i++)
            new Calculation(countries[i], i % 2 == 0).start();
        Authority authority = new Authority();
        authority.setDaemon(true);
        authority.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null)
            throw failure;
        System.out.println("DONE " + calculations);
    }
}
