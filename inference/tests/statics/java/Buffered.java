// What is gathered in texts and in two buffers that change places, and what is made once behind two flags.
//
// @lock Buffered$Log
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Buffered$Log.a
// @role take Buffered$Log.b
//
// @lock Buffered$Bytes
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Buffered$Bytes.a
// @role take Buffered$Bytes.b
//
// @lock Buffered$Pair
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Buffered$Pair.a
// @role take Buffered$Pair.b
//
// @lock Buffered$Texts
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Buffered$Texts.a
// @role take Buffered$Texts.b
//
// @lock Buffered$Turned
// @type CONDITION
//
// @lock Buffered$Handed
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Buffered$Handed.a
// @role take Buffered$Handed.b
//
// @lock Buffered$Once
// @type LATCH count=1
// @role await Buffered$Once.a
// @role count-down Buffered$Once.a
//
// @lock Buffered$Held
// @type LOCK reentrant=false
// @role lock Buffered$Held.a
// @role unlock Buffered$Held.b

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Buffers of loggers. */
public class Buffered {
    /** One text, taken as a whole. */
    static class Log {
        private final StringBuilder l = new StringBuilder();

        synchronized void a(String s) {
            l.append(s).append('\n');
            notify();
        }

        synchronized String b() throws InterruptedException {
            while (l.length() == 0) {
                wait();
            }
            String out = l.toString();
            l.setLength(0);
            return out;
        }
    }

    /** The same of bytes. */
    static class Bytes {
        private final ByteArrayOutputStream l = new ByteArrayOutputStream();

        synchronized void a(int octet) {
            l.write(octet);
            notifyAll();
        }

        synchronized byte[] b() throws InterruptedException {
            while (l.size() == 0) {
                wait();
            }
            byte[] out = l.toByteArray();
            l.reset();
            return out;
        }
    }

    /** Two lists: who takes leaves the empty one, and goes through the other one outside. */
    static class Pair {
        private List<String> front = new ArrayList<>();
        private List<String> back = new ArrayList<>();
        private boolean closed;
        int seen;

        synchronized void a(String s) {
            front.add(s);
            notify();
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (front.isEmpty() && !closed) {
                    wait();
                }
                List<String> t = front;
                front = back;
                back = t;
            }
            for (String s : back) {
                seen += s.length();
            }
            back.clear();
        }

        synchronized void c() {
            closed = true;
            notifyAll();
        }
    }

    /** Two texts. */
    static class Texts {
        private StringBuilder front = new StringBuilder();
        private StringBuilder back = new StringBuilder();
        private boolean closed;
        long written;

        synchronized void a(String line) {
            front.append(line).append('\n');
            notify();
        }

        void b() throws InterruptedException {
            synchronized (this) {
                while (front.length() == 0 && !closed) {
                    wait();
                }
                StringBuilder t = front;
                front = back;
                back = t;
            }
            written += back.length();
            back.setLength(0);
        }

        synchronized void c() {
            closed = true;
            notifyAll();
        }
    }

    /** Two lists, both of which hold something, change places: nothing is taken. */
    static class Turned {
        private List<String> front = new ArrayList<>();
        private List<String> back = new ArrayList<>();

        synchronized void a(String s) {
            front.add(s);
            notifyAll();
        }

        synchronized void b() throws InterruptedException {
            while (front.isEmpty()) {
                wait();
            }
            List<String> t = front;
            front = back;
            back = t;
        }

        synchronized int c() {
            return back.size();
        }
    }

    /** Whoever has taken a list goes through it in another method, and empties it there. */
    static class Handed {
        private List<String> front = new ArrayList<>();
        private List<String> back = new ArrayList<>();
        int seen;

        synchronized void a(String s) {
            front.add(s);
            notify();
        }

        synchronized List<String> b() throws InterruptedException {
            while (front.isEmpty()) {
                wait();
            }
            List<String> t = front;
            front = back;
            back = t;
            return t;
        }

        void run() throws InterruptedException {
            List<String> taken = b();
            for (String s : taken) {
                seen += s.length();
            }
            done(taken);
        }

        private static void done(List<String> taken) {
            taken.clear();
        }
    }

    /** The first one makes it, the others wait; who comes later finds it made. */
    static class Once {
        private boolean making;
        private boolean made;
        private String value;

        String a() throws InterruptedException {
            synchronized (this) {
                while (making) {
                    wait();
                }
                if (made) {
                    return value;
                }
                making = true;
            }
            String found = System.getProperty("x");
            synchronized (this) {
                value = found;
                made = true;
                making = false;
                notifyAll();
                return value;
            }
        }
    }

    /** A lock, which is closed at last by somebody who does not hold it. */
    static class Held {
        private boolean held;
        private boolean closed;

        synchronized boolean a() throws InterruptedException {
            while (held) {
                wait();
            }
            if (closed) {
                return false;
            }
            held = true;
            return true;
        }

        synchronized void b() {
            held = false;
            notify();
        }

        synchronized void c() {
            closed = true;
        }
    }

    static void use(Held held, Once once) throws InterruptedException {
        if (held.a()) {
            try {
                once.a();
            } finally {
                held.b();
            }
        }
    }
}
