// @lock Triage$UrgencyQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Triage$UrgencyQueue.put
// @role take Triage$UrgencyQueue.take
// @role take Triage$UrgencyQueue.poll

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Patients come in and are seen by urgency: a generic blocking priority queue with take and timed poll. */
public class Triage {
    interface Puttable<T> {
        void put(T t);
    }

    interface Takable<T> {
        T take() throws InterruptedException;

        T poll(long millis) throws InterruptedException;
    }

    static class UrgencyQueue<T> implements Puttable<T>, Takable<T> {
        private final PriorityQueue<T> heap;

        UrgencyQueue(Comparator<? super T> order) {
            heap = new PriorityQueue<>(11, order);
        }

        @Override
        public synchronized void put(T t) {
            heap.add(t);
            notify();
        }

        @Override
        public synchronized T take() throws InterruptedException {
            T t;
            while ((t = heap.poll()) == null) {
                wait();
            }
            return t;
        }

        @Override
        public synchronized T poll(long millis) throws InterruptedException {
            long until = System.currentTimeMillis() + millis;
            while (true) {
                T t = heap.poll();
                if (t != null) {
                    return t;
                }
                long left = until - System.currentTimeMillis();
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
        }
    }

    static final class Patient {
        final int urgency;
        boolean seen;

        Patient(int urgency) {
            this.urgency = urgency;
        }
    }

    static volatile String broken;

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        UrgencyQueue<Patient> room = new UrgencyQueue<>((x, y) -> y.urgency - x.urgency);
        AtomicLong came = new AtomicLong();
        AtomicLong treated = new AtomicLong();
        Puttable<Patient> door = room;
        Takable<Patient> desk = room;
        for (int i = 0; i < 2; i++) {
            Random rnd = new Random(i);
            run("ambulance-" + i, () -> {
                int many = rnd.nextInt(6) == 0 ? 4 : 1;
                for (int k = 0; k < many; k++) {
                    came.incrementAndGet();
                    door.put(new Patient(rnd.nextInt(10)));
                }
                Thread.sleep(4 + rnd.nextInt(8));
            });
        }
        for (int i = 0; i < 3; i++) {
            boolean impatient = i == 2;
            run("doctor-" + i, () -> {
                Patient p = impatient ? desk.poll(60) : desk.take();
                if (p != null) {
                    if (p.seen) {
                        broken = "patient seen twice";
                    }
                    p.seen = true;
                    treated.incrementAndGet();
                    Thread.sleep(p.urgency / 2);
                }
            });
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long t = treated.get();
        if (broken != null || t > came.get() || t == 0) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + t);
    }

    interface Turn {
        void once() throws InterruptedException;
    }

    static void run(String name, Turn turn) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    turn.once();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
}
