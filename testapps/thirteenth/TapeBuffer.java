// A backup: readers of disks put blocks into a buffer of ten, two tape drives take them out. The free places are counted
// under one monitor and the blocks stand in a list under another, so that the two sides seldom get in each other's way.
//
// @lock TapeBuffer$Places
// @type PRODUCER-CONSUMER capacity=10
// @role put TapeBuffer$Buffer.put
// @role take TapeBuffer$Buffer.take

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class TapeBuffer {
    static volatile String broken;
    static final AtomicLong read = new AtomicLong(), written = new AtomicLong();

    static final class Block {
        final int disk;
        final long number;

        Block(int disk, long number) {
            this.disk = disk;
            this.number = number;
        }
    }

    static final class Places {
        int free = 10;
    }

    static final class Blocks {
        final ArrayDeque<Block> list = new ArrayDeque<>();
    }

    static final class Buffer {
        private final Places places = new Places();
        private final Blocks blocks = new Blocks();

        void put(Block b) throws InterruptedException {
            synchronized (places) {
                while (places.free == 0)
                    places.wait();
                places.free--;
            }
            synchronized (blocks) {
                blocks.list.addLast(b);
                blocks.notify();
            }
        }

        Block take() throws InterruptedException {
            Block b;
            synchronized (blocks) {
                while (blocks.list.isEmpty())
                    blocks.wait();
                b = blocks.list.removeFirst();
            }
            synchronized (places) {
                places.free++;
                places.notify();
            }
            return b;
        }
    }

    static final class Disk extends Thread {
        private final Buffer buffer;
        private final int number;

        Disk(Buffer buffer, int number) {
            super("disk-" + number);
            this.buffer = buffer;
            this.number = number;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long n = 0;; n++) {
                    buffer.put(new Block(number, n));
                    read.incrementAndGet();
                    if (n % 16 == 15)
                        Thread.sleep(60); // seeks
                    else if (n % 4 == 0)
                        Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                broken = getName() + " interrupted";
            }
        }
    }

    static final class Tape extends Thread {
        private final Buffer buffer;
        private final AtomicIntegerArray count;
        private final BitSet seen = new BitSet();

        Tape(Buffer buffer, AtomicIntegerArray count) {
            super("tape");
            this.buffer = buffer;
            this.count = count;
            setDaemon(true);
        }

        @Override
        public void run() {
            long[] last = new long[count.length()];
            java.util.Arrays.fill(last, -1);
            try {
                for (;;) {
                    Block b = buffer.take();
                    if (b.number <= last[b.disk])
                        broken = "block " + b.number + " after " + last[b.disk];
                    last[b.disk] = b.number;
                    seen.set(b.disk);
                    count.incrementAndGet(b.disk);
                    written.incrementAndGet();
                    Thread.sleep(2 + ThreadLocalRandom.current().nextInt(2));
                }
            } catch (InterruptedException e) {
                broken = "tape interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Buffer buffer = new Buffer();
        AtomicIntegerArray count = new AtomicIntegerArray(2);
        for (int i = 0; i < 2; i++) {
            new Disk(buffer, i).start();
            new Tape(buffer, count).start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end) {
            Thread.sleep(20);
            long out = written.get(), in = read.get();
            if (out > in + 2)
                broken = "more written than read";
            out = written.get();
            if (in > out + 10 + 2)
                broken = "more than ten blocks are buffered";
        }
        if (broken == null && (count.get(0) == 0 || count.get(1) == 0))
            broken = "a disk was never backed up";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + written.get());
    }
}
