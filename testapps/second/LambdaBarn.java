// @lock java.lang.Object#lambda$main$0
// @type PRODUCER-CONSUMER capacity=3
// @role put LambdaBarn.lambda$main$0
// @role take LambdaBarn.lambda$main$1

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/** No classes at all: the whole bounded buffer is written into the lambdas of main. */
public class LambdaBarn {
    interface Task {
        void run() throws Exception;
    }

    static Thread daemon(Task task) {
        Thread t = new Thread() {
            @Override
            public void run() {
                try {
                    task.run();
                } catch (Exception e) {
                    System.out.println("BROKEN " + e);
                    System.exit(1);
                }
            }
        };
        t.setDaemon(true);
        return t;
    }

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Object door = new Object();
        final Deque<String> hay = new ArrayDeque<>();
        final AtomicLong eaten = new AtomicLong();
        final int room = 3;
        Task farmer = () -> {
            for (int n = 0;; n++) {
                String bale = Thread.currentThread().getName() + n;
                synchronized (door) {
                    while (hay.size() == room) {
                        door.wait();
                    }
                    hay.push(bale);
                    door.notifyAll();
                }
                Thread.sleep(n / 40 % 2 == 0 ? 2 : 8);
            }
        };
        Task cow = () -> {
            while (true) {
                String bale;
                synchronized (door) {
                    while (hay.isEmpty()) {
                        door.wait();
                    }
                    bale = hay.pop();
                    if (hay.size() >= room) {
                        throw new IllegalStateException("barn too full");
                    }
                    door.notifyAll();
                }
                eaten.incrementAndGet();
                Thread.sleep(3 + bale.length() % 3);
            }
        };
        Thread[] all = {daemon(farmer), daemon(farmer), daemon(cow), daemon(cow)};
        for (Thread t : all) {
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        System.out.println("DONE " + eaten);
    }
}
