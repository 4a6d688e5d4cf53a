import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that quarrel over a lock and count what they do under it, in two ways that must agree; and a line of the input has something happen
 * to them. Each line is answered by one. Written for JDK 8.
 */
public final class Mishaps {
    static final int AT_ONCE = 50;

    static final class Ledger {
        private long credit;
        private long debit;

        synchronized void book() {
            credit++;
            // Under the lock, so that others block on it.
            Thread.yield();
            debit--;
        }

        synchronized long credit() {
            return credit + debit == 0 ? credit : -1;
        }
    }

    static final Ledger LEDGER = new Ledger();

    static void quarrel() {
        for (;;) {
            LEDGER.book();
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks for more than there is, until it is refused so many times. */
    static int hunger(int times) {
        int refused = 0;
        while (refused < times) {
            List<long[]> held = new ArrayList<>();
            try {
                for (;;) {
                    held.add(new long[1 << 16]);
                }
            } catch (OutOfMemoryError e) {
                held = null;
                refused++;
            }
        }
        return refused;
    }

    static void crash() throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        type.getMethod("putAddress", long.class, long.class).invoke(field.get(null), 8L, 8L);
    }

    /** Threads that live for one entry, so many in all; how many entries they made. */
    static long storm(int threads) throws InterruptedException {
        Ledger own = new Ledger();
        for (int begun = 0; begun < threads; begun += AT_ONCE) {
            List<Thread> some = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                Thread thread = new Thread(own::book, "brief");
                thread.start();
                some.add(thread);
            }
            for (Thread thread : some) {
                thread.join();
            }
        }
        return own.credit();
    }

    static Object happens(String[] words) throws Exception {
        switch (words[0]) {
            case "hunger":
                return hunger(Integer.parseInt(words[1]));
            case "crash":
                crash();
                return "not crashed";
            case "child":
                new ProcessBuilder("sleep", "600").start();
                return "child";
            case "clock":
                return System.currentTimeMillis();
            case "storm":
                return storm(Integer.parseInt(words[1]));
            default:
                return LEDGER.credit();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(Mishaps::quarrel, "dog-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null;) {
            System.out.println(happens(line.split(" ")));
        }
    }
}
