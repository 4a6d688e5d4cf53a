// @lock ScratchBuffers$Scratch
// @type NOT-SHARED
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Renderers that each own a synchronized buffer: safe, and never once shared. */
public final class ScratchBuffers {
    static final class Scratch {
        private char[] text = new char[16];
        private int length;

        synchronized Scratch add(char c) {
            if (length == text.length) {
                text = java.util.Arrays.copyOf(text, 2 * length);
            }
            text[length++] = c;
            return this;
        }

        synchronized String drain() {
            String s = new String(text, 0, length);
            length = 0;
            return s;
        }
    }

    private static volatile boolean stop;
    private static final AtomicLong pages = new AtomicLong();
    private static final AtomicLong faults = new AtomicLong();

    private static void render() {
        Scratch scratch = new Scratch();
        while (!stop) {
            int n = ThreadLocalRandom.current().nextInt(20, 200);
            for (int i = 0; i < n; i++) {
                scratch.add((char) ('a' + i % 26));
            }
            if (scratch.drain().length() != n) {
                faults.incrementAndGet();
            }
            pages.incrementAndGet();
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(ScratchBuffers::render, "renderer-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        if (faults.get() > 0) {
            throw new IllegalStateException(faults + " pages were torn");
        }
        System.out.println("DONE " + pages);
    }
}
