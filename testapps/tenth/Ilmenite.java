// @lock Ilmenite$Gate
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Ilmenite$Gate.in
// @role read-unlock Ilmenite$Gate.out
// @role write-lock Ilmenite$Gate.claim
// @role write-unlock Ilmenite$Gate.resign
//
// @lock Ilmenite$Sheet
// @type READ-WRITE preference=readers
// @role read-lock Ilmenite$Sheet.open
// @role read-unlock Ilmenite$Sheet.close
// @role write-lock Ilmenite$Sheet.seize
// @role write-unlock Ilmenite$Sheet.drop

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A price list behind a gate that lets those who change it go first, and a sheet that knows by name who is looking at it. */
public final class Ilmenite {
    static final class Gate {
        private static final int CLAIMED = -1;
        private int inside;
        private int claims;

        synchronized void in() throws InterruptedException {
            while (inside == CLAIMED || claims > 0) {
                wait();
            }
            inside++;
        }

        synchronized void out() {
            if (--inside == 0 && claims > 0) {
                notifyAll();
            }
        }

        synchronized void claim() throws InterruptedException {
            claims++;
            try {
                while (inside != 0) {
                    wait();
                }
                inside = CLAIMED;
            } catch (InterruptedException e) {
                notifyAll();
                throw e;
            } finally {
                claims--;
            }
        }

        synchronized void resign() {
            inside = 0;
            notifyAll();
        }
    }

    static final class Sheet {
        private final Set<Thread> viewers = new HashSet<>();
        private Thread editor;

        <T> T view(Supplier<T> look) {
            open();
            try {
                return look.get();
            } finally {
                close();
            }
        }

        void edit(Runnable change) {
            seize();
            try {
                change.run();
            } finally {
                drop();
            }
        }

        private synchronized void open() {
            while (editor != null) {
                pause();
            }
            viewers.add(Thread.currentThread());
        }

        private synchronized void close() {
            viewers.remove(Thread.currentThread());
            notifyAll();
        }

        private synchronized void seize() {
            while (editor != null || !viewers.isEmpty()) {
                pause();
            }
            editor = Thread.currentThread();
        }

        private synchronized void drop() {
            editor = null;
            notifyAll();
        }

        private void pause() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static final int[] prices = new int[32];
    private static final long[] halves = new long[2];
    private static volatile String failure;

    private static void nap(int from, int to) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void quote(Gate gate) throws InterruptedException {
        gate.in();
        try {
            int first = prices[0];
            nap(0, 3);
            if (!Arrays.stream(prices).allMatch(p -> p == first)) {
                failure = "half a new price list";
            }
        } finally {
            gate.out();
        }
        nap(1, 5);
    }

    private static void reprice(Gate gate) throws InterruptedException {
        gate.claim();
        try {
            for (int i = 0; i < prices.length; i++) {
                prices[i]++;
            }
            nap(1, 3);
        } finally {
            gate.resign();
        }
        nap(6, 14);
    }

    private static void look(Sheet sheet) {
        boolean even = sheet.view(() -> {
            long left = halves[0];
            nap(0, 3);
            return left == halves[1];
        });
        if (!even) {
            failure = "half an edit";
        }
        nap(3, 9);
    }

    private static void write(Sheet sheet) {
        sheet.edit(() -> {
            halves[0]++;
            nap(1, 3);
            halves[1]++;
        });
        nap(4, 10);
    }

    interface Body<T> {
        void on(T target) throws InterruptedException;
    }

    private static <T> void staff(int count, T target, Body<T> body) {
        for (int i = 0; i < count; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        body.on(target);
                        ops.incrementAndGet();
                    }
                } catch (InterruptedException | RuntimeException e) {
                    failure = e.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Gate gate = new Gate();
        Sheet sheet = new Sheet();
        staff(5, gate, Ilmenite::quote);
        staff(2, gate, Ilmenite::reprice);
        staff(4, sheet, Ilmenite::look);
        staff(2, sheet, Ilmenite::write);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
