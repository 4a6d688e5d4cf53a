import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Looks all the time who is in its thread group. A line: those of us that were seen there. */
public class Group {
    static final Set<String> SEEN = new ConcurrentSkipListSet<>();
    static final Object LOCK = new Object();

    private static void look() throws InterruptedException {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[100];
        while (true) {
            // One of us may stay for ten milliseconds or less; there must be a processor left for it.
            Thread.sleep(0, 100_000);
            int there = group.enumerate(threads, true);
            for (int i = 0; i < there; i++) {
                if (threads[i].getName().startsWith("locklens")) {
                    SEEN.add(threads[i].getName());
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread looks = new Thread(() -> {
            try {
                look();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "looks");
        looks.setDaemon(true);
        looks.start();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) {
            System.out.println("seen: " + String.join(" ", SEEN));
        }
    }
}
