// @lock MakeFarm$Compile
// @type JOIN
// @role join MakeFarm.reap
//
// @lock MakeFarm$Headers
// @type LATCH count=2
// @role count-down MakeFarm$Headers.generated
// @role await MakeFarm$Headers.ready

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** make -j: a thread for each file; files that need the two generated headers wait for them, make waits for the threads to end. */
public final class MakeFarm {
    static final class Headers {
        private final List<String> missing = new ArrayList<>();

        Headers(String... names) {
            for (String name : names) {
                missing.add(name);
            }
        }

        synchronized void generated(String name) {
            if (!missing.remove(name)) {
                throw new IllegalStateException("nobody asked for " + name);
            }
            if (missing.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void ready() throws InterruptedException {
            while (!missing.isEmpty()) {
                wait();
            }
        }
    }

    static class Compile extends Thread {
        private final String file;
        private final Headers headers;
        private final String[] done;
        private final int slot;

        Compile(String file, Headers headers, String[] done, int slot) {
            super("cc " + file);
            this.file = file;
            this.headers = headers;
            this.done = done;
            this.slot = slot;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                if (file.endsWith(".y")) {
                    sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    done[slot] = "y";
                    headers.generated(file.replace(".y", ".h"));
                } else {
                    headers.ready();
                    done[slot] = done[0] + done[1];
                    sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static final AtomicLong builds = new AtomicLong();
    private static volatile String failure;

    /** The VM notifies a thread object when its thread has ended. */
    private static void reap(Thread t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive()) {
                t.wait(1000);
            }
        }
    }

    private static void make() {
        try {
            while (failure == null) {
                String[] files = {"expr.y", "type.y", "main.c", "emit.c", "heap.c"};
                String[] done = new String[files.length];
                Headers headers = new Headers("expr.h", "type.h");
                List<Thread> children = new ArrayList<>();
                for (int i = files.length - 1; i >= 0; i--) {
                    Thread t = new Compile(files[i], headers, done, i);
                    children.add(t);
                    t.start();
                }
                for (Thread t : children) {
                    reap(t);
                }
                for (int i = 0; i < files.length; i++) {
                    if (!(i < 2 ? "y" : "yy").equals(done[i])) {
                        failure = files[i] + " was compiled with " + done[i];
                    }
                }
                builds.incrementAndGet();
            }
        } catch (InterruptedException e) {
            failure = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(MakeFarm::make, "make" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + builds);
    }
}
