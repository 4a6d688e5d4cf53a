import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Set;
import java.util.TreeSet;

/** Its class loader, the system's, keeps which classes our threads ask it for that it does not find. A line: which these are. */
public class Asked {
    static final Set<String> IN_VAIN = new TreeSet<>();

    /** For {@code -Djava.system.class.loader}. */
    public static class Loader extends ClassLoader {
        public Loader(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            try {
                return super.loadClass(name, resolve);
            } catch (ClassNotFoundException e) {
                if (Thread.currentThread().getName().startsWith("locklens")) {
                    synchronized (IN_VAIN) {
                        IN_VAIN.add(name);
                    }
                }
                throw e;
            }
        }
    }

    synchronized void lock() { }

    public static void main(String[] args) throws Exception {
        new Asked().lock();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) {
            new Asked().lock();
            synchronized (IN_VAIN) {
                System.out.println("in vain: " + String.join(" ", IN_VAIN));
            }
        }
    }
}
