// @lock SampleChanger$Hatch
// @type BARRIER parties=2 form=exchanger
// @role arrive SampleChanger$Hatch.swap
// @lock SampleChanger$Outbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put SampleChanger$Outbox.post
// @role take SampleChanger$Outbox.collect

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Two analysers swap their used rack for a full one through a hatch; results go to the laboratory system in bundles. */
public final class SampleChanger {
    static final class Rack {
        final int[] tubes = new int[4];
        boolean full;
    }

    /** Whoever comes first waits with his rack for the other side. */
    static final class Hatch {
        private static final int EMPTY = 0;
        private static final int ONE = 1;
        private static final int BOTH = 2;
        private int state = EMPTY;
        private Rack first;
        private Rack second;

        synchronized Rack swap(Rack mine) throws InterruptedException {
            while (state == BOTH) {
                wait();
            }
            if (state == ONE) {
                Rack theirs = first;
                second = mine;
                state = BOTH;
                notifyAll();
                return theirs;
            }
            first = mine;
            state = ONE;
            while (state != BOTH) {
                wait();
            }
            Rack theirs = second;
            first = null;
            second = null;
            state = EMPTY;
            notifyAll();
            return theirs;
        }
    }

    static final class Outbox {
        private List<String> waiting = new LinkedList<>();
        private long posted;

        void post(String result) {
            synchronized (this) {
                waiting.add(result);
                posted++;
                if (waiting.size() == 1) {
                    notify();
                }
            }
        }

        /** Everything there is, at least one; there is but one collector. */
        List<String> collect() throws InterruptedException {
            synchronized (this) {
                while (waiting.isEmpty()) {
                    wait();
                }
                List<String> all = waiting;
                waiting = new ArrayList<>();
                return all;
            }
        }
    }

    private static final Outbox outbox = new Outbox();
    private static volatile String mishap;
    private static volatile long uploaded;

    private static void loader(Hatch hatch, int side) {
        try {
            Rack rack = new Rack();
            for (int serial = 1;;) {
                for (int i = 0; i < rack.tubes.length; i++) {
                    rack.tubes[i] = serial++;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
                rack.full = true;
                rack = hatch.swap(rack);
                if (rack.full) {
                    mishap = "loader " + side + " got a full rack back";
                }
            }
        } catch (InterruptedException e) {
            // power off
        }
    }

    private static void analyser(Hatch hatch, int side) {
        try {
            Rack rack = new Rack();
            for (int expected = 1;;) {
                rack = hatch.swap(rack);
                if (!rack.full) {
                    mishap = "analyser " + side + " got an empty rack";
                }
                for (int i = 0; i < rack.tubes.length; i++) {
                    if (rack.tubes[i] != expected++) {
                        mishap = "tube " + rack.tubes[i] + " at analyser " + side;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    outbox.post(side + ":" + rack.tubes[i]);
                }
                rack.full = false;
            }
        } catch (InterruptedException e) {
            // power off
        }
    }

    private static void upload() {
        int[] last = new int[2];
        try {
            for (;;) {
                for (String s : outbox.collect()) {
                    int side = s.charAt(0) - '0';
                    int tube = Integer.parseInt(s.substring(2));
                    if (tube != last[side] + 1) {
                        mishap = "result " + s + " after " + last[side];
                    }
                    last[side] = tube;
                    uploaded++;
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            // power off
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int side = i;
            Hatch hatch = new Hatch();
            all.add(new Thread(() -> loader(hatch, side), "loader-" + i));
            all.add(new Thread(() -> analyser(hatch, side), "analyser-" + i));
        }
        all.add(new Thread(SampleChanger::upload, "uploader"));
        all.forEach(t -> {
            t.setDaemon(true);
            t.start();
        });
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        all.forEach(Thread::interrupt);
        for (Thread t : all) {
            t.join(10_000);
        }
        if (mishap != null || uploaded > outbox.posted) {
            System.out.println(mishap + ", posted " + outbox.posted + ", uploaded " + uploaded);
            System.exit(1);
        }
        System.out.println("DONE " + uploaded);
    }
}
