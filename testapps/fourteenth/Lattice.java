// Work in flight that an inspector lets drain again and again, and answers awaited by number in one shared map.
// @lock Lattice$Flight
// @type CONDITION
// @role wait Lattice$Flight.whenEmpty
// @role notify Lattice$Flight.land
// @lock java.util.HashMap#answer
// @type CONDITION
// @role wait Lattice$Desk.answer
// @role notify Lattice$Desk.reply
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Lattice {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Flight {
        private int aloft;
        private long landings;

        synchronized void start() {
            aloft++;
        }

        synchronized void land() {
            landings++;
            if (--aloft == 0) {
                notifyAll();
            }
            if (aloft < 0) {
                broken = "landed twice";
            }
        }

        synchronized long whenEmpty() throws InterruptedException {
            while (aloft > 0) {
                wait();
            }
            return landings;
        }
    }

    static final class Desk {
        private final Map<Long, String> answers = new HashMap<>();

        void reply(long number, String text) {
            synchronized (answers) {
                answers.put(number, text);
                answers.notifyAll();
            }
        }

        String answer(long number, long patience) throws InterruptedException {
            long deadline = System.currentTimeMillis() + patience;
            synchronized (answers) {
                while (!answers.containsKey(number)) {
                    long left = deadline - System.currentTimeMillis();
                    if (left <= 0) {
                        return null;
                    }
                    answers.wait(left);
                }
                return answers.remove(number);
            }
        }
    }

    final Flight flight = new Flight();
    final Desk desk = new Desk();
    final ConcurrentLinkedQueue<Long> questions = new ConcurrentLinkedQueue<>();
    final AtomicLong numbers = new AtomicLong();
    long landed;

    void pilot() throws InterruptedException {
        flight.start();
        try {
            nap(2, 5);
        } finally {
            flight.land();
        }
        OPS.incrementAndGet();
        nap(4, 12);
    }

    void inspector() throws InterruptedException {
        long now = flight.whenEmpty();
        if (now < landed) {
            broken = "landings undone";
        }
        landed = now;
        nap(2, 5);
    }

    void caller() throws InterruptedException {
        long n = numbers.incrementAndGet();
        questions.add(n);
        String a = desk.answer(n, 30000);
        if (!("re " + n).equals(a)) {
            broken = "asked " + n + ", heard " + a;
        }
        OPS.incrementAndGet();
        nap(1, 4);
    }

    void expert() throws InterruptedException {
        nap(1, 4);
        Long n = questions.poll();
        if (n != null) {
            desk.reply(n, "re " + n);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Lattice l = new Lattice();
        for (int i = 0; i < 3; i++) {
            crew("pilot-" + i, l::pilot);
            crew("caller-" + i, l::caller);
        }
        crew("inspector", l::inspector);
        crew("expert-1", l::expert);
        crew("expert-2", l::expert);
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
