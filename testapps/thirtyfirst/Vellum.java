// @lock Vellum$Codex
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock Vellum$Codex$Reading.lock
// @role read-unlock Vellum$Codex$Reading.unlock
// @role write-lock Vellum$Codex$Writing.lock
// @role write-unlock Vellum$Codex$Writing.unlock

// @lock Vellum$Quire
// @type BARRIER parties=3
// @role arrive Vellum$Quire.folded

// @lock Vellum$Ink
// @type LATCH count=1
// @role count-down Vellum$Ink.dried
// @role await Vellum$Ink.untilDry

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A codex with views for reading and writing, a quire folded by three, and ink that dries once. */
public class Vellum {
    interface Access {
        void lock() throws InterruptedException;

        void unlock();
    }

    static final class Codex {
        private final Map<Thread, Integer> readers = new HashMap<>();
        private Thread scribe;
        private int strokes;
        final Access reading = new Reading();
        final Access writing = new Writing();

        private final class Reading implements Access {
            @Override
            public void lock() throws InterruptedException {
                synchronized (Codex.this) {
                    Thread me = Thread.currentThread();
                    while (scribe != null && scribe != me) {
                        Codex.this.wait();
                    }
                    readers.merge(me, 1, Integer::sum);
                }
            }

            @Override
            public void unlock() {
                synchronized (Codex.this) {
                    Thread me = Thread.currentThread();
                    Integer n = readers.get(me);
                    if (n > 1) {
                        readers.put(me, n - 1);
                        return;
                    }
                    readers.remove(me);
                    if (readers.isEmpty()) {
                        Codex.this.notifyAll();
                    }
                }
            }
        }

        private final class Writing implements Access {
            @Override
            public void lock() throws InterruptedException {
                synchronized (Codex.this) {
                    Thread me = Thread.currentThread();
                    if (scribe != me) {
                        while (scribe != null || !readers.isEmpty()) {
                            Codex.this.wait();
                        }
                        scribe = me;
                    }
                    strokes++;
                }
            }

            @Override
            public void unlock() {
                synchronized (Codex.this) {
                    if (--strokes == 0) {
                        scribe = null;
                        Codex.this.notifyAll();
                    }
                }
            }
        }
    }

    static final class Quire {
        private int sheets;
        private long number;

        long folded() throws InterruptedException {
            synchronized (this) {
                long mine = number;
                sheets++;
                if (sheets == 3) {
                    sheets = 0;
                    number = mine + 1;
                    notifyAll();
                } else {
                    while (mine == number) {
                        wait();
                    }
                }
                return mine;
            }
        }
    }

    static final class Ink {
        private boolean wet = true;

        synchronized void dried() {
            wet = false;
            notifyAll();
        }

        synchronized void untilDry() throws InterruptedException {
            while (wet) {
                wait();
            }
        }
    }

    static int words;
    static int letters;

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
        Codex codex = new Codex();
        Quire quire = new Quire();
        Queue<Ink> inks = new java.util.concurrent.ConcurrentLinkedQueue<>();
        for (int i = 0; i < 3; i++) {
            long[] n = {0};
            loop("monk-" + i, () -> {
                codex.reading.lock();
                codex.reading.lock();
                check(letters == 5 * words, "half a word");
                pause(1, 4);
                codex.reading.unlock();
                codex.reading.unlock();
                check(quire.folded() == n[0]++, "quire");
                Ink ink = inks.poll();
                if (ink != null) {
                    ink.untilDry();
                }
                pause(1, 5);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("scribe-" + i, () -> {
                Ink ink = new Ink();
                codex.writing.lock();
                words++;
                codex.writing.lock();
                codex.reading.lock();
                pause(1, 4);
                letters += 5;
                codex.reading.unlock();
                codex.writing.unlock();
                codex.writing.unlock();
                inks.add(ink);
                pause(4, 12);
                ink.dried();
            });
        }
        finish(args);
    }
}
