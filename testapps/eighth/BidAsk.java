// @lock BidAsk$Access
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock BidAsk$Access.shared
// @role write-lock BidAsk$Access.exclusive
// @role read-unlock BidAsk$Access.leave
// @role write-unlock BidAsk$Access.leave

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Bids and asks of a stock, read by traders and changed by feeds. Requests to read or to write are granted as they come in. */
public final class BidAsk {

    enum Mode { SHARED, EXCLUSIVE }

    static final class Access {
        private final Deque<Object> line = new ArrayDeque<>();
        private Mode mode;
        private int inside;

        synchronized void shared() throws InterruptedException {
            Object me = new Object();
            line.addLast(me);
            while (line.peekFirst() != me || mode == Mode.EXCLUSIVE) {
                wait();
            }
            line.removeFirst();
            mode = Mode.SHARED;
            inside++;
            notifyAll();    // the next one in line may want to read too
        }

        synchronized void exclusive() throws InterruptedException {
            Object me = new Object();
            line.addLast(me);
            while (line.peekFirst() != me || inside > 0) {
                wait();
            }
            line.removeFirst();
            mode = Mode.EXCLUSIVE;
            inside = 1;
        }

        synchronized void leave() {
            if (--inside == 0) {
                mode = null;
                notifyAll();
            }
        }
    }

    private static final Access access = new Access();
    private static int bid = 99;
    private static int ask = 101;
    private static final AtomicLong quotes = new AtomicLong();
    private static volatile Throwable failure;

    private static void trade() throws InterruptedException {
        access.shared();
        try {
            int spread = ask - bid;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            if (spread != ask - bid || spread != 2) {
                throw new IllegalStateException("spread " + spread);
            }
        } finally {
            access.leave();
        }
        quotes.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
    }

    private static void feed() throws InterruptedException {
        int move = ThreadLocalRandom.current().nextInt(-3, 4);
        access.exclusive();
        try {
            bid += move;
            Thread.sleep(1);
            ask += move;
        } finally {
            access.leave();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
    }

    private interface Activity {
        void once() throws InterruptedException;
    }

    private static void start(int count, String name, Activity activity) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                try {
                    for (;;) {
                        activity.once();
                    }
                } catch (Throwable t) {
                    failure = t;
                }
            }, name + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        start(5, "trader", BidAsk::trade);
        start(2, "feed", BidAsk::feed);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + quotes);
    }
}
