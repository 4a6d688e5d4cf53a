// @lock ClosingDay$DayEnd
// @type BARRIER parties=3
// @role arrive ClosingDay$Rendezvous.meet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A bank's evening batch: three branches report their turnover; the last to report closes the day for all, in a subclass's hook. */
public class ClosingDay {
    abstract static class Rendezvous {
        private final int parties;
        private int present;
        private long day;

        protected Rendezvous(int parties) {
            this.parties = parties;
        }

        /** Called once per round by the last party, while the others still wait. */
        protected abstract void onEverybodyThere(long day);

        protected void onArrival(int party, long amount) {
        }

        public final long meet(int party, long amount) {
            boolean interrupted = false;
            long mine;
            synchronized (this) {
                mine = day;
                onArrival(party, amount);
                present++;
                if (present == parties) {
                    onEverybodyThere(day);
                    present = 0;
                    day++;
                    notifyAll();
                }
                while (mine == day) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return mine;
        }
    }

    static class DayEnd extends Rendezvous {
        private final long[] reported = new long[3];
        private long total;

        DayEnd() {
            super(3);
        }

        @Override
        protected void onArrival(int party, long amount) {
            if (reported[party] != 0) {
                throw new IllegalStateException("branch " + party + " reported twice");
            }
            reported[party] = amount;
        }

        @Override
        protected void onEverybodyThere(long day) {
            for (int i = 0; i < reported.length; i++) {
                if (reported[i] == 0) {
                    throw new IllegalStateException("day " + day + " closed without branch " + i);
                }
                total += reported[i];
                reported[i] = 0;
            }
            closed.set(total);
        }
    }

    private static final AtomicLong closed = new AtomicLong();
    private static final AtomicLong sold = new AtomicLong();
    private static final AtomicLong days = new AtomicLong();
    private static volatile RuntimeException failure;

    private static void branch(DayEnd dayEnd, int number) {
        try {
            for (long expected = 0; failure == null; expected++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                long amount = ThreadLocalRandom.current().nextInt(1, 1000);
                sold.addAndGet(amount);
                if (dayEnd.meet(number, amount) != expected) {
                    throw new IllegalStateException("branch " + number + " is on another day than " + expected);
                }
                if (closed.get() > sold.get()) {
                    throw new IllegalStateException("closed more than was sold");
                }
                if (number == 0) {
                    days.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DayEnd dayEnd = new DayEnd();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread t = new Thread(() -> branch(dayEnd, number), "branch-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw failure;
        }
        System.out.println("DONE " + days);
    }
}
