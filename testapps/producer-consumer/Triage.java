// @lock java.lang.Object#admit
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Triage.admit
// @role take Triage.call

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An emergency room: patients are admitted as they come and called by urgency; doctors wait when nobody is there. */
public final class Triage {
    static final class Patient implements Comparable<Patient> {
        private final int urgency;
        private final long number;

        Patient(int urgency, long number) {
            this.urgency = urgency;
            this.number = number;
        }

        @Override
        public int compareTo(Patient o) {
            return urgency != o.urgency ? Integer.compare(o.urgency, urgency) : Long.compare(number, o.number);
        }
    }

    private final Object lock = new Object();
    private final PriorityQueue<Patient> waiting = new PriorityQueue<>();
    private final AtomicLong admitted = new AtomicLong();
    private final AtomicLong treated = new AtomicLong();
    private volatile boolean closed;

    void admit(int urgency) {
        Patient p = new Patient(urgency, admitted.incrementAndGet());
        synchronized (lock) {
            boolean wasEmpty = waiting.isEmpty();
            waiting.add(p);
            if (wasEmpty) {
                lock.notifyAll();
            }
        }
    }

    Patient call() throws InterruptedException {
        synchronized (lock) {
            awaitNotEmpty();
            return waiting.poll();
        }
    }

    private void awaitNotEmpty() throws InterruptedException {
        while (waiting.isEmpty()) {
            lock.wait();
        }
    }

    private void ambulance() throws InterruptedException {
        while (!closed) {
            for (int n = ThreadLocalRandom.current().nextInt(1, 4); n > 0; n--) {
                admit(ThreadLocalRandom.current().nextInt(5));
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 10));
        }
    }

    private void doctor() throws InterruptedException {
        while (call().urgency >= 0) {
            treated.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        }
    }

    interface Shift {
        void work() throws InterruptedException;
    }

    private static Thread start(String name, Shift shift) {
        Thread t = new Thread(() -> {
            try {
                shift.work();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Triage room = new Triage();
        Thread[] doctors = new Thread[4];
        for (int i = 0; i < doctors.length; i++) {
            doctors[i] = start("doctor-" + i, room::doctor);
        }
        Thread[] ambulances = {start("ambulance-0", room::ambulance), start("ambulance-1", room::ambulance)};
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        room.closed = true;
        for (Thread t : ambulances) {
            t.join(5_000);
        }
        for (int i = 0; i < doctors.length; i++) {
            room.admit(-1);
        }
        for (Thread t : doctors) {
            t.join(5_000);
        }
        if (room.treated.get() != room.admitted.get() - doctors.length) {
            throw new IllegalStateException(room.admitted + " admitted, " + room.treated + " treated");
        }
        System.out.println("DONE " + room.treated);
    }
}
