// @lock PostBox$Slot
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put PostBox$Slot.put
// @role take PostBox$Slot.take

import java.util.concurrent.atomic.AtomicLong;

/** A one-letter mailbox: null means empty. Two senders, two receivers. */
public class PostBox {
    interface Channel<M> {
        void put(M message) throws InterruptedException;

        M take() throws InterruptedException;
    }

    static class Slot<M> implements Channel<M> {
        private M message;

        @Override
        public synchronized void put(M m) throws InterruptedException {
            while (message != null) {
                wait();
            }
            message = m;
            notifyAll();
        }

        @Override
        public synchronized M take() throws InterruptedException {
            while (message == null) {
                wait();
            }
            M m = message;
            message = null;
            notifyAll();
            return m;
        }
    }

    public static void main(String[] a) throws InterruptedException {
        final long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Channel<String> box = new Slot<>();
        final AtomicLong put = new AtomicLong();
        final AtomicLong taken = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            final int from = i;
            Thread sender = new Thread(() -> {
                try {
                    for (int n = 0;; n++) {
                        put.incrementAndGet();
                        box.put(from + ":" + n);
                        Thread.sleep(n / 64 % 2 == 0 ? 0 : 4);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "sender" + i);
            Thread receiver = new Thread(() -> {
                try {
                    while (true) {
                        if (box.take().indexOf(':') != 1) {
                            System.out.println("torn letter");
                            System.exit(1);
                        }
                        taken.incrementAndGet();
                        Thread.sleep(2);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "receiver" + i);
            sender.setDaemon(true);
            receiver.setDaemon(true);
            sender.start();
            receiver.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long p = put.get();
        long t = taken.get();
        if (t > put.get() || p - t > 6) {
            System.out.println("letters lost: " + p + " sent, " + t + " received");
            System.exit(1);
        }
        System.out.println("DONE " + t);
    }
}
