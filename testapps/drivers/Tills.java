import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Clerks who move money between accounts, pass through a door for two, and write into one book. No money is lost, and every clerk
 * looks at that now and then: one who finds that it is ends the JVM, so that a JVM that runs has done its work rightly.
 */
final class Tills {
    private static final int CLERKS = 8;
    private static final int ACCOUNTS = 12;
    private static final int EACH = 1000;
    private static final int AUDIT_EVERY = 64;

    private static final class Account {
        private int balance = EACH;
    }

    /** Two at a time. */
    private static final class Door {
        private int inside;

        synchronized void enter() throws InterruptedException {
            while (inside == 2) {
                wait();
            }
            inside++;
        }

        synchronized void leave() {
            inside--;
            notifyAll();
        }
    }

    private final Account[] accounts = new Account[ACCOUNTS];
    private final Door door = new Door();
    private final ReentrantLock book = new ReentrantLock();
    private long entries;

    private Tills() {
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = new Account();
        }
    }

    public static void main(String[] args) throws Exception {
        Tills tills = new Tills();
        Load.run(args, CLERKS, thread -> tills::serve);
    }

    private void serve() throws InterruptedException {
        door.enter();
        try {
            move(ThreadLocalRandom.current().nextInt(ACCOUNTS), ThreadLocalRandom.current().nextInt(ACCOUNTS));
        } finally {
            door.leave();
        }
        book.lock();
        try {
            if (++entries % AUDIT_EVERY == 0) {
                audit(0, 0);
            }
        } finally {
            book.unlock();
        }
        LockSupport.parkNanos(500_000);
    }

    private void move(int from, int to) {
        synchronized (accounts[Math.min(from, to)]) {
            synchronized (accounts[Math.max(from, to)]) {
                accounts[from].balance -= 7;
                accounts[to].balance += 7;
            }
        }
    }

    /** All accounts, each locked inside those before it. */
    private void audit(int at, long sum) {
        if (at == ACCOUNTS) {
            if (sum != (long) ACCOUNTS * EACH) {
                throw new AssertionError("there are " + sum);
            }
            return;
        }
        synchronized (accounts[at]) {
            audit(at + 1, sum + accounts[at].balance);
        }
    }
}
