// @lock ClinicRota$Handover
// @type BARRIER parties=2
// @role arrive ClinicRota$Handover.meet
//
// @lock ClinicRota$Scan
// @type JOIN
// @role join java.lang.Thread.join
//
// @lock ClinicRota$Doors
// @type LATCH count=1
// @role count-down ClinicRota$Doors.open
// @role await ClinicRota$Doors.pass
// @quiet

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A clinic: surgeon and nurse meet before each operation, radiologists look again and again whether a scan has ended. */
public class ClinicRota {
    /** Two meet; whose arrival makes the count even lets the other go. */
    static final class Handover {
        private long arrivals;

        synchronized void meet() throws InterruptedException {
            long full = (++arrivals + 1) / 2 * 2;
            if (arrivals == full) {
                notifyAll();
            }
            while (arrivals < full) {
                wait();
            }
        }
    }

    static final class Scan extends Thread {
        private final int slices;
        private volatile int made;

        Scan(int slices) {
            super("scan-" + slices);
            this.slices = slices;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < slices; i++) {
                    Thread.sleep(2);
                    made = i + 1;
                }
            } catch (InterruptedException e) {
                made = -1;
            }
        }

        boolean complete() {
            return made == slices;
        }
    }

    static final class Doors {
        private boolean open;

        synchronized void open() {
            open = true;
            notifyAll();
        }

        synchronized void pass() throws InterruptedException {
            while (!open) {
                wait();
            }
        }
    }

    static final Doors DOORS = new Doors();
    static final AtomicLongArray ROUND = new AtomicLongArray(4);
    static final AtomicLong OPS = new AtomicLong();
    static volatile String malpractice;

    static void operate(Handover h, int me, int other) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 10));
        long n = ROUND.incrementAndGet(me);
        h.meet();
        long o = ROUND.get(other);
        if (o != n && o != n + 1) {
            malpractice = "operation " + n + " with partner at " + o;
        }
        OPS.incrementAndGet();
    }

    static void radiology() throws InterruptedException {
        List<Scan> running = new ArrayList<>();
        for (int i = ThreadLocalRandom.current().nextInt(1, 3); i > 0; i--) {
            Scan s = new Scan(ThreadLocalRandom.current().nextInt(1, 5));
            s.start();
            running.add(s);
        }
        for (Iterator<Scan> it = running.iterator(); it.hasNext(); it.remove()) {
            Scan s = it.next();
            while (s.isAlive()) {
                s.join(5);
            }
            if (!s.complete()) {
                malpractice = s.getName() + " incomplete";
            }
            OPS.incrementAndGet();
        }
        Thread.sleep(6);
    }

    interface Duty {
        void once() throws InterruptedException;
    }

    static void onDuty(String name, Duty d) {
        Thread t = new Thread(() -> {
            try {
                DOORS.pass();
                while (malpractice == null) {
                    d.once();
                }
            } catch (InterruptedException e) {
                malpractice = name + " called away";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int theatre = 0; theatre < 2; theatre++) {
            Handover h = new Handover();
            int a = theatre * 2;
            onDuty("surgeon-" + theatre, () -> operate(h, a, a + 1));
            onDuty("nurse-" + theatre, () -> operate(h, a + 1, a));
            onDuty("radiologist-" + theatre, ClinicRota::radiology);
        }
        Thread.sleep(50);
        DOORS.open();
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (malpractice == null && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        System.out.println(malpractice == null ? "DONE " + OPS : malpractice);
        System.exit(malpractice == null ? 0 : 1);
    }
}
