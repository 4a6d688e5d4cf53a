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
}
