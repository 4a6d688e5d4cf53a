import java.util.*;

// @lock Fitting$Numbers
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Fitting$Numbers.look
// @role read-unlock Fitting$Numbers.looked
// @role write-lock Fitting$Numbers.alter
// @role write-unlock Fitting$Numbers.altered
//
// @lock Fitting$Sums
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Fitting$Sums.add
// @role take Fitting$Sums.some
//
// @lock Fitting$Changes
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Fitting$Changes.changed
// @role take Fitting$Changes.oldest
//
// @lock Fitting$Pieces
// @type LATCH count=4
// @role count-down Fitting$Pieces.came
// @role await Fitting$Pieces.whole
//
// @lock Fitting$Keys
// @type SEMAPHORE permits=4
// @role acquire Fitting$Keys.borrow
// @role release Fitting$Keys.bring
//
// @lock Fitting$Knot
// @type BARRIER parties=6
// @role arrive Fitting$Knot.meet
//
// @lock Fitting$Pair
// @type BARRIER parties=2
// @role arrive Fitting$Pair.climb

/** Arguments that must fit together: numbers of pieces, names of borrowers, keys; and locks made of many. */
class Fitting {
    static class Numbers {
        private int drawn;
        private int looking = 1;
        private int altering = 1;

        synchronized void look() throws InterruptedException {
            int mine = ++drawn;
            while (mine > looking) {
                wait();
            }
            looking++;
            notifyAll();
        }

        synchronized void looked() {
            altering++;
            notifyAll();
        }

        synchronized void alter() throws InterruptedException {
            int mine = ++drawn;
            while (mine > altering) {
                wait();
            }
        }

        synchronized void altered() {
            looking++;
            altering++;
            notifyAll();
        }
    }

    static class Sums {
        private final Map<String, Integer> open = new LinkedHashMap<>();

        synchronized void add(String account, int amount) {
            if (open.merge(account, amount, Integer::sum) == amount) {
                notify();
            }
        }

        synchronized int some(int most) throws InterruptedException {
            while (open.isEmpty()) {
                wait();
            }
            int sum = 0;
            Iterator<Integer> each = open.values().iterator();
            for (int i = 0; i < most && each.hasNext(); i++) {
                sum += each.next();
                each.remove();
            }
            return sum;
        }
    }

    static class Change {
        final String of;
        long by;

        Change(String of, long by) {
            this.of = of;
            this.by = by;
        }
    }

    static class Changes {
        private final Map<String, Change> open = new LinkedHashMap<>();

        synchronized void changed(Change change) {
            Change known = open.get(change.of);
            if (known != null) {
                known.by += change.by;
                return;
            }
            open.put(change.of, change);
            notify();
        }

        synchronized Change oldest() throws InterruptedException {
            while (open.isEmpty()) {
                wait();
            }
            Iterator<Change> each = open.values().iterator();
            Change first = each.next();
            each.remove();
            return first;
        }
    }

    static class Pieces {
        private final BitSet there = new BitSet();
        private int length;

        synchronized void came(int number, int size) {
            if (there.get(number)) {
                throw new IllegalStateException("twice");
            }
            there.set(number);
            length += size;
            if (there.cardinality() == 4) {
                notifyAll();
            }
        }

        synchronized int whole() throws InterruptedException {
            while (there.nextClearBit(0) < 4) {
                wait();
            }
            return length;
        }
    }

    static class Keys {
        private final String[] with = new String[4];

        synchronized int borrow(String who) throws InterruptedException {
            int free;
            while ((free = Arrays.asList(with).indexOf(null)) < 0) {
                wait();
            }
            with[free] = who;
            return free;
        }

        synchronized void bring(int key, String who) {
            if (!who.equals(with[key])) {
                throw new IllegalStateException(who);
            }
            with[key] = null;
            notify();
        }
    }

    static class Knot {
        private final Knot above;
        private final int all;
        private int here;
        private boolean turn;

        Knot(Knot above, int all) {
            this.above = above;
            this.all = all;
        }

        synchronized void meet() throws InterruptedException {
            boolean mine = turn;
            if (++here < all) {
                while (turn == mine) {
                    wait();
                }
                return;
            }
            if (above != null) {
                above.meet();
            }
            here = 0;
            turn = !mine;
            notifyAll();
        }
    }

    static class Net {
        private final Knot top = new Knot(null, 2);
        private final Knot[] ends = {new Knot(top, 3), new Knot(top, 3)};

        void come(int who) throws InterruptedException {
            ends[who / 3].meet();
        }
    }

    static class Pair {
        private final Pair above;
        private int here;
        private long round;

        Pair(Pair above) {
            this.above = above;
        }

        void climb() throws InterruptedException {
            synchronized (this) {
                if (++here == 2) {
                    here = 0;
                    if (above != null) {
                        above.climb();
                    }
                    round++;
                    notifyAll();
                    return;
                }
                long mine = round;
                while (mine == round) {
                    wait();
                }
            }
        }
    }

    static void all() throws InterruptedException {
        Net net = new Net();
        net.come(4);
        Pair first = new Pair(new Pair(null));
        first.climb();
        new Keys().bring(new Keys().borrow("a"), "a");
        new Changes().changed(new Change("a", 1));
    }
}
