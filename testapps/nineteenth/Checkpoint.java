// A storage engine: transactions change pages side by side, a checkpointer wants all of them out while it copies.
// One int holds everything: bit 30 for the checkpoint, bits 16.. for checkpointers that wait, the low bits for transactions.
// A plain page cache counter sits beside it. Obfuscated.
//
// @lock Checkpoint$a
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Checkpoint$a.a
// @role read-unlock Checkpoint$a.b
// @role write-lock Checkpoint$a.c
// @role write-unlock Checkpoint$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Checkpoint {
    static final AtomicLong a = new AtomicLong();
    static volatile String b;

    static final class a {
        private int a;

        synchronized void a() throws InterruptedException {
            while (a >>> 16 != 0) {
                wait();
            }
            a++;
        }

        synchronized void b() {
            a--;
            if ((a & 0xffff) == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            a += 0x10000;
            try {
                while ((a & 0x4000ffff) != 0) {
                    wait();
                }
                a |= 0x40000000;
            } finally {
                a -= 0x10000;
            }
        }

        synchronized void d() {
            a &= ~0x40000000;
            notifyAll();
        }
    }

    static final class b implements Runnable {
        private final a a;
        private final AtomicIntegerArray b;
        private final boolean c;

        b(a a, AtomicIntegerArray b, boolean c) {
            this.a = a;
            this.b = b;
            this.c = c;
        }

        private void a() throws InterruptedException {
            int x = ThreadLocalRandom.current().nextInt(8);
            a.a();
            try {
                b.decrementAndGet(x);
                Thread.sleep(2 + ThreadLocalRandom.current().nextInt(4));
                b.incrementAndGet((x + 3) & 7);
            } finally {
                a.b();
            }
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(3));
        }

        private void b() throws InterruptedException {
            a.c();
            try {
                int s = 0;
                for (int i = 0; i < 8; i++) {
                    s += b.get(i);
                }
                Thread.sleep(3);
                for (int i = 0; i < 8; i++) {
                    s -= b.get(i);
                }
                int z = 0;
                for (int i = 0; i < 8; i++) {
                    z += b.get(i);
                }
                if (s != 0 || z != 800) {
                    Checkpoint.b = "torn copy " + s + " " + z;
                }
            } finally {
                a.d();
            }
            Thread.sleep(8 + ThreadLocalRandom.current().nextInt(8));
        }

        @Override
        public void run() {
            try {
                while (true) {
                    if (c) {
                        b();
                    } else {
                        a();
                    }
                    Checkpoint.a.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        AtomicIntegerArray p = new AtomicIntegerArray(8);
        for (int i = 0; i < 8; i++) {
            p.set(i, 100);
        }
        a l = new a();
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(new b(l, p, i > 4));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && b == null; i++) {
            Thread.sleep(50);
        }
        System.out.println(b != null ? b : "DONE " + a.get());
        System.exit(b != null ? 1 : 0);
    }
}
