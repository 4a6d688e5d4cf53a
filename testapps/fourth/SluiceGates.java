// @lock SluiceGates$Sluice
// @type LATCH count=1
// @role await SluiceGates$Sluice.passThrough
// @role count-down SluiceGates$Sluice.raise

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A canal with sluice after sluice, each raised once and for good; boats queue up below it until the keeper has come by. */
public class SluiceGates {
    static class Sluice {
        private char state = 'C'; // C closed, O open
        private long water;

        synchronized long passThrough() throws InterruptedException {
            if (state != 'O') {
                do {
                    wait();
                } while (state != 'O');
            }
            return water;
        }

        synchronized void raise(long level) {
            water = level;
            state = 'O';
            notifyAll();
        }
    }

    static final ConcurrentHashMap<Long, Sluice> canal = new ConcurrentHashMap<>();
    static final AtomicLong passages = new AtomicLong();
    static final AtomicLong wrecks = new AtomicLong();
    static volatile long keeperAt;

    static Sluice sluice(long number) {
        return canal.computeIfAbsent(number, n -> new Sluice());
    }

    static void boat() {
        try {
            for (long at = 0;; at++) {
                if (at < keeperAt - 50) {
                    at = keeperAt; // carried over land, too far behind
                }
                if (sluice(at).passThrough() != at + 1) {
                    wrecks.incrementAndGet();
                }
                passages.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(0, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void keeper() {
        try {
            for (long at = 0;; at++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 11));
                keeperAt = at;
                sluice(at).raise(at + 1);
                canal.remove(at - 500);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(i < 5 ? SluiceGates::boat : SluiceGates::keeper, i < 5 ? "boat-" + i : "keeper");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (wrecks.get() > 0) {
            throw new IllegalStateException(wrecks + " boats passed a closed sluice");
        }
        System.out.println("DONE " + passages);
    }
}
