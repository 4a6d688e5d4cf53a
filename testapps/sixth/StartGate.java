// @lock StartGate$Gate
// @type LATCH count=1
// @role await StartGate$Gate.pass
// @role count-down StartGate$Gate.open
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A server that takes requests only once it is initialised: a gate that opens early, and a fast path ever after. */
public final class StartGate {
    static final class Gate {
        private volatile boolean opened;

        void pass() throws InterruptedException {
            if (opened) {
                return;
            }
            synchronized (this) {
                while (!opened) {
                    wait();
                }
            }
        }

        synchronized void open() {
            opened = true;
            notifyAll();
        }
    }

    private static final Gate gate = new Gate();
    private static int[] primes; // written before the gate is opened
    private static final AtomicLong requests = new AtomicLong();
    private static volatile Throwable fault;

    private static void serve() {
        try {
            while (fault == null) {
                gate.pass();
                int i = ThreadLocalRandom.current().nextInt(primes.length);
                if (primes[i] % 2 == 0 && primes[i] != 2) {
                    throw new IllegalStateException(primes[i] + " is not a prime");
                }
                requests.incrementAndGet();
                Thread.sleep(2);
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    private static void initialise() throws InterruptedException {
        int[] found = new int[1000];
        int n = 0;
        for (int candidate = 2; n < found.length; candidate++) {
            boolean prime = true;
            for (int i = 0; i < n && prime; i++) {
                prime = candidate % found[i] != 0;
            }
            if (prime) {
                found[n++] = candidate;
            }
        }
        primes = found;
        Thread.sleep(300);
        gate.open();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(StartGate::serve, "server-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        initialise();
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + requests);
    }
}
