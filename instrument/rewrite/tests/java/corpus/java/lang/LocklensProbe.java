package java.lang;

/** Probes that do nothing, where every class finds them. */
public final class LocklensProbe {
    private LocklensProbe() {}
    public static void entered(Object o, int site) {}
    public static void entered(int hash, int site) {}
    public static void entered(int site) {}
    public static void exit(Object o, int site) {}
    public static void exit(int hash, int site) {}
    public static void exit(int site) {}
    public static void waiting(Object o, long millis, int site) {}
    public static void waited(Object o, int site) {}
    public static void waitThrew(Object o, int site) {}
    public static void notified(Object o, int site) {}
    public static void notifiedAll(Object o, int site) {}
}
