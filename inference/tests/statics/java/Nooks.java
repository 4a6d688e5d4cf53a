
// @lock Nooks$a
// @type SEMAPHORE permits=3
// @role acquire Nooks$a.b
// @role release Nooks$a.c
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

    static final a THREE = new a(3);
}
