// @lock java.lang.Class#enterArea
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Cordon$Area.enterArea
// @role read-unlock Cordon$Area.leaveArea
// @role write-lock Cordon$Area.clearArea
// @role write-unlock Cordon$Area.openArea

// @lock java.lang.Class#record
// @type MUTEX
// @role enter Cordon.record
// @role enter Cordon.recorded

// @lock Cordon$Whistle
// @type CONDITION form=resettable-event
// @role wait Cordon$Whistle.listen
// @role notify Cordon$Whistle.blow

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An area that many may cross until the police clear it: everything static, on the locks of two classes. */
public class Cordon {
    static final class Area {
        private static int walkers;
        private static boolean cleared;
        private static int clearing;

        private Area() {
        }

        static synchronized void enterArea() throws InterruptedException {
            while (cleared || clearing > 0) {
                Area.class.wait();
            }
            walkers++;
        }

        static synchronized void leaveArea() {
            if (--walkers == 0) {
                Area.class.notifyAll();
            }
        }

        static synchronized void clearArea() throws InterruptedException {
            clearing++;
            try {
                while (cleared || walkers > 0) {
                    Area.class.wait();
                }
            } finally {
                clearing--;
            }
            cleared = true;
        }

        static synchronized void openArea() {
            cleared = false;
            Area.class.notifyAll();
        }
    }

    static class Whistle {
        private boolean blown;

        synchronized void listen() throws InterruptedException {
            while (!blown) {
                wait();
            }
        }

        synchronized void blow() {
            blown = true;
            notifyAll();
        }

        synchronized void hush() {
            blown = false;
        }
    }

    private static long seen;
    private static long noted;

    static void record(int n) throws InterruptedException {
        synchronized (Cordon.class) {
            seen += n;
            Thread.sleep(1);
            noted += n;
        }
    }

    static boolean recorded() {
        synchronized (Cordon.class) {
            return seen == noted;
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        Whistle whistle = new Whistle();
        for (int i = 0; i < 5; i++) {
            loop("walker-" + i, () -> {
                Area.enterArea();
                inside.incrementAndGet();
                pause(1, 5);
                inside.decrementAndGet();
                Area.leaveArea();
                record(1);
                pause(1, 4);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("officer-" + i, () -> {
                Area.clearArea();
                check(inside.get() == 0, "somebody is still inside");
                pause(2, 5);
                Area.openArea();
                check(recorded(), "half a record");
                pause(10, 20);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("listener-" + i, () -> {
                whistle.listen();
                pause(1, 4);
            });
        }
        loop("whistler", () -> {
            whistle.blow();
            pause(2, 5);
            whistle.hush();
            pause(10, 20);
        });
        finish(args);
    }
}
