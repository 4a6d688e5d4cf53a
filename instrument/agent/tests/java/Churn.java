import java.lang.reflect.Method;

/** Short-lived everything: loaders, classes, threads, locks, garbage; contended all the time. */
public class Churn {
    /** Defined again and again in fresh loaders, and unloaded with them. */
    public static class Guest {
        private static final Object LOCK = new Object();

        public static void meet(Object other) throws InterruptedException {
            synchronized (LOCK) {
                Thread.sleep(1);
                synchronized (other) {
                    other.wait(1);
                }
            }
        }
    }

    private static class Fresh extends ClassLoader {
        private final byte[] code;

        Fresh(byte[] code) {
            super(Churn.class.getClassLoader());
            this.code = code;
        }

        Class<?> define() {
            return defineClass("Churn$Guest", code, 0, code.length);
        }
    }

    private static byte[] code() throws java.io.IOException {
        try (java.io.InputStream in = Churn.class.getResourceAsStream("Churn$Guest.class")) {
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                all.write(b);
            }
            return all.toByteArray();
        }
    }

    private static volatile Object garbage;

    private static void litter() {
        while (true) {
            garbage = new byte[10_000];
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] code = code();
        Thread litterer = new Thread(Churn::litter, "litterer");
        litterer.setDaemon(true);
        litterer.start();
        System.out.println("ready");
        for (long round = 0;; round++) {
            Class<?> guest = new Fresh(code).define();
            Method meet = guest.getMethod("meet", Object.class);
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    try {
                        for (int n = 0; n < 3; n++) {
                            meet.invoke(null, new Object());
                        }
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                }, "guest-" + round + "-" + i);
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            if (round % 20 == 0) {
                System.gc();
                System.out.println(round);
            }
        }
    }
}
