// Two nodes of a cluster that are restarted all day. A boot has two phases: three modules prepare, then the boot thread
// opens the gate and they serve together for a moment; at the end it waits for the threads of all three.
//
// @lock TwoPhaseBoot$Prepared
// @type LATCH count=3
// @role count-down TwoPhaseBoot$Prepared.report
// @role await TwoPhaseBoot$Prepared.awaitAll
//
// @lock TwoPhaseBoot$Gate
// @type LATCH count=1
// @role count-down TwoPhaseBoot$Gate.open
// @role await TwoPhaseBoot$Gate.pass
//
// @lock TwoPhaseBoot$Module
// @type JOIN
// @role join java.lang.Thread.join

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class TwoPhaseBoot {
    static final AtomicLong boots = new AtomicLong();
    static volatile String broken;

    static class Prepared {
        private final BitSet missing = new BitSet();

        Prepared(int modules) {
            missing.set(0, modules);
        }

        synchronized void report(int module) {
            missing.clear(module);
            if (missing.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void awaitAll() throws InterruptedException {
            while (!missing.isEmpty()) {
                wait();
            }
        }
    }

    static class Gate {
        private boolean open;

        void open() {
            synchronized (this) {
                open = true;
                notifyAll();
            }
        }

        void pass() throws InterruptedException {
            synchronized (this) {
                while (!open) {
                    wait();
                }
            }
        }
    }

    static class Module extends Thread {
        private final int number;
        private final Prepared prepared;
        private final Gate gate;
        volatile int phase;

        Module(int number, Prepared prepared, Gate gate) {
            super("module-" + number);
            this.number = number;
            this.prepared = prepared;
            this.gate = gate;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(1 + ThreadLocalRandom.current().nextInt(6));
                phase = 1;
                prepared.report(number);
                gate.pass();
                phase = 2;
                Thread.sleep(2 + ThreadLocalRandom.current().nextInt(6));
                phase = 3;
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static void boot() throws InterruptedException {
        Prepared prepared = new Prepared(3);
        Gate gate = new Gate();
        Module[] modules = new Module[3];
        for (int i = 0; i < 3; i++) {
            modules[i] = new Module(i, prepared, gate);
            modules[i].start();
        }
        prepared.awaitAll();
        for (Module m : modules) {
            if (m.phase != 1) {
                broken = "module in phase " + m.phase + " before the gate opened";
            }
        }
        Thread.sleep(2); // recovery
        gate.open();
        for (Module m : modules) {
            m.join();
            if (m.phase != 3) {
                broken = "module left in phase " + m.phase;
            }
        }
        boots.incrementAndGet();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread("node-" + i) {
                @Override
                public void run() {
                    try {
                        while (broken == null) {
                            boot();
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + boots.get());
        System.exit(broken != null ? 1 : 0);
    }
}
