// @lock Vesuvianite$Bureau
// @type SEMAPHORE+CONDITION permits=3
// @role acquire Vesuvianite$Bureau.take
// @role release Vesuvianite$Bureau.put
// @role wait Vesuvianite$Bureau.newer
// @role notify Vesuvianite$Bureau.reissue

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A translation bureau: three dictionaries to borrow, and a word list issued again and again, whose readers wait for a newer one at the same counter. */
public final class Vesuvianite {
    static final class Issue {
        final int number;
        final String[] words;

        Issue(int number, String... words) {
            this.number = number;
            this.words = words;
        }
    }

    static final class Bureau {
        private final String[] borrowers = new String[3];
        private Issue issue = new Issue(0, "a0", "b0");

        synchronized int take(String who) throws InterruptedException {
            int free;
            while ((free = Arrays.asList(borrowers).indexOf(null)) < 0) {
                wait();
            }
            borrowers[free] = who;
            return free;
        }

        synchronized void put(int book, String who) {
            if (!who.equals(borrowers[book])) {
                throw new IllegalStateException(who + " has not borrowed " + book);
            }
            borrowers[book] = null;
            notifyAll();
        }

        synchronized Issue newer(Issue known) throws InterruptedException {
            while (issue == known) {
                wait();
            }
            return issue;
        }

        synchronized void reissue() {
            int next = issue.number + 1;
            issue = new Issue(next, "a" + next, "b" + next);
            notifyAll();
        }
    }

    private static final AtomicIntegerArray out = new AtomicIntegerArray(3);
    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;

    private static void translate(Bureau bureau, String who) throws InterruptedException {
        while (failure == null) {
            int book = bureau.take(who);
            try {
                if (out.incrementAndGet(book) != 1) {
                    failure = "a dictionary lent twice";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                out.decrementAndGet(book);
            } finally {
                bureau.put(book, who);
            }
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        }
    }

    private static void study(Bureau bureau) throws InterruptedException {
        Issue known = null;
        while (failure == null) {
            Issue next = bureau.newer(known);
            if (known != null && next.number <= known.number || !next.words[1].equals("b" + next.number)) {
                failure = "an old or broken issue";
            }
            known = next;
            ops.incrementAndGet();
            Thread.sleep(1);
        }
    }

    private static void print(Bureau bureau) throws InterruptedException {
        while (failure == null) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
            bureau.reissue();
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static void start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                failure = name + " was interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Bureau bureau = new Bureau();
        for (int i = 0; i < 7; i++) {
            String who = "translator-" + i;
            start(who, () -> translate(bureau, who));
        }
        for (int i = 0; i < 3; i++) {
            start("student-" + i, () -> study(bureau));
        }
        start("printer", () -> print(bureau));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
