/** Uses locks in code that is not rewritten; keeps books. The argument says how. */
public class LeftOut {
    static final class Lock {
        boolean taken;
    }

    static final Lock LOCK = new Lock();
    static int entered;
    static int waits;
    static int notifies;

    /** Nobody calls it: that it is there is enough. */
    static final class Native {
        static synchronized native void lock();
    }

    /** Made small in a thread with little stack. */
    static final class Plain {
        static int sum(int a, int b) {
            return a + b;
        }
    }

    /** Waits for and notifies what it does not hold, and waits for no time that there is, ten times; and once as it should be. */
    static final class Vain {
        static final Vain VAIN = new Vain();

        static void run() throws Exception {
            for (int i = 0; i < 10; i++) {
                try {
                    VAIN.wait(1);
                    throw new Error("nobody held it");
                } catch (IllegalMonitorStateException e) {
                    // As it should be.
                }
                try {
                    VAIN.notifyAll();
                    throw new Error("nobody held it");
                } catch (IllegalMonitorStateException e) {
                    // As it should be.
                }
                synchronized (VAIN) {
                    for (int nanos : new int[] {-1, 1_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                        try {
                            VAIN.wait(1, nanos);
                            throw new Error("there are no such nanoseconds");
                        } catch (IllegalArgumentException e) {
                            // As it should be.
                        }
                    }
                }
            }
            synchronized (VAIN) {
                VAIN.wait(0, 999_999);
                VAIN.notifyAll();
            }
        }
    }

    /** Defined by a loader that does not say what it is called. */
    public static final class Nameless implements Runnable {
        @Override
        public synchronized void run() {
        }
    }

    static final class Loader extends ClassLoader {
        Class<?> nameless() throws Exception {
            byte[] bytes = new byte[1 << 16];
            int length = 0;
            try (java.io.InputStream in = LeftOut.class.getResourceAsStream("LeftOut$Nameless.class")) {
                for (int more = 0; more >= 0; more = in.read(bytes, length, bytes.length - length)) {
                    length += more;
                }
            }
            return defineClass(null, bytes, 0, length);
        }
    }

    interface Deed {
        void now() throws Exception;
    }

    public static void main(String[] words) throws Exception {
        String how = words[0];
        if (how.equals("native")) {
            Class.forName("LeftOut$Native");
        }
        if (how.equals("nameless")) {
            ((Runnable) new Loader().nameless().getConstructor().newInstance()).run();
        }
        if (how.equals("shallow")) {
            Thread thread = new Thread(null, () -> deep(1000), "shallow", 220 << 10);
            thread.start();
            thread.join();
        }
        synchronized (LOCK) {
            entered++;
        }
        if (how.equals("thrown")) {
            Vain.run();
        }
        if (how.equals("reference") || how.equals("reflection")) {
            Thread other = new Thread(() -> {
                try {
                    give(how);
                } catch (Exception e) {
                    throw new Error(e);
                }
            }, "other");
            other.start();
            take(how);
            other.join();
        }
        System.out.println("entered " + entered + " waits " + waits + " notifies " + notifies);
    }

    /** Loads a class of which nothing is to be rewritten where there is little stack. */
    static int deep(int left) {
        try {
            return left == 0 ? 0 : deep(left - 1) + Plain.sum(left, 1);
        } catch (StackOverflowError e) {
            return 0;
        }
    }

    static void give(String how) throws Exception {
        for (int i = 0; i < 20; i++) {
            synchronized (LOCK) {
                entered++;
                while (LOCK.taken) {
                    await(how);
                }
                LOCK.taken = true;
                wake(how);
            }
        }
    }

    static void take(String how) throws Exception {
        for (int i = 0; i < 20; i++) {
            synchronized (LOCK) {
                entered++;
                while (!LOCK.taken) {
                    await(how);
                }
                LOCK.taken = false;
                wake(how);
            }
        }
    }

    static void await(String how) throws Exception {
        waits++;
        if (how.equals("reference")) {
            run(LOCK::wait);
        } else {
            Object.class.getMethod("wait").invoke(LOCK);
        }
    }

    static void wake(String how) throws Exception {
        notifies++;
        if (how.equals("reference")) {
            run(LOCK::notifyAll);
        } else {
            Object.class.getMethod("notifyAll").invoke(LOCK);
        }
    }

    static void run(Deed deed) throws Exception {
        deed.now();
    }
}
