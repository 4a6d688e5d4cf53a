// @lock OrbitSim$a
// @type BARRIER parties=3
// @role arrive OrbitSim$a.a
//
// @lock OrbitSim$b
// @type CONDITION
// @role wait OrbitSim$b.a
// @role notify OrbitSim$b.b

public class OrbitSim {
    static final int N = 3;

    static class a {
        final boolean[] a = new boolean[N];
        int b;

        synchronized boolean a(int n) throws InterruptedException {
            a[n] = true;
            boolean l = true;
            for (int i = 0; i < N; i++) l &= a[i];
            if (l) {
                for (int i = 0; i < N; i++) a[i] = false;
                b++;
                notifyAll();
                return true;
            }
            int g = b;
            do wait(); while (g == b);
            return false;
        }
    }

    static class b {
        double[] a = new double[N];
        int b;

        // something newer than n
        synchronized int a(int n, double[] t) throws InterruptedException {
            while (b <= n) wait();
            System.arraycopy(a, 0, t, 0, N);
            return b;
        }

        synchronized void b(double[] t) {
            a = t.clone();
            b++;
            notifyAll();
        }
    }

    static final a A = new a();
    static final b B = new b();
    static final double[] C = {1, 2, 3};
    static final double[] D = new double[N];
    static volatile int e;
    static volatile String f;

    static void a(int n) throws InterruptedException {
        double s = 0;
        for (int i = 0; i < N; i++) s += C[i];
        D[n] = C[n] + (s / N - C[n]) * 0.01;
        Thread.sleep(1 + (n * 7 + e) % 5);
        if (A.a(n)) {
            System.arraycopy(D, 0, C, 0, N);
            double t = C[0] + C[1] + C[2];
            if (Math.abs(t - 6) > 1e-6) f = "momentum " + t;
            B.b(C);
            e++;
        }
        A.a(n);
    }

    static void b(int n) throws InterruptedException {
        double[] t = new double[N];
        int v = 0;
        while (true) {
            int w = B.a(v, t);
            if (w <= v) f = "old picture";
            if (Math.abs(t[0] + t[1] + t[2] - 6) > 1e-6) f = "torn picture";
            v = w;
            Thread.sleep(n * 4);
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        for (int i = 0; i < N; i++) {
            int n = i;
            Thread t = new Thread() {
                public void run() {
                    try {
                        for (;;) OrbitSim.a(n);
                    } catch (InterruptedException x) {
                        f = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        for (int i = 1; i < 4; i++) {
            int n = i;
            Thread t = new Thread() {
                public void run() {
                    try {
                        OrbitSim.b(n);
                    } catch (InterruptedException x) {
                        f = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < s * 10 && f == null; i++) Thread.sleep(100);
        System.out.println(f == null ? "DONE " + e : f);
        System.exit(f == null && e > 0 ? 0 : 1);
    }
}
