/** Locks of which the caller says how many: how many meet, how many are inside, how many fit. */
class Callers {
    static class Meet {
        private int come, round;

        synchronized void meet(int parties) throws InterruptedException {
            int mine = round;
            if (++come >= parties) {
                come = 0;
                round++;
                notifyAll();
            } else {
                while (mine == round) wait();
            }
        }
    }

    /** The same, of which nobody knows who calls it. */
    static class Unknown {
        private int come, round;

        synchronized void meet(int parties) throws InterruptedException {
            int mine = round;
            if (++come >= parties) {
                come = 0;
                round++;
                notifyAll();
            } else {
                while (mine == round) wait();
            }
        }
    }

    /** Sometimes three may be inside, sometimes five. */
    static class Rooms {
        private int inside;

        synchronized void enter(int most) throws InterruptedException {
            while (inside >= most) wait();
            inside++;
        }

        synchronized void leave() {
            inside--;
            notifyAll();
        }
    }

    static class Box {
        private final java.util.LinkedList<Object> held = new java.util.LinkedList<>();

        synchronized void put(Object o, int most) throws InterruptedException {
            while (held.size() >= most) wait();
            held.add(o);
            notifyAll();
        }

        synchronized Object take() throws InterruptedException {
            while (held.isEmpty()) wait();
            Object o = held.removeFirst();
            notifyAll();
            return o;
        }
    }

    /** Each takes several: that is no matter of how many there are. */
    static class Weights {
        private int left = 6;

        synchronized void take(int n) throws InterruptedException {
            while (left < n) wait();
            left -= n;
        }

        synchronized void give(int n) {
            left += n;
            notifyAll();
        }
    }

    static final Meet MEET = new Meet();
    static final Rooms ROOMS = new Rooms();
    static final Box BOX = new Box();

    static void go() throws InterruptedException {
        MEET.meet(3);
        ROOMS.enter(3);
        ROOMS.leave();
        ROOMS.enter(5);
        ROOMS.leave();
        BOX.put("", 4);
        BOX.take();
    }
}
