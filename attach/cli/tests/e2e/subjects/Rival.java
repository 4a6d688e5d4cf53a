import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.locks.LockSupport;

/**
 * A program and a Java agent in it, which has classes replaced, without a change, when a line of the input says so. A thread
 * parks, over and over; another one uses two monitors, from "ring" until "stop", and counts. Written for JDK 8.
 */
public final class Rival {
    static final class Door { }

    static final class Till {
        private int rings;

        synchronized void ring() {
            rings++;
        }
    }

    /** The same, not loaded before it is used. */
    static final class Late {
        private int rings;

        synchronized void ring() {
            rings++;
        }
    }

    static Instrumentation instrumentation;
    static volatile boolean ringing;
    static volatile int rung;

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

    static void park() {
        Door door = new Door();
        for (;;) {
            LockSupport.parkNanos(door, 1_000_000);
        }
    }

    static void ring(Till till) {
        Late late = new Late();
        while (ringing) {
            till.ring();
            late.ring();
            rung++;
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static byte[] bytes(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
            for (int b; (b = in.read()) >= 0;) {
                all.write(b);
            }
        }
        return all.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        start(Rival::park);
        Till till = new Till();
        Thread ringer = null;
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null;) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "ring":
                    rung = 0;
                    ringing = true;
                    ringer = start(() -> ring(till));
                    break;
                case "retransform":
                    instrumentation.retransformClasses(Class.forName(words[1]));
                    break;
                case "redefine":
                    Class<?> type = Class.forName(words[1]);
                    instrumentation.redefineClasses(new ClassDefinition(type, bytes(type)));
                    break;
                case "go-on":
                    for (int until = rung + 200; rung < until;) {
                        pause();
                    }
                    break;
                default:
                    ringing = false;
                    // No join: its monitor is the thread's.
                    while (ringer.isAlive()) {
                        pause();
                    }
            }
            System.out.println(rung);
        }
    }
}
