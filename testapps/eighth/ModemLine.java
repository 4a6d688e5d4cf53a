// @lock ModemLine$Uart
// @type PRODUCER-CONSUMER capacity=15
// @role put ModemLine$Uart.fromWire
// @role take ModemLine$Uart.read
//
// @lock ModemLine$Signals
// @type CONDITION
// @role wait ModemLine$Signals.await
// @role notify ModemLine$Signals.change

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A serial line. Bytes from the wire go through a ring of sixteen (one place stays empty, as head and tail must differ),
 * and the remote side is held up by hardware when that is full. The modem's signals are bits; both sides wait for patterns of them.
 */
public final class ModemLine {
    static final int DTR = 1;
    static final int DSR = 2;
    static final int CD = 4;

    static final class Uart {
        private static final int SIZE = 16;
        private static final int MASK = SIZE - 1;
        private final byte[] ring = new byte[SIZE];
        private int head;
        private int tail;

        synchronized void fromWire(byte b) throws InterruptedException {
            while (((tail + 1) & MASK) == head) {
                wait();
            }
            ring[tail] = b;
            tail = (tail + 1) & MASK;
            notify();
        }

        synchronized int read(byte[] into) throws InterruptedException {
            while (head == tail) {
                wait();
            }
            int n = 0;
            while (head != tail && n < into.length) {
                into[n++] = ring[head];
                head = (head + 1) & MASK;
            }
            notify();
            return n;
        }
    }

    static final class Signals {
        private int bits;

        void change(int on, int off) {
            synchronized (this) {
                int before = bits;
                bits = bits & ~off | on;
                if (bits != before) {
                    notifyAll();
                }
            }
        }

        void await(int mask, int pattern) throws InterruptedException {
            synchronized (this) {
                while ((bits & mask) != pattern) {
                    wait();
                }
            }
        }
    }

    private static final Uart uart = new Uart();
    private static final Signals signals = new Signals();
    private static final AtomicLong bytes = new AtomicLong();
    private static volatile String failure;

    private static void remote() throws InterruptedException {
        byte next = 0;
        for (;;) {
            for (int i = ThreadLocalRandom.current().nextInt(1, 40); i > 0; i--) {
                uart.fromWire(next++);
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    private static void terminal() throws InterruptedException {
        byte[] chunk = new byte[8];
        byte expected = 0;
        for (int i = 0; ; i++) {
            int n = uart.read(chunk);
            for (int j = 0; j < n; j++) {
                if (chunk[j] != expected++) {
                    failure = "a byte was lost on the line";
                }
            }
            bytes.addAndGet(n);
            if (i % 3 == 0) {
                Thread.sleep(1);
            }
        }
    }

    private static void modem() throws InterruptedException {
        for (;;) {
            signals.await(DTR, DTR);
            Thread.sleep(1);
            signals.change(DSR, 0);
            Thread.sleep(2);
            signals.change(CD, 0);
            signals.await(DTR, 0);
            Thread.sleep(1);
            signals.change(0, DSR | CD);
        }
    }

    private static void dialler() throws InterruptedException {
        for (;;) {
            signals.change(DTR, 0);
            signals.await(DSR | CD, DSR | CD);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            signals.change(0, DTR);
            signals.await(DSR | CD, 0);
            bytes.incrementAndGet();
        }
    }

    private interface Part {
        void run() throws InterruptedException;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Part[] parts = {ModemLine::remote, ModemLine::terminal, ModemLine::modem, ModemLine::dialler};
        for (Part part : parts) {
            Thread thread = new Thread(() -> {
                try {
                    part.run();
                } catch (InterruptedException e) {
                    failure = "interrupted";
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            System.out.println(failure);
            System.exit(1);
        }
        System.out.println("DONE " + bytes);
    }
}
