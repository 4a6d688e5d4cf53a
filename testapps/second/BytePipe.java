// @lock BytePipe
// @type PRODUCER-CONSUMER capacity=16
// @role put BytePipe.receive
// @role take BytePipe.read

/** A piped byte stream: ring with in == -1 for "empty"; each side wakes the other when it must wait itself. */
public class BytePipe {
    private final byte[] ring = new byte[16];
    private int in = -1;
    private int out = 0;

    synchronized void receive(int b) throws InterruptedException {
        while (in == out) {
            notifyAll();
            wait(1000);
        }
        if (in < 0) {
            in = 0;
            out = 0;
        }
        ring[in++] = (byte) b;
        if (in >= ring.length) {
            in = 0;
        }
    }

    synchronized int read() throws InterruptedException {
        while (in < 0) {
            notifyAll();
            wait(1000);
        }
        int ret = ring[out++] & 0xFF;
        if (out >= ring.length) {
            out = 0;
        }
        if (in == out) {
            in = -1;
        }
        return ret;
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final long end = System.currentTimeMillis() + seconds * 1000;
        final BytePipe pipe = new BytePipe();
        final int[] errors = new int[1];
        Thread writer = new Thread() {
            @Override
            public void run() {
                try {
                    for (int i = 0;; i++) {
                        pipe.receive(i);
                        if (i % 11 == 0) {
                            Thread.sleep(2);
                        }
                    }
                } catch (InterruptedException e) {
                    // closed
                }
            }
        };
        Thread reader = new Thread() {
            @Override
            public void run() {
                try {
                    for (int i = 0;; i++) {
                        if (pipe.read() != (i & 0xFF)) {
                            errors[0]++;
                        }
                        if (i % 13 == 0) {
                            Thread.sleep(1 + i / 5000 % 3);
                        }
                        total = i;
                    }
                } catch (InterruptedException e) {
                    // closed
                }
            }
        };
        writer.start();
        reader.start();
        System.out.println("READY");
        System.out.flush();
        while (System.currentTimeMillis() < end) {
            Thread.sleep(50);
        }
        writer.interrupt();
        reader.interrupt();
        writer.join();
        reader.join();
        if (errors[0] > 0) {
            System.out.println("bytes garbled: " + errors[0]);
            System.exit(1);
        }
        System.out.println("DONE " + total);
    }

    private static volatile int total;
}
