// @lock java.lang.Class#admit
// @type MUTEX
// @role enter TurnstileCount.admit
// @role enter TurnstileCount.leave
// @role enter TurnstileCount.report

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** All state is static, all methods are static synchronized: the class object is the mutex. */
public class TurnstileCount {
    private static int in;
    private static int out;
    private static int[] perGate = new int[4];
    private static final ByteArrayOutputStream journal = new ByteArrayOutputStream();

    static synchronized void admit(int gate) throws InterruptedException {
        in++;
        perGate[gate]++;
        write(gate);
    }

    static synchronized void leave(int gate) throws InterruptedException {
        out++;
        perGate[gate]--;
        write(-gate);
    }

    static synchronized String report() {
        int inside = 0;
        for (int g : perGate) {
            inside += g;
        }
        if (inside != in - out) {
            throw new IllegalStateException("gates say " + inside + ", counters say " + (in - out));
        }
        return in + " in, " + out + " out, " + Arrays.toString(perGate);
    }

    private static void write(int entry) throws InterruptedException {
        journal.write(entry);
        if (journal.size() >= 4) {
            Thread.sleep(1); // the disk is slow
            journal.reset();
        }
    }

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        for (int g = 0; g < 4; g++) {
            int gate = g;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        admit(gate);
                        Thread.sleep(gate);
                        leave(gate);
                        Thread.sleep(1);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "gate-" + g);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long end = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < end) {
            Thread.sleep(10);
            try {
                report();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
                System.exit(1);
            }
        }
        System.out.println("DONE " + (in + out));
    }
}
