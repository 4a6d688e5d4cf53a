import java.io.FileOutputStream;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;

/** Writes the class file of LockSupport, as this JVM has it, to a file. */
public final class Dump {
    public static void main(String[] args) throws Exception {
        try (InputStream in = LockSupport.class.getResourceAsStream("LockSupport.class");
             FileOutputStream out = new FileOutputStream(args[0])) {
            byte[] bytes = new byte[8192];
            for (int n; (n = in.read(bytes)) > 0; ) out.write(bytes, 0, n);
        }
    }
}
