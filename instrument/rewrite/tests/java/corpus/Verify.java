import java.io.*;
import java.lang.instrument.*;
import java.util.*;

/**
 * Has the JVM verify rewritten classes, and says which it takes differently from the original ones.
 *
 *     java Verify ORIGINAL.pack REWRITTEN.pack [METHODS]
 *
 * Classes of the JDK itself (origin "jdk") are redefined in this JVM, which runs on with them. Those
 * of jars are defined by class loaders, one for each jar, which look first into their own jar, then
 * into all the others. The methods listed in a file are then compiled by C1 and C2.
 *
 * Prints lines "DIFFERS class: original outcome / rewritten outcome" and one line of counts.
 */
public class Verify {
    static Instrumentation instrumentation;
    static int compared, differs, notLinked, notFound;

    public static void premain(String args, Instrumentation given) { instrumentation = given; }

    public static void main(String[] args) throws Exception {
        Map<String, Map<String, byte[]>> original = read(args[0]), rewritten = read(args[1]);
        Map<String, Class<?>> done = new LinkedHashMap<>();
        Map<String, byte[]> jdk = rewritten.remove("jdk");
        original.remove("jdk");
        if (jdk != null) redefine(jdk, done);
        Map<String, Loader> before = loaders(original, null), after = loaders(original, rewritten);
        for (Map.Entry<String, Map<String, byte[]>> jar : rewritten.entrySet()) {
            for (String name : jar.getValue().keySet()) {
                Object is = link(name, after.get(jar.getKey()));
                Object was = link(name, before.get(jar.getKey()));
                compare(jar.getKey() + "!" + name, was, is);
                if (is instanceof Class) done.put(jar.getKey() + "!" + name, (Class<?>) is);
            }
        }
        System.out.println("COUNTS compared=" + compared + " differs=" + differs + " notLinked=" + notLinked + " notFound=" + notFound);
        if (args.length > 2) compile(args[2], done);
    }

    static void compile(String list, Map<String, Class<?>> classes) throws IOException {
        LocklensProbe.entered(null, 0);
        Map<String, Set<String>> methods = Compile.read(list);
        for (Map.Entry<String, Class<?>> entry : classes.entrySet()) {
            Set<String> wanted = methods.get(entry.getKey());
            if (wanted != null) Compile.some(entry.getValue(), wanted);
        }
        System.out.println("COMPILED compilations=" + Compile.asked + " notTried=" + Compile.refused);
        // Class initialisers may have started threads that would keep the JVM alive.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static Map<String, Map<String, byte[]>> read(String file) throws IOException {
        Map<String, Map<String, byte[]>> all = new TreeMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
            while (true) {
                String[] name;
                try { name = in.readUTF().split("!", 2); } catch (EOFException end) { return all; }
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                all.computeIfAbsent(name[0], from -> new TreeMap<>()).put(name[1], bytes);
            }
        }
    }

    // ---- jars ------------------------------------------------------------------------------------

    static Map<String, Loader> loaders(Map<String, Map<String, byte[]>> original, Map<String, Map<String, byte[]>> rewritten) {
        Map<String, Loader> loaders = new TreeMap<>();
        for (String jar : original.keySet()) {
            List<Map<String, byte[]>> path = new ArrayList<>();
            if (rewritten != null && rewritten.containsKey(jar)) path.add(rewritten.get(jar));
            path.add(original.get(jar));
            path.addAll(original.values());
            loaders.put(jar, new Loader(path));
        }
        return loaders;
    }

    static final class Loader extends ClassLoader {
        final List<Map<String, byte[]>> path;

        Loader(List<Map<String, byte[]>> path) {
            super(ClassLoader.getSystemClassLoader().getParent());
            this.path = path;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found != null) return found;
                String slashed = name.replace('.', '/');
                if (!name.startsWith("java.")) {
                    for (Map<String, byte[]> classes : path) {
                        byte[] bytes = classes.get(slashed);
                        if (bytes != null) return defineClass(name, bytes, 0, bytes.length);
                    }
                }
                return super.loadClass(name, resolve);
            }
        }
    }

    /** The class, linked, or what came in the way. */
    static Object link(String name, ClassLoader loader) {
        try {
            Class<?> c = Class.forName(name.replace('/', '.'), false, loader);
            c.getDeclaredMethods();
            return c;
        } catch (Throwable failed) {
            return say(failed);
        }
    }

    static String say(Throwable failed) {
        return failed.getClass().getName() + ": " + String.valueOf(failed.getMessage()).split("\n")[0];
    }

    static void compare(String name, Object was, Object is) {
        compared++;
        boolean same = was instanceof Class ? is instanceof Class : was.equals(is);
        if (!(is instanceof Class) && same) notLinked++;
        if (!same) differ(name, was, is);
    }

    static void differ(String name, Object was, Object is) {
        differs++;
        System.out.println("DIFFERS " + name + ": " + was + " / " + is);
    }

    // ---- the JDK ---------------------------------------------------------------------------------

    static void redefine(Map<String, byte[]> classes, Map<String, Class<?>> done) throws Exception {
        List<ClassDefinition> batch = new ArrayList<>();
        for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
            try {
                String name = entry.getKey().replace('/', '.');
                Class<?> c = Class.forName(name, false, ClassLoader.getSystemClassLoader());
                if (!instrumentation.isModifiableClass(c)) { missing(name, "not modifiable"); continue; }
                batch.add(new ClassDefinition(c, entry.getValue()));
            } catch (ClassNotFoundException | LinkageError failed) {
                missing(entry.getKey(), say(failed));
            }
            if (batch.size() == 250) { attempt(batch, done); batch.clear(); }
        }
        attempt(batch, done);
    }

    static void missing(String name, String why) {
        notFound++;
        System.out.println("NOTFOUND " + name + ": " + why);
    }

    static void attempt(List<ClassDefinition> batch, Map<String, Class<?>> done) throws Exception {
        if (batch.isEmpty()) return;
        try {
            instrumentation.redefineClasses(batch.toArray(new ClassDefinition[0]));
            compared += batch.size();
            for (ClassDefinition one : batch) {
                Class<?> c = one.getDefinitionClass();
                done.put("jdk!" + c.getName().replace('.', '/'), c);
            }
        } catch (Throwable failed) {
            if (batch.size() > 1) {
                attempt(batch.subList(0, batch.size() / 2), done);
                attempt(batch.subList(batch.size() / 2, batch.size()), done);
            } else {
                compared++;
                differ("jdk!" + batch.get(0).getDefinitionClass().getName(), "loaded", say(failed));
            }
        }
    }
}
