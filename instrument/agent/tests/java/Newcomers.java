import java.io.BufferedReader;
import java.io.InputStreamReader;

/** For each line read makes a hundred lock objects, waits twice on each of them, and says so. */
public class Newcomers {
    static class Lock { }

    private static void touch(Lock lock) {
        // The wait is over at once.
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
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Lock[] locks = new Lock[100];
        while (in.readLine() != null) {
            for (int i = 0; i < locks.length; i++) {
                locks[i] = new Lock();
                touch(locks[i]);
                touch(locks[i]);
            }
            System.out.println("passed");
        }
    }
}
