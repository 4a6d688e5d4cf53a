// A message hub after its third rewrite: classes still carry the names of what they were. "Mailbox" is a channel that
// one writer at a time owns, "Barrier" lets four batches through at once.
//
// @lock PostOffice$Mailbox
// @type LOCK reentrant=false
// @role lock PostOffice$Mailbox.take
// @role unlock PostOffice$Mailbox.put
//
// @lock PostOffice$Barrier
// @type SEMAPHORE permits=4
// @role acquire PostOffice$Barrier.await
// @role acquire PostOffice$Barrier.awaitAtMost
// @role release PostOffice$Barrier.countDown

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class PostOffice {
    static volatile String broken;
    static final AtomicLong sent = new AtomicLong(), refused = new AtomicLong();

    static final class Mailbox {
        private boolean full;
        private String consumer;
        private final StringBuilder line = new StringBuilder();

        void take() {
            boolean again = false;
            synchronized (this) {
                while (full) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        again = true;
                    }
                }
                full = true;
                consumer = Thread.currentThread().getName();
            }
            if (again)
                Thread.currentThread().interrupt();
        }

        void put() {
            synchronized (this) {
                if (!Thread.currentThread().getName().equals(consumer))
                    throw new IllegalStateException("channel belongs to " + consumer);
                consumer = null;
                full = false;
                notify();
            }
        }

        void write(String s) {
            line.append(s);
        }

        String flush() {
            String s = line.toString();
            line.setLength(0);
            return s;
        }
    }

    static final class Barrier {
        private int arrived;
        private final int parties;

        Barrier(int parties) {
            this.parties = parties;
        }

        synchronized void await() throws InterruptedException {
            while (arrived >= parties)
                wait();
            arrived++;
        }

        synchronized boolean awaitAtMost(int millis) throws InterruptedException {
            long now = System.currentTimeMillis();
            long end = now + millis;
            while (arrived >= parties && now < end) {
                wait(end - now);
                now = System.currentTimeMillis();
            }
            if (arrived >= parties)
                return false;
            arrived++;
            return true;
        }

        synchronized void countDown() {
            arrived--;
            notify();
        }
    }

    private final Mailbox[] channels = {new Mailbox(), new Mailbox()};
    private final Barrier batches = new Barrier(4);
    private final AtomicInteger inside = new AtomicInteger();

    void client(boolean hurried) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (;;) {
            if (hurried) {
                if (!batches.awaitAtMost(4)) {
                    refused.incrementAndGet();
                    Thread.sleep(2);
                    continue;
                }
            } else
                batches.await();
            if (inside.incrementAndGet() > 4)
                broken = "five batches at once";
            Mailbox channel = channels[random.nextInt(channels.length)];
            channel.take();
            channel.write("<msg>");
            Thread.sleep(1 + random.nextInt(3));
            channel.write("</msg>");
            String text = channel.flush();
            channel.put();
            if (!text.equals("<msg></msg>"))
                broken = "mixed: " + text;
            inside.decrementAndGet();
            batches.countDown();
            sent.incrementAndGet();
            Thread.sleep(random.nextInt(3));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final PostOffice office = new PostOffice();
        for (int i = 0; i < 8; i++) {
            final boolean hurried = i % 4 == 3;
            Thread t = new Thread("client-" + i) {
                @Override
                public void run() {
                    try {
                        office.client(hurried);
                    } catch (InterruptedException | RuntimeException e) {
                        broken = getName() + ": " + e;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long last = -1;
        int idle = 0;
        while (broken == null && System.nanoTime() < end) {
            Thread.sleep(350);
            idle = sent.get() == last ? idle + 1 : 0;
            if (idle > 25)
                broken = "nothing is sent";
            last = sent.get();
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + sent.get());
    }
}
