// @lock ClusterView$Leadership
// @type CONDITION
// @role wait ClusterView$Leadership.leader
// @role wait ClusterView$Leadership.vacancy
// @role notify ClusterView$Leadership.elect
// @role notify ClusterView$Leadership.resign
//
// @lock ClusterView$View
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock ClusterView$View.enter
// @role read-unlock ClusterView$View.exit
// @role write-lock ClusterView$View.freeze
// @role write-unlock ClusterView$View.thaw
//
// @lock ClusterView$Boot
// @type LATCH count=1
// @role count-down ClusterView$Boot.up
// @role await ClusterView$Boot.awaitUp
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Cluster membership: a leader is elected and resigns, members route by a view that is frozen when it changes. */
public class ClusterView {

    static final class Leadership {
        private int leader = -1;
        private long term;

        synchronized int leader() throws InterruptedException {
            while (leader < 0) {
                wait();
            }
            return leader;
        }

        synchronized long vacancy() throws InterruptedException {
            while (leader >= 0) {
                wait();
            }
            return term;
        }

        /** False when somebody else has won the term. */
        synchronized boolean elect(int who, long forTerm) {
            if (leader >= 0 || term != forTerm) {
                return false;
            }
            leader = who;
            term++;
            notifyAll();
            return true;
        }

        synchronized void resign(int who) {
            if (leader != who) {
                fault = who + " resigns but leader is " + leader;
            }
            leader = -1;
            notifyAll();
        }
    }

    /**
     * A read-write lock made of three monitors: the counts have one, and each kind of waiter one to be woken on.
     * A waiter looks again at the counts whenever its bell has rung since it last looked.
     */
    static final class View {
        static final class Bell {
            private long rings;

            synchronized void ring() {
                rings++;
                notifyAll();
            }

            synchronized long heard() {
                return rings;
            }

            synchronized void after(long heard) throws InterruptedException {
                while (rings == heard) {
                    wait();
                }
            }
        }

        private final Bell readers = new Bell();
        private final Bell writers = new Bell();
        private int reading;
        private int freezing;
        private boolean frozen;

        void enter() throws InterruptedException {
            while (true) {
                long heard = readers.heard();
                synchronized (this) {
                    if (!frozen && freezing == 0) {
                        reading++;
                        return;
                    }
                }
                readers.after(heard);
            }
        }

        void exit() {
            boolean last;
            synchronized (this) {
                last = --reading == 0;
            }
            if (last) {
                writers.ring();
            }
        }

        void freeze() throws InterruptedException {
            synchronized (this) {
                freezing++;
            }
            while (true) {
                long heard = writers.heard();
                synchronized (this) {
                    if (!frozen && reading == 0) {
                        freezing--;
                        frozen = true;
                        return;
                    }
                }
                writers.after(heard);
            }
        }

        void thaw() {
            boolean more;
            synchronized (this) {
                frozen = false;
                more = freezing > 0;
            }
            if (more) {
                writers.ring();
            } else {
                readers.ring();
            }
        }
    }

    static final class Boot {
        private boolean up;

        synchronized void up() {
            up = true;
            notifyAll();
        }

        synchronized void awaitUp() throws InterruptedException {
            while (!up) {
                wait();
            }
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Leadership LEADERSHIP = new Leadership();
    static final View VIEW = new View();
    static final Boot BOOT = new Boot();
    static final int[] MEMBERS = {0, 0};

    static void candidate(int id) throws InterruptedException {
        while (true) {
            long term = LEADERSHIP.vacancy();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            if (!LEADERSHIP.elect(id, term)) {
                continue;
            }
            VIEW.freeze();
            try {
                MEMBERS[0]++;
                Thread.sleep(2);
                MEMBERS[1]++;
            } finally {
                VIEW.thaw();
            }
            Thread.sleep(3);
            LEADERSHIP.resign(id);
        }
    }

    static void member() throws InterruptedException {
        while (true) {
            int l = LEADERSHIP.leader();
            if (l != 0 && l != 1) {
                fault = "leader " + l;
            }
            VIEW.enter();
            try {
                int a = MEMBERS[0];
                Thread.sleep(2);
                if (a != MEMBERS[1]) {
                    fault = "view changed while it was read";
                }
            } finally {
                VIEW.exit();
            }
            OPS.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            final int id = i;
            Thread t = new Thread(i < 2 ? "candidate-" + i : "member-" + i) {
                @Override public void run() {
                    try {
                        BOOT.awaitUp();
                        if (id < 2) {
                            candidate(id);
                        } else {
                            member();
                        }
                    } catch (InterruptedException e) {
                        fault = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        Thread.sleep(20);
        BOOT.up();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
