// Numbers that are lent by amounts, by name, or by handle, and one that changes.
//
// @lock Amounts$Bytes
// @type SEMAPHORE permits=96
// @role acquire Amounts$Bytes.a
// @role release Amounts$Bytes.b
//
// @lock Amounts$Kinds
// @type SEMAPHORE permits=3
// @role acquire Amounts$Kinds.a
// @role release Amounts$Kinds.b
//
// @lock Amounts$Struct
// @type SEMAPHORE permits=5
// @role acquire Amounts.a
// @role release Amounts.b
//
// @lock Amounts$Wide
// @type SEMAPHORE
// @role acquire Amounts$Wide.a
// @role release Amounts$Wide.b

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Numbers. */
public class Amounts {
    /** What is given back says how much it is. */
    static class Bytes {
        private long n = 96;
        private int w;

        ByteBuffer a(int size, long most) throws InterruptedException {
            synchronized (this) {
                long end = System.currentTimeMillis() + most;
                while (n < size) {
                    long left = end - System.currentTimeMillis();
                    if (left <= 0) {
                        throw new IllegalStateException();
                    }
                    w++;
                    try {
                        wait(left);
                    } finally {
                        w--;
                    }
                }
                n -= size;
            }
            return ByteBuffer.allocate(size);
        }

        void b(ByteBuffer b) {
            synchronized (this) {
                n += b.capacity();
                if (w > 0) {
                    notifyAll();
                }
            }
        }
    }

    /** So many of each. */
    static class Kinds {
        private final Map<String, Integer> m = new HashMap<>();

        Kinds() {
            m.put("x", 3);
            m.put("y", 3);
        }

        synchronized void a(String k) throws InterruptedException {
            while (m.get(k) == 0) {
                wait();
            }
            m.put(k, m.get(k) - 1);
        }

        synchronized void b(String k) {
            m.put(k, m.get(k) + 1);
            notifyAll();
        }
    }

    /** As C has it. */
    static class Struct {
        int c;
        int n;
    }

    private static final Struct[] ALL = new Struct[4];

    static int make(int v) {
        synchronized (ALL) {
            for (int i = 0; i < ALL.length; i++) {
                if (ALL[i] == null) {
                    Struct s = new Struct();
                    s.c = v;
                    ALL[i] = s;
                    return i;
                }
            }
        }
        return -1;
    }

    static int a(int h) {
        Struct s = ALL[h];
        if (s == null) {
            return 22;
        }
        synchronized (s) {
            s.n++;
            while (s.c <= 0) {
                try {
                    s.wait();
                } catch (InterruptedException e) {
                    s.n--;
                    return 4;
                }
            }
            s.n--;
            s.c--;
        }
        return 0;
    }

    static int b(int h) {
        Struct s = ALL[h];
        if (s == null) {
            return 22;
        }
        synchronized (s) {
            s.c++;
            if (s.n > 0) {
                s.notify();
            }
        }
        return 0;
    }

    /** As many as somebody says. */
    static class Wide {
        private int n;
        private int most = 2;

        synchronized void a() throws InterruptedException {
            while (n >= most) {
                wait();
            }
            n++;
        }

        synchronized void b() {
            n--;
            if (n < most) {
                notify();
            }
        }

        synchronized void c(int m) {
            boolean more = m > most;
            most = m;
            if (more) {
                notifyAll();
            }
        }
    }

    static void use(Bytes bytes, Kinds kinds, int struct, Wide wide, String k) throws InterruptedException {
        ByteBuffer one = bytes.a(k.length(), 5000);
        kinds.a(k);
        a(struct);
        wide.a();
        wide.c(k.length());
        wide.b();
        b(struct);
        kinds.b(k);
        bytes.b(one);
    }

    public static void main(String[] args) throws InterruptedException {
        int struct = make(5);
        use(new Bytes(), new Kinds(), struct, new Wide(), args[0]);
    }
}
