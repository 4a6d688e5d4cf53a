// @lock MeetUp$Meeting
// @type BARRIER parties=2 form=rendezvous
// @role arrive MeetUp$Meeting.meet

import java.util.Random;

/** Two processes synchronise with a counter each, as in the flag-based symmetric barrier of the textbooks. */
public class MeetUp {
    static class Meeting {
        private final int[] arrived = new int[2];

        synchronized void meet(int me) throws InterruptedException {
            arrived[me]++;
            notifyAll();
            while (arrived[1 - me] < arrived[me]) {
                wait();
            }
        }
    }

    static final int[][] cell = new int[2][2];

    static class Half extends Thread {
        private final int me;
        private final Meeting meeting;
        private final int rounds;
        volatile int done;
        volatile boolean wrong;

        Half(int me, Meeting meeting, int rounds) {
            this.me = me;
            this.meeting = meeting;
            this.rounds = rounds;
        }

        @Override
        public void run() {
            Random rnd = new Random(me);
            try {
                while (done != rounds) {
                    int now = done & 1;
                    Thread.sleep(rnd.nextInt(5));
                    cell[now][me] = done;
                    meeting.meet(me);
                    if (cell[now][1 - me] != done) {
                        wrong = true;
                    }
                    done++;
                }
            } catch (InterruptedException e) {
                // the other half has gone, too
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Meeting meeting = new Meeting();
        Half left = new Half(0, meeting, -1);
        Half right = new Half(1, meeting, -1);
        left.start();
        right.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        left.interrupt();
        right.interrupt();
        left.join();
        right.join();
        if (left.wrong || right.wrong || Math.abs(left.done - right.done) > 1) {
            System.out.println("halves differ: " + left.done + " and " + right.done);
            System.exit(1);
        }
        System.out.println("DONE " + left.done);
    }
}
