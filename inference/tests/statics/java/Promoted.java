// @lock Promoted$Room
// @type READ-WRITE
// @role read-lock Promoted$Room.a
// @role read-unlock Promoted$Room.b
// @role write-lock Promoted$Room.c
// @role write-unlock Promoted$Room.d
//
// @lock Promoted$Two
// @type READ-WRITE
// @role read-lock Promoted$Two.a
// @role read-unlock Promoted$Two.b
// @role read-unlock Promoted$Two.e
// @role write-lock Promoted$Two.c
// @role write-unlock Promoted$Two.d

/** Who reads may go on to write. */
public class Promoted {
    /** He waits until all others have left who read and do not want the same. */
    static class Room {
        private Thread w;
        private int r, u;

        private void nap() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        synchronized void a() {
            while (w != null && w != Thread.currentThread()) nap();
            r++;
        }

        synchronized void b() {
            r--;
            notifyAll();
        }

        synchronized void c() {
            while (w != null || r > 0) nap();
            w = Thread.currentThread();
        }

        synchronized void d() {
            w = null;
            notifyAll();
        }

        synchronized void e() {
            u++;
            while (r > u || w != null) nap();
            w = Thread.currentThread();
            r--;
            u--;
        }
    }

    /** There are two ways to leave, and none to go on. */
    static class Two {
        private boolean w;
        private int r;
        private long n;

        synchronized void a() throws InterruptedException {
            while (w) wait();
            r++;
        }

        synchronized void b() {
            r--;
            notifyAll();
        }

        synchronized void e() {
            r--;
            n++;
            notifyAll();
        }

        synchronized void c() throws InterruptedException {
            while (w || r > 0) wait();
            w = true;
        }

        synchronized void d() {
            w = false;
            notifyAll();
        }
    }

    static void use(Room room) {
        room.a();
        room.b();
        room.c();
        room.d();
        room.a();
        room.e();
        room.d();
    }

    static void use(Two two) throws InterruptedException {
        two.a();
        two.b();
        two.a();
        two.e();
        two.c();
        two.d();
    }

    public static void main(String[] args) throws InterruptedException {
        use(new Room());
        use(new Two());
    }
}
