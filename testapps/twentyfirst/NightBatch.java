// @lock NightBatch$Options
// @type MUTEX
// @role enter NightBatch$Options.get
// @role enter NightBatch$Options.set
// @quiet
//
// @lock NightBatch$LineBuffer
// @type NOT-SHARED
// @quiet
//
// @lock NightBatch$Phase
// @type LATCH count=2
// @role count-down NightBatch$Phase.halfDone
// @role await NightBatch$Phase.awaitBoth
// @quiet
//
// @lock NightBatch$Throttle
// @type DELAY
// @role delay NightBatch$Throttle.hold

import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The nightly batch of a trading back office: statements are formatted all the time, and twice a second a phase closes. */
public class NightBatch {

    /** Looked at once in a while, changed hardly ever. */
    static class Options {
        private final Properties values = new Properties();

        synchronized String get(String key) {
            return values.getProperty(key, "0");
        }

        synchronized void set(String key, String value) {
            values.setProperty(key, value);
        }
    }

    /** Each formatter has one; synchronized because the class that it replaced was. */
    static class LineBuffer {
        private final StringBuilder text = new StringBuilder();

        synchronized void add(String s) {
            text.append(s).append(';');
        }

        synchronized String flush() {
            String s = text.toString();
            text.setLength(0);
            return s;
        }
    }

    /** Debits and credits are closed by two threads; the reporter goes on when both are. */
    static class Phase {
        private boolean debits, credits;

        synchronized void halfDone(boolean debitSide) {
            if (debitSide) debits = true;
            else credits = true;
            if (debits && credits) notifyAll();
        }

        synchronized void awaitBoth() throws InterruptedException {
            while (!(debits && credits)) wait();
        }

        synchronized boolean complete() {
            return debits && credits;
        }
    }

    static class Throttle {
        synchronized void hold(long millis) throws InterruptedException {
            final long end = System.nanoTime() + millis * 1_000_000;
            do {
                wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } while (System.nanoTime() < end);
        }
    }

    static final Options OPTIONS = new Options();
    static final AtomicLong statements = new AtomicLong();
    static final ConcurrentLinkedQueue<Phase> debitWork = new ConcurrentLinkedQueue<>();
    static final ConcurrentLinkedQueue<Phase> creditWork = new ConcurrentLinkedQueue<>();
    static volatile String complaint;

    static class Formatter implements Runnable {
        private final LineBuffer buffer = new LineBuffer();
        private final Throttle throttle = new Throttle();

        public void run() {
            try {
                for (int i = 0; complaint == null; i++) {
                    buffer.add("account " + i);
                    buffer.add("balance " + i * 3);
                    if (!buffer.flush().equals("account " + i + ";balance " + i * 3 + ";")) complaint = "spoilt statement";
                    statements.incrementAndGet();
                    if (i % 50 == 0 && OPTIONS.get("level").isEmpty()) complaint = "empty option";
                    throttle.hold(5 + i % 9);
                }
            } catch (InterruptedException e) {
                complaint = "formatter interrupted";
            }
        }
    }

    static class Closer implements Runnable {
        private final boolean debitSide;
        private final ConcurrentLinkedQueue<Phase> work;

        Closer(boolean debitSide) {
            this.debitSide = debitSide;
            this.work = debitSide ? debitWork : creditWork;
        }

        public void run() {
            try {
                while (complaint == null) {
                    Thread.sleep(debitSide ? 13 : 17);
                    Phase p = work.poll();
                    if (p != null) p.halfDone(debitSide);
                }
            } catch (InterruptedException e) {
                complaint = "closer interrupted";
            }
        }
    }

    static class Reporter implements Runnable {
        public void run() {
            try {
                for (int n = 0; complaint == null; n++) {
                    Phase p = new Phase();
                    debitWork.add(p);
                    creditWork.add(p);
                    p.awaitBoth();
                    if (!p.complete()) complaint = "phase was not complete";
                    OPTIONS.set("level", String.valueOf(n));
                    Thread.sleep(500);
                }
            } catch (InterruptedException e) {
                complaint = "reporter interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Runnable[] all = {new Formatter(), new Formatter(), new Formatter(), new Closer(true), new Closer(false), new Reporter()};
        for (Runnable r : all) {
            Thread t = new Thread(r, r.getClass().getSimpleName());
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < seconds * 10 && complaint == null; i++) Thread.sleep(100);
        System.out.println(complaint == null ? "DONE " + statements : "COMPLAINT " + complaint);
        System.exit(complaint == null ? 0 : 1);
    }
}
