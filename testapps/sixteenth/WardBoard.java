// @lock PatientFile
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock PatientFile.beginView
// @role read-unlock PatientFile.endView
// @role write-lock PatientFile.beginEdit
// @role write-unlock PatientFile.endEdit
// @lock java.lang.Object#bedsChanged
// @type CONDITION
// @role wait Ward.awaitFreeBeds
// @role notify Ward.bedsChanged

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Charts of a ward: many look, few edit. The lock grew out of two flags of the first version. */
class PatientFile {
    private final Map<String, String> chart = new HashMap<>();
    private String editor;            // null: nobody edits
    private final List<String> viewers = new ArrayList<>();
    private int revision;
    private int copyOfRevision;
    private long views, edits, blockedMillis;

    synchronized void beginView(String who) throws InterruptedException {
        long t0 = System.currentTimeMillis();
        while (editor != null) wait();
        blockedMillis += System.currentTimeMillis() - t0;
        viewers.add(who);
        views++;
    }

    synchronized void endView(String who) {
        viewers.remove(who);
        if (viewers.isEmpty()) notifyAll();
    }

    void beginEdit(String who) throws InterruptedException {
        synchronized (this) {
            while (true) {
                if (editor == null && viewers.size() == 0) break;
                wait(2000);
            }
            editor = who;
            edits++;
        }
    }

    void endEdit(String who) {
        synchronized (this) {
            if (!who.equals(editor)) throw new IllegalStateException(who + " does not edit");
            editor = null;
            notifyAll();
        }
    }

    // within beginView/beginEdit only
    boolean torn() { return revision != copyOfRevision; }
    String read(String key) { String s = chart.get(key); return s == null ? "-" : s; }
    void write(String key, String value) throws InterruptedException {
        revision++;
        chart.put(key, value);
        Thread.sleep(2);
        copyOfRevision = revision;
    }
}

class Ward {
    private final Object bedLock = new Object();
    private final boolean[] taken = new boolean[10];
    private int cleaning;
    private int movements;

    private int freeNow() {
        int n = -cleaning;
        for (boolean t : taken) if (!t) n++;
        return n < 0 ? 0 : n;
    }

    /** For planning only: nothing is reserved. */
    int awaitFreeBeds(int atLeast) throws InterruptedException {
        synchronized (bedLock) {
            int f = freeNow();
            while (f < atLeast) {
                bedLock.wait();
                f = freeNow();
            }
            return f;
        }
    }

    void bedsChanged(Random r) {
        synchronized (bedLock) {
            int before = freeNow();
            int pct = r.nextInt(100);
            for (int i = 0; i < taken.length; i++) taken[i] = r.nextInt(100) < pct;
            cleaning = r.nextInt(3);
            movements++;
            if (freeNow() > before) bedLock.notifyAll();
        }
    }
}

public class WardBoard {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    public static void main(String[] v) throws Exception {
        PatientFile file = new PatientFile();
        Ward ward = new Ward();
        for (int i = 0; i < 4; i++) {
            String me = "nurse-" + i;
            spawn(me, () -> {
                file.beginView(me);
                try {
                    check(!file.torn(), "half an edit seen");
                    file.read("temperature");
                    pause(1, 3);
                    check(!file.torn(), "edited while viewed");
                } finally {
                    file.endView(me);
                }
                pause(4, 10);
            });
        }
        for (int i = 0; i < 2; i++) {
            String me = "doctor-" + i;
            spawn(me, () -> {
                file.beginEdit(me);
                try {
                    file.write("temperature", "37." + ThreadLocalRandom.current().nextInt(9));
                } finally {
                    file.endEdit(me);
                }
                pause(5, 12);
            });
        }
        for (int i = 0; i < 3; i++) {
            int need = 3 + 2 * i;
            spawn("planner-" + i, () -> {
                check(ward.awaitFreeBeds(need) >= need, "not enough beds");
                pause(2, 6);
            });
        }
        spawn("beds", () -> {
            ward.bedsChanged(ThreadLocalRandom.current());
            pause(2, 5);
        });
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
