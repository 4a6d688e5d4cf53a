// @lock Bootstrap$Phases
// @type BARRIER parties=4
// @role arrive Bootstrap$Phases.endPhase

// @lock java.util.HashSet
// @type LATCH count=4
// @role count-down Bootstrap$Started.up
// @role await Bootstrap$Started.awaitAll

// @lock Bootstrap$Module
// @type JOIN
// @role join Bootstrap$Node.shutdown

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Nodes that are brought up and down all day: four modules go through the phases together, and their threads are awaited at the end. */
public class Bootstrap {
    static final class Phases {
        private final int modules;
        private int outstanding;
        private int phase;

        Phases(int modules) {
            this.modules = modules;
            outstanding = modules;
        }

        int endPhase() throws InterruptedException {
            synchronized (this) {
                final int mine = phase;
                if (--outstanding == 0) {
                    nextPhase();
                } else {
                    while (phase == mine) {
                        wait();
                    }
                }
                return mine + 1;
            }
        }

        private void nextPhase() {
            phase++;
            outstanding = modules;
            notifyAll();
        }
    }

    static final class Started {
        private final Set<String> missing = new HashSet<>(Arrays.asList("db", "net", "http", "jobs"));

        void up(String name) {
            synchronized (missing) {
                missing.remove(name);
                if (missing.isEmpty()) {
                    missing.notifyAll();
                }
            }
        }

        void awaitAll() throws InterruptedException {
            synchronized (missing) {
                while (!missing.isEmpty()) {
                    missing.wait();
                }
            }
        }
    }

    static final class Module extends Thread {
        private final Phases phases;
        private final Started started;

        Module(String name, Phases p, Started s) {
            super(name);
            phases = p;
            started = s;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 3; i++) {
                    pause(1, 4);
                    check(phases.endPhase() == i + 1, "phase");
                }
                started.up(getName());
                pause(2, 6);
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final class Node {
        private final List<Module> modules = new ArrayList<>();
        private final Started started = new Started();

        void start() throws InterruptedException {
            Phases p = new Phases(4);
            for (String n : new String[] {"db", "net", "http", "jobs"}) {
                modules.add(new Module(n, p, started));
            }
            for (Module m : modules) {
                m.start();
            }
            started.awaitAll();
        }

        void shutdown() throws InterruptedException {
            for (Module m : modules) {
                synchronized (m) {
                    while (m.isAlive()) {
                        m.wait();
                    }
                }
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            loop("node-" + i, () -> {
                Node n = new Node();
                n.start();
                n.shutdown();
            });
        }
        finish(args);
    }
}
