import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Loads the classes of Counted anew for each line on standard input, by a class loader of their own, and runs a
 * round of theirs.
 */
public class Late {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        URL[] here = {Late.class.getProtectionDomain().getCodeSource().getLocation()};
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            try (URLClassLoader loader = new URLClassLoader(here, null)) {
                Method round = loader.loadClass("Counted").getDeclaredMethod("round", int.class, int.class);
                round.setAccessible(true);
                System.out.println(round.invoke(null, Integer.parseInt(words[0]), Integer.parseInt(words[1])));
            }
        }
    }
}
