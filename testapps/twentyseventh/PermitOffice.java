// @lock PermitOffice$Semaphore
// @type LOCK reentrant=true
// @role lock PermitOffice$Semaphore.acquire
// @role unlock PermitOffice$Semaphore.release
//
// @lock PermitOffice$Barrier
// @type PRODUCER-CONSUMER capacity=4
// @role put PermitOffice$Barrier.arrive
// @role take PermitOffice$Barrier.await

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A permit office where everything has the wrong name: applications queue before the counter, and one clerk at a time has the stamp. */
public class PermitOffice {
    static volatile String fault;
    static final AtomicLong stamped = new AtomicLong();

    static final class Semaphore {
        /** Who has the stamp, and how often he has taken it up. */
        private static final class Use {
            final Thread by = Thread.currentThread();
            int times = 1;
        }

        private Use use;

        void acquire() throws InterruptedException {
            synchronized (this) {
                if (use != null && use.by == Thread.currentThread()) {
                    use.times++;
                    return;
                }
                while (use != null) {
                    wait();
                }
                use = new Use();
            }
        }

        void release() {
            synchronized (this) {
                if (use == null || use.by != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not yours");
                }
                if (--use.times == 0) {
                    use = null;
                    notify();
                }
            }
        }
    }

    /** Four seats, as a circle of linked cells; a cell with a form in it is taken. */
    static final class Barrier {
        private static final class Cell {
            Form form;
            Cell next;
        }

        private Cell tail;
        private Cell head;

        Barrier() {
            Cell first = new Cell();
            Cell c = first;
            for (int i = 1; i < 4; i++) {
                c.next = new Cell();
                c = c.next;
            }
            c.next = first;
            head = first;
            tail = first;
        }

        synchronized void arrive(Form f) throws InterruptedException {
            while (tail.form != null) {
                wait();
            }
            tail.form = f;
            tail = tail.next;
            notifyAll();
        }

        synchronized Form await() throws InterruptedException {
            while (head.form == null) {
                wait();
            }
            Form f = head.form;
            head.form = null;
            head = head.next;
            notifyAll();
            return f;
        }
    }

    static final class Form {
        final int citizen;
        int stamps;

        Form(int citizen) {
            this.citizen = citizen;
        }
    }

    static final Semaphore stamp = new Semaphore();
    static final Barrier seats = new Barrier();
    static int pad;

    static void press(Form f) throws InterruptedException {
        stamp.acquire();
        try {
            pad++;
            f.stamps++;
            int p = pad;
            Thread.sleep(1);
            if (p != pad) {
                fault = "two clerks pressed at once";
            }
        } finally {
            stamp.release();
        }
    }

    static void clerk() {
        try {
            for (;;) {
                Form f = seats.await();
                stamp.acquire();
                try {
                    press(f);
                    if (f.citizen % 2 == 0) {
                        press(f);
                    }
                } finally {
                    stamp.release();
                }
                if (f.stamps != 2 - f.citizen % 2) {
                    fault = f.stamps + " stamps for " + f.citizen;
                }
                stamped.incrementAndGet();
            }
        } catch (InterruptedException | RuntimeException e) {
            fault = e.toString();
        }
    }

    static void door(int n) {
        try {
            for (int c = n; ; c += 2) {
                for (int i = 0; i < 7; i++) {
                    seats.arrive(new Form(c + i));
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(35, 60));
            }
        } catch (InterruptedException e) {
            fault = e.toString();
        }
    }

    static void daemon(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            daemon(PermitOffice::clerk);
        }
        daemon(() -> door(0));
        daemon(() -> door(1));
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + stamped.get());
        System.exit(0);
    }
}
