// @lock MmlConsole$Desk
// @type PRODUCER-CONSUMER+MUTEX capacity=5
// @role put MmlConsole$Desk.enqueue
// @role take MmlConsole$Desk.dequeue
// @role enter MmlConsole$Desk.blockUnit
// @role enter MmlConsole$Desk.listUnits

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The operator's desk of an exchange: at most five commands queue for the interpreters; under the same monitor unit states are changed and listed. */
public class MmlConsole {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong in = new AtomicLong(), out = new AtomicLong();

    static final class Desk {
        private final int[] ring = new int[5];
        private int first, used;
        private final boolean[] blocked = new boolean[32];
        private int blockedCount;

        synchronized void enqueue(int command) throws InterruptedException {
            while (used == ring.length) wait();
            ring[(first + used++) % ring.length] = command;
            notifyAll();
        }

        synchronized int dequeue() throws InterruptedException {
            while (used == 0) wait();
            int c = ring[first];
            first = (first + 1) % ring.length;
            used--;
            notifyAll();
            return c;
        }

        synchronized void blockUnit(int unit) throws InterruptedException {
            blocked[unit] = !blocked[unit];
            Thread.sleep(1);
            blockedCount += blocked[unit] ? 1 : -1;
        }

        synchronized String listUnits() throws InterruptedException {
            int n = 0;
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < blocked.length; i++) {
                if (blocked[i]) {
                    n++;
                    b.append(i).append(' ');
                }
            }
            Thread.sleep(1);
            if (n != blockedCount) broken = "unit list does not agree";
            return b.toString();
        }
    }

    static final Desk desk = new Desk();

    static void operator() throws InterruptedException {
        while (!stop) {
            int burst = ThreadLocalRandom.current().nextInt(1, 8);
            for (int i = 0; i < burst; i++) {
                in.incrementAndGet();
                desk.enqueue(ThreadLocalRandom.current().nextInt(32));
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(20, 60));
        }
    }

    static void interpreter() throws InterruptedException {
        while (!stop) {
            int unit = desk.dequeue();
            if (out.incrementAndGet() > in.get()) broken = "command out of nothing";
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
            desk.blockUnit(unit);
        }
    }

    static void supervisor() throws InterruptedException {
        while (!stop) {
            if (desk.listUnits().length() > 200) broken = "list too long";
            Thread.sleep(8);
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void start(int n, Body b) {
        while (n-- > 0) {
            Thread t = new Thread(() -> {
                try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        start(3, MmlConsole::operator);
        start(2, MmlConsole::interpreter);
        start(2, MmlConsole::supervisor);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + out : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
