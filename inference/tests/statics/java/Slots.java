// @lock java.lang.Object#slot
// @type PRODUCER-CONSUMER capacity=1
// @role put Slots$Hand.a
// @role take Slots$Hand.run
//
// @lock java.lang.Object#start
// @type LATCH
// @role count-down Slots$Start.a
// @role await Slots$Start.run

/** Workers that go round for ever, in two blocks of one lock each time. */
public class Slots {
    /** What is there is worked at where it is, and taken away afterwards. */
    static class Hand extends Thread {
        private final Object l = new Object();
        private volatile boolean on = true;
        private Runnable r;

        void a(Runnable n) {
            synchronized (l) {
                if (r != null) throw new IllegalStateException();
                r = n;
                l.notifyAll();
            }
        }

        @Override
        public void run() {
            while (on) {
                try {
                    synchronized (l) {
                        while (r == null && on) l.wait(500);
                        if (r != null) r.run();
                    }
                } catch (InterruptedException e) {
                    // The next one.
                } finally {
                    synchronized (l) {
                        r = null;
                    }
                }
            }
        }
    }

    /** Nothing of what is waited for is taken away. */
    static class Start extends Thread {
        private final Object l = new Object();
        private boolean go;
        private long n;

        void a() {
            synchronized (l) {
                go = true;
                l.notifyAll();
            }
        }

        @Override
        public void run() {
            try {
                while (true) {
                    synchronized (l) {
                        while (!go) l.wait();
                    }
                    synchronized (l) {
                        n++;
                    }
                }
            } catch (InterruptedException e) {
                // The end.
            }
        }
    }

    public static void main(String[] args) {
        Hand hand = new Hand();
        Start start = new Start();
        hand.start();
        start.start();
        hand.a(() -> {});
        start.a();
    }
}
