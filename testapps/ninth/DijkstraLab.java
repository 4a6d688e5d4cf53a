// @lock DijkstraLab$Sem
// @type SEMAPHORE permits=3
// @role acquire DijkstraLab$Sem.P
// @role release DijkstraLab$Sem.V
//
// @lock java.lang.Object#count
// @type MUTEX
// @role enter DijkstraLab$Student.count
// @quiet

import java.util.Random;

/** Exercise 2 of an operating systems course: P and V with a value below zero for those who wait; three lab microscopes. */
public class DijkstraLab {
    static class Sem {
        private int value;
        private int wakeups = 0;

        Sem(int value) {
            this.value = value;
        }

        public synchronized void P() {
            value--;
            if (value < 0) {
                do {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        // P cannot be interrupted
                    }
                } while (wakeups < 1);
                wakeups--;
            }
        }

        public synchronized void V() {
            value++;
            if (value <= 0) {
                wakeups++;
                notify();
            }
        }
    }

    static class Student extends Thread {
        static int inside;
        static int total;
        static boolean tooMany;
        static final Object tally = new Object();
        private final Sem microscopes;
        private final Random random;

        Student(Sem microscopes, int no) {
            super("student-" + no);
            this.microscopes = microscopes;
            this.random = new Random(no);
            setDaemon(true);
        }

        private static void count(int change) {
            synchronized (tally) {
                inside += change;
                if (inside > 3) {
                    tooMany = true;
                }
                if (change > 0) {
                    total++;
                }
            }
        }

        static int result() {
            synchronized (tally) {
                return tooMany ? -1 : total;
            }
        }

        public void run() {
            try {
                while (true) {
                    microscopes.P();
                    count(1);
                    sleep(random.nextInt(5));
                    count(-1);
                    microscopes.V();
                    sleep(random.nextInt(3));
                }
            } catch (InterruptedException e) {
                System.err.println(getName() + " went home");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Sem microscopes = new Sem(3);
        for (int i = 1; i <= 8; i++) {
            new Student(microscopes, i).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        int result = Student.result();
        if (result < 0) {
            System.out.println("more students than microscopes");
            System.exit(1);
        }
        System.out.println("DONE " + result);
    }
}
