// @lock PressHall$Belt
// @type PRODUCER-CONSUMER capacity=6
// @role put PressHall$Belt.put
// @role take PressHall$Belt.take
// @lock PressHall$Proof
// @type LATCH count=1
// @role count-down PressHall$Proof.approve
// @role await PressHall$Proof.verdict

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A belt of six sheets between presses and binders. The belt's monitor only guards its contents; who finds it full
 * or empty waits outside of it, at one of two bells that count how often they rang.
 */
public final class PressHall {

    static final class Bell {
        private long rung;

        synchronized long count() {
            return rung;
        }

        synchronized void ring() {
            rung++;
            notifyAll();
        }
    }

    static final class Belt {
        private final Sheet[] place = new Sheet[6];
        private final Bell arrival = new Bell();
        private final Bell departure = new Bell();
        private int used;
        private int head;

        void put(Sheet s) throws InterruptedException {
            while (true) {
                long heard;
                synchronized (this) {
                    if (used < place.length) {
                        place[(head + used++) % place.length] = s;
                        arrival.ring();
                        return;
                    }
                    heard = departure.count();
                }
                synchronized (departure) {
                    while (departure.rung == heard) {
                        departure.wait();
                    }
                }
            }
        }

        Sheet take() throws InterruptedException {
            while (true) {
                long heard;
                synchronized (this) {
                    if (used > 0) {
                        Sheet s = place[head];
                        place[head] = null;
                        head = (head + 1) % place.length;
                        used--;
                        departure.ring();
                        return s;
                    }
                    heard = arrival.count();
                }
                synchronized (arrival) {
                    while (arrival.rung == heard) {
                        arrival.wait();
                    }
                }
            }
        }
    }

    /** The binder's word on a whole job: pronounced once, read by the press. */
    static final class Proof {
        private String text;

        synchronized void approve(String by) {
            if (text == null) {
                text = "approved by " + by;
                notifyAll();
            }
        }

        synchronized String verdict() throws InterruptedException {
            while (text == null) {
                wait();
            }
            return text;
        }
    }

    static final class Sheet {
        final int job;
        final int number;
        final Proof proof;

        Sheet(int job, int number, Proof proof) {
            this.job = job;
            this.number = number;
            this.proof = proof;
        }
    }

    private static final AtomicLong printed = new AtomicLong();
    private static final AtomicLong bound = new AtomicLong();
    private static volatile boolean closing;
    private static volatile String waste;

    private static void press(Belt belt, int id) throws InterruptedException {
        for (int job = id; !closing; job += 3) {
            Proof proof = new Proof();
            int sheets = ThreadLocalRandom.current().nextInt(4, 10);
            for (int n = 1; n <= sheets; n++) {
                belt.put(new Sheet(job, n, n == sheets ? proof : null));
                printed.incrementAndGet();
            }
            if (!proof.verdict().startsWith("approved")) {
                waste = "job " + job;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(15, 40));
        }
    }

    private static void bind(Belt belt, int id) throws InterruptedException {
        for (Sheet s = belt.take(); s.number > 0; s = belt.take()) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            bound.incrementAndGet();
            if (s.proof != null) {
                s.proof.approve("binder " + id);
            }
        }
    }

    private interface Work {
        void go() throws InterruptedException;
    }

    private static Thread hire(Work w) {
        Thread t = new Thread(() -> {
            try {
                w.go();
            } catch (InterruptedException e) {
                waste = "interrupted";
            }
        });
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Belt belt = new Belt();
        List<Thread> presses = new ArrayList<>();
        List<Thread> binders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int id = i;
            presses.add(hire(() -> press(belt, id)));
        }
        for (int i = 0; i < 2; i++) {
            int id = i;
            binders.add(hire(() -> bind(belt, id)));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closing = true;
        for (Thread t : presses) {
            t.join();
        }
        for (int i = 0; i < binders.size(); i++) {
            belt.put(new Sheet(0, 0, null));
        }
        for (Thread t : binders) {
            t.join();
        }
        if (waste != null || printed.get() != bound.get()) {
            throw new IllegalStateException("waste " + waste + ", printed " + printed + ", bound " + bound);
        }
        System.out.println("DONE " + bound);
    }
}
