import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three threads contend for a lock without end: in one method that they never leave ("stay"), or in one
 * that they call at each turn. A line on standard input: when it has been another thread's turn so many more times, "turned".
 */
public class Loops {
    static final Object lock = new Object();
    static final AtomicLong turns = new AtomicLong();
    static Thread last;

    static void stay() {
        while (true) {
            synchronized (lock) { hold(); }
        }
    }

    static void turn() {
        synchronized (lock) { hold(); }
    }

    /** Long enough for the others to block. Who takes the lock again before they are awake has no other turn: they have not blocked anew. */
    static void hold() {
        if (last != Thread.currentThread()) {
            last = Thread.currentThread();
            turns.incrementAndGet();
        }
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        boolean stay = Boolean.getBoolean("stay");
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                if (stay) stay();
                while (true) turn();
            }, "loop-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            long until = turns.get() + Long.parseLong(line);
            while (turns.get() < until) Thread.sleep(1);
            System.out.println("turned");
        }
    }
}
