import probe.Counter;

/** Methods hot enough for both compilers, with monitors in the shapes that compilers care about. */
public class Hot {
    final Object a = new Object(), b = new Object();
    int field;

    int region(int n) { synchronized (a) { return field += n; } }

    int nested(int n) {
        synchronized (a) { synchronized (b) { if ((n & 1) == 0) return n; } field++; }
        return -n;
    }

    int withFinally(int n) {
        synchronized (a) {
            try { if (n % 7 == 0) throw new IllegalStateException(); return n; }
            catch (IllegalStateException caught) { return -1; }
            finally { synchronized (b) { field++; } }
        }
    }

    int returnsInLoops(int n) {
        for (int i = 0; i < 10; i++) {
            synchronized (a) { for (int j = 0; j < 10; j++) { if (i * j == n % 20) return j; } }
            synchronized (b) { field++; if (i > 8) continue; }
        }
        return 0;
    }

    synchronized int method(int n) { return n % 3 == 0 ? n : field++; }

    static synchronized int shared(int n) { return n + 1; }

    int recursive(int n) { synchronized (this) { return n <= 0 ? 0 : recursive(n - 1) + 1; } }

    void notifies() { synchronized (a) { a.notify(); b.hashCode(); a.notifyAll(); } }

    void spins() throws InterruptedException { synchronized (a) { if (field < 0) a.wait(1); } }

    static int leaks(Object o, int n) {
        synchronized (o) { if (n < 0) throw new IllegalArgumentException(); }
        return n;
    }

    public static void main(String[] args) throws Exception {
        Hot hot = new Hot();
        long sum = 0;
        for (int round = 0; round < 40000; round++) {
            sum += hot.region(round) + hot.nested(round) + hot.withFinally(round) + hot.returnsInLoops(round);
            sum += hot.method(round) + shared(round) + hot.recursive(3) + leaks(hot, round);
            try { leaks(hot, -1); } catch (IllegalArgumentException caught) { sum++; }
            hot.notifies();
            hot.spins();
        }
        System.out.println("sum " + sum + " entered " + Counter.entered + " exit " + Counter.exit);
    }
}
