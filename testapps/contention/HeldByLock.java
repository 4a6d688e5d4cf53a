import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Three threads that hold one ReentrantLock for 12, 24 and 48 ms, and a program that keeps books of it as HeldShares does: what
 * share of all time blocked each thread has caused. HeldByLock ROUNDS. Written for JDK 8.
 */
public final class HeldByLock {
    static final ReentrantLock LOCK = new ReentrantLock();
    /** Who held it: begin, end, thread. Only whoever holds the lock writes. */
    static final List<Object[]> held = new ArrayList<Object[]>();
    /** Who wanted it: begin, end. The same. */
    static final List<long[]> wanted = new ArrayList<long[]>();

    static void hold(long millis) throws InterruptedException {
        long begin = System.nanoTime();
        LOCK.lock();
        try {
            long since = System.nanoTime();
            wanted.add(new long[] {begin, since});
            Thread.sleep(millis);
            held.add(new Object[] {since, System.nanoTime(), Thread.currentThread().getName()});
        } finally {
            LOCK.unlock();
        }
    }

    static Thread start(String name, final int rounds, final long millis, final long pause) {
        Thread thread = new Thread(new Runnable() {
            @Override public void run() {
                try {
                    for (int round = 0; round < rounds; round++) {
                        hold(millis);
                        Thread.sleep(pause);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }, name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        System.out.println("READY");
        Thread[] threads = {
            start("adder", rounds, 12, 5), start("poster", rounds, 24, 7), start("balancer", rounds, 48, 9),
        };
        for (Thread thread : threads) {
            thread.join();
        }
        Map<String, Long> caused = new TreeMap<String, Long>();
        long all = 0;
        for (long[] want : wanted) {
            all += want[1] - want[0];
            for (Object[] hold : held) {
                long from = Math.max(want[0], (Long) hold[0]);
                long to = Math.min(want[1], (Long) hold[1]);
                if (from < to) {
                    Long sum = caused.get(hold[2]);
                    caused.put((String) hold[2], (sum == null ? 0 : sum) + to - from);
                }
            }
        }
        System.out.println("BLOCKED " + all);
        for (Map.Entry<String, Long> entry : caused.entrySet()) {
            System.out.println("BOOK thread " + entry.getKey() + " " + entry.getValue());
        }
        System.out.println("DONE " + held.size());
    }
}
