// @lock RowersTwoStep$Barrier
// @type BARRIER parties=3
// @role arrive RowersTwoStep$Barrier.gate

import java.util.Random;

/** A course-book monitor barrier with a two-step reset: nobody may come in again before everybody has left. */
class RowersTwoStep {
    static class Barrier {
        private final int numThreads;
        private int arrived = 0;
        private int leaving = 0;

        Barrier(int numThreads) {
            this.numThreads = numThreads;
        }

        synchronized void gate() throws InterruptedException {
            while (leaving > 0) {
                wait();
            }
            arrived++;
            if (arrived == numThreads) {
                leaving = numThreads;
                notifyAll();
            } else {
                while (leaving == 0) {
                    wait();
                }
            }
            leaving--;
            if (leaving == 0) {
                arrived = 0;
                notifyAll();
            }
        }
    }

    static volatile boolean stopping;
    static volatile int agreedEnd = Integer.MAX_VALUE;

    static class Rower extends Thread {
        final Barrier barrier;
        final Rower[] boat;
        volatile int strokes;
        volatile String complaint;

        Rower(int id, Barrier barrier, Rower[] boat) {
            super("Rower" + id);
            this.barrier = barrier;
            this.boat = boat;
        }

        @Override
        public void run() {
            Random rnd = new Random();
            try {
                while (strokes < agreedEnd) {
                    Thread.sleep(rnd.nextInt(6));
                    strokes++;
                    barrier.gate();
                    for (Rower other : boat) {
                        int d = other.strokes - strokes;
                        if (d < 0 || d > 1) {
                            complaint = getName() + " out of step with " + other.getName();
                        }
                    }
                    if (stopping && this == boat[0] && agreedEnd == Integer.MAX_VALUE) {
                        agreedEnd = strokes + 2;
                    }
                }
            } catch (InterruptedException e) {
                complaint = "interrupted";
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        int n = a.length > 1 ? Integer.parseInt(a[1]) : 3;
        Barrier b = new Barrier(n);
        Rower[] boat = new Rower[n];
        for (int i = 0; i < n; i++) {
            boat[i] = new Rower(i, b, boat);
        }
        for (Rower r : boat) {
            r.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stopping = true;
        int failed = 0;
        for (Rower r : boat) {
            r.join();
            if (r.complaint != null) {
                System.out.println(r.complaint);
                failed = 1;
            }
        }
        if (failed == 0) {
            System.out.println("DONE " + boat[0].strokes);
        }
        System.exit(failed);
    }
}
