import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * A lock that matters now and then: four threads sleep, and when told to, all want it for a while.
 *
 * <p>Prints READY, then does what it is told on standard input, line by line: {@code hot N} and {@code calm N} take N
 * milliseconds and are answered with a line when they are over. With arguments it tells itself: {@code java RushHour calm 30000 hot
 * 5000 calm 25000}. Ends with its input.
 */
public final class RushHour {
    private static final int THREADS = 4;

    private final Object gate = new Object();
    private volatile boolean hot;

    private RushHour() {
    }

    private void run() {
        try {
            while (true) {
                if (hot) {
                    pass();
                } else {
                    Thread.sleep(2);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass() throws InterruptedException {
        synchronized (gate) {
            Thread.sleep(1);
        }
    }

    private void obey(String what, long millis) throws InterruptedException {
        hot = what.equals("hot");
        Thread.sleep(millis);
        hot = false;
        System.out.println("OVER");
        System.out.flush();
    }

    private void listen() throws InterruptedException, IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            obey(words[0], Long.parseLong(words[1]));
        }
    }

    public static void main(String[] args) throws InterruptedException, IOException {
        RushHour street = new RushHour();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(street::run, "car-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (int i = 0; i + 1 < args.length; i += 2) {
            street.obey(args[i], Long.parseLong(args[i + 1]));
        }
        if (args.length == 0) {
            street.listen();
        }
        System.out.println("DONE");
    }
}
