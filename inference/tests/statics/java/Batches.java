import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

// @lock Batches$UpTo
// @type PRODUCER-CONSUMER capacity=12
// @role put Batches$UpTo.putAll
// @role take Batches$UpTo.takeUpTo
//
// @lock Batches$Drained
// @type PRODUCER-CONSUMER capacity=12
// @role put Batches$Drained.putAll
// @role take Batches$Drained.drain
//
// @lock Batches$Out
// @type PRODUCER-CONSUMER capacity=5
// @role put Batches$Out.put
// @role take Batches$Out.into
//
// @lock Batches$Twos
// @type PRODUCER-CONSUMER capacity=4
// @role put Batches$Twos.put
// @role take Batches$Twos.two
//
// @lock Batches$Room
// @type PRODUCER-CONSUMER capacity=6
// @role put Batches$Room.put
// @role take Batches$Room.take
//
// @lock Batches$Heat
// @type CONDITION
// @role wait Batches$Heat.heat
// @role wait Batches$Heat.cool
// @role notify Batches$Heat.heat
// @role notify Batches$Heat.cool
// @role notify Batches$Heat.weather
/** Several things at once, put in or taken out. */
public class Batches {
    /** Who puts waits between the things he puts. */
    static class UpTo {
        private final ArrayDeque<Integer> queue = new ArrayDeque<>();

        synchronized void putAll(int[] all) throws InterruptedException {
            for (int one : all) {
                while (queue.size() >= 12) {
                    wait();
                }
                queue.add(one);
                notifyAll();
            }
        }

        synchronized List<Integer> takeUpTo(int n) throws InterruptedException {
            List<Integer> taken = new ArrayList<>();
            while (queue.isEmpty()) {
                wait();
            }
            for (int i = 0; i < n && !queue.isEmpty(); i++) {
                taken.add(queue.poll());
            }
            notifyAll();
            return taken;
        }
    }

    static class Drained {
        private final ArrayDeque<Object> queue = new ArrayDeque<>();

        synchronized void putAll(Object[] all) throws InterruptedException {
            for (Object one : all) {
                while (queue.size() >= 12) {
                    wait();
                }
                queue.add(one);
                notifyAll();
            }
        }

        synchronized List<Object> drain() throws InterruptedException {
            while (queue.isEmpty()) {
                wait();
            }
            List<Object> all = new ArrayList<>(queue);
            queue.clear();
            notifyAll();
            return all;
        }
    }

    /** What is taken goes into an array of the caller's. */
    static class Out {
        private final ArrayDeque<Object> queue = new ArrayDeque<>();

        synchronized void put(Object one) throws InterruptedException {
            while (queue.size() >= 5) {
                wait();
            }
            queue.add(one);
            notifyAll();
        }

        synchronized int into(Object[] all) throws InterruptedException {
            while (queue.isEmpty()) {
                wait();
            }
            int n = 0;
            while (n < all.length && !queue.isEmpty()) {
                all[n++] = queue.poll();
            }
            notifyAll();
            return n;
        }
    }

    /** Too few and too many leave something in between. */
    static class Twos {
        private final ArrayDeque<Object> queue = new ArrayDeque<>();

        synchronized void put(Object one) throws InterruptedException {
            while (queue.size() >= 4) {
                wait();
            }
            queue.add(one);
            notifyAll();
        }

        synchronized Object[] two() throws InterruptedException {
            while (queue.size() < 2) {
                wait();
            }
            Object[] both = {queue.poll(), queue.poll()};
            notifyAll();
            return both;
        }
    }

    /** What is counted is room. */
    static class Room {
        private final Object[] all = new Object[6];
        private int room = 6;

        synchronized void put(Object one) throws InterruptedException {
            while (room == 0) {
                wait();
            }
            all[--room] = one;
            notifyAll();
        }

        synchronized Object take() throws InterruptedException {
            while (room == 6) {
                wait();
            }
            notifyAll();
            return all[room++];
        }
    }

    /** At 20 degrees nobody has anything to do. */
    static class Heat {
        private int degrees = 20;

        synchronized void heat() throws InterruptedException {
            while (degrees >= 18) {
                wait();
            }
            degrees += 3;
            notifyAll();
        }

        synchronized void cool() throws InterruptedException {
            while (degrees <= 22) {
                wait();
            }
            degrees -= 3;
            notifyAll();
        }

        synchronized void weather(int by) {
            degrees += by;
            notifyAll();
        }
    }
}
