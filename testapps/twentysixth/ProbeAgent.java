// @lock java.lang.Object#pause
// @type DELAY
// @role delay ProbeAgent$Probe.pause
//
// @lock ProbeAgent$Switch
// @type CONDITION form=resettable-event
// @role wait ProbeAgent$Switch.pass
// @role notify ProbeAgent$Switch.on
//
// @lock ProbeAgent$Metrics
// @type MUTEX
// @role enter ProbeAgent$Metrics.record
// @role enter ProbeAgent$Metrics.export

import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A monitoring agent: probes measure at their own pace, are suspended by an administrator, and share one store. */
public class ProbeAgent {

    static final class Switch {
        private boolean enabled;

        synchronized void pass() throws InterruptedException {
            while (!enabled) {
                wait();
            }
        }

        synchronized void on() {
            enabled = true;
            notifyAll();
        }

        synchronized void off() {
            enabled = false;
        }
    }

    static final class Metrics {
        private final TreeMap<String, long[]> store = new TreeMap<String, long[]>();
        private long samples;

        void record(String name, long value) throws InterruptedException {
            synchronized (this) {
                long[] m = store.get(name);
                if (m == null) {
                    m = new long[2];
                    store.put(name, m);
                }
                m[0]++;
                m[1] += value;
                if (m[0] % 2 == 0) {
                    Thread.sleep(1);
                }
                samples++;
            }
        }

        long export() throws InterruptedException {
            synchronized (this) {
                long n = 0;
                for (long[] m : store.values()) {
                    n += m[0];
                }
                Thread.sleep(2);
                if (n != samples) {
                    fault = n + " samples stored, " + samples + " counted";
                }
                return n;
            }
        }
    }

    static final class Probe implements Runnable {
        private final Object tick = new Object();
        private final String name;
        private final int every;

        Probe(String name, int every) {
            this.name = name;
            this.every = every;
        }

        private void pause() throws InterruptedException {
            synchronized (tick) {
                tick.wait(every);
            }
        }

        @Override public void run() {
            try {
                while (true) {
                    GATE.pass();
                    METRICS.record(name, System.nanoTime() & 0xff);
                    OPS.incrementAndGet();
                    pause();
                }
            } catch (InterruptedException e) {
                fault = name + " interrupted";
            }
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Switch GATE = new Switch();
    static final Metrics METRICS = new Metrics();

    static void spawn(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        String[] names = {"cpu", "disk", "heap", "net", "swap"};
        for (int i = 0; i < names.length; i++) {
            spawn(new Probe(names[i], 3 + i), names[i]);
        }
        spawn(new Runnable() {
            @Override public void run() {
                try {
                    while (true) {
                        GATE.on();
                        Thread.sleep(12);
                        GATE.off();
                        Thread.sleep(9);
                    }
                } catch (InterruptedException e) {
                    fault = "administrator interrupted";
                }
            }
        }, "administrator");
        spawn(new Runnable() {
            @Override public void run() {
                try {
                    while (true) {
                        METRICS.export();
                        Thread.sleep(4);
                    }
                } catch (InterruptedException e) {
                    fault = "exporter interrupted";
                }
            }
        }, "exporter");
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
