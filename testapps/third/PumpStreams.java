// @lock PumpStreams$StreamPumper
// @type JOIN
// @role join PumpStreams$StreamPumper.waitFor

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A build tool runs commands: the output of each is copied by a thread of its own, and the command is over when its two copiers
 * are. A copier stands for its thread, which does nothing after marking it finished: a join, if by hand.
 */
public final class PumpStreams {
    static final class StreamPumper implements Runnable {
        private final InputStream is;
        private final OutputStream os;
        private boolean finished;

        StreamPumper(InputStream is, OutputStream os) {
            this.is = is;
            this.os = os;
        }

        @Override
        public void run() {
            byte[] buf = new byte[64];
            try {
                for (int n; (n = is.read(buf)) > 0;) {
                    os.write(buf, 0, n);
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                }
            } catch (IOException | InterruptedException e) {
                System.err.println(e);
            } finally {
                synchronized (this) {
                    finished = true;
                    notifyAll();
                }
            }
        }

        synchronized boolean isFinished() {
            return finished;
        }

        synchronized void waitFor() throws InterruptedException {
            while (!isFinished()) {
                wait();
            }
        }
    }

    private static StreamPumper pump(byte[] data, OutputStream to, String name) {
        StreamPumper pumper = new StreamPumper(new ByteArrayInputStream(data), to);
        Thread t = new Thread(pumper, name);
        t.setDaemon(true);
        t.start();
        return pumper;
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicLong commands = new AtomicLong();

    private static void execute() throws InterruptedException {
        byte[] out = new byte[ThreadLocalRandom.current().nextInt(100, 400)];
        byte[] err = new byte[100];
        Arrays.fill(out, (byte) 'o');
        ByteArrayOutputStream outCopy = new ByteArrayOutputStream();
        ByteArrayOutputStream errCopy = new ByteArrayOutputStream();
        StreamPumper o = pump(out, outCopy, "stdout");
        StreamPumper e = pump(err, errCopy, "stderr");
        o.waitFor();
        e.waitFor();
        if (!Arrays.equals(out, outCopy.toByteArray()) || errCopy.size() != 100) {
            broken = true;
        }
        commands.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] builds = new Thread[6];
        for (int i = 0; i < builds.length; i++) {
            builds[i] = new Thread(() -> {
                try {
                    while (!stop) {
                        execute();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
                    }
                } catch (InterruptedException e) {
                    broken = true;
                }
            }, "build-" + i);
            builds[i].setDaemon(true);
            builds[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : builds) {
            t.join(5_000);
        }
        if (broken || commands.get() == 0) {
            throw new IllegalStateException("output lost");
        }
        System.out.println("DONE " + commands);
    }
}
