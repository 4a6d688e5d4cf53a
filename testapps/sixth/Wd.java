// @lock Wd$b
// @type LOCK reentrant=false
// @role lock Wd$b.a
// @role unlock Wd$b.c

import java.util.concurrent.atomic.AtomicLong;

/** Who may write to a document is kept by name: the lock knows its holder as a string. Obfuscated. */
public final class Wd {
    static class b {
        private String a = "";
        private long b;

        boolean a(String s, long l) throws InterruptedException {
            long l2 = System.nanoTime() / 1000000L + l;
            synchronized (this) {
                while (!a.isEmpty()) {
                    long l3 = l2 - System.nanoTime() / 1000000L;
                    if (l3 <= 0L) {
                        return false;
                    }
                    wait(l3);
                }
                a = s;
                b++;
                return true;
            }
        }

        void c(String s) {
            synchronized (this) {
                if (!s.equals(a)) {
                    throw new IllegalMonitorStateException(s + " <> " + a);
                }
                a = "";
                notifyAll();
            }
        }
    }

    static final class d extends Thread {
        private final b a;
        private final StringBuilder c;

        d(b b2, StringBuilder stringbuilder, int i) {
            super("u" + i);
            a = b2;
            c = stringbuilder;
            setDaemon(true);
        }

        private void a() throws InterruptedException {
            int i = c.length();
            c.append('(');
            sleep(1L + i % 3);
            c.append(')');
            if (c.length() != i + 2) {
                throw new IllegalStateException("torn at " + i);
            }
            if (i > 1000) {
                c.setLength(0);
            }
        }

        @Override
        public void run() {
            try {
                while (f == null) {
                    if (a.a(getName(), 40L)) {
                        try {
                            a();
                            e.incrementAndGet();
                        } finally {
                            a.c(getName());
                        }
                    }
                    sleep(3L);
                }
            } catch (Throwable throwable) {
                f = throwable;
            }
        }
    }

    private static final AtomicLong e = new AtomicLong();
    private static volatile Throwable f;

    public static void main(String[] args) throws Throwable {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b b1 = new b();
        StringBuilder stringbuilder = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            new d(b1, stringbuilder, i).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (f != null) {
            throw f;
        }
        System.out.println("DONE " + e);
    }
}
