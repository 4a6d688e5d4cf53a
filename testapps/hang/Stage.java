import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Starts threads and says when they stand where they are to stand: no program here goes by time. */
final class Stage {
    private final List<Thread> threads = new ArrayList<>();

    Thread start(String name, Runnable run) {
        return start(new Thread(run, name));
    }

    /** Daemons, so that what is stuck keeps no JVM alive whose main thread has ended. */
    Thread start(Thread thread) {
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        return thread;
    }

    /** By reflection, so that it compiles for every JDK; those before 21 have none. */
    Thread startVirtual(String name, Runnable run) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class).invoke(builder, name);
            Thread thread = (Thread) type.getMethod("start", Runnable.class).invoke(named, run);
            threads.add(thread);
            return thread;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns when each of the threads blocks or waits without a time-out. */
    void standStill() {
        for (Thread thread : threads) {
            await(thread, t -> t.getState() == Thread.State.BLOCKED || t.getState() == Thread.State.WAITING);
        }
    }

    static void await(Thread thread, Predicate<Thread> condition) {
        while (!condition.test(thread)) {
            Thread.yield();
        }
    }

    /** Says that all are in place, and stays: in main, which is no part of what hangs, until standard input ends. */
    static void ready() {
        System.out.println("READY");
        try {
            while (System.in.read() >= 0) { }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
