/** Asked to end, it never does: what it has the JVM run at its end hangs. */
public class Clinging {
    public static void main(String[] args) throws Exception {
        Object never = new Object();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (never) {
                while (true) {
                    try {
                        never.wait();
                    } catch (InterruptedException e) {
                        // Nobody interrupts it.
                    }
                }
            }
        }));
        System.out.println("READY");
        Thread.sleep(600_000);
    }
}
