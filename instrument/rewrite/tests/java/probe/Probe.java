package probe;

import java.util.ArrayList;
import java.util.HashMap;

/**
 * Probes that keep books: what each thread holds, how often each event came, and every event that
 * does not fit. Java 1.3 syntax, so that it compiles at every level the rewriter knows.
 */
public final class Probe {
    public static final int ENTERED = 0, EXIT = 1, WAITING = 2, WAITED = 3, THREW = 4, NOTIFIED = 5, ALL = 6;
    static final int[] counts = new int[7];
    static final HashMap held = new HashMap();
    static final ArrayList faults = new ArrayList();
    static long lastMillis;
    /** The books are closed while this is not 0: probes only count how deep they are. */
    public static volatile int plain;
    public static int depth;

    private static final Object books = new Object();

    private static void count(int kind) {
        synchronized (books) { counts[kind]++; }
    }

    private static ArrayList mine() {
        synchronized (books) {
            ArrayList list = (ArrayList) held.get(Thread.currentThread());
            if (list == null) held.put(Thread.currentThread(), list = new ArrayList());
            return list;
        }
    }

    static void fault(String what) {
        synchronized (books) { faults.add(what); }
    }

    /** A hash stands for its object: the two forms must agree. */
    private static Object key(Object o) { return new Integer(System.identityHashCode(o)); }

    private static void enter(Object key, int site) {
        mine().add(key);
        count(ENTERED);
    }

    private static void leave(Object key, int site) {
        ArrayList mine = mine();
        if (mine.isEmpty() || !mine.get(mine.size() - 1).equals(key)) fault("exit of what is not on top, site " + site);
        else mine.remove(mine.size() - 1);
        count(EXIT);
    }

    private static void holds(Object o, int site) {
        if (!Thread.holdsLock(o)) fault("not held at site " + site);
    }

    public static void entered(Object o, int site) {
        if (plain != 0) { depth++; return; }
        holds(o, site);
        enter(key(o), site);
    }

    public static void exit(Object o, int site) {
        if (plain != 0) { depth--; return; }
        holds(o, site);
        leave(key(o), site);
    }

    public static void entered(int hash, int site) {
        if (plain != 0) { depth++; return; }
        enter(new Integer(hash), site);
    }

    public static void exit(int hash, int site) {
        if (plain != 0) { depth--; return; }
        leave(new Integer(hash), site);
    }

    /** The monitor of a class that cannot be named: the site stands for it, and only one is tested. */
    public static void entered(int site) {
        if (plain != 0) { depth++; return; }
        enter("class", site);
    }

    public static void exit(int site) {
        if (plain != 0) { depth--; return; }
        leave("class", site);
    }

    public static void waiting(Object o, long millis, int site) {
        lastMillis = millis;
        count(WAITING);
    }

    public static void waited(Object o, int site) {
        holds(o, site);
        count(WAITED);
    }

    public static void waitThrew(Object o, int site) { count(THREW); }

    public static void notified(Object o, int site) { count(NOTIFIED); }

    public static void notifiedAll(Object o, int site) { count(ALL); }

    /* Accesses are not in the books: what is tested is that the program runs as before. */
    public static void reading(Object o, int site) {}
    public static void writing(Object o, int site) {}
    public static void writing(Object o, int value, int site) {}
    public static void updating(Object o, int site) {}
    public static void updating(Object o, int value, int site) {}
    public static void read(int site) {}
    public static void read(int value, int site) {}
    public static void wrote(int site) {}
    public static void updated(int site) {}
    public static void swapped(boolean done, int site) {}
    public static void swapped(boolean done, int expected, int site) {}
    public static void exchanged(int there, int expected, int site) {}
    public static void exchanged(long there, long expected, int site) {}
    public static void exchanged(Object there, Object expected, int site) {}

    /** Holds the books against what happened since the last call; the order is that of the constants. */
    public static void expect(String what, int[] expected) {
        synchronized (books) {
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] != expected[i]) faults.add(what + ": event " + i + " came " + counts[i] + " times, not " + expected[i]);
                counts[i] = 0;
            }
            for (java.util.Iterator it = held.values().iterator(); it.hasNext();) {
                if (!((ArrayList) it.next()).isEmpty()) faults.add(what + ": a monitor is still held");
            }
            held.clear();
        }
    }

    public static void expectMillis(long millis) {
        if (lastMillis != millis) fault("a wait was said to be " + lastMillis + " ms long, not " + millis);
    }

    /** How many events there were, and whether each enter found its exit. */
    public static String balanced() {
        int all = 0;
        for (int i = 0; i < counts.length; i++) all += counts[i];
        boolean open = !mine().isEmpty() || counts[ENTERED] != counts[EXIT] || counts[WAITING] != counts[WAITED] + counts[THREW];
        return all + " events, " + (open || !faults.isEmpty() ? "not balanced " + faults : "balanced");
    }

    /** Prints the faults and ends the program. */
    public static void finish() {
        for (int i = 0; i < faults.size(); i++) System.out.println("FAULT " + faults.get(i));
        System.out.println(faults.isEmpty() ? "all as expected" : "not as expected");
    }
}
