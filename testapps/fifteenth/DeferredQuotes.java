// An executor with an unbounded queue, and results that are not there yet: clients submit an enquiry and ask for its result, a colleague may ask too.
//
// @lock DeferredQuotes$FutureResult
// @type LATCH count=1 form=future
// @role count-down DeferredQuotes$FutureResult.set
// @role count-down DeferredQuotes$FutureResult.setException
// @role await DeferredQuotes$FutureResult.get
// @role await DeferredQuotes$FutureResult.timedGet
//
// @lock DeferredQuotes$LinkedQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put DeferredQuotes$LinkedQueue.put
// @role take DeferredQuotes$LinkedQueue.take
// @role take DeferredQuotes$LinkedQueue.poll
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class DeferredQuotes {

    interface Job<T> { T call() throws Exception; }

    static final class FutureResult<T> {
        private T value_;
        private Exception exception_;
        private boolean ready_;

        Runnable setter(Job<T> job) {
            return () -> {
                try {
                    set(job.call());
                } catch (Exception e) {
                    setException(e);
                }
            };
        }

        private T outcome() {
            if (exception_ != null) throw new IllegalStateException(exception_);
            return value_;
        }

        synchronized void set(T v) {
            value_ = v;
            ready_ = true;
            notifyAll();
        }

        synchronized void setException(Exception e) {
            exception_ = e;
            ready_ = true;
            notifyAll();
        }

        synchronized T get() throws InterruptedException {
            while (!ready_) wait();
            return outcome();
        }

        /** null: not in time */
        synchronized T timedGet(long msecs) throws InterruptedException {
            long start = System.currentTimeMillis();
            long left = msecs;
            while (!ready_) {
                if (left <= 0) return null;
                wait(left);
                left = msecs - (System.currentTimeMillis() - start);
            }
            return outcome();
        }
    }

    static final class LinkedQueue {
        private static final class Node {
            final Runnable item;
            Node next;
            Node(Runnable r) { item = r; }
        }

        private Node first_, last_;

        synchronized void put(Runnable r) {
            Node n = new Node(r);
            if (last_ == null) first_ = n;
            else last_.next = n;
            last_ = n;
            notify();
        }

        private Runnable unlink() {
            Node n = first_;
            first_ = n.next;
            if (first_ == null) last_ = null;
            return n.item;
        }

        synchronized Runnable take() throws InterruptedException {
            while (first_ == null) wait();
            return unlink();
        }

        synchronized Runnable poll(long msecs) throws InterruptedException {
            long deadline = System.currentTimeMillis() + msecs;
            while (first_ == null) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) return null;
                wait(left);
            }
            return unlink();
        }
    }

    static final LinkedQueue queue = new LinkedQueue();
    static volatile FutureResult<Integer> shared = new FutureResult<>();

    static int quote(int x) throws Exception {
        nap(1, 4);
        if (x % 50 == 0) throw new Exception("no quote for " + x);
        return x * 3;
    }

    static void ask(FutureResult<Integer> f, int x, boolean patient) throws InterruptedException {
        try {
            Integer v = patient ? f.get() : f.timedGet(40);
            check(v == null || v == x * 3, "wrong quote");
        } catch (IllegalStateException e) {
            check(x % 50 == 0, "unexpected failure");
        }
        ops.incrementAndGet();
    }

    static void begin() {
        for (int i = 0; i < 3; i++) {
            boolean patient = i != 2;
            spawn("client-" + i, () -> {
                int x = ThreadLocalRandom.current().nextInt(1000);
                FutureResult<Integer> f = new FutureResult<>();
                queue.put(f.setter(() -> quote(x)));
                ask(f, x, patient);
                nap(1, 8);
            });
        }
        queue.put(shared.setter(() -> 1));
        spawn("broker", () -> {
            FutureResult<Integer> f = new FutureResult<>();
            shared = f;
            queue.put(f.setter(() -> quote(7)));
            ask(f, 7, true);
            nap(2, 6);
        });
        spawn("colleague", () -> {
            FutureResult<Integer> f = shared;
            Integer v = f.timedGet(60);
            check(v == null || v == 21 || v == 1, "wrong shared quote");
            nap(1, 4);
        });
        for (int i = 0; i < 2; i++) spawn("worker-" + i, () -> queue.take().run());
        spawn("reserve", () -> {
            Runnable r = queue.poll(20);
            if (r != null) r.run();
            else nap(5, 10);
        });
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
