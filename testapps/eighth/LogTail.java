// @lock LogTail$CharPipe
// @type PRODUCER-CONSUMER capacity=64
// @role put LogTail$CharPipe.write
// @role take LogTail$CharPipe.readLine

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Two log files followed by two readers, through pipes of 64 characters; the text comes in pieces and leaves in lines. */
public final class LogTail {

    /** A pipe that waits a second at a time, like those of java.io, and starts over. */
    static final class CharPipe {
        private final char[] buffer = new char[64];
        private int in;
        private int out;
        private int count;
        private boolean closed;

        synchronized void write(String text) throws IOException {
            int from = 0;
            while (from < text.length()) {
                while (count == buffer.length) {
                    pause();
                }
                do {
                    buffer[in] = text.charAt(from++);
                    in = (in + 1) % buffer.length;
                    count++;
                } while (count < buffer.length && from < text.length());
                notifyAll();
            }
        }

        synchronized String readLine() throws IOException {
            StringBuilder line = new StringBuilder();
            for (;;) {
                while (count == 0) {
                    if (closed) {
                        throw new EOFException();
                    }
                    pause();
                }
                char c = buffer[out];
                out = (out + 1) % buffer.length;
                if (count-- == buffer.length) {
                    notifyAll();
                }
                if (c == '\n') {
                    return line.toString();
                }
                line.append(c);
            }
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }

        private void pause() throws InterruptedIOException {
            try {
                wait(1000);
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    private static final AtomicLong lines = new AtomicLong();
    private static final AtomicLong errors = new AtomicLong();

    private static void log(CharPipe pipe, long seed, long end) {
        Random random = new Random(seed);
        try {
            for (int number = 0; System.nanoTime() - end < 0; ) {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(6); i >= 0; i--) {
                    text.append(number++).append(" GET /index.html?page=").append(random.nextInt(100)).append('\n');
                }
                pipe.write(text.toString());
                Thread.sleep(1 + random.nextInt(4));
            }
        } catch (IOException | InterruptedException e) {
            errors.incrementAndGet();
        }
        pipe.close();
    }

    private static void follow(CharPipe pipe) {
        try {
            for (int expected = 0; ; expected++) {
                String line = pipe.readLine();
                if (!line.startsWith(expected + " GET ")) {
                    errors.incrementAndGet();
                }
                lines.incrementAndGet();
                if (expected % 16 == 15) {
                    Thread.sleep(6);
                }
            }
        } catch (EOFException e) {
            // the log is at its end
        } catch (IOException | InterruptedException e) {
            errors.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i += 2) {
            CharPipe pipe = new CharPipe();
            long seed = i;
            threads[i] = new Thread(() -> log(pipe, seed, end), "log-" + i);
            threads[i + 1] = new Thread(() -> follow(pipe), "tail-" + i);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread thread : threads) {
            thread.join();
        }
        if (errors.get() != 0) {
            throw new IllegalStateException(errors + " errors");
        }
        System.out.println("DONE " + lines);
    }
}
