// @lock java.util.ArrayDeque
// @type LOCK reentrant=false
// @role lock TurnQueue.lock
// @role unlock TurnQueue.unlock

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;

/** A plotter used in order of arrival: the threads themselves stand in the queue, and the one at its head holds the plotter. */
public final class TurnQueue {
    private final Deque<Thread> line = new ArrayDeque<>();

    void lock() throws InterruptedException {
        Thread me = Thread.currentThread();
        synchronized (line) {
            if (line.contains(me)) {
                throw new IllegalStateException("already in line");
            }
            line.addLast(me);
            try {
                while (line.peekFirst() != me) {
                    line.wait();
                }
            } catch (InterruptedException e) {
                boolean head = line.peekFirst() == me;
                line.remove(me);
                if (head) {
                    line.notifyAll();
                }
                throw e;
            }
        }
    }

    void unlock() {
        synchronized (line) {
            if (line.peekFirst() != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not at the head of the line");
            }
            line.removeFirst();
            line.notifyAll();
        }
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static int penX;
    private static int penY;
    private static long plots;

    private void plot() {
        try {
            while (!stop) {
                lock();
                try {
                    broken |= penX != penY;
                    penX++;
                    Thread.sleep(1);
                    penY++;
                    plots++;
                } finally {
                    unlock();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TurnQueue queue = new TurnQueue();
        Thread[] users = new Thread[5];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(queue::plot, "user-" + i);
            users[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : users) {
            t.join();
        }
        if (broken || plots != penX) {
            throw new IllegalStateException("two at the plotter at once");
        }
        System.out.println("DONE " + plots);
    }
}
