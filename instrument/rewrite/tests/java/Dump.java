import java.io.File;
import java.io.FileOutputStream;
import java.io.InputStream;

/** Writes class files of the JDK, as this JVM has them, to a directory: their internal names follow that. */
public final class Dump {
    public static void main(String[] args) throws Exception {
        for (int i = 1; i < args.length; i++) {
            File file = new File(args[0], args[i] + ".class");
            file.getParentFile().mkdirs();
            try (InputStream in = Object.class.getResourceAsStream("/" + args[i] + ".class");
                 FileOutputStream out = new FileOutputStream(file)) {
                byte[] bytes = new byte[8192];
                for (int n; (n = in.read(bytes)) > 0; ) out.write(bytes, 0, n);
            }
        }
    }
}
