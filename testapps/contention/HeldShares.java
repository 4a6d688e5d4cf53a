import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Threads that hold one lock for times of their own, by call chains of their own, and a program that keeps books of it: for
 * each stretch in which the lock was held, by whom and from which method; for each attempt to enter, from when to when.
 * At its end it lays one beside the other and prints what share of all time blocked each thread and each method has caused.
 *
 * HeldShares HOW ROUNDS, where HOW is
 *   plain       three threads, one method each, holding 12, 24 and 48 ms
 *   throwing    the same, leaving by an exception thrown further in
 *   waiting     the same, giving the lock up in the middle to wait until somebody notifies
 *   barging     a fourth thread takes it in passing: twice in a row, by two methods, while others are queued
 *
 * Written for JDK 8.
 */
public final class HeldShares {
    static final class Ledger { }

    static final Ledger LEDGER = new Ledger();
    /** Who held it: begin, end, thread, method. Only whoever holds the lock writes. */
    static final List<Object[]> held = new ArrayList<Object[]>();
    static long since;
    static String how;

    /** Attempts to enter of one thread: begin, end. */
    static final class Attempts {
        final List<long[]> all = new ArrayList<long[]>();
        long begin;

        void begin() {
            begin = System.nanoTime();
        }

        void inside() {
            since = System.nanoTime();
            all.add(new long[] {begin, since});
        }
    }

    static void leave(String method) {
        held.add(new Object[] {since, System.nanoTime(), Thread.currentThread().getName(), method});
    }

    static void work(long millis, String method) throws InterruptedException {
        if (how.equals("waiting")) {
            Thread.sleep(millis / 2);
            leave(method);
            LEDGER.notify();
            LEDGER.wait(millis * 3);
            since = System.nanoTime();
            Thread.sleep(millis - millis / 2);
            LEDGER.notify();
        } else {
            Thread.sleep(millis);
        }
        leave(method);
        if (how.equals("throwing")) {
            throw new IllegalStateException("as planned");
        }
    }

    static void add(Attempts attempts) throws InterruptedException {
        attempts.begin();
        synchronized (LEDGER) {
            attempts.inside();
            work(12, "add");
        }
    }

    static void post(Attempts attempts) throws InterruptedException {
        attempts.begin();
        synchronized (LEDGER) {
            attempts.inside();
            work(24, "post");
        }
    }

    static void balance(Attempts attempts) throws InterruptedException {
        attempts.begin();
        synchronized (LEDGER) {
            attempts.inside();
            work(48, "balance");
        }
    }

    static void glance(Attempts attempts) throws InterruptedException {
        attempts.begin();
        synchronized (LEDGER) {
            attempts.inside();
            work(9, "glance");
        }
    }

    static void correct(Attempts attempts) throws InterruptedException {
        attempts.begin();
        synchronized (LEDGER) {
            attempts.inside();
            work(18, "correct");
        }
    }

    interface Step {
        void take(Attempts attempts) throws InterruptedException;
    }

    static Thread start(String name, final int rounds, final long pause, final Attempts attempts, final Step step) {
        Thread thread = new Thread(new Runnable() {
            @Override public void run() {
                for (int round = 0; round < rounds; round++) {
                    try {
                        step.take(attempts);
                    } catch (IllegalStateException planned) {
                        // The lock was left by it.
                    } catch (InterruptedException e) {
                        return;
                    }
                    try {
                        Thread.sleep(pause);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        }, name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        how = args[0];
        int rounds = Integer.parseInt(args[1]);
        List<Attempts> attempts = Arrays.asList(new Attempts(), new Attempts(), new Attempts(), new Attempts());
        List<Thread> threads = new ArrayList<Thread>();
        System.out.println("READY");
        threads.add(start("adder", rounds, 5, attempts.get(0), new Step() {
            @Override public void take(Attempts a) throws InterruptedException { add(a); }
        }));
        threads.add(start("poster", rounds, 7, attempts.get(1), new Step() {
            @Override public void take(Attempts a) throws InterruptedException { post(a); }
        }));
        threads.add(start("balancer", rounds, 9, attempts.get(2), new Step() {
            @Override public void take(Attempts a) throws InterruptedException { balance(a); }
        }));
        if (how.equals("barging")) {
            threads.add(start("glancer", rounds, 40, attempts.get(3), new Step() {
                @Override public void take(Attempts a) throws InterruptedException { glance(a); correct(a); }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        print(attempts);
        System.out.println("DONE " + held.size());
    }

    /** What share of the time in which threads wanted in was whose. */
    static void print(List<Attempts> attempts) {
        Map<String, Long> caused = new TreeMap<String, Long>();
        long all = 0;
        for (Attempts of : attempts) {
            for (long[] attempt : of.all) {
                all += attempt[1] - attempt[0];
                for (Object[] hold : held) {
                    long from = Math.max(attempt[0], (Long) hold[0]);
                    long to = Math.min(attempt[1], (Long) hold[1]);
                    if (from < to) {
                        add(caused, "thread " + hold[2], to - from);
                        add(caused, "method " + hold[3], to - from);
                    }
                }
            }
        }
        System.out.println("BLOCKED " + all);
        for (Map.Entry<String, Long> entry : caused.entrySet()) {
            System.out.println("BOOK " + entry.getKey() + " " + entry.getValue());
        }
    }

    static void add(Map<String, Long> sums, String key, long more) {
        Long sum = sums.get(key);
        sums.put(key, (sum == null ? 0 : sum) + more);
    }
}
