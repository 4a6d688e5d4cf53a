// @lock RelayChoir$a
// @type CONDITION
// @role wait RelayChoir$a.b
// @role notify RelayChoir$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Three voices sing in turn: each waits for its turn, sings a note and passes on, all in one method. Obfuscated. */
public final class RelayChoir {
    static final class a {
        private final char[] c = new char[3];
        private int d;
        private long e;

        synchronized long b(int f, char g) throws InterruptedException {
            while (d != f) {
                wait();
            }
            c[f] = g;
            e++;
            d = f == 2 ? 0 : f + 1;
            notifyAll();
            return e;
        }
    }

    private static final AtomicLong h = new AtomicLong();
    private static volatile boolean i;

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a();
        for (int l = 0; l < 3; l++) {
            int m = l;
            Thread n = new Thread(() -> {
                try {
                    for (long o = 0;; o++) {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                        long p = k.b(m, (char) ('a' + o % 26));
                        if (p != 3 * o + m + 1) {
                            i = true;
                        }
                        h.incrementAndGet();
                    }
                } catch (InterruptedException q) {
                    Thread.currentThread().interrupt();
                }
            });
            n.setDaemon(true);
            n.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (i) {
            throw new IllegalStateException("a voice sang out of turn");
        }
        System.out.println("DONE " + h);
    }
}
