// @lock PantryLatch$Latch
// @type LOCK reentrant=false
// @role lock PantryLatch$Latch.close
// @role lock PantryLatch$Latch.tryClose
// @role unlock PantryLatch$Latch.open

import java.util.Random;
import java.util.concurrent.Callable;

/** The door latch of a pantry: who is inside has closed it. (Not a latch in the other sense of the word.) */
public class PantryLatch {
    static class Latch {
        private Thread inside;
        private int outside;

        void close() throws InterruptedException {
            synchronized (this) {
                outside++;
                try {
                    while (inside != null) {
                        wait();
                    }
                    inside = Thread.currentThread();
                } finally {
                    outside--;
                }
            }
        }

        boolean tryClose(long millis) throws InterruptedException {
            synchronized (this) {
                long deadline = System.nanoTime() + millis * 1_000_000;
                outside++;
                try {
                    while (inside != null) {
                        long left = (deadline - System.nanoTime()) / 1_000_000;
                        if (left <= 0) {
                            return false;
                        }
                        wait(left);
                    }
                    inside = Thread.currentThread();
                    return true;
                } finally {
                    outside--;
                }
            }
        }

        void open() {
            synchronized (this) {
                if (inside != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("opened from the outside");
                }
                inside = null;
                if (outside > 0) {
                    notify();
                }
            }
        }

        <R> R inside(Callable<R> body) throws Exception {
            close();
            try {
                return body.call();
            } finally {
                open();
            }
        }
    }

    static int jars = 50;
    static int missing;

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Latch latch = new Latch();
        Exception[] failure = new Exception[1];
        long[] visits = new long[4];
        for (int i = 0; i < 4; i++) {
            Random rnd = new Random(i);
            int me = i;
            Thread cook = new Thread(() -> {
                try {
                    while (true) {
                        if (me == 0) {
                            if (latch.tryClose(4)) {
                                try {
                                    if (jars + missing != 50) {
                                        throw new IllegalStateException(jars + " jars, " + missing + " out");
                                    }
                                } finally {
                                    latch.open();
                                }
                            }
                        } else {
                            latch.inside(() -> {
                                int take = missing > 10 ? -missing : 1;
                                jars -= take;
                                Thread.sleep(rnd.nextInt(3));
                                return missing += take;
                            });
                        }
                        visits[me]++;
                        Thread.sleep(rnd.nextInt(5));
                    }
                } catch (Exception e) {
                    failure[0] = e;
                }
            }, "cook-" + i);
            cook.setDaemon(true);
            cook.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure[0] != null) {
            System.out.println(failure[0]);
            System.exit(1);
        }
        System.out.println("DONE " + (visits[0] + visits[1] + visits[2] + visits[3]));
    }
}
