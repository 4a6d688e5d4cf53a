package probe;

/** Probes that count, for one thread, and cheap enough to be inlined. */
public final class Counter {
    private Counter() {}
    public static long entered, exit, others;
    public static void entered(Object o, int site) { entered++; }
    public static void entered(int hash, int site) { entered++; }
    public static void exit(Object o, int site) { exit++; }
    public static void exit(int hash, int site) { exit++; }
    public static void waiting(Object o, long millis, int site) { others++; }
    public static void waited(Object o, int site) { others++; }
    public static void waitThrew(Object o, int site) { others++; }
    public static void notified(Object o, int site) { others++; }
    public static void notifiedAll(Object o, int site) { others++; }
}
