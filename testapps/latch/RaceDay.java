// @lock java.lang.Object#pass
// @type LATCH count=1
// @role await RaceDay$Gate.pass
// @role count-down RaceDay$Gate.open
//
// @lock RaceDay$FinishLine
// @type LATCH count=4
// @role count-down RaceDay$FinishLine.cross
// @role await RaceDay$FinishLine.close

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Race after race: four runners wait at a starting gate, the judges wait at the finish line; both are new each time. */
public final class RaceDay {
    static final class Gate {
        private final Object bar = new Object();
        private boolean up;

        void pass() throws InterruptedException {
            synchronized (bar) {
                while (!up) {
                    bar.wait();
                }
            }
        }

        void open() {
            synchronized (bar) {
                up = true;
                bar.notifyAll();
            }
        }
    }

    static final class FinishLine {
        private final int[] order;
        private int crossed;

        FinishLine(int runners) {
            order = new int[runners];
        }

        synchronized void cross(int bib) {
            order[crossed++] = bib;
            if (crossed == order.length) {
                notifyAll();
            }
        }

        synchronized int[] close() throws InterruptedException {
            while (crossed < order.length) {
                wait();
            }
            return order;
        }
    }

    static final class Race {
        final Gate gate = new Gate();
        final FinishLine line = new FinishLine(4);
        Race next;
    }

    private static final AtomicLong faults = new AtomicLong();

    private static void runner(Race first, int bib) {
        try {
            for (Race race = first;; race = race.next) {
                race.gate.pass();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
                race.line.cross(bib);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void secondJudge(Race first) {
        try {
            for (Race race = first;; race = race.next) {
                int seen = 0;
                for (int bib : race.line.close()) {
                    seen |= 1 << bib;
                }
                if (seen != 0xf) {
                    faults.incrementAndGet();
                }
                race.gate.pass();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Race race = new Race();
        Race first = race;
        for (int i = 0; i < 4; i++) {
            int bib = i;
            daemon("runner-" + i, () -> runner(first, bib));
        }
        daemon("judge-2", () -> secondJudge(first));
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        long races = 0;
        while (System.nanoTime() - until < 0) {
            race.next = new Race();
            race.gate.open();
            race.line.close();
            Thread.sleep(1);
            race = race.next;
            races++;
        }
        if (faults.get() > 0) {
            throw new IllegalStateException(faults + " races were closed early");
        }
        System.out.println("DONE " + races);
    }
}
