// @lock StartPistol$Pistol
// @type LATCH count=1
// @role await StartPistol$Pistol.ready
// @role count-down StartPistol$Pistol.fire

import java.util.ArrayList;
import java.util.List;

/** Heat after heat a new pistol: all runners wait for the one shot; a late runner just runs. */
public class StartPistol {
    static class Pistol {
        private boolean fired;

        synchronized void ready() throws InterruptedException {
            while (!fired) {
                wait();
            }
        }

        synchronized void fire() {
            fired = true;
            notifyAll();
        }

        boolean hasFired() {
            return fired;
        }
    }

    static class Runner implements Runnable {
        final Pistol pistol;
        final int late;
        volatile boolean finished;
        volatile boolean falseStart;

        Runner(Pistol pistol, int late) {
            this.pistol = pistol;
            this.late = late;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(late);
                pistol.ready();
                falseStart = !pistol.hasFired();
                finished = true;
            } catch (InterruptedException e) {
                falseStart = true;
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        long end = System.currentTimeMillis() + seconds * 1000;
        int heats = 0;
        do {
            Pistol pistol = new Pistol();
            List<Runner> runners = new ArrayList<>();
            List<Thread> lanes = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Runner r = new Runner(pistol, i == 4 ? 12 : i);
                runners.add(r);
                Thread lane = new Thread(r, "lane-" + (i + 1));
                lanes.add(lane);
                lane.start();
            }
            if (heats == 0) {
                System.out.println("READY");
                System.out.flush();
            }
            Thread.sleep(8);
            for (Runner r : runners) {
                if (r.finished) {
                    System.out.println("false start");
                    System.exit(1);
                }
            }
            pistol.fire();
            for (Thread lane : lanes) {
                lane.join();
            }
            for (Runner r : runners) {
                if (r.falseStart || !r.finished) {
                    System.out.println("heat " + heats + " went wrong");
                    System.exit(1);
                }
            }
            heats++;
        } while (System.currentTimeMillis() < end);
        System.out.println("DONE " + heats);
    }
}
