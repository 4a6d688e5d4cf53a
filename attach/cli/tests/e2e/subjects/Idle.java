/** Does nothing until its input ends. */
public final class Idle {
    public static void main(String[] args) throws java.io.IOException {
        System.out.println("READY");
        while (System.in.read() >= 0) {
            Thread.yield();
        }
    }
}
