// @lock AlarmBoard$Agenda
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put AlarmBoard$Agenda.schedule
// @role take AlarmBoard$Agenda.nextDue

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Alarms in the order of their time; runners take the first one when it is due, and are woken if an earlier one comes in. */
public final class AlarmBoard {
    static final class Alarm implements Comparable<Alarm> {
        private final long due;
        private final Runnable action;

        Alarm(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        public int compareTo(Alarm other) {
            return Long.compare(due, other.due);
        }
    }

    static final class Agenda {
        private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
        private boolean closed;

        synchronized void schedule(long inMillis, Runnable action) {
            Alarm alarm = new Alarm(System.currentTimeMillis() + inMillis, action);
            alarms.add(alarm);
            if (alarms.peek() == alarm) {
                notifyAll();
            }
        }

        synchronized Alarm nextDue() throws InterruptedException {
            while (!closed) {
                Alarm first = alarms.peek();
                if (first == null) {
                    wait();
                } else {
                    long left = first.due - System.currentTimeMillis();
                    if (left <= 0) {
                        return alarms.poll();
                    }
                    wait(left);
                }
            }
            return alarms.poll();
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }
    }

    private static final AtomicInteger set = new AtomicInteger();
    private static final AtomicInteger rung = new AtomicInteger();
    private static final AtomicLong late = new AtomicLong();
    private static volatile boolean stop;
    private static volatile boolean broken;

    private static void run(Agenda agenda) {
        try {
            for (Alarm a = agenda.nextDue(); a != null; a = agenda.nextDue()) {
                long delay = System.currentTimeMillis() - a.due;
                broken |= delay < 0 && !stop;
                late.accumulateAndGet(delay, Math::max);
                a.action.run();
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    private static void user(Agenda agenda) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (!stop) {
                for (int i = dice.nextInt(1, 4); i > 0; i--) {
                    set.incrementAndGet();
                    agenda.schedule(dice.nextInt(0, 8), rung::incrementAndGet);
                }
                Thread.sleep(dice.nextInt(2, 20));
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Agenda agenda = new Agenda();
        Thread[] threads = new Thread[5];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i < 2 ? new Thread(() -> run(agenda), "runner-" + i) : new Thread(() -> user(agenda), "user-" + i);
            threads[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (int i = threads.length - 1; i >= 0; i--) {
            if (i == 1) {
                agenda.close();
            }
            threads[i].join();
        }
        if (broken || set.get() != rung.get()) {
            throw new IllegalStateException(set + " alarms, " + rung + " rung, at most " + late + " ms late");
        }
        System.out.println("DONE " + rung);
    }
}
