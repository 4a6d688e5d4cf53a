/** Threads that wait for one slow class initialiser, again and again in fresh loaders. */
public class Initialiser {
    public static class Slow {
        static final int VALUE = compute();

        private static int compute() {
            try {
                Thread.sleep(30);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 1;
        }
    }

    private static class Fresh extends ClassLoader {
        private final byte[] code;

        Fresh(byte[] code) {
            super(Initialiser.class.getClassLoader());
            this.code = code;
        }

        Class<?> define() {
            return defineClass("Initialiser$Slow", code, 0, code.length);
        }
    }

    private static byte[] code() throws java.io.IOException {
        try (java.io.InputStream in = Initialiser.class.getResourceAsStream("Initialiser$Slow.class")) {
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                all.write(b);
            }
            return all.toByteArray();
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] code = code();
        System.out.println("ready");
        while (true) {
            Class<?> slow = new Fresh(code).define();
            Thread[] threads = new Thread[3];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    try {
                        Class.forName(slow.getName(), true, slow.getClassLoader());
                    } catch (ClassNotFoundException e) {
                        throw new IllegalStateException(e);
                    }
                }, "initialiser-" + i);
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
