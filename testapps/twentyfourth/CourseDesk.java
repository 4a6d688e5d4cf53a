// Course project: students hand in, three assistants mark each part of a paper, the student waits for all three marks;
// an examiner's short-lived oral exams are joined; the register of marks is touched briefly.
// @lock CourseDesk$Tray
// @type PRODUCER-CONSUMER capacity=6
// @role put CourseDesk$Tray.handIn
// @role take CourseDesk$Tray.next
// @lock CourseDesk$Paper
// @type LATCH count=3
// @role count-down CourseDesk$Paper.mark
// @role await CourseDesk$Paper.result
// @lock CourseDesk$Oral
// @type JOIN
// @role join CourseDesk$Oral.awaitEnd
// @lock CourseDesk$Register
// @type MUTEX
// @role enter CourseDesk$Register.enter
// @role enter CourseDesk$Register.average
// @quiet

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class CourseDesk {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    enum Part { THEORY, PROGRAM, REPORT }

    static final class Paper {
        private final Map<Part, Integer> marks = new EnumMap<>(Part.class);

        synchronized void mark(Part part, int points) {
            marks.putIfAbsent(part, points);
            if (complete()) {
                notifyAll();
            }
        }

        synchronized int result() throws InterruptedException {
            while (!complete()) {
                wait();
            }
            int sum = 0;
            for (int m : marks.values()) {
                sum += m;
            }
            return sum;
        }

        private boolean complete() {
            return marks.size() == Part.values().length;
        }
    }

    static final class Task {
        final Paper paper;
        final Part part;

        Task(Paper paper, Part part) {
            this.paper = paper;
            this.part = part;
        }
    }

    static final class Tray {
        private static final int ROOM = 6;
        private final List<Task> tasks = new ArrayList<>(ROOM);

        synchronized void handIn(Task task) throws InterruptedException {
            while (tasks.size() == ROOM) {
                wait();
            }
            tasks.add(task);
            if (tasks.size() == 1) {
                notifyAll();
            }
        }

        synchronized Task next() throws InterruptedException {
            while (tasks.isEmpty()) {
                wait();
            }
            if (tasks.size() == ROOM) {
                notifyAll();
            }
            return tasks.remove(0);
        }
    }

    /** One oral exam; the thread itself is what its end is awaited on. */
    static final class Oral extends Thread {
        private int points;

        Oral() {
            super("oral");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                nap(18);
                points = 5 + dice(5);
            } catch (InterruptedException e) {
                points = -1;
            }
        }

        synchronized int awaitEnd() throws InterruptedException {
            while (isAlive()) {
                wait();
            }
            return points;
        }
    }

    static final class Register {
        private long sum;
        private long count;

        synchronized void enter(int points) {
            sum += points;
            count++;
        }

        synchronized double average() {
            return count == 0 ? 0 : (double) sum / count;
        }
    }

    final Tray tray = new Tray();
    final Register register = new Register();

    void student() throws InterruptedException {
        Paper paper = new Paper();
        for (Part p : Part.values()) {
            tray.handIn(new Task(paper, p));
        }
        int points = paper.result();
        check(points >= 3 && points <= 30, "points " + points);
        register.enter(points);
        OPS.incrementAndGet();
        nap(dice(20) == 0 ? 40 : 25);
    }

    void assistant() throws InterruptedException {
        Task t = tray.next();
        nap(4);
        t.paper.mark(t.part, 1 + dice(10));
    }

    void examiner() throws InterruptedException {
        Oral first = new Oral();
        Oral second = new Oral();
        first.start();
        second.start();
        int a = first.awaitEnd();
        int b = second.awaitEnd();
        check(a >= 5 && b >= 5, "oral not over");
        nap(8);
        double average = register.average();
        check(average >= 0 && average <= 30, "average " + average);
    }

    public static void main(String[] args) throws InterruptedException {
        CourseDesk desk = new CourseDesk();
        for (int i = 0; i < 6; i++) {
            go("student-" + i, desk::student);
        }
        for (int i = 0; i < 3; i++) {
            go("assistant-" + i, desk::assistant);
        }
        go("examiner-0", desk::examiner);
        go("examiner-1", desk::examiner);
        finish(args);
    }
}
