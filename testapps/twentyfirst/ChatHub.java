// @lock ChatHub$Inbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put ChatHub$Inbox.deliver
// @role take ChatHub$Inbox.read
//
// @lock java.lang.Class#members
// @type MUTEX
// @role enter ChatHub$Rooms.move
// @role enter ChatHub$Rooms.members

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Chat: six users in three rooms; a message goes to the inbox of everybody in the room. */
public class ChatHub {
    static final int USERS = 6, ROOMS = 3;

    static class Inbox {
        private static class Node {
            final long text;
            Node next;
            Node(long text) { this.text = text; }
        }
        private Node first, last;
        private int waiting;

        void deliver(long text) {
            Node n = new Node(text);
            synchronized (this) {
                if (last == null) first = n; else last.next = n;
                last = n;
                if (waiting > 0) notify();
            }
        }

        /** Waits for mail, in slices, until there is some. */
        synchronized long read() throws InterruptedException {
            waiting++;
            try {
                while (first == null) wait(500);
            } finally {
                waiting--;
            }
            long t = first.text;
            first = first.next;
            if (first == null) last = null;
            return t;
        }
    }

    static class Rooms {
        private static final BitSet[] rooms = new BitSet[ROOMS];
        private static final int[] where = new int[USERS];
        static {
            for (int i = 0; i < ROOMS; i++) rooms[i] = new BitSet();
            rooms[0].set(0, USERS);
        }

        static synchronized void move(int user, int to) throws InterruptedException {
            rooms[where[user]].clear(user);
            Thread.sleep(1);
            rooms[to].set(user);
            where[user] = to;
        }

        static synchronized BitSet members(int user) throws InterruptedException {
            int n = 0;
            for (BitSet b : rooms) n += b.cardinality();
            if (n != USERS) bad = n + " users in the rooms";
            Thread.sleep(1);
            return (BitSet) rooms[where[user]].clone();
        }
    }

    static final Inbox[] inbox = new Inbox[USERS];
    static final AtomicLong sent = new AtomicLong(), got = new AtomicLong();
    static volatile String bad;

    static class Talker extends Thread {
        final int me;
        Talker(int me) { super("talker-" + me); this.me = me; setDaemon(true); }
        @Override public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    BitSet to = Rooms.members(me);
                    for (int u = to.nextSetBit(0); u >= 0; u = to.nextSetBit(u + 1)) {
                        sent.incrementAndGet();
                        inbox[u].deliver(me * 1000L + u);
                    }
                    if (r.nextInt(3) == 0) Rooms.move(me, r.nextInt(ROOMS));
                    Thread.sleep(5 + r.nextInt(20));
                }
            } catch (InterruptedException e) {
                bad = "talker interrupted";
            }
        }
    }

    static class Listener extends Thread {
        final int me;
        Listener(int me) { super("listener-" + me); this.me = me; setDaemon(true); }
        @Override public void run() {
            try {
                while (true) {
                    long t = inbox[me].read();
                    if (t % 1000 != me) bad = "wrong address " + t;
                    if (got.incrementAndGet() > sent.get()) bad = "more read than sent";
                }
            } catch (InterruptedException e) {
                bad = "listener interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int secs = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < USERS; i++) inbox[i] = new Inbox();
        for (int i = 0; i < USERS; i++) {
            new Listener(i).start();
            new Talker(i).start();
        }
        System.out.println("READY");
        for (int i = 0; i < 10 * secs && bad == null; i++) {
            Thread.sleep(100);
            if (sent.get() - got.get() > 10000) bad = "mail piles up";
        }
        System.out.println(bad == null ? "DONE " + got : "BAD " + bad);
        System.exit(bad == null ? 0 : 1);
    }
}
