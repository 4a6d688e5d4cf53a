// @lock Pn
// @type CONDITION
// @role wait Pn.a
// @role notify Pn.a

/** Three threads write the letters of a word in turn. Obfuscated. */
public class Pn {
    private final StringBuilder b = new StringBuilder();
    private int c;
    private long d;
    private volatile boolean e;

    private synchronized void a(int f, char g) throws InterruptedException {
        while (c != f) {
            wait();
        }
        b.append(g);
        if (b.length() == 3) {
            if (!"abc".contentEquals(b)) {
                e = true;
            }
            b.setLength(0);
        }
        d++;
        c = (c + 1) % 3;
        notifyAll();
    }

    public static void main(String[] f) throws InterruptedException {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        final Pn h = new Pn();
        for (int i = 0; i < 3; i++) {
            final int j = i;
            Thread k = new Thread(() -> {
                try {
                    while (true) {
                        h.a(j, (char) ('a' + j));
                        Thread.sleep(1 + j);
                    }
                } catch (InterruptedException l) {
                    h.e = true;
                }
            });
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (h.e) {
            System.out.println("not in turn");
            System.exit(1);
        }
        System.out.println("DONE " + h.d);
    }
}
