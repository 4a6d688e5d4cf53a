// @lock Pipette
// @type LOCK reentrant=false
// @role lock Pipette.pickUp
// @role unlock Pipette.putBack
// @lock BenchPass
// @type SEMAPHORE permits=4
// @role acquire BenchPass.sit
// @role acquire BenchPass.sitWithin
// @role release BenchPass.rise

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Dining philosophers in the laboratory: five places, five pipettes between them, seven scientists, four may sit. */
public class PipetteBench {
    static final AtomicLong SAMPLES = new AtomicLong();
    static volatile String spoiled;

    static final class Scientist extends Thread {
        private final int no;
        private final BenchPass pass;
        private final List<Pipette> pipettes;

        Scientist(int no, BenchPass pass, List<Pipette> pipettes) {
            super("scientist-" + no);
            this.no = no;
            this.pass = pass;
            this.pipettes = pipettes;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    if (no % 2 == 0) {
                        pass.sit();
                    } else if (!pass.sitWithin(40)) {
                        continue;
                    }
                    int place = (no + (int) (SAMPLES.get() % 3)) % 5;
                    Pipette a = pipettes.get(place);
                    Pipette b = pipettes.get((place + 1) % 5);
                    Pipette first = a.serial < b.serial ? a : b;
                    Pipette second = first == a ? b : a;
                    first.pickUp();
                    Thread.sleep(1);
                    second.pickUp();
                    first.fill(no);
                    second.fill(no);
                    Thread.sleep(2);
                    first.drain(no);
                    second.drain(no);
                    second.putBack();
                    first.putBack();
                    pass.rise();
                    SAMPLES.incrementAndGet();
                    Thread.sleep(1 + no % 3);
                }
            } catch (InterruptedException e) {
                spoiled = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        List<Pipette> pipettes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pipettes.add(new Pipette(i));
        }
        BenchPass pass = new BenchPass(4);
        for (int i = 0; i < 7; i++) {
            new Scientist(i, pass, pipettes).start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long last = -1;
        while (System.nanoTime() < end && spoiled == null) {
            Thread.sleep(400);
            long now = SAMPLES.get();
            if (now == last) {
                spoiled = "nobody works";
            }
            last = now;
        }
        if (spoiled != null) {
            System.out.println("SPOILED " + spoiled);
            System.exit(1);
        }
        System.out.println("DONE " + SAMPLES);
        System.exit(0);
    }
}

class Pipette {
    final int serial;
    private boolean inUse;
    private volatile int content = -1;

    Pipette(int s) {
        serial = s;
    }

    synchronized void pickUp() throws InterruptedException {
        while (inUse) {
            wait();
        }
        inUse = true;
    }

    synchronized void putBack() {
        inUse = false;
        notify();
    }

    void fill(int who) {
        if (content != -1) {
            PipetteBench.spoiled = "pipette " + serial + " is not empty";
        }
        content = who;
    }

    void drain(int who) {
        if (content != who) {
            PipetteBench.spoiled = "sample mixed up";
        }
        content = -1;
    }
}

class BenchPass {
    private final int max;
    private int seated;

    BenchPass(int max) {
        this.max = max;
    }

    synchronized void sit() throws InterruptedException {
        while (seated >= max) {
            wait();
        }
        seated++;
    }

    synchronized boolean sitWithin(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (seated >= max) {
            long left = (end - System.nanoTime()) / 1_000_000L;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        seated++;
        return true;
    }

    synchronized void rise() {
        seated--;
        notifyAll();
    }
}
