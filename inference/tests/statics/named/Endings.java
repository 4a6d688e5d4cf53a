// @lock Endings$Proc
// @type JOIN
// @role join Endings$Proc.status
//
// @lock Endings$Handle
// @type JOIN
// @role join Endings$Handle.join
//
// @lock Endings$Plain
// @type JOIN
// @role join Endings.collect
//
// @lock Endings$Passed
// @type LATCH count=1
// @role count-down Endings$Passed.mark
// @role await Endings$Passed.end
//
// @lock Endings$Errand
// @type LATCH count=1
// @role count-down Endings$Errand.mark
// @role await Endings$Errand.home
//
// @lock Endings$Early
// @type LATCH count=1
// @role count-down Endings$Early.open
// @role await Endings$Early.pass
//
// @lock Endings$Pooled
// @type LATCH count=1
// @role count-down Endings$Pooled.open
// @role await Endings$Pooled.pass
//
// @lock Endings$Rounds
// @type LATCH count=1
// @role count-down Endings$Rounds.open
// @role await Endings$Rounds.pass
//
// @lock Endings$Group
// @type LATCH count=4
// @role count-down Endings$Group.down
// @role await Endings$Group.pass
//
// @lock Endings$Ticket
// @type LATCH count=1 form=future
// @role count-down Endings$Ticket.work
// @role await Endings$Ticket.fetch
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.function.IntSupplier;

/**
 * What opens once: by the last act of a thread that it belongs to, or that it was given to (a latch, then), or by one
 * that goes on. Threads are told by the library's names.
 */
public final class Endings {
    private static final ConcurrentLinkedQueue<Runnable> todo = new ConcurrentLinkedQueue<>();
    private static volatile long after;

    static final class Proc {
        private int code = -1;
        static Proc begin(IntSupplier body) {
            Proc p = new Proc();
            Thread t = new Thread(() -> p.exit(body.getAsInt()), "child");
            t.start();
            return p;
        }
        private synchronized void exit(int c) { code = c & 255; notifyAll(); }
        synchronized int status() throws InterruptedException {
            while (code == -1) wait();
            return code;
        }
    }

    interface Start { long call() throws InterruptedException; }
    /** However it ends: the compiler writes what comes finally once for each way. */
    static final class Handle {
        private boolean gone;
        private long value;
        static Handle create(Start start) {
            Handle h = new Handle();
            new Thread(() -> h.trampoline(start)).start();
            return h;
        }
        private void trampoline(Start start) {
            long result = -1;
            try {
                result = start.call();
            } catch (InterruptedException e) {
                result = -2;
            } finally {
                synchronized (this) { value = result; gone = true; notifyAll(); }
            }
        }
        synchronized long join() throws InterruptedException {
            while (!gone) wait();
            return value;
        }
    }

    /** Its own methods know nothing of locks. */
    static final class Plain { boolean gone; }
    static Plain create() {
        Plain p = new Plain();
        new Thread(() -> { after++; leave(p); }).start();
        return p;
    }
    private static void leave(Plain p) { synchronized (p) { p.gone = true; p.notifyAll(); } }
    static void collect(Plain p) throws InterruptedException {
        synchronized (p) { while (!p.gone) p.wait(); }
    }

    static final class Passed {
        private boolean over;
        private synchronized void mark() { over = true; notifyAll(); }
        synchronized void end() throws InterruptedException { while (!over) wait(); }
    }
    private static void go(Runnable body) {
        Thread t = new Thread(body);
        t.setDaemon(true);
        t.start();
    }
    static Passed passed(IntSupplier body) {
        Passed p = new Passed();
        go(() -> { after += body.getAsInt(); p.mark(); });
        return p;
    }

    /** The task is an object, and the mark another. */
    static final class Errand {
        private boolean back;
        private synchronized void mark() { back = true; notifyAll(); }
        synchronized void home() throws InterruptedException { while (!back) wait(); }
    }
    static final class Walk implements Runnable {
        private final Errand errand;
        Walk(Errand errand) { this.errand = errand; }
        public void run() { after++; errand.mark(); }
    }
    static Errand send() {
        Errand errand = new Errand();
        new Thread(new Walk(errand)).start();
        return errand;
    }

    /** Whoever opens it goes on. */
    static final class Early {
        private boolean open;
        synchronized void open() { open = true; notifyAll(); }
        synchronized void pass() throws InterruptedException { while (!open) wait(); }
    }
    static Early early() {
        Early e = new Early();
        new Thread(() -> { e.open(); after = System.nanoTime(); }).start();
        return e;
    }

    /** The last act of a task, whose thread goes on to the next one. */
    static final class Pooled {
        private boolean open;
        synchronized void open() { open = true; notifyAll(); }
        synchronized void pass() throws InterruptedException { while (!open) wait(); }
    }
    static Pooled pooled(ExecutorService pool) {
        Pooled p = new Pooled();
        pool.execute(() -> { after++; p.open(); });
        return p;
    }

    /** The last thing done each time around. */
    static final class Rounds {
        private boolean open;
        synchronized void open() { open = true; notifyAll(); }
        synchronized void pass() throws InterruptedException { while (!open) wait(); }
    }
    static void rounds(ConcurrentLinkedQueue<Rounds> all) {
        new Thread(() -> {
            for (Rounds r; (r = all.poll()) != null; ) r.open();
        }).start();
    }

    /** Told its number by a call of its own. */
    static final class Group {
        private int left;
        synchronized void more(int n) {
            left += n;
            if (left < 0) throw new IllegalStateException();
            if (left == 0) notifyAll();
        }
        synchronized void down() {
            if (left <= 0) throw new IllegalStateException();
            if (--left == 0) notifyAll();
        }
        synchronized void pass() throws InterruptedException { while (left > 0) wait(); }
    }
    static void groups() throws InterruptedException {
        Group group = new Group();
        group.more(4);
        for (int i = 0; i < 4; i++) todo.add(() -> { after++; group.down(); });
        group.pass();
    }

    /** What was computed is fetched; that there is nothing left to do opens it. */
    static final class Ticket {
        private Callable<Object> body;
        private Object result;
        Ticket(Callable<Object> body) { this.body = body; }
        void work() throws Exception {
            Object value = body.call();
            synchronized (this) { result = value; body = null; notifyAll(); }
        }
        synchronized Object fetch() throws InterruptedException {
            while (body != null) wait();
            return result;
        }
    }
    static void serve(ConcurrentLinkedQueue<Ticket> all) throws Exception {
        for (Ticket t; (t = all.poll()) != null; ) t.work();
    }
}
