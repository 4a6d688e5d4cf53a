import java.io.*;
import java.lang.reflect.*;
import java.util.*;

/**
 * Has C1 and C2 compile methods without running them, through HotSpot's own test interface, in order
 * to see which they give up. -XX:+PrintCompilation says so ("COMPILE SKIPPED") below the line with
 * which each method is announced here.
 */
final class Compile {
    private Compile() {}

    /** File: lines "origin!class method descriptor". */
    static Map<String, Set<String>> read(String file) throws IOException {
        Map<String, Set<String>> methods = new HashMap<>();
        try (BufferedReader in = new BufferedReader(new FileReader(file))) {
            for (String line; (line = in.readLine()) != null;) {
                String[] part = line.split(" ", 2);
                methods.computeIfAbsent(part[0], name -> new HashSet<>()).add(part[1]);
            }
        }
        return methods;
    }

    static int asked, refused;

    /** Compiles some methods of a class. */
    static void some(Class<?> c, Set<String> wanted) {
        for (Method method : methods(c)) {
            String name = method.getName() + " " + descriptor(method);
            if (!wanted.contains(name)) continue;
            for (int level : new int[] {1, 4}) {
                System.out.println("ASK " + c.getName() + " " + name + " " + level);
                System.out.flush();
                asked++;
                if (!compile(method, level)) refused++;
            }
        }
    }

    /** False if it was not even tried: the JVM initialises a class before it compiles its methods. */
    private static boolean compile(Method method, int level) {
        try {
            return sun.hotspot.WhiteBox.enqueue(method, level);
        } catch (Throwable failed) {
            return false;
        }
    }

    private static Method[] methods(Class<?> c) {
        try {
            return c.getDeclaredMethods();
        } catch (LinkageError | TypeNotPresentException missing) {
            return new Method[0];
        }
    }

    private static String descriptor(Method method) {
        return java.lang.invoke.MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
    }
}
