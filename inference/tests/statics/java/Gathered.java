// Texts that are replaced by longer ones and by an empty one, and an amount beside what all wait for.
//
// @lock Gathered$Text
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Gathered$Text.a
// @role take Gathered$Text.b
//
// @lock Gathered$Line
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Gathered$Line.a
// @role take Gathered$Line.b
//
// @lock Gathered$Bytes
// @type PRODUCER-CONSUMER
// @role put Gathered$Bytes.a
// @role take Gathered$Bytes.b
//
// @lock Gathered$Named
// @type CONDITION form=resettable-event
// @role wait Gathered$Named.a
// @role notify Gathered$Named.b
//
// @lock Gathered$Stock
// @type SEMAPHORE
// @role acquire Gathered$Stock.b
// @role release Gathered$Stock.a

import java.nio.ByteBuffer;

/** What is gathered in texts, and what there is so much of. */
public class Gathered {
    /** A text to which is added. */
    static class Text {
        private String d = "";

        synchronized void a(String x) {
            d += x;
            notifyAll();
        }

        synchronized String b() throws InterruptedException {
            while (d.isEmpty()) {
                wait();
            }
            String r = d;
            d = "";
            return r;
        }
    }

    /** The same by the methods of texts. */
    static class Line {
        private String d = "";

        synchronized void a(String x) {
            d = d.concat(x);
            notifyAll();
        }

        synchronized String b() throws InterruptedException {
            while (d.length() == 0) {
                wait();
            }
            String r = d;
            d = "";
            return r;
        }
    }

    /** Bytes that are put behind each other and got from the front. */
    static class Bytes {
        private final ByteBuffer d = ByteBuffer.allocate(32);

        synchronized void a(byte[] x) throws InterruptedException {
            while (d.remaining() < x.length) {
                wait();
            }
            d.put(x);
            notifyAll();
        }

        synchronized int b(byte[] y) throws InterruptedException {
            while (d.position() == 0) {
                wait();
            }
            d.flip();
            int n = Math.min(y.length, d.remaining());
            d.get(y, 0, n);
            d.compact();
            notifyAll();
            return n;
        }
    }

    /** A text that is only told, beside a flag that is waited for. */
    static class Named {
        private boolean shut;
        private String what = "";

        synchronized String a() throws InterruptedException {
            while (shut) {
                wait();
            }
            return "open for " + what;
        }

        synchronized void b() {
            shut = false;
            notifyAll();
        }

        synchronized void c(String x) {
            shut = true;
            what = what + x;
        }
    }

    /** So much of something, and a door through which all go. */
    static class Stock {
        private int stock;
        private boolean shut;

        synchronized void a(int n) throws InterruptedException {
            while (shut) {
                wait();
            }
            stock += n;
            notifyAll();
        }

        synchronized void b(int n) throws InterruptedException {
            while (shut || stock < n) {
                wait();
            }
            stock -= n;
        }

        synchronized void c() {
            shut = true;
        }

        synchronized void d() {
            shut = false;
            notifyAll();
        }
    }

    static void use(Text t, Line l, Stock s) throws InterruptedException {
        t.a("x");
        l.a("y");
        s.a(3);
    }

    static void uses(Text t, Line l, Stock s) throws InterruptedException {
        t.b();
        l.b();
        s.b(2);
    }
}
