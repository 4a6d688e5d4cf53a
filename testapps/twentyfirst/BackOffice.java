// @lock BackOffice$PositionBook
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock BackOffice$PositionBook.beginRead
// @role read-unlock BackOffice$PositionBook.endRead
// @role write-lock BackOffice$PositionBook.beginWrite
// @role write-unlock BackOffice$PositionBook.endWrite
//
// @lock BackOffice$TradeTape
// @type PRODUCER-CONSUMER capacity=12
// @role put BackOffice$TradeTape.append
// @role take BackOffice$TradeTape.next

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Trades come in over two feeds, are queued, and are booked into positions which risk managers read. */
public class BackOffice {

    static class Trade {
        final int account, contra, amount;
        final int feed;
        final long serial;
        Trade(int feed, long serial, int account, int contra, int amount) {
            this.feed = feed;
            this.serial = serial;
            this.account = account;
            this.contra = contra;
            this.amount = amount;
        }
    }

    static class TradeTape {
        private final Trade[] ring = new Trade[12];
        private long head, tail;

        public void append(Trade t) throws InterruptedException {
            synchronized (this) {
                while (tail - head == ring.length)
                    wait();
                ring[(int) (tail++ % ring.length)] = t;
                notifyAll();
            }
        }

        public Trade next() throws InterruptedException {
            synchronized (this) {
                while (tail == head)
                    wait();
                int slot = (int) (head++ % ring.length);
                Trade t = ring[slot];
                ring[slot] = null;
                notifyAll();
                return t;
            }
        }
    }

    static class PositionBook {
        final long[] position = new long[16];
        private int readers;
        private int pendingWriters;
        private boolean writing;

        synchronized void beginRead() throws InterruptedException {
            while (writing || pendingWriters > 0)
                wait();
            readers++;
        }

        synchronized void endRead() {
            if (--readers == 0)
                notifyAll();
        }

        synchronized void beginWrite() throws InterruptedException {
            pendingWriters++;
            try {
                while (writing || readers > 0)
                    wait();
                writing = true;
            } finally {
                pendingWriters--;
                if (!writing)
                    notifyAll();
            }
        }

        synchronized void endWrite() {
            writing = false;
            notifyAll();
        }
    }

    static final TradeTape tape = new TradeTape();
    static final PositionBook book = new PositionBook();
    static final AtomicLong ops = new AtomicLong();
    static volatile String failure;

    static abstract class Clerk implements Runnable {
        final Random random = new Random(hashCode());
        abstract void work() throws InterruptedException;
        public void run() {
            try {
                for (;;)
                    work();
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }
        void start(String name) {
            Thread t = new Thread(this, name);
            t.setDaemon(true);
            t.start();
        }
    }

    static class Feed extends Clerk {
        final int number;
        long serial;
        Feed(int number) {
            this.number = number;
        }
        void work() throws InterruptedException {
            int burst = 4 + random.nextInt(12);
            for (int i = 0; i < burst; i++)
                tape.append(new Trade(number, serial++, random.nextInt(16), random.nextInt(16), random.nextInt(1000)));
            Thread.sleep(30 + random.nextInt(60));
        }
    }

    static class Booker extends Clerk {
        final long[] expected = new long[2];
        void work() throws InterruptedException {
            Trade t = tape.next();
            if (expected[t.feed]++ != t.serial)
                failure = "trade " + t.serial + " out of order";
            book.beginWrite();
            try {
                book.position[t.account] -= t.amount;
                Thread.sleep(1);
                book.position[t.contra] += t.amount;
            } finally {
                book.endWrite();
            }
            ops.incrementAndGet();
        }
    }

    static class RiskManager extends Clerk {
        void work() throws InterruptedException {
            book.beginRead();
            try {
                long sum = 0;
                for (int i = 0; i < 8; i++)
                    sum += book.position[i];
                Thread.sleep(1 + random.nextInt(3));
                for (int i = 8; i < 16; i++)
                    sum += book.position[i];
                if (sum != 0)
                    failure = "the book does not balance: " + sum;
            } finally {
                book.endRead();
            }
            ops.incrementAndGet();
            Thread.sleep(3 + random.nextInt(10));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int secs = args.length == 0 ? 600 : Integer.parseInt(args[0]);
        new Feed(0).start("feed-0");
        new Feed(1).start("feed-1");
        new Booker().start("booker");
        for (int i = 0; i < 3; i++)
            new RiskManager().start("risk-" + i);
        System.out.println("READY");
        for (long i = 0; i < secs * 20L && failure == null; i++)
            Thread.sleep(50);
        System.out.println(failure == null ? "DONE " + ops : "FAILED " + failure);
        System.exit(failure == null ? 0 : 1);
    }
}
