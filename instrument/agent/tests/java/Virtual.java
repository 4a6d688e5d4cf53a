/** Virtual threads that wait and contend, until killed. Needs Java 21. */
public class Virtual {
    private static final Object LOCK = new Object();
    private static final Object SLOW = new Object();

    private static void waiter() {
        while (true) {
            synchronized (LOCK) {
                try {
                    LOCK.wait(5);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    private static void contender() {
        while (true) {
            synchronized (SLOW) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread.ofVirtual().name("virtual-waiter").start(Virtual::waiter);
        Thread.ofVirtual().name("virtual-contender").start(Virtual::contender);
        new Thread(Virtual::contender, "platform-contender").start();
        System.out.println("ready");
        for (int n = 0;; n++) {
            Thread.ofVirtual().name("short-" + n).start(() -> { }).join();
            Thread.sleep(5);
        }
    }
}
