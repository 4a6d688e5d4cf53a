// @lock Garnet$Desk
// @type LOCK reentrant=true
// @role lock Garnet$Desk.enter
// @role unlock Garnet$Desk.leave
//
// @lock Garnet$Vault
// @type LOCK reentrant=false
// @role lock Garnet$Vault.open
// @role unlock Garnet$Vault$Visit.close

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A desk whose clerk may come back to it (nested edits with undo), and a vault opened by one visitor at a time in a try with resources. */
public final class Garnet {
    static final class Desk {
        private Thread clerk;
        private int level;

        <T> T within(Callable<T> work) throws Exception {
            enter();
            try {
                return work.call();
            } finally {
                leave();
            }
        }

        private synchronized void enter() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (clerk != null && clerk != me) {
                wait();
            }
            clerk = me;
            level++;
        }

        private synchronized void leave() {
            if (clerk != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not at the desk");
            }
            if (--level == 0) {
                clerk = null;
                notify();
            }
        }
    }

    static final class Ledger {
        private final Desk desk = new Desk();
        private final Deque<Integer> undo = new ArrayDeque<>();
        private int value;

        int change(int by) throws Exception {
            return desk.within(() -> {
                undo.push(value);
                value += by;
                return value;
            });
        }

        int changeTwice(int by) throws Exception {
            return desk.within(() -> {
                int first = change(by);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                int second = change(by);
                return second - first - by;
            });
        }

        boolean revert() throws Exception {
            return desk.within(() -> {
                int before = value;
                value = undo.pop();
                undo.clear();
                return before != value;
            });
        }
    }

    static final class Vault {
        private Visit current;
        int drawer;

        final class Visit implements AutoCloseable {
            private final Thread visitor = Thread.currentThread();

            @Override
            public void close() {
                synchronized (Vault.this) {
                    if (current != this || visitor != Thread.currentThread()) {
                        throw new IllegalStateException("not this visit");
                    }
                    current = null;
                    Vault.this.notifyAll();
                }
            }
        }

        synchronized Visit open() throws InterruptedException {
            if (current != null && current.visitor == Thread.currentThread()) {
                throw new IllegalStateException("already inside");
            }
            while (current != null) {
                wait();
            }
            current = new Visit();
            return current;
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;

    interface Body {
        void run() throws Exception;
    }

    private static void repeat(Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.run();
                    ops.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            } catch (Exception e) {
                failure = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    private static void edit(Ledger ledger) throws Exception {
        if (ledger.changeTwice(3) != 0) {
            failure = "somebody else came to the desk";
        }
        ledger.change(1);
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
            ledger.desk.within(() -> ledger.change(5) > 0 && ledger.revert());
        }
    }

    private static void visit(Vault vault) throws Exception {
        try (Vault.Visit visit = vault.open()) {
            int seen = vault.drawer;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            vault.drawer = seen + 1;
            if (visit != vault.current || vault.drawer != seen + 1) {
                failure = "two visitors at once";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Ledger ledger = new Ledger();
        Vault vault = new Vault();
        for (int i = 0; i < 5; i++) {
            repeat(() -> edit(ledger));
            repeat(() -> visit(vault));
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
