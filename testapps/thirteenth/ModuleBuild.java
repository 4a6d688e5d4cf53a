// A build tool: the modules of a project go to three compilers through an endless queue, in an order that is good for
// the dependencies; a compiler that gets a module too early waits until those it needs are done. A fresh project each time.
//
// @lock ModuleBuild$Module
// @type LATCH count=1
// @role count-down ModuleBuild$Module.built
// @role await ModuleBuild$Module.require
//
// @lock ModuleBuild$Work
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put ModuleBuild$Work.add
// @role take ModuleBuild$Work.next

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class ModuleBuild {
    static volatile String broken;
    static final AtomicLong modules = new AtomicLong();

    static class Module {
        final String name;
        final List<Module> needs = new ArrayList<>();
        private long size = -1; // unknown until it has been built

        Module(String name) {
            this.name = name;
        }

        synchronized long require() throws InterruptedException {
            while (size < 0)
                wait();
            return size;
        }

        synchronized void built(long bytes) {
            size = bytes;
            notifyAll();
        }
    }

    static class Work {
        private final LinkedList<Module> list = new LinkedList<>();

        void add(Module m) {
            synchronized (this) {
                list.addLast(m);
                notify();
            }
        }

        Module next() throws InterruptedException {
            synchronized (this) {
                while (list.isEmpty())
                    wait();
                return list.removeFirst();
            }
        }
    }

    static class Compiler extends Thread {
        final Work work;

        Compiler(Work work) {
            super("javac");
            this.work = work;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Module m = work.next();
                    long bytes = 1;
                    for (Module n : m.needs)
                        bytes += n.require();
                    Thread.sleep(2 + ThreadLocalRandom.current().nextInt(6));
                    m.built(bytes);
                    modules.incrementAndGet();
                }
            } catch (InterruptedException e) {
                broken = "compiler interrupted";
            }
        }
    }

    static class Developer extends Thread {
        final Work work;

        Developer(Work work, String name) {
            super(name);
            this.work = work;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Module base = new Module("base");
                    Module net = new Module("net");
                    Module store = new Module("store");
                    Module app = new Module("app");
                    net.needs.add(base);
                    store.needs.add(base);
                    app.needs.add(net);
                    app.needs.add(store);
                    for (Module m : new Module[] {base, net, store, app})
                        work.add(m);
                    long total = app.require();
                    if (total != 5)
                        broken = "app was linked with " + total;
                    Thread.sleep(6);
                }
            } catch (InterruptedException e) {
                broken = "developer interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Work work = new Work();
        for (int i = 0; i < 3; i++)
            new Compiler(work).start();
        new Developer(work, "ann").start();
        Thread.sleep(3);
        new Developer(work, "bob").start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        long last = 0;
        int idle = 0;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(500);
            long now = modules.get();
            idle = now == last ? idle + 1 : 0;
            if (idle > 25)
                broken = "nothing is built any more";
            last = now;
        }
        if (broken == null)
            System.out.println("DONE " + modules.get());
        else
            System.out.println("BROKEN " + broken);
        System.exit(broken == null ? 0 : 1);
    }
}
