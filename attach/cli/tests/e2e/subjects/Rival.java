import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.locks.LockSupport;

/**
 * A program and a Java agent in it, which for each line of the input has LockSupport replaced, without a change. Meanwhile a
 * thread parks, over and over. Written for JDK 8.
 */
public final class Rival {
    static final class Door { }

    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] bytes) {
                return null;
            }
        }, true);
    }

    public static void main(String[] args) throws Exception {
        Door door = new Door();
        Thread thread = new Thread(() -> {
            for (;;) {
                LockSupport.parkNanos(door, 1_000_000);
            }
        });
        thread.setDaemon(true);
        thread.start();
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        while (input.readLine() != null) {
            instrumentation.retransformClasses(LockSupport.class);
            System.out.println("REPLACED");
        }
    }
}
