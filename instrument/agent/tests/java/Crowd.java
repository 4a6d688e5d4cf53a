import java.io.BufferedReader;
import java.io.InputStreamReader;

/**
 * A quarter of a million lock objects. For each line read, waits once on every one of them, by one of 16,384 call
 * chains, and says so. The thread is interrupted beforehand, so that a wait is over at once.
 */
public class Crowd {
    private static final int LOCKS = 250_000;
    private static final int FORKS = 14;
    private static final Object[] CROWD = new Object[LOCKS];

    private static void left(Object lock, int way, int forks) {
        walk(lock, way, forks);
    }

    private static void right(Object lock, int way, int forks) {
        walk(lock, way, forks);
    }

    private static void walk(Object lock, int way, int forks) {
        if (forks == 0) {
            touch(lock);
        } else if ((way & 1) == 0) {
            left(lock, way >> 1, forks - 1);
        } else {
            right(lock, way >> 1, forks - 1);
        }
    }

    private static void touch(Object lock) {
        Thread.currentThread().interrupt();
        synchronized (lock) {
            try {
                lock.wait();
            } catch (InterruptedException expected) {
                return;
            }
        }
        throw new IllegalStateException("not interrupted");
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < LOCKS; i++) {
            CROWD[i] = new Object();
        }
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) {
            for (int i = 0; i < LOCKS; i++) {
                walk(CROWD[i], i, FORKS);
            }
            System.out.println("passed");
        }
    }
}
