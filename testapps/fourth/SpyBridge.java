// @lock SpyBridge$Bridge
// @type BARRIER parties=2 form=exchanger
// @role arrive SpyBridge$Bridge.swap

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Spies meet two at a time on a bridge and part with each other's dossiers; whom they meet they never know before. */
public class SpyBridge {
    enum Stage {
        EMPTY, ONE_THERE, SWAPPED
    }

    static class Bridge {
        private Stage stage = Stage.EMPTY;
        private Integer first;
        private Integer second;

        synchronized Integer swap(Integer mine) throws InterruptedException {
            while (stage == Stage.SWAPPED) {
                wait();
            }
            if (stage == Stage.EMPTY) {
                first = mine;
                stage = Stage.ONE_THERE;
                while (stage != Stage.SWAPPED) {
                    wait();
                }
                Integer theirs = second;
                first = null;
                second = null;
                stage = Stage.EMPTY;
                notifyAll();
                return theirs;
            }
            second = mine;
            stage = Stage.SWAPPED;
            notifyAll();
            return first;
        }
    }

    static class Spy extends Thread {
        private final Bridge bridge;
        private Integer dossier;

        Spy(Bridge bridge, Integer dossier) {
            super("spy-" + dossier);
            this.bridge = bridge;
            this.dossier = dossier;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    held.decrementAndGet(dossier);
                    dossier = bridge.swap(dossier);
                    if (held.incrementAndGet(dossier) != 1) {
                        doubled.incrementAndGet();
                    }
                    swaps.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    /** How many spies hold each dossier; nobody does while it changes hands. */
    static class Holders {
        private final AtomicInteger[] count = new AtomicInteger[5];

        Holders() {
            for (int i = 0; i < count.length; i++) {
                count[i] = new AtomicInteger(1);
            }
        }

        int incrementAndGet(int dossier) {
            return count[dossier].incrementAndGet();
        }

        void decrementAndGet(int dossier) {
            count[dossier].decrementAndGet();
        }
    }

    static final Holders held = new Holders();
    static final AtomicLong swaps = new AtomicLong();
    static final AtomicLong doubled = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Bridge bridge = new Bridge();
        for (int i = 0; i < 5; i++) {
            Spy spy = new Spy(bridge, i);
            spy.setDaemon(true);
            spy.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (doubled.get() > 0) {
            throw new IllegalStateException(doubled + " dossiers exist twice");
        }
        System.out.println("DONE " + swaps);
    }
}
