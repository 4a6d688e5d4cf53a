// @lock Handovers$Round
// @type BARRIER parties=3
// @role arrive Handovers$Round.meet
//
// @lock Handovers$Told
// @type CONDITION
// @role wait Handovers$Told.a
// @role notify Handovers$Told.b

/** What the last one does is a function that is handed on. */
public final class Handovers {
    static final class Round {
        private final int all;
        private int here;
        private boolean open;

        Round(int all) {
            this.all = all;
        }

        synchronized void meet() throws InterruptedException {
            while (open) {
                wait();
            }
            count(this::opens);
            while (!open) {
                wait();
            }
            count(this::shuts);
        }

        private void opens() {
            open = true;
            begin();
        }

        private synchronized void shuts() {
            open = false;
            begin();
        }

        private void begin() {
            here = 0;
            notifyAll();
        }

        private void count(Runnable last) {
            here++;
            if (here == all) {
                last.run();
            }
        }
    }

    /** Whoever comes waits until somebody has looked for him, and looks after one more himself. */
    static final class Told {
        private long done;

        synchronized long a(long n) throws InterruptedException {
            while (done < n) {
                wait(100);
            }
            return done;
        }

        synchronized void b(Runnable last) {
            last.run();
            done++;
            notifyAll();
        }
    }

    static void use() throws InterruptedException {
        new Round(3).meet();
        new Told().a(1);
    }
}
