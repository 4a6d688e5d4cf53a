// @lock TopicBoard$Listeners
// @type MUTEX
// @role enter TopicBoard$Listeners.add
// @role enter TopicBoard$Listeners.remove
// @quiet

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** A copy-on-write listener list: firing reads a volatile array, only adding and removing take the mutex. */
public class TopicBoard {
    interface Listener {
        void changed(String topic);
    }

    static class Listeners {
        private volatile Listener[] array = {};

        synchronized void add(Listener l) {
            Listener[] old = array;
            Listener[] copy = Arrays.copyOf(old, old.length + 1);
            copy[old.length] = l;
            array = copy;
        }

        synchronized boolean remove(Listener l) {
            Listener[] old = array;
            for (int i = old.length - 1; i >= 0; i--) {
                if (old[i] == l) {
                    Listener[] copy = new Listener[old.length - 1];
                    System.arraycopy(old, 0, copy, 0, i);
                    System.arraycopy(old, i + 1, copy, i, old.length - i - 1);
                    array = copy;
                    return true;
                }
            }
            return false;
        }

        void fire(String topic) {
            for (Listener l : array) {
                l.changed(topic);
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Listeners board = new Listeners();
        AtomicLong heard = new AtomicLong();
        String[] broken = new String[1];
        for (int i = 0; i < 3; i++) {
            Random rnd = new Random(i);
            Thread subscriber = new Thread(() -> {
                try {
                    while (true) {
                        Listener l = topic -> heard.incrementAndGet();
                        board.add(l);
                        Thread.sleep(1 + rnd.nextInt(5));
                        if (!board.remove(l)) {
                            broken[0] = "listener vanished";
                        }
                        if (board.remove(l)) {
                            broken[0] = "listener twice in the list";
                        }
                    }
                } catch (InterruptedException e) {
                    broken[0] = "interrupted";
                }
            }, "subscriber-" + i);
            subscriber.setDaemon(true);
            subscriber.start();
        }
        Thread publisher = new Thread(() -> {
            try {
                for (int n = 0;; n++) {
                    board.fire("topic" + n);
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                broken[0] = "interrupted";
            }
        }, "publisher");
        publisher.setDaemon(true);
        publisher.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken[0] != null || heard.get() == 0) {
            System.out.println("BROKEN " + broken[0]);
            System.exit(1);
        }
        System.out.println("DONE " + heard);
    }
}
