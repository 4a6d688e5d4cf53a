// @lock Callbacks$Moor
// @type SEMAPHORE permits=4
// @role acquire Callbacks$Guarded.entry
// @role release Callbacks$Guarded.procedure
//
// @lock Callbacks$Own
// @type READ-WRITE reentrant=true
// @role read-lock Callbacks$Own.a
// @role read-unlock Callbacks$Own.b
// @role write-lock Callbacks$Own.c
// @role write-unlock Callbacks$Own.d
//
// @lock Callbacks$Timer
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Callbacks$Timer.add
// @role take Callbacks$Timer.next
//
// @lock Callbacks$Task
// @type LATCH count=1 form=future
// @role count-down Callbacks$Task.run
// @role await Callbacks$Task.get
//
// @lock Callbacks$Copy
// @type JOIN
// @role join Callbacks$Copy.end
import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Locks that lean on functions of one shape or on what tasks run: which is which only names show, of compilers and of the library. */
public final class Callbacks {
    abstract static class Guarded {
        protected final synchronized void entry(BooleanSupplier open, Runnable body) throws InterruptedException {
            while (!open.getAsBoolean()) wait();
            body.run();
            notifyAll();
        }
        protected final synchronized void procedure(Runnable body) { body.run(); notifyAll(); }
        protected final synchronized int function(IntSupplier body) { return body.getAsInt(); }
    }
    static final class Moor extends Guarded {
        private int free = 4;
        void in() throws InterruptedException { entry(() -> free > 0, () -> free--); }
        void out() { procedure(() -> free++); }
        int left() { return function(() -> free); }
    }
    static final class Own {
        private final Map<Thread, Integer> readers = new HashMap<>();
        private Thread writer;
        private int depth;
        synchronized void a() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) wait();
            readers.merge(me, 1, Integer::sum);
        }
        synchronized void b() {
            readers.computeIfPresent(Thread.currentThread(), (k, v) -> v == 1 ? null : v - 1);
            if (readers.isEmpty()) notifyAll();
        }
        synchronized void c() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me || readers.keySet().stream().anyMatch(t -> t != me)) wait();
            writer = me;
            depth++;
        }
        synchronized void d() {
            if (writer != Thread.currentThread()) throw new IllegalMonitorStateException();
            if (--depth == 0) { writer = null; notifyAll(); }
        }
    }
    static final class Timed { final long due; Timed(long due) { this.due = due; } }
    static final class Timer extends Thread {
        private final PriorityQueue<Timed> q = new PriorityQueue<>((x, y) -> Long.compare(x.due, y.due));
        void add(Timed t) { synchronized (q) { q.add(t); if (q.peek() == t) q.notify(); } }
        private Timed next() throws InterruptedException {
            synchronized (q) {
                for (;;) {
                    Timed t = q.peek();
                    if (t == null) { q.wait(); continue; }
                    long now = System.currentTimeMillis();
                    if (t.due <= now) return q.poll();
                    q.wait(t.due - now);
                }
            }
        }
        @Override public void run() {
            try { while (true) System.out.println(next()); } catch (InterruptedException e) { return; }
        }
    }
    static final class Task<T> implements Runnable {
        private final Callable<T> c;
        private T v;
        private boolean done;
        Task(Callable<T> c) { this.c = c; }
        @Override public void run() {
            T t = null;
            try { t = c.call(); } catch (Exception e) { t = null; }
            synchronized (this) { v = t; done = true; notifyAll(); }
        }
        T get() throws InterruptedException { synchronized (this) { while (!done) wait(); return v; } }
    }
    static final class Copy implements Runnable {
        private boolean over;
        @Override public void run() {
            try { System.out.println(System.in.read()); } catch (java.io.IOException e) { System.out.println(e); }
            finally { synchronized (this) { over = true; notifyAll(); } }
        }
        synchronized void end() throws InterruptedException { while (!over) wait(); }
    }
    public static void main(String[] args) {
        Object[] all = { new Moor(), new Own(), new Timer(), new Task<String>(() -> "x"), new Copy() };
        System.out.println(all.length);
    }
}
