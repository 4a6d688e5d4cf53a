// @lock RtuPoller$Rtu
// @type DELAY
// @role delay RtuPoller$Rtu.pace
//
// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put RtuPoller$AlarmList.raise
// @role take RtuPoller$AlarmList.next

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** SCADA: remote terminal units polled at their own rates; changes of state become alarms that two operator consoles work off. */
public class RtuPoller {
    static volatile boolean stop;
    static volatile String broken;

    static final class Alarm {
        final int rtu;
        final long seq;
        Alarm(int rtu, long seq) { this.rtu = rtu; this.seq = seq; }
    }

    static final class AlarmList {
        private final LinkedList<Alarm> open = new LinkedList<>();
        private long raised, taken;

        void raise(Alarm a) {
            synchronized (open) {
                open.addLast(a);
                raised++;
                open.notify();
            }
        }

        Alarm next() throws InterruptedException {
            synchronized (open) {
                while (open.isEmpty()) open.wait();
                taken++;
                if (raised - taken != open.size() - 1) broken = "alarms lost";
                return open.removeFirst();
            }
        }
    }

    static final class Rtu extends Thread {
        private final int address;
        private final int period;
        private final AlarmList alarms;
        private long seq;
        private boolean point;

        Rtu(int address, int period, AlarmList alarms) {
            super("rtu-" + address);
            this.address = address;
            this.period = period;
            this.alarms = alarms;
            setDaemon(true);
        }

        private synchronized void pace(long until) throws InterruptedException {
            for (long left = until - System.nanoTime() / 1000000; left > 0; left = until - System.nanoTime() / 1000000) wait(left);
        }

        @Override public void run() {
            long due = System.nanoTime() / 1000000;
            try {
                while (!stop) {
                    due += period;
                    pace(due);
                    if (System.nanoTime() / 1000000 < due) broken = "polled too early";
                    boolean now = ThreadLocalRandom.current().nextInt(3) != 0;
                    if (now != point) {
                        point = now;
                        alarms.raise(new Alarm(address, ++seq));
                    }
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        AlarmList alarms = new AlarmList();
        AtomicLong ops = new AtomicLong();
        List<Thread> all = new ArrayList<>();
        int[] period = {9, 12, 15, 18, 25};
        for (int i = 0; i < period.length; i++) all.add(new Rtu(i, period[i], alarms));
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (!stop) {
                        Alarm a = alarms.next();
                        if (a.seq <= 0) broken = "alarm without number from " + a.rtu;
                        Thread.sleep(2);
                        ops.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "console-" + i);
            t.setDaemon(true);
            all.add(t);
        }
        for (Thread t : all) t.start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(40);
        stop = true;
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
