import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

/**
 * Gathers classes into a pack, so that a program that reads neither jars nor run-time images can have
 * them: for each class a name (UTF), a length (int), its bytes. What JDK and jar a class comes from
 * is part of its name, in front of an exclamation mark.
 *
 *     java Pack OUT [jdk | FILE.jar]...
 */
public class Pack {
    public static void main(String[] args) throws Exception {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(args[0])))) {
            for (int i = 1; i < args.length; i++) {
                if (args[i].equals("jdk")) jdk(out); else jar(out, new File(args[i]));
            }
        }
    }

    static void jdk(DataOutputStream out) throws IOException {
        File runtime = new File(System.getProperty("java.home"), "lib/rt.jar");
        if (runtime.exists()) {
            for (String name : new String[] {"rt.jar", "jsse.jar", "jce.jar", "charsets.jar"}) {
                File jar = new File(runtime.getParentFile(), name);
                if (jar.exists()) entries(out, jar, "jdk");
            }
            return;
        }
        FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<Path> files = new ArrayList<>();
        try (java.util.stream.Stream<Path> all = Files.walk(image.getPath("/modules"))) {
            all.filter(p -> p.toString().endsWith(".class")).sorted().forEach(files::add);
        }
        for (Path file : files) {
            String name = file.subpath(2, file.getNameCount()).toString();
            write(out, "jdk", name, Files.readAllBytes(file));
        }
    }

    static void jar(DataOutputStream out, File jar) throws IOException {
        entries(out, jar, jar.getName());
    }

    static void entries(DataOutputStream out, File jar, String from) throws IOException {
        try (ZipFile zip = new ZipFile(jar)) {
            for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements();) {
                ZipEntry entry = all.nextElement();
                if (!entry.getName().endsWith(".class") || entry.getName().startsWith("META-INF/")) continue;
                try (InputStream in = zip.getInputStream(entry)) {
                    write(out, from, entry.getName(), readAll(in));
                }
            }
        }
    }

    static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[8192];
        for (int n; (n = in.read(some)) >= 0;) all.write(some, 0, n);
        return all.toByteArray();
    }

    static void write(DataOutputStream out, String from, String name, byte[] bytes) throws IOException {
        if (name.endsWith("module-info.class") || name.endsWith("package-info.class")) return;
        out.writeUTF(from + "!" + name.substring(0, name.length() - ".class".length()));
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
