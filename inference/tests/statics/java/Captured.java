// @lock java.util.LinkedList#few
// @type PRODUCER-CONSUMER capacity=4
// @role put Captured$Few.lambda$use$0
// @role take Captured$Few.lambda$use$1
//
// @lock java.lang.Object#pair
// @type SEMAPHORE permits=2
// @role acquire Captured$Pair.lambda$use$0
// @role release Captured$Pair.lambda$use$1
//
// @lock java.lang.Object#held
// @type LOCK reentrant=false
// @role lock Captured$Held$1.run
// @role unlock Captured$Held$2.run
//
// @lock java.lang.Object#sides
// @type READ-WRITE reentrant=false preference=readers
// @role read-lock Captured$Sides.lambda$use$0
// @role read-unlock Captured$Sides.lambda$use$1
// @role write-lock Captured$Sides.lambda$use$2
// @role write-unlock Captured$Sides.lambda$use$3
//
// @lock Captured$Both
// @type LOCK reentrant=false
// @role lock Captured$Both.use
// @role unlock Captured$Both.use

import java.util.LinkedList;

/** Locks that are variables of a method, and so is what they guard. */
class Captured {
    interface Step {
        void go() throws InterruptedException;
    }

    static void run(Step... steps) throws InterruptedException {
        for (Step step : steps) {
            step.go();
        }
    }

    static class Few {
        void use() throws InterruptedException {
            LinkedList<Object> in = new LinkedList<>();
            Step a = () -> {
                synchronized (in) {
                    while (in.size() == 4) {
                        in.wait();
                    }
                    in.add("x");
                    in.notifyAll();
                }
            };
            Step b = () -> {
                synchronized (in) {
                    while (in.isEmpty()) {
                        in.wait();
                    }
                    in.removeFirst();
                    in.notifyAll();
                }
            };
            run(a, b);
        }
    }

    static class Pair {
        void use() throws InterruptedException {
            Object o = new Object();
            int[] n = {2};
            Step a = () -> {
                synchronized (o) {
                    while (n[0] <= 0) {
                        o.wait();
                    }
                    n[0]--;
                }
            };
            Step b = () -> {
                synchronized (o) {
                    n[0]++;
                    o.notify();
                }
            };
            run(a, b);
        }
    }

    static class Held {
        void use() throws InterruptedException {
            final Object o = new Object();
            final boolean[] on = new boolean[1];
            Runnable a = new Runnable() {
                @Override
                public void run() {
                    synchronized (o) {
                        while (on[0]) {
                            try {
                                o.wait();
                            } catch (InterruptedException e) {
                                return;
                            }
                        }
                        on[0] = true;
                    }
                }
            };
            Runnable b = new Runnable() {
                @Override
                public void run() {
                    synchronized (o) {
                        on[0] = false;
                        o.notify();
                    }
                }
            };
            a.run();
            b.run();
        }
    }

    static class Sides {
        void use() throws InterruptedException {
            Object o = new Object();
            int[] in = new int[2];
            Step a = () -> {
                synchronized (o) {
                    while (in[1] > 0) {
                        o.wait();
                    }
                    in[0]++;
                }
            };
            Step b = () -> {
                synchronized (o) {
                    if (--in[0] == 0) {
                        o.notifyAll();
                    }
                }
            };
            Step c = () -> {
                synchronized (o) {
                    while (in[0] > 0 || in[1] > 0) {
                        o.wait();
                    }
                    in[1] = 1;
                }
            };
            Step d = () -> {
                synchronized (o) {
                    in[1] = 0;
                    o.notifyAll();
                }
            };
            run(a, b, c, d);
        }
    }

    /** What takes it gives it back, in a block further down. */
    static class Both {
        private boolean on;
        private long done;

        void use() throws InterruptedException {
            synchronized (this) {
                while (on) {
                    wait();
                }
                on = true;
            }
            done++;
            synchronized (this) {
                on = false;
                notify();
            }
        }
    }

    static void use() throws InterruptedException {
        new Few().use();
        new Pair().use();
        new Held().use();
        new Sides().use();
        new Both().use();
    }
}
