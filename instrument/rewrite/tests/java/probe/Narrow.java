package probe;

/** Probes that find no room on the stack of a thread called "narrow". Those of calls count. */
public final class Narrow {
    public static volatile int calls;

    private static void needRoom() {
        if ("narrow".equals(Thread.currentThread().getName())) throw new StackOverflowError();
    }

    public static void calling(int site, int number) {
        calls++;
        needRoom();
    }

    public static void callingLock(Object lock, int site, int number) { calling(site, number); }
    public static void callingCondition(Object condition, int site, int number) { calling(site, number); }
    public static void callingQueue(Object queue, int site, int number) { calling(site, number); }

    public static int hash(Object o) { needRoom(); return 1; }
    public static int foreign(Object o, boolean inside) { needRoom(); return inside ? 0 : 1; }
    public static void began(int hash, int numbers, int count) { needRoom(); }
    public static void done(int hash, int numbers, int count) { needRoom(); }
    public static void tried(boolean done, int hash, int numbers, int count) { needRoom(); }
    public static void threw(int hash, int numbers, int count) { needRoom(); }

    public static int parking(Object blocker) { needRoom(); return 1; }
    public static int parkingNanos(Object blocker, long nanos) { needRoom(); return 1; }
    public static int parkingUntil(Object blocker, long millis) { needRoom(); return 1; }
    public static void parked(int token) { needRoom(); }
    public static void unparking(Thread thread) { needRoom(); }
    public static void starting(Thread thread) { needRoom(); }
    public static void making(Thread thread) { }
    public static void joined(Thread thread, long limit) { needRoom(); }

    public static void entered(Object o, int site) { }
    public static void entered(int hash, int site) { }
    public static void exit(Object o, int site) { }
    public static void exit(int hash, int site) { }
}
