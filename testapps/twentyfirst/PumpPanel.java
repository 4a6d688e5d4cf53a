// @lock PumpPanel$PanelLock
// @type LOCK reentrant=true
// @role lock PumpPanel$PanelLock.take
// @role unlock PumpPanel$PanelLock.giveBack
//
// @lock PumpPanel$AirLine
// @type CONDITION form=resettable-event
// @role wait PumpPanel$AirLine.awaitClear
// @role notify PumpPanel$AirLine.setClear

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The panel of an infusion pump. Nurse, remote control and alarm logic change its settings under a lock that may be
 * taken again by its owner. Motors run only while the air detector says that the line is clear.
 */
public class PumpPanel {

    static final class PanelLock {
        private Thread owner;
        private int depth;

        void take() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                if (owner == me) {
                    depth = depth + 1;
                    return;
                }
                while (owner != null) {
                    wait();
                }
                owner = me;
                depth = 1;
            }
        }

        void giveBack() {
            synchronized (this) {
                if (owner != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not the owner");
                }
                depth = depth - 1;
                if (depth == 0) {
                    owner = null;
                    notify();
                }
            }
        }
    }

    static final class AirLine {
        private boolean clear = true;

        synchronized void awaitClear() throws InterruptedException {
            while (!clear) {
                wait();
            }
        }

        synchronized void setClear() {
            clear = true;
            notifyAll();
        }

        synchronized void setBlocked() {
            clear = false;
        }
    }

    static final class Settings {
        private int rate = 50;
        private int volume = 500; // always ten times the rate

        void change(PanelLock lock, int newRate) throws InterruptedException {
            lock.take();
            try {
                setRate(lock, newRate);
                Thread.sleep(1 + ThreadLocalRandom.current().nextInt(3));
                setVolume(lock, newRate * 10);
                if (volume != rate * 10) {
                    report("rate " + rate + " and volume " + volume);
                }
            } finally {
                lock.giveBack();
            }
        }

        private void setRate(PanelLock lock, int r) throws InterruptedException {
            lock.take();
            try {
                rate = r;
            } finally {
                lock.giveBack();
            }
        }

        private void setVolume(PanelLock lock, int v) throws InterruptedException {
            lock.take();
            try {
                volume = v;
            } finally {
                lock.giveBack();
            }
        }
    }

    static final PanelLock PANEL = new PanelLock();
    static final AirLine AIR = new AirLine();
    static final Settings SETTINGS = new Settings();
    static final AtomicLong ops = new AtomicLong();
    static volatile String problem;

    static void report(String text) {
        problem = text;
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void forever(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                report(name + " interrupted");
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void operate() throws InterruptedException {
        SETTINGS.change(PANEL, 1 + ThreadLocalRandom.current().nextInt(99));
        ops.incrementAndGet();
        Thread.sleep(2 + ThreadLocalRandom.current().nextInt(5));
    }

    static void turn() throws InterruptedException {
        AIR.awaitClear();
        ops.incrementAndGet();
        Thread.sleep(3);
    }

    static void detect() throws InterruptedException {
        Thread.sleep(6);
        AIR.setBlocked();
        Thread.sleep(12);
        AIR.setClear();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        forever("nurse", PumpPanel::operate);
        forever("remote", PumpPanel::operate);
        forever("alarm", PumpPanel::operate);
        forever("motor-a", PumpPanel::turn);
        forever("motor-b", PumpPanel::turn);
        forever("motor-c", PumpPanel::turn);
        forever("detector", PumpPanel::detect);
        System.out.println("READY");
        long until = System.currentTimeMillis() + seconds * 1000L;
        while (problem == null && System.currentTimeMillis() < until) {
            Thread.sleep(40);
        }
        if (problem != null) {
            System.err.println("FAULT " + problem);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
