import java.io.RandomAccessFile;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program that keeps books of what it does, and has them audited all the time: money that moves between accounts under two monitors, a
 * belt with wait and notify, a till under a ReentrantLock, all of it by threads of every kind this JDK has. What it has done, how many audits there
 * were and how many found something wrong stands in a file (the argument), which can be read without asking it. Written for JDK 8.
 */
public final class Books {
    static final int ACCOUNTS = 6;
    static final int TELLERS = 4;
    static final int CARRIERS = 2;
    static final long MONEY = 1_000;

    static final class Account {
        private long sum = MONEY;

        synchronized void add(long n) {
            sum += n;
        }

        synchronized long sum() {
            return sum;
        }
    }

    /** Room for four; what came in and what went out. */
    static final class Belt {
        private final long[] slots = new long[4];
        private int from;
        private int held;
        private long in;
        private long out;

        synchronized void put(long n) throws InterruptedException {
            while (held == slots.length) {
                wait();
            }
            slots[(from + held++) % slots.length] = n;
            in += n;
            notifyAll();
        }

        synchronized long take() throws InterruptedException {
            while (held == 0) {
                wait();
            }
            long n = slots[from];
            from = (from + 1) % slots.length;
            held--;
            out += n;
            notifyAll();
            return n;
        }

        synchronized boolean balances() {
            long on = 0;
            for (int i = 0; i < held; i++) {
                on += slots[(from + i) % slots.length];
            }
            return in == out + on;
        }
    }

    static final class Till {
        private final ReentrantLock lock = new ReentrantLock();
        private long coins;
        private long notes;

        void sell() {
            lock.lock();
            try {
                coins++;
                notes--;
            } finally {
                lock.unlock();
            }
        }

        boolean balances() {
            lock.lock();
            try {
                return coins + notes == 0;
            } finally {
                lock.unlock();
            }
        }
    }

    static final Account[] ALL = new Account[ACCOUNTS];
    static final Belt BELT = new Belt();
    static final Till TILL = new Till();
    /** What each thread has done; sixteen slots apart. */
    static final AtomicLongArray DONE = new AtomicLongArray(16 * 64);
    static final AtomicLong AUDITS = new AtomicLong();
    static final AtomicLong WRONG = new AtomicLong();

    interface Work {
        void run() throws Exception;
    }

    static void did(int who) {
        DONE.lazySet(16 * who, DONE.get(16 * who) + 1);
    }

    /** From one account to another, under both monitors, always in the same order. */
    static void move(int from, int to, long n) {
        Account first = ALL[Math.min(from, to)];
        Account second = ALL[Math.max(from, to)];
        synchronized (first) {
            synchronized (second) {
                ALL[from].add(-n);
                ALL[to].add(n);
            }
        }
    }

    static void tell(int who, int turn) {
        int from = (who + turn) % ACCOUNTS;
        move(from, (from + 1 + turn % (ACCOUNTS - 1)) % ACCOUNTS, turn % 7);
        if (turn % 8 == 0) {
            TILL.sell();
        }
        did(who);
    }

    static void teller(int who) throws InterruptedException {
        for (int turn = 0;; turn++) {
            tell(who, turn & 0xffff);
            if (turn % 200 == 0) {
                Thread.sleep(1);
            }
        }
    }

    static void loader(int who) throws InterruptedException {
        for (int turn = 0;; turn++) {
            BELT.put(turn);
            did(who);
            if (turn % 20 == 0) {
                Thread.sleep(1);
            }
        }
    }

    static void unloader(int who) throws InterruptedException {
        for (;;) {
            BELT.take();
            did(who);
        }
    }

    static long total(int at) {
        if (at == ACCOUNTS) {
            long sum = 0;
            for (Account account : ALL) {
                sum += account.sum();
            }
            return sum;
        }
        synchronized (ALL[at]) {
            return total(at + 1);
        }
    }

    static void audit() {
        if (total(0) != ACCOUNTS * MONEY || !BELT.balances() || !TILL.balances()) {
            WRONG.incrementAndGet();
        }
        AUDITS.incrementAndGet();
    }

    static void auditor() throws InterruptedException {
        for (;;) {
            audit();
            Thread.sleep(5);
        }
    }

    /** A thread that dies of something is something wrong. */
    static Runnable watched(Work work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                e.printStackTrace();
                WRONG.incrementAndGet();
            }
        };
    }

    static void start(String name, Work work) {
        Thread thread = new Thread(watched(work), name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Virtual threads, where there are any; platform threads do the same elsewhere. */
    static void startVirtual(String name, Work work) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            start.invoke(null, watched(work));
        } catch (ReflectiveOperationException e) {
            start(name, work);
        }
    }

    static long done() {
        long sum = 0;
        for (int i = 0; i < DONE.length(); i += 16) {
            sum += DONE.get(i);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        MappedByteBuffer book;
        try (RandomAccessFile file = new RandomAccessFile(args[0], "rw")) {
            book = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 24);
        }
        book.order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < ACCOUNTS; i++) {
            ALL[i] = new Account();
        }
        for (int i = 0; i < TELLERS; i++) {
            int who = i;
            start("teller-" + who, () -> teller(who));
        }
        for (int i = 0; i < CARRIERS; i++) {
            int who = TELLERS + i;
            start("loader-" + i, () -> loader(who));
            start("unloader-" + i, () -> unloader(who + CARRIERS));
        }
        for (int i = 0; i < CARRIERS; i++) {
            int who = TELLERS + 2 * CARRIERS + i;
            startVirtual("virtual-" + i, () -> teller(who));
        }
        start("auditor", Books::auditor);
        System.out.println("READY");
        for (;;) {
            book.putLong(0, done());
            book.putLong(8, AUDITS.get());
            book.putLong(16, WRONG.get());
            Thread.sleep(2);
        }
    }
}
