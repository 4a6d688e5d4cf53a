// @lock Pipes$Pipe
// @type PRODUCER-CONSUMER capacity=64
// @role put Pipes$Pipe.write
// @role take Pipes$Pipe.read

// @lock Pipes$Handoff
// @type PRODUCER-CONSUMER form=rendezvous
// @role put Pipes$Handoff.hand
// @role take Pipes$Handoff.accept

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Streams inside a proxy: bytes through a circular buffer of 64, and sockets handed from acceptor to worker, who must be there. */
public class Pipes {
    static final class Pipe {
        private final byte[] buffer = new byte[64];
        private int in;
        private int out;
        private int available;

        void write(byte[] b, int off, int len) throws InterruptedException {
            synchronized (this) {
                while (len > 0) {
                    while (available == buffer.length) {
                        notifyAll();
                        wait(1000);
                    }
                    int n = Math.min(Math.min(len, buffer.length - available), buffer.length - in);
                    System.arraycopy(b, off, buffer, in, n);
                    in = (in + n) % buffer.length;
                    available += n;
                    off += n;
                    len -= n;
                    notifyAll();
                }
            }
        }

        int read(byte[] b) throws InterruptedException {
            synchronized (this) {
                while (available == 0) {
                    notifyAll();
                    wait(1000);
                }
                int n = Math.min(Math.min(b.length, available), buffer.length - out);
                System.arraycopy(buffer, out, b, 0, n);
                out = (out + n) % buffer.length;
                available -= n;
                notifyAll();
                return n;
            }
        }
    }

    static final class Handoff<T> {
        private T item;
        private boolean offered;

        synchronized void hand(T t) throws InterruptedException {
            while (offered) {
                wait();
            }
            item = t;
            offered = true;
            notifyAll();
            while (item == t) {
                wait();
            }
            offered = false;
            notifyAll();
        }

        synchronized T accept() throws InterruptedException {
            while (item == null) {
                wait();
            }
            T t = item;
            item = null;
            notifyAll();
            return t;
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Pipe pipe = new Pipe();
        Handoff<Object> handoff = new Handoff<>();
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        loop("upstream", () -> {
            int n = ThreadLocalRandom.current().nextInt(10, 90);
            in.addAndGet(n);
            pipe.write(new byte[n], 0, n);
            pause(1, 4);
        });
        loop("downstream", () -> {
            check(out.addAndGet(pipe.read(new byte[24])) <= in.get(), "bytes made up");
            pause(0, 3);
        });
        for (int i = 0; i < 2; i++) {
            loop("acceptor-" + i, () -> {
                handoff.hand(new Object());
                pause(1, 4);
            });
        }
        for (int i = 0; i < 3; i++) {
            loop("worker-" + i, () -> {
                check(handoff.accept() != null, "nothing");
                pause(2, 7);
            });
        }
        finish(args);
    }
}
