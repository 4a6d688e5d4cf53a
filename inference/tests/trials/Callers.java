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

    /** Told right behind its constructor how much fits. */
    static class Told {
        private final java.util.LinkedList<Object> held = new java.util.LinkedList<>();
        private int most = 64;

        synchronized void most(int most) {
            this.most = most < 1 ? 1 : most;
            notifyAll();
        }

        synchronized void put(Object o) throws InterruptedException {
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

    /** Told some time how many there may be. */
    static class Retold {
        private int most = 2, inside;

        synchronized void most(int most) {
            this.most = most;
            notifyAll();
        }

        synchronized void enter() throws InterruptedException {
            while (inside >= most) wait();
            inside++;
        }

        synchronized void leave() {
            inside--;
            notifyAll();
        }
    }

    /** One has three, the other one; the number that tells them apart is no matter. */
    static class Unlike {
        private static int all;
        private final int id = ++all;
        private int left;

        Unlike(int left) {
            this.left = left;
        }

        synchronized void take() throws InterruptedException {
            while (left == 0) wait();
            left--;
        }

        synchronized void give() {
            left++;
            notify();
        }

        @Override
        public String toString() {
            return "unlike " + id;
        }
    }

    /** All have two. */
    static class Alike extends Unlike {
        private static int alike = 1;
        private final int id = ++alike;

        Alike(int left) {
            super(left);
        }

        @Override
        synchronized void take() throws InterruptedException {
            super.take();
        }

        @Override
        synchronized void give() {
            super.give();
        }
    }

    static void makeOne(java.util.Map<String, Object> all) {
        all.put("one", new Unlike(3));
        all.put("two", new Alike(2));
    }

    static void makeOther(java.util.Map<String, Object> all) {
        all.put("other", new Unlike(1));
        all.put("third", new Alike(2));
    }

    static void make(java.util.Map<String, Object> all) {
        Told told = new Told();
        told.most(5);
        all.put("told", told);
        all.put("retold", new Retold());
    }

    static void retell(Retold of, int most) {
        of.most(most);
    }

    /** One waits for one, the other for four. */
    static class Counted {
        private int left;

        Counted(int left) {
            this.left = left;
        }

        synchronized void done() {
            if (--left <= 0) notifyAll();
        }

        synchronized void all() throws InterruptedException {
            while (left > 0) wait();
        }
    }

    /** How many may be inside changes. */
    static class Quota {
        private int most = 2, inside;

        synchronized void enter() throws InterruptedException {
            while (inside >= most) wait();
            inside++;
        }

        synchronized void leave() {
            inside--;
            notifyAll();
        }

        synchronized void most(int most) {
            this.most = most;
            notifyAll();
        }
    }

    /** How many fit in changes. */
    static class Shelf {
        private final java.util.ArrayDeque<Object> items = new java.util.ArrayDeque<>();
        private int most = 3;

        synchronized void put(Object item) throws InterruptedException {
            while (items.size() >= most) wait();
            items.add(item);
            notifyAll();
        }

        synchronized Object take() throws InterruptedException {
            while (items.isEmpty()) wait();
            Object item = items.poll();
            notifyAll();
            return item;
        }

        synchronized void most(int most) {
            this.most = most;
            notifyAll();
        }
    }

    /** How far the others have come is said, how many may be under way is not. */
    static class Window {
        private int sent, seen;

        synchronized int send() throws InterruptedException {
            while (sent - seen >= 8) wait();
            return ++sent;
        }

        synchronized void seen(int seen) {
            if (seen > this.seen) {
                this.seen = seen;
                notifyAll();
            }
        }
    }

    /** Writes its fields by methods of its own. */
    static class Written {
        private final int parties;
        private int come, round;

        Written(int parties) {
            this.parties = parties;
        }

        private void come(int come) {
            this.come = come;
        }

        private void round(int round) {
            this.round = round;
        }

        synchronized void meet() throws InterruptedException {
            int mine = round;
            come(come + 1);
            if (come == parties) {
                come(0);
                round(round + 1);
                notifyAll();
            } else {
                while (mine == round) wait();
            }
        }
    }

    /** Permits of different number, made by one object. */
    static class Stock {
        private int left;

        Stock(int left) {
            this.left = left;
        }

        synchronized void take() throws InterruptedException {
            while (left == 0) wait();
            left--;
        }

        synchronized void give() {
            left++;
            notify();
        }
    }

    /** Permits of one number, made by one object. */
    static class Pairs {
        private int left;

        Pairs(int left) {
            this.left = left;
        }

        synchronized void take() throws InterruptedException {
            while (left == 0) wait();
            left--;
        }

        synchronized void give() {
            left++;
            notify();
        }
    }

    static class Store {
        private final Stock one = new Stock(1), none = new Stock(0), four = new Stock(4);
        private final Pairs left = new Pairs(2), right = new Pairs(2);

        void put() throws InterruptedException {
            four.take();
            one.take();
            left.take();
            right.take();
            right.give();
            left.give();
            one.give();
            none.give();
        }

        void take() throws InterruptedException {
            none.take();
            one.take();
            one.give();
            four.give();
        }

        static void main() throws InterruptedException {
            Store store = new Store();
            store.put();
            store.take();
            Shelf shelf = new Shelf();
            shelf.put(store);
            shelf.take();
            shelf.most(5);
            Window window = new Window();
            window.seen(window.send());
            new Written(3).meet();
            Sides sides = new Sides();
            sides.left();
            sides.right();
            Flat flat = new Flat();
            flat.give(flat.take());
        }
    }

    /** Two who wait for each other, and hand nothing over. */
    static class Sides {
        private boolean left, right;

        synchronized void left() throws InterruptedException {
            left = true;
            notifyAll();
            while (!right) wait();
            right = false;
        }

        synchronized void right() throws InterruptedException {
            right = true;
            notifyAll();
            while (!left) wait();
            left = false;
        }
    }

    /** Three keys, made when they are first asked for and kept when they are given back. */
    static class Flat {
        private final java.util.HashMap<Integer, Object> free = new java.util.HashMap<>();
        private final java.util.HashMap<Integer, Object> used = new java.util.HashMap<>();
        private int made;

        synchronized Integer take() throws InterruptedException {
            while (true) {
                if (!free.isEmpty()) {
                    Integer key = free.keySet().iterator().next();
                    used.put(key, free.remove(key));
                    return key;
                }
                if (used.size() < 3) {
                    Integer key = made++;
                    used.put(key, new Object());
                    return key;
                }
                wait();
            }
        }

        synchronized void give(Integer key) {
            Object kept = used.remove(key);
            if (kept != null) free.put(key, kept);
            notifyAll();
        }
    }

    /** Each takes his own and gives the other's. */
    static class Baton {
        private boolean here;

        Baton(boolean here) {
            this.here = here;
        }

        synchronized void take() throws InterruptedException {
            while (!here) wait();
            here = false;
        }

        synchronized void give() {
            here = true;
            notify();
        }
    }

    static void left() throws InterruptedException {
        LEFT.take();
        RIGHT.give();
    }

    static void right() throws InterruptedException {
        RIGHT.take();
        LEFT.give();
    }

    /** The next one's is given. */
    static class Ring {
        private boolean here;

        Ring(boolean here) {
            this.here = here;
        }

        synchronized void take() throws InterruptedException {
            while (!here) wait();
            here = false;
        }

        synchronized void give() {
            here = true;
            notify();
        }
    }

    static final Ring[] RING = {new Ring(true), new Ring(false), new Ring(false)};

    static void turn(Ring[] all, int mine) throws InterruptedException {
        all[mine].take();
        all[(mine + 1) % 3].give();
    }

    /** Made in one loop, each for one more. */
    static class Step {
        private int left;

        Step(int left) {
            this.left = left;
        }

        synchronized void take() throws InterruptedException {
            while (left == 0) wait();
            left--;
        }

        synchronized void give() {
            left++;
            notify();
        }
    }

    static void climb() throws InterruptedException {
        Step[] all = new Step[3];
        for (int i = 0; i < 3; i++) all[i] = new Step(i + 1);
        all[0].take();
        all[0].give();
    }

    static final Counted ONE = new Counted(1), FOUR = new Counted(4);
    static final Quota QUOTA = new Quota();
    static final Baton LEFT = new Baton(true), RIGHT = new Baton(false);
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
        ONE.done();
        ONE.all();
        FOUR.done();
        QUOTA.enter();
        QUOTA.leave();
        QUOTA.most(ROOMS.inside + 3);
    }

    /** Told its number by the method that makes it, before anybody has it. */
    static class Hired {
        private int most = 1, inside;

        void limit(int n) {
            most = n;
        }

        synchronized void enter() throws InterruptedException {
            while (inside >= most) wait();
            inside++;
        }

        synchronized void leave() {
            inside--;
            notify();
        }

        static Hired hire() {
            Hired made = new Hired();
            made.limit(4);
            return made;
        }

        static void use(Hired one) throws InterruptedException {
            one.enter();
            one.leave();
        }

        static void main() throws InterruptedException {
            use(hire());
        }
    }

    /** The same in one breath. */
    static class Fluent {
        private int most = 1, inside;

        Fluent limit(int n) {
            most = n;
            return this;
        }

        synchronized void enter() throws InterruptedException {
            while (inside >= most) wait();
            inside++;
        }

        synchronized void leave() {
            inside--;
            notify();
        }

        static void use(Fluent one) throws InterruptedException {
            one.enter();
            one.leave();
        }

        static void main() throws InterruptedException {
            use(new Fluent().limit(4));
        }
    }

    static class Session {
    }

    /** Whoever shows the session that has it comes in again. */
    static class Signed {
        private Session owner;
        private int depth;

        synchronized void lock(Session s) throws InterruptedException {
            while (owner != null && owner != s) wait();
            owner = s;
            depth++;
        }

        synchronized void unlock() {
            if (--depth == 0) {
                owner = null;
                notify();
            }
        }

        void use(Session s) throws InterruptedException {
            lock(s);
            lock(s);
            unlock();
            unlock();
        }
    }

    /** Nobody comes in while it is held, whatever he shows. */
    static class Sealed {
        private Session owner;

        synchronized void lock(Session s) throws InterruptedException {
            while (owner != null) wait();
            owner = s;
        }

        synchronized void unlock(Session s) {
            if (owner == s) {
                owner = null;
                notify();
            }
        }

        void use(Session s) throws InterruptedException {
            lock(s);
            unlock(s);
        }
    }
}
