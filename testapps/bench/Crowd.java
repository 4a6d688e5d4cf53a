import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;

/**
 * Thousands of classes that lock and wait: for measuring how fast classes are rewritten, and what it takes.
 *
 * <p>Arguments: seconds, classes (4000, 10,000 at most). A class loader makes them of one template under other names. Each
 * is called some hundred times, so that there is compiled code; then the program prints READY and does nothing more: the
 * processor time it takes from there on is that of the rewriting.
 */
public final class Crowd {
    private static final String TEMPLATE = "Crowd$Cell0000";
    private static final int ROUNDS = 300;

    private Crowd() {
    }

    public static void main(String[] args) throws Exception {
        int seconds = Integer.parseInt(args[0]);
        int classes = args.length > 1 ? Integer.parseInt(args[1]) : 4000;
        Copies loader = new Copies(template());
        IntConsumer[] all = new IntConsumer[classes];
        for (int n = 0; n < classes; n++) {
            all[n] = (IntConsumer) loader.copy(n).getDeclaredConstructor().newInstance();
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int n = 0; n < classes; n++) {
                all[n].accept(n);
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
    }

    private static byte[] template() throws IOException {
        try (InputStream in = Crowd.class.getResourceAsStream(TEMPLATE + ".class")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        }
    }

    /** Defines copies of the template: names of the same length, so that nothing else in the bytes changes. */
    private static final class Copies extends ClassLoader {
        private final byte[] template;

        Copies(byte[] template) {
            super(Crowd.class.getClassLoader());
            this.template = template;
        }

        Class<?> copy(int number) {
            String name = String.format("Crowd$Copy%04d", number);
            // One byte a character, there and back.
            String text = new String(template, StandardCharsets.ISO_8859_1);
            byte[] bytes = text.replace(TEMPLATE, name).getBytes(StandardCharsets.ISO_8859_1);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** The template: a bounded buffer with books. */
    public static final class Cell0000 implements IntConsumer {
        private static final int CAPACITY = 8;
        private static int made;

        private final Object books = new Object();
        private final Deque<Integer> items = new ArrayDeque<>();
        private long sum;
        private int most;
        private boolean closed;

        public Cell0000() {
            count();
        }

        private static synchronized void count() {
            made++;
        }

        @Override
        public void accept(int value) {
            try {
                put(value);
                note(take());
            } catch (InterruptedException e) {
                close();
            }
        }

        synchronized void put(int value) throws InterruptedException {
            while (items.size() == CAPACITY && !closed) {
                wait();
            }
            if (closed) {
                throw new IllegalStateException("closed");
            }
            items.addLast(value);
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (items.isEmpty()) {
                if (closed) {
                    return -1;
                }
                wait(1000);
            }
            int value = items.removeFirst();
            notifyAll();
            return value;
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }

        private void note(int value) {
            synchronized (books) {
                sum += value;
                if (value > most) {
                    most = value;
                }
            }
        }

        String summary() {
            synchronized (books) {
                synchronized (this) {
                    return items.size() + " items, " + sum + " in all, " + most + " at most, " + made + " made";
                }
            }
        }

        void clear() {
            synchronized (this) {
                try {
                    items.clear();
                } finally {
                    notify();
                }
            }
        }
    }
}
