import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import probe.Narrow;

/** Calls of locks and queues in all kinds of places. Each has to be made, and with everything around it as it was. Java 5 syntax. */
public final class Calls implements Runnable {
    static final class Own extends ReentrantLock {
        private static final long serialVersionUID = 1;
    }

    static class Box {
        final Object content;
        Box(Object content) { this.content = content; }
    }

    static final class Taken extends Box {
        Taken(BlockingQueue<String> queue) { super(queue.poll()); }
    }

    final ReentrantLock lock = new ReentrantLock();
    final Lock face = new ReentrantLock();
    final Own own = new Own();
    final BlockingQueue<String> queue = new LinkedBlockingQueue<String>();
    boolean fine = true;

    void check(boolean what, String which) {
        if (!what) {
            fine = false;
            System.out.println("not as expected: " + which);
        }
    }

    static String all(byte b, long l, float f, double d, Object o, boolean last) {
        return b + " " + l + " " + f + " " + d + " " + o + " " + last;
    }

    void statements() {
        lock.lock();
        try {
            check(lock.isHeldByCurrentThread(), "lock");
        } finally {
            lock.unlock();
        }
        check(!lock.isLocked(), "unlock");
        face.lock();
        try {
            check(((ReentrantLock) face).isHeldByCurrentThread(), "lock by its interface");
        } finally {
            face.unlock();
        }
        check(!((ReentrantLock) face).isLocked(), "unlock by its interface");
        own.lock();
        own.unlock();
        check(!own.isLocked(), "unlock of an heir");
    }

    void expressions() throws InterruptedException {
        check(all((byte) 1, 2, 3, 4, "five", lock.tryLock()).equals("1 2 3.0 4.0 five true"), "beside numbers");
        lock.unlock();
        queue.put("a");
        check("a".equals(new Box(queue.poll(1, TimeUnit.MINUTES)).content), "for a new object");
        check(new Box(queue.poll()).content == null, "for another one");
        queue.put("b");
        check("b".equals(new Taken(queue).content), "for a superclass");
        long sum = 1;
        for (int i = 0; i < 3; i++) {
            sum += sum * (queue.offer("c" + i) ? 2 : 1) + (i == 1 ? queue.poll().length() : 0);
        }
        check(sum == 33 && queue.size() == 2, "in a loop");
        queue.clear();
    }

    synchronized void underMonitors(Object other) {
        synchronized (other) {
            String said = null;
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException e) {
                said = "own " + face.tryLock();
            }
            switch (said == null ? 0 : 1) {
                case 1: face.unlock(); break;
                default: check(false, "who does not hold it");
            }
            check("own true".equals(said), "in a handler");
        }
    }

    public void run() {
        try {
            for (int i = 0; i < 3000; i++) {
                statements();
                expressions();
                underMonitors(queue);
            }
        } catch (InterruptedException e) {
            check(false, "interrupted");
        }
    }

    public static void main(String[] args) throws Exception {
        Calls calls = new Calls();
        String[] names = { "wide", "narrow" };
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(calls, names[i]);
            thread.start();
            thread.join();
        }
        check(calls);
    }

    private static void check(Calls calls) {
        calls.check(!calls.lock.isLocked() && !((ReentrantLock) calls.face).isLocked(), "all given back");
        System.out.println(calls.fine ? Narrow.calls + " probes, all as expected" : "no");
    }
}
