// @lock WardMonitor$AlarmDesk
// @type PRODUCER-CONSUMER+CONDITION capacity=10
// @role put WardMonitor$AlarmDesk.raise
// @role take WardMonitor$AlarmDesk.nextAlarm
// @role wait WardMonitor$AlarmDesk.awaitConfirmed
// @role notify WardMonitor$AlarmDesk.confirm
// @lock WardMonitor$Printout
// @type JOIN
// @role join WardMonitor$Printout.awaitEnd

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Bedside monitors raise alarms, nurses answer and confirm them; a strip is printed in a thread of its own. */
public final class WardMonitor {
    static final class Alarm {
        final String bed;
        volatile boolean answered;

        Alarm(String bed) {
            this.bed = bed;
        }
    }

    /** Alarms wait here for a nurse; a monitor may wait until as many were confirmed as had been raised. */
    static final class AlarmDesk {
        private static final int ROOM = 10;
        private final Queue<Alarm> pending = new ArrayDeque<>(ROOM);
        private long confirmed;

        synchronized void raise(Alarm a) throws InterruptedException {
            while (pending.size() >= ROOM) {
                wait();
            }
            pending.add(a);
            notifyAll();
        }

        synchronized Alarm nextAlarm() throws InterruptedException {
            Alarm a;
            while ((a = pending.poll()) == null) {
                wait();
            }
            notifyAll();
            return a;
        }

        synchronized void confirm() {
            confirmed++;
            notifyAll();
        }

        synchronized long awaitConfirmed(long atLeast) throws InterruptedException {
            while (confirmed < atLeast) {
                wait();
            }
            return confirmed;
        }
    }

    /** One strip, printed by one thread; whoever asked for it waits for the end of that thread's work. */
    static final class Printout implements Runnable {
        private final int lines;
        private boolean over;
        int printed;

        Printout(int lines) {
            this.lines = lines;
        }

        @Override
        public void run() {
            try {
                while (printed < lines) {
                    Thread.sleep(1);
                    printed++;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                synchronized (this) {
                    over = true;
                    notifyAll();
                }
            }
        }

        synchronized void awaitEnd() throws InterruptedException {
            while (!over) {
                wait();
            }
        }
    }

    private static final AlarmDesk desk = new AlarmDesk();
    private static final AtomicLong raised = new AtomicLong();
    private static final AtomicLong strips = new AtomicLong();
    private static volatile String alert;

    private static void monitor(String bed) {
        try {
            for (int round = 0;; round++) {
                int burst = ThreadLocalRandom.current().nextInt(3, 9);
                for (int i = 0; i < burst; i++) {
                    desk.raise(new Alarm(bed));
                    raised.incrementAndGet();
                }
                if (round % 2 == 0) {
                    long sofar = raised.get();
                    if (desk.awaitConfirmed(sofar) < sofar) {
                        alert = "confirmed too few";
                    }
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 20));
            }
        } catch (InterruptedException e) {
            // discharged
        }
    }

    private static void nurse() {
        try {
            for (;;) {
                Alarm a = desk.nextAlarm();
                if (a.answered) {
                    alert = "two nurses for one alarm from " + a.bed;
                }
                a.answered = true;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                desk.confirm();
            }
        } catch (InterruptedException e) {
            // end of shift
        }
    }

    private static void clerk() {
        try {
            for (;;) {
                int lines = ThreadLocalRandom.current().nextInt(4, 12);
                Printout p = new Printout(lines);
                Thread printer = new Thread(p, "printer");
                printer.setDaemon(true);
                printer.start();
                p.awaitEnd();
                if (p.printed != lines) {
                    alert = "half a strip";
                }
                strips.incrementAndGet();
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            // end of shift
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] staff = {
            new Thread(() -> monitor("1a"), "bed-1a"), new Thread(() -> monitor("1b"), "bed-1b"),
            new Thread(() -> monitor("2"), "bed-2"), new Thread(WardMonitor::nurse, "nurse-1"),
            new Thread(WardMonitor::nurse, "nurse-2"), new Thread(WardMonitor::clerk, "clerk"),
        };
        for (Thread t : staff) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        for (Thread t : staff) {
            t.interrupt();
        }
        for (Thread t : staff) {
            t.join(10_000);
        }
        if (alert != null) {
            System.out.println(alert);
            System.exit(1);
        }
        System.out.println("DONE " + (raised.get() + strips.get()));
    }
}
