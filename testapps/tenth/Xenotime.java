// @lock Xenotime$Rota
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Xenotime$Rota.enterShared
// @role read-unlock Xenotime$Rota.leaveShared
// @role write-lock Xenotime$Rota.enterAlone
// @role write-unlock Xenotime$Rota.leaveAlone

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A reading room with a queue: whoever must wait does so on a slip of his own and is called in by those who leave, in order of arrival. */
public final class Xenotime {
    static final class Slip {
        final boolean alone;
        private boolean called;

        Slip(boolean alone) {
            this.alone = alone;
        }

        synchronized void call() {
            called = true;
            notify();
        }

        synchronized void await() throws InterruptedException {
            while (!called) {
                wait();
            }
        }
    }

    static final class Rota {
        private final Deque<Slip> queue = new ArrayDeque<>();
        private int sharing;
        private boolean occupied;

        void enterShared() throws InterruptedException {
            Slip slip;
            synchronized (this) {
                if (queue.isEmpty() && !occupied) {
                    sharing++;
                    return;
                }
                slip = new Slip(false);
                queue.add(slip);
            }
            slip.await();
        }

        void enterAlone() throws InterruptedException {
            Slip slip;
            synchronized (this) {
                if (queue.isEmpty() && !occupied && sharing == 0) {
                    occupied = true;
                    return;
                }
                slip = new Slip(true);
                queue.add(slip);
            }
            slip.await();
        }

        synchronized void leaveShared() {
            sharing--;
            admit();
        }

        synchronized void leaveAlone() {
            occupied = false;
            admit();
        }

        private void admit() {
            while (!queue.isEmpty() && !occupied) {
                Slip next = queue.peek();
                if (next.alone) {
                    if (sharing > 0) {
                        return;
                    }
                    occupied = true;
                } else {
                    sharing++;
                }
                queue.remove().call();
            }
        }
    }

    static final class Manuscript {
        private final Rota rota = new Rota();
        private final StringBuilder text = new StringBuilder("()");

        boolean read() throws InterruptedException {
            rota.enterShared();
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                int depth = 0;
                for (int i = 0; i < text.length(); i++) {
                    depth += text.charAt(i) == '(' ? 1 : -1;
                }
                return depth == 0;
            } finally {
                rota.leaveShared();
            }
        }

        void revise() throws InterruptedException {
            rota.enterAlone();
            try {
                if (text.length() > 60) {
                    text.setLength(0);
                }
                text.append('(');
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                text.append(')');
            } finally {
                rota.leaveAlone();
            }
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;

    private static void reader(Manuscript manuscript) throws InterruptedException {
        if (!manuscript.read()) {
            failure = "half a revision";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
    }

    private static void author(Manuscript manuscript) throws InterruptedException {
        manuscript.revise();
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 11));
    }

    interface Visit {
        void to(Manuscript manuscript) throws InterruptedException;
    }

    private static void start(String name, Manuscript manuscript, Visit visit) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    visit.to(manuscript);
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                failure = name + " was interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int m = 0; m < 2; m++) {
            Manuscript manuscript = new Manuscript();
            for (int i = 0; i < 5; i++) {
                start("reader-" + m + "-" + i, manuscript, Xenotime::reader);
            }
            start("author-" + m + "-a", manuscript, Xenotime::author);
            start("author-" + m + "-b", manuscript, Xenotime::author);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
