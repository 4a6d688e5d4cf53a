// @lock DinoBuffer$BoundedBuffer
// @type PRODUCER-CONSUMER capacity=5
// @role put DinoBuffer$BoundedBuffer.insert
// @role take DinoBuffer$BoundedBuffer.remove

import java.util.Random;

/** The bounded buffer of the operating systems book: in, out, count and an interface for it. */
public class DinoBuffer {
    interface Buffer<E> {
        void insert(E item);

        E remove();
    }

    static class BoundedBuffer<E> implements Buffer<E> {
        private static final int BUFFER_SIZE = 5;
        private int count;
        private int in;
        private int out;
        private final E[] buffer;

        @SuppressWarnings("unchecked")
        BoundedBuffer() {
            count = 0;
            in = 0;
            out = 0;
            buffer = (E[]) new Object[BUFFER_SIZE];
        }

        public synchronized void insert(E item) {
            while (count == BUFFER_SIZE) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    // the book leaves this empty
                }
            }
            buffer[in] = item;
            in = (in + 1) % BUFFER_SIZE;
            count++;
            notifyAll();
        }

        public synchronized E remove() {
            E item;
            while (count == 0) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    // the book leaves this empty
                }
            }
            item = buffer[out];
            buffer[out] = null;
            out = (out + 1) % BUFFER_SIZE;
            count--;
            notifyAll();
            return item;
        }
    }

    static void nap(Random r, int bound) {
        try {
            Thread.sleep(r.nextInt(bound));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static class Producer implements Runnable {
        private final Buffer<int[]> buffer;
        private final int id;

        Producer(Buffer<int[]> buffer, int id) {
            this.buffer = buffer;
            this.id = id;
        }

        public void run() {
            Random r = new Random(id);
            for (int n = 0;; n++) {
                buffer.insert(new int[] {id, n});
                if (n % 40 < 20) {
                    nap(r, 5);
                }
            }
        }
    }

    static class Consumer implements Runnable {
        private final Buffer<int[]> buffer;
        private final int[] next = new int[3];
        volatile long taken;
        volatile boolean wrong;

        Consumer(Buffer<int[]> buffer) {
            this.buffer = buffer;
        }

        public void run() {
            Random r = new Random(99);
            while (!wrong) {
                int[] item = buffer.remove();
                if (item[1] < next[item[0]]) {
                    wrong = true;
                }
                next[item[0]] = item[1] + 1;
                taken++;
                nap(r, 3);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Buffer<int[]> server = new BoundedBuffer<int[]>();
        Consumer[] consumers = {new Consumer(server), new Consumer(server)};
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(new Producer(server, i));
            t.setDaemon(true);
            t.start();
        }
        for (Consumer c : consumers) {
            Thread t = new Thread(c);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        long taken = 0;
        for (Consumer c : consumers) {
            if (c.wrong) {
                System.out.println("items out of order");
                System.exit(1);
            }
            taken += c.taken;
        }
        System.out.println("DONE " + taken);
    }
}
