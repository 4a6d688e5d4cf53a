import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;

// @lock Nooks$a
// @type SEMAPHORE permits=3
// @role acquire Nooks$a.b
// @role release Nooks$a.c
//
// @lock Nooks$d
// @type PRODUCER-CONSUMER capacity=40
// @role put Nooks$d.b
// @role take Nooks$d.c
//
// @lock Nooks$e
// @type PRODUCER-CONSUMER capacity=64
// @role put Nooks$e.b
// @role take Nooks$e.c
//
// @lock Nooks$h
// @type PRODUCER-CONSUMER capacity=bounded
// @role put Nooks$h.b
// @role take Nooks$h.c
//
// @lock java.lang.Object#sleep
// @type PRODUCER-CONSUMER capacity=3
// @role put Nooks$g.come
// @role take Nooks$g.sleep
/** Permits handed over, bytes by the piece, what is awaited together, a waiting room, and a single meeting. */
public class Nooks {
    /** Who waits is handed a permit that is never put back; who does not wait takes of what is there, too. */
    static class a {
        private int left;
        private int taken;
        private int given;
        private int waiting;

        a(int n) {
            left = n;
            given = n;
        }

        synchronized int b(int most) throws InterruptedException {
            if (left == 0) {
                waiting++;
                do {
                    wait();
                } while (taken == given);
                taken++;
                return 1;
            }
            int n = most > left ? left : most;
            left -= n;
            taken += n;
            return n;
        }

        synchronized void c() {
            given++;
            if (waiting != 0) {
                waiting--;
                notify();
            } else {
                left++;
            }
        }
    }

    /** As many bytes as there is room for go in at once. */
    static class d {
        private final byte[] all;
        private final int most;
        private int size;
        private int in;
        private int out;

        d(int n) {
            most = n;
            all = new byte[most];
        }

        synchronized void b(byte[] some) throws InterruptedException {
            int done = 0;
            while (done < some.length) {
                d();
                int room = most - size;
                int n = Math.min(some.length - done, room);
                int end = most - in;
                int first = Math.min(n, end);
                System.arraycopy(some, done, all, in, first);
                if (n > first) {
                    System.arraycopy(some, done + first, all, 0, n - first);
                }
                in = (in + n) % most;
                size += n;
                done += n;
                notifyAll();
            }
        }

        synchronized byte[] c() throws InterruptedException {
            while (size == 0) {
                wait();
            }
            byte[] some = new byte[size];
            int first = Math.min(some.length, most - out);
            System.arraycopy(all, out, some, 0, first);
            if (some.length > first) {
                System.arraycopy(all, 0, some, first, some.length - first);
            }
            out = (out + some.length) % most;
            size -= some.length;
            notifyAll();
            return some;
        }

        private synchronized void d() throws InterruptedException {
            while (e()) {
                wait();
            }
        }

        private synchronized boolean e() {
            return size == most;
        }
    }

    /** A ring whose ends count their rounds. */
    static class e {
        private final byte[] all;
        private int in;
        private int out;
        private int rounds;
        private int followed;

        e(int n) {
            all = new byte[n];
        }

        void b(byte[] some, int at, int n) throws InterruptedException {
            while (n > 0) {
                synchronized (this) {
                    while (in == out && rounds > followed) {
                        wait();
                    }
                    int now = Math.min(n, (in < out ? out : all.length) - in);
                    System.arraycopy(some, at, all, in, now);
                    in += now;
                    if (in == all.length) {
                        in = 0;
                        rounds++;
                    }
                    at += now;
                    n -= now;
                    notifyAll();
                }
            }
        }

        int c(byte[] some, int at, int n) throws InterruptedException {
            synchronized (this) {
                while (in == out && rounds == followed) {
                    wait();
                }
                int now = Math.min(n, (in > out ? in : all.length) - out);
                System.arraycopy(all, out, some, at, now);
                out += now;
                if (out == all.length) {
                    out = 0;
                    followed++;
                }
                notifyAll();
                return now;
            }
        }
    }

    /** Whole messages, bounded by how long all are together. */
    static class h {
        private final LinkedList<byte[]> all = new LinkedList<>();
        private int size;

        synchronized void b(byte[] message) throws InterruptedException {
            while (size + message.length > 1000) {
                wait();
            }
            size += message.length;
            all.add(message);
            notifyAll();
        }

        synchronized byte[] c() throws InterruptedException {
            while (all.isEmpty()) {
                wait();
            }
            byte[] first = all.removeFirst();
            size -= first.length;
            notifyAll();
            return first;
        }
    }

    /** Who finds no chair goes; who is served is a number. */
    static class g {
        static final LinkedList<Integer> CHAIRS = new LinkedList<>();
        static final Object ROOM = new Object();

        static void sleep() throws InterruptedException {
            synchronized (ROOM) {
                while (CHAIRS.isEmpty()) {
                    ROOM.wait();
                }
                int who = CHAIRS.removeFirst();
                if (who < 0) {
                    throw new IllegalStateException();
                }
            }
        }

        static void come() {
            synchronized (ROOM) {
                if (CHAIRS.size() < 3) {
                    CHAIRS.add(ThreadLocalRandom.current().nextInt(1000));
                    ROOM.notify();
                }
            }
        }
    }

    static final a THREE = new a(3);
    static final d FORTY = new d(40);
    static final e SIXTY_FOUR = new e(64);
}
