// A draft with one shared mutex_ object: writers lock the draft (they may lock it again), while subscribers wait on the same object for a version
// without ever locking it. An auto-saver pauses on a private monitor between its copies.
//
// @lock java.lang.Object#beginEdit
// @type LOCK+CONDITION reentrant=true
// @role lock DraftDesk$LockSupport.beginEdit
// @role lock DraftDesk$LockSupport.tryEdit
// @role unlock DraftDesk$LockSupport.endEdit
// @role wait DraftDesk$VersionedMonitor.awaitVersion
// @role notify DraftDesk$VersionedMonitor.publish
//
// @lock DraftDesk$Pause
// @type DELAY
// @role delay DraftDesk$Pause.pause
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class DraftDesk {

    abstract static class LockSupport {
        protected final Object mutex_;
        protected Thread editor_;
        protected int depth_;

        LockSupport(Object mutex) { mutex_ = mutex; }

        void beginEdit() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (mutex_) {
                while (editor_ != null && editor_ != me) mutex_.wait();
                editor_ = me;
                depth_++;
            }
        }

        boolean tryEdit(long msecs) throws InterruptedException {
            Thread me = Thread.currentThread();
            long deadline = System.currentTimeMillis() + msecs;
            synchronized (mutex_) {
                while (editor_ != null && editor_ != me) {
                    long left = deadline - System.currentTimeMillis();
                    if (left <= 0) return false;
                    mutex_.wait(left);
                }
                editor_ = me;
                depth_++;
                return true;
            }
        }

        void endEdit() {
            synchronized (mutex_) {
                if (editor_ != Thread.currentThread()) throw new IllegalStateException("not the editor");
                if (--depth_ == 0) {
                    editor_ = null;
                    mutex_.notifyAll();
                }
            }
        }
    }

    static final class VersionedMonitor extends LockSupport {
        private long version_;

        VersionedMonitor() { super(new Object()); }

        void publish() {
            synchronized (mutex_) {
                version_++;
                mutex_.notifyAll();
            }
        }

        long awaitVersion(long seen) throws InterruptedException {
            synchronized (mutex_) {
                while (version_ <= seen) mutex_.wait();
                return version_;
            }
        }
    }

    static final class Pause {
        private final long msecs_;

        Pause(long msecs) { msecs_ = msecs; }

        void pause() throws InterruptedException {
            long deadline = System.currentTimeMillis() + msecs_;
            synchronized (this) {
                long left = msecs_;
                do {
                    wait(left);
                    left = deadline - System.currentTimeMillis();
                } while (left > 0);
            }
        }
    }

    static final VersionedMonitor desk = new VersionedMonitor();
    static int words, checkSum;

    static void insert(int n) throws InterruptedException {
        desk.beginEdit();
        try {
            words += n;
            nap(1, 3);
            if (words > 1000) trim();
            checkSum += n;
            check(words == checkSum, "draft torn");
        } finally {
            desk.endEdit();
        }
    }

    static void trim() throws InterruptedException {
        desk.beginEdit();
        try {
            words -= 500;
            nap(1, 2);
            checkSum -= 500;
        } finally {
            desk.endEdit();
        }
    }

    static void begin() {
        for (int i = 0; i < 3; i++) {
            spawn("author-" + i, () -> {
                desk.beginEdit();
                try {
                    insert(1 + ThreadLocalRandom.current().nextInt(40));
                    desk.publish();
                } finally {
                    desk.endEdit();
                }
                ops.incrementAndGet();
                nap(3, 8);
            });
        }
        for (int i = 0; i < 2; i++) {
            long[] seen = {0};
            spawn("subscriber-" + i, () -> {
                long v = desk.awaitVersion(seen[0]);
                check(v > seen[0], "an old version");
                seen[0] = v;
                ops.incrementAndGet();
            });
        }
        Pause pause = new Pause(12);
        spawn("auto-saver", () -> {
            if (desk.tryEdit(6)) {
                try {
                    check(words == checkSum, "draft torn when saved");
                    nap(1, 2);
                } finally {
                    desk.endEdit();
                }
            }
            pause.pause();
        });
        Pause blink = new Pause(17);
        spawn("cursor", blink::pause);
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
