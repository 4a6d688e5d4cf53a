// @lock CubbyHole
// @type PRODUCER-CONSUMER capacity=1
// @role put CubbyHole.put
// @role take CubbyHole.get

import java.util.concurrent.atomic.AtomicLong;

/** The tutorial's cubby-hole: a producer stores a number in it, a consumer retrieves it. */
public class CubbyHole {
    private int contents;
    private boolean available = false;

    public synchronized int get() {
        while (available == false) {
            try {
                // wait for Producer to put value
                wait();
            } catch (InterruptedException e) {
            }
        }
        available = false;
        // notify Producer that value has been retrieved
        notifyAll();
        return contents;
    }

    public synchronized void put(int value) {
        while (available == true) {
            try {
                // wait for Consumer to get value
                wait();
            } catch (InterruptedException e) {
            }
        }
        contents = value;
        available = true;
        // notify Consumer that value has been set
        notifyAll();
    }

    static final AtomicLong numbers = new AtomicLong();
    static volatile boolean failed;

    static class Producer extends Thread {
        private CubbyHole cubbyhole;

        public Producer(CubbyHole c) {
            cubbyhole = c;
        }

        public void run() {
            for (int i = 0; !failed; i++) {
                cubbyhole.put(i);
                try {
                    sleep((int) (Math.random() * 4));
                } catch (InterruptedException e) {
                }
            }
        }
    }

    static class Consumer extends Thread {
        private CubbyHole cubbyhole;

        public Consumer(CubbyHole c) {
            cubbyhole = c;
        }

        public void run() {
            for (int i = 0; !failed; i++) {
                if (cubbyhole.get() != i) {
                    failed = true;
                }
                numbers.incrementAndGet();
                if (i % 5 == 0) {
                    try {
                        sleep(3);
                    } catch (InterruptedException e) {
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            CubbyHole c = new CubbyHole();
            Thread[] both = {new Producer(c), new Consumer(c)};
            for (Thread t : both) {
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (failed) {
            System.out.println("a number was lost or came twice");
            System.exit(1);
        }
        System.out.println("DONE " + numbers);
    }
}
