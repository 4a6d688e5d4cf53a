// @lock PipeStreams$Sink
// @type PRODUCER-CONSUMER capacity=64
// @role put PipeStreams$Sink.receive
// @role take PipeStreams$Sink.read

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Piped streams as they were written in 1996: a circle of bytes, in and out, and a look round every second. */
public class PipeStreams {
    static class Sink extends InputStream {
        protected byte[] buffer = new byte[64];
        protected int in = -1;
        protected int out = 0;
        boolean closedByWriter;

        synchronized void receive(int b) throws IOException {
            while (in == out) {
                notifyAll();
                pause();
            }
            if (in < 0) {
                in = 0;
                out = 0;
            }
            buffer[in++] = (byte) b;
            if (in >= buffer.length) {
                in = 0;
            }
        }

        synchronized void receivedLast() {
            closedByWriter = true;
            notifyAll();
        }

        synchronized void flushed() {
            notifyAll();
        }

        @Override
        public synchronized int read() throws IOException {
            while (in < 0) {
                if (closedByWriter) {
                    return -1;
                }
                notifyAll();
                pause();
            }
            int b = buffer[out++] & 0xFF;
            if (out >= buffer.length) {
                out = 0;
            }
            if (in == out) {
                in = -1;
            }
            return b;
        }

        private void pause() throws IOException {
            try {
                wait(1000);
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    static class Source extends OutputStream {
        private final Sink sink;

        Source(Sink sink) {
            this.sink = sink;
        }

        @Override
        public void write(int b) throws IOException {
            sink.receive(b);
        }

        @Override
        public void flush() {
            sink.flushed();
        }

        @Override
        public void close() {
            sink.receivedLast();
        }
    }

    static final AtomicLong messages = new AtomicLong();
    static volatile Throwable fault;

    /** Every message: its length, its bytes, their sum. */
    static void write(OutputStream stream) throws Exception {
        for (int n = 0; fault == null; n++) {
            int length = 20 + n * 7 % 100;
            int sum = 0;
            stream.write(length);
            for (int i = 0; i < length; i++) {
                stream.write(n + i);
                sum += n + i & 0xFF;
            }
            stream.write(sum);
            stream.flush();
            Thread.sleep(n % 4);
        }
        stream.close();
    }

    static void read(InputStream stream) throws Exception {
        for (int length; (length = stream.read()) >= 0; ) {
            int sum = 0;
            for (int i = 0; i < length; i++) {
                sum += stream.read();
                if (i == length / 2 && length % 3 == 0) {
                    Thread.sleep(1);
                }
            }
            if (stream.read() != (sum & 0xFF)) {
                throw new IOException("check sum");
            }
            messages.incrementAndGet();
        }
    }

    interface Part {
        void run() throws Exception;
    }

    static void start(Part part) {
        Thread t = new Thread(() -> {
            try {
                part.run();
            } catch (Throwable e) {
                fault = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Sink sink = new Sink();
            start(() -> write(new Source(sink)));
            start(() -> read(sink));
        }
        System.out.println("READY");
        Thread.sleep(1000L * seconds);
        if (fault != null) {
            fault.printStackTrace();
            System.exit(1);
        }
        if (messages.get() == 0) {
            System.out.println("no message came through");
            System.exit(1);
        }
        System.out.println("DONE " + messages);
    }
}
