import java.io.IOException;

/** Fills its heap when it reads an f, to the last byte, and lets go of it at the next one; says F and E. */
public class Full {
    private static final byte[] FULL = {'F', '\n'};
    private static final byte[] EMPTY = {'E', '\n'};

    /** All there is, each in the next one. */
    private static Object[] fill() {
        Object[] all = null;
        for (int size = 1 << 20; size > 0; ) {
            try {
                Object[] next = new Object[size];
                next[0] = all;
                all = next;
            } catch (OutOfMemoryError e) {
                size /= 2;
            }
        }
        return all;
    }

    /** Without allocating anything, once it has been done before. */
    private static void say(byte[] line) throws IOException {
        System.out.write(line, 0, line.length);
        System.out.flush();
    }

    private static boolean isAsked() throws IOException {
        for (int c = System.in.read(); c >= 0; c = System.in.read()) {
            if (c == 'f') {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] args) throws IOException {
        System.out.println("ready");
        say(EMPTY);
        while (isAsked()) {
            Object[] all = fill();
            say(FULL);
            isAsked();
            if (all[0] != null) {
                all = null;
            }
            say(EMPTY);
        }
    }
}
