// @lock Demo$AccountLog
// @type MUTEX
// @role enter Demo$AccountLog.book
// @role enter Demo$AccountLog.balance
//
// @lock Demo$JobQueue
// @type PRODUCER-CONSUMER capacity=8
// @role put Demo$JobQueue.put
// @role take Demo$JobQueue.take
//
// @lock Demo$Connections
// @type SEMAPHORE permits=3
// @role acquire Demo$Connections.borrow
// @role release Demo$Connections.giveBack
//
// @lock Demo$Document
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Demo$Document.beginRead
// @role read-unlock Demo$Document.endRead
// @role write-lock Demo$Document.beginEdit
// @role write-unlock Demo$Document.endEdit
//
// @lock Demo$PhaseBarrier
// @type BARRIER parties=3
// @role arrive Demo$PhaseBarrier.await
//
// @lock Demo$Batch
// @type LATCH count=4
// @role count-down Demo$Batch.jobDone
// @role await Demo$Batch.await
//
// @lock Demo$ModelLock
// @type LOCK reentrant=true
// @role lock Demo$ModelLock.lock
// @role unlock Demo$ModelLock.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small job server. Clients submit batches of jobs and wait for each batch; workers take the jobs, do them over one
 * of three database connections, look things up in a shared document and book the cost in an account log. Beside
 * that, a forecast is computed in phases, whose model an importer and the forecasters share.
 *
 * <p>Every lock is written here with synchronized, wait and notify: seven logical locks, seven different kinds.
 */
public final class Demo {
    /** MUTEX: two sums that must change together. Writing through takes a moment, so the threads do meet. */
    static final class AccountLog {
        private long debit;
        private long credit;
        private int sinceFlush;

        synchronized void book(int cost) {
            debit += cost;
            if (++sinceFlush == 4) {
                sinceFlush = 0;
                pause(1);
            }
            credit += cost;
        }

        synchronized long balance() {
            return debit - credit;
        }
    }

    /** PRODUCER-CONSUMER: a ring of eight jobs. */
    static final class JobQueue {
        private final Job[] ring = new Job[8];
        private int first;
        private int size;

        synchronized void put(Job job) throws InterruptedException {
            while (size == ring.length) {
                wait();
            }
            ring[(first + size) % ring.length] = job;
            size++;
            notifyAll();
        }

        synchronized Job take() throws InterruptedException {
            while (size == 0) {
                wait();
            }
            Job job = ring[first];
            first = (first + 1) % ring.length;
            size--;
            notifyAll();
            return job;
        }
    }

    /** SEMAPHORE: how many of the three connections are free. */
    static final class Connections {
        private int free = 3;

        synchronized void borrow() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized void giveBack() {
            free++;
            notify();
        }
    }

    /** READ-WRITE: readers share, an editor excludes, a waiting editor keeps new readers out. */
    static final class Document {
        private int readers;
        private boolean editing;
        private int editorsWaiting;
        private int words;
        private int checksum;

        synchronized void beginRead() throws InterruptedException {
            while (editing || editorsWaiting > 0) {
                wait();
            }
            readers++;
        }

        synchronized void endRead() {
            if (--readers == 0) {
                notifyAll();
            }
        }

        synchronized void beginEdit() throws InterruptedException {
            editorsWaiting++;
            try {
                while (editing || readers > 0) {
                    wait();
                }
            } finally {
                editorsWaiting--;
            }
            editing = true;
        }

        synchronized void endEdit() {
            editing = false;
            notifyAll();
        }
    }

    /** BARRIER: the three forecasters finish each phase together. */
    static final class PhaseBarrier {
        private static final int PARTIES = 3;
        private int arrived;
        private long phase;

        synchronized long await() throws InterruptedException {
            long mine = phase;
            arrived++;
            if (arrived == PARTIES) {
                arrived = 0;
                phase++;
                notifyAll();
                return mine;
            }
            while (phase == mine) {
                wait();
            }
            return mine;
        }
    }

    /** LATCH: opens when the four jobs of a batch are done; a new one for each batch. */
    static final class Batch {
        private static final int JOBS = 4;
        private int open = JOBS;

        synchronized void jobDone() {
            if (--open == 0) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (open > 0) {
                wait();
            }
        }
    }

    /** LOCK: re-entrant, released by its owner. */
    static final class ModelLock {
        private Thread owner;
        private int depth;

        synchronized void lock() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (owner != null && owner != me) {
                wait();
            }
            owner = me;
            depth++;
        }

        synchronized void unlock() {
            if (owner != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not the owner");
            }
            if (--depth == 0) {
                owner = null;
                notify();
            }
        }
    }

    static final class Job {
        private final Batch batch;
        private final int number;

        Job(Batch batch, int number) {
            this.batch = batch;
            this.number = number;
        }
    }

    private final AccountLog accounts = new AccountLog();
    private final JobQueue queue = new JobQueue();
    private final Connections connections = new Connections();
    private final Document document = new Document();
    private final PhaseBarrier barrier = new PhaseBarrier();
    private final ModelLock modelLock = new ModelLock();
    private final double[] model = new double[64];
    private final AtomicInteger connected = new AtomicInteger();
    private final AtomicLong jobs = new AtomicLong();
    private volatile boolean failed;

    private void client() throws InterruptedException {
        Batch batch = new Batch();
        for (int i = 0; i < Batch.JOBS; i++) {
            queue.put(new Job(batch, i));
        }
        batch.await();
        pause(dice(2, 12));
    }

    private void worker() throws InterruptedException {
        Job job = queue.take();
        connections.borrow();
        try {
            check(connected.incrementAndGet() <= 3, "a fourth connection");
            pause(dice(1, 4));
        } finally {
            connected.decrementAndGet();
            connections.giveBack();
        }
        look();
        accounts.book(job.number + dice(1, 9));
        jobs.incrementAndGet();
        job.batch.jobDone();
    }

    private void look() throws InterruptedException {
        document.beginRead();
        try {
            int words = document.words;
            pause(1);
            check(document.checksum == words, "a reader saw half an edit");
        } finally {
            document.endRead();
        }
    }

    private void editor() throws InterruptedException {
        pause(dice(4, 14));
        document.beginEdit();
        try {
            document.words++;
            pause(dice(1, 3));
            document.checksum++;
        } finally {
            document.endEdit();
        }
    }

    private void forecaster(int part) throws InterruptedException {
        pause(dice(1, 5));
        smooth(part);
        barrier.await();
    }

    private void smooth(int part) throws InterruptedException {
        modelLock.lock();
        try {
            for (int i = part + 1; i < model.length - 1; i += 3) {
                set(i, (model[i - 1] + model[i + 1]) / 2);
            }
            pause(1);
        } finally {
            modelLock.unlock();
        }
    }

    private void set(int i, double value) throws InterruptedException {
        modelLock.lock();
        try {
            model[i] = value;
        } finally {
            modelLock.unlock();
        }
    }

    private void importer() throws InterruptedException {
        set(dice(0, 64), dice(-50, 50));
        pause(dice(2, 8));
    }

    private void accountant() throws InterruptedException {
        check(accounts.balance() == 0, "the accounts do not balance");
        pause(3);
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            failed = true;
            System.err.println(otherwise);
        }
    }

    private static int dice(int low, int high) {
        return ThreadLocalRandom.current().nextInt(low, high);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a thread does again and again. */
    interface Duty {
        void run() throws InterruptedException;
    }

    private void start(String name, Duty duty) {
        Thread t = new Thread(() -> {
            try {
                while (!failed) {
                    duty.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private void open() {
        for (int i = 0; i < 4; i++) {
            start("client-" + i, this::client);
        }
        for (int i = 0; i < 5; i++) {
            start("worker-" + i, this::worker);
        }
        for (int i = 0; i < PhaseBarrier.PARTIES; i++) {
            int part = i;
            start("forecaster-" + i, () -> forecaster(part));
        }
        start("editor-0", this::editor);
        start("editor-1", this::editor);
        start("importer", this::importer);
        start("accountant", this::accountant);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Demo server = new Demo();
        server.open();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (server.failed) {
            throw new IllegalStateException("an invariant of the job server broke");
        }
        System.out.println("DONE " + server.jobs);
    }
}
