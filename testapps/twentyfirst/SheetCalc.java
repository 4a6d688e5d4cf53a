// @lock SheetCalc$SheetToken
// @type LOCK reentrant=false
// @role lock SheetCalc$SheetToken.obtain
// @role unlock SheetCalc$SheetToken.surrender
//
// @lock java.lang.Object#lookUp
// @type MUTEX
// @role enter SheetCalc$FormulaCache.lookUp
// @role enter SheetCalc$FormulaCache.evict

import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A shared spreadsheet: recalculations are strictly one after the other, in order of request; parsed formulas are cached. */
public class SheetCalc {

    /** First come, first served, by number. */
    static class SheetToken {
        private int nextNumber = 0;
        private int nowServing = 0;

        public synchronized void obtain() throws InterruptedException {
            final int myNumber = nextNumber;
            nextNumber = nextNumber + 1;
            while (myNumber != nowServing) {
                this.wait();
            }
        }

        public synchronized void surrender() {
            nowServing = nowServing + 1;
            this.notifyAll();
        }
    }

    static class FormulaCache {
        private final Object guard = new Object();
        private final Map<String, Integer> parsed = new TreeMap<String, Integer>();

        public int lookUp(String formula) throws InterruptedException {
            synchronized (guard) {
                Integer result = parsed.get(formula);
                if (result == null) {
                    Thread.sleep(2); // parsing
                    result = Integer.valueOf(formula.substring(1));
                    parsed.put(formula, result);
                }
                return result.intValue();
            }
        }

        public int evict(int limit) throws InterruptedException {
            synchronized (guard) {
                int gone = 0;
                for (Iterator<String> it = parsed.keySet().iterator(); it.hasNext() && parsed.size() > limit;) {
                    it.next();
                    it.remove();
                    gone++;
                }
                Thread.sleep(1);
                return gone;
            }
        }
    }

    private static final SheetToken token = new SheetToken();
    private static final FormulaCache cache = new FormulaCache();
    private static final int[] cells = new int[50];
    private static final AtomicInteger calculating = new AtomicInteger();
    private static final AtomicLong recalculations = new AtomicLong();
    private static volatile String error = null;

    private static class User extends Thread {
        private final Random random;

        User(int n) {
            super("user-" + n);
            random = new Random(n);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (error == null) {
                    int number = random.nextInt(500);
                    int value = cache.lookUp("=" + number);
                    if (value != number) {
                        error = "formula =" + number + " gave " + value;
                    }
                    recalculate(random.nextInt(cells.length), value);
                    Thread.sleep(1 + random.nextInt(10));
                }
            } catch (InterruptedException e) {
                error = getName() + " was interrupted";
            }
        }

        private void recalculate(int cell, int value) throws InterruptedException {
            token.obtain();
            try {
                if (calculating.incrementAndGet() != 1) {
                    error = "two recalculations at once";
                }
                cells[cell] = value;
                Thread.sleep(1 + random.nextInt(3));
                if (cells[cell] != value) {
                    error = "cell " + cell + " changed during its recalculation";
                }
                calculating.decrementAndGet();
            } finally {
                token.surrender();
            }
            recalculations.incrementAndGet();
        }
    }

    private static class Housekeeper extends Thread {
        Housekeeper() {
            super("housekeeper");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    cache.evict(40);
                    Thread.sleep(15);
                }
            } catch (InterruptedException e) {
                error = "housekeeper was interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = 600;
        if (args.length > 0) {
            seconds = Integer.parseInt(args[0]);
        }
        for (int n = 1; n <= 5; n++) {
            new User(n).start();
        }
        new Housekeeper().start();
        System.out.println("READY");
        long deadline = System.currentTimeMillis() + 1000L * seconds;
        while (error == null && System.currentTimeMillis() < deadline) {
            Thread.sleep(100);
        }
        if (error != null) {
            System.out.println("ERROR: " + error);
            System.exit(1);
        }
        System.out.println("DONE " + recalculations.get());
        System.exit(0);
    }
}
