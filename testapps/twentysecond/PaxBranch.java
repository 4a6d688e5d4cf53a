// @lock PaxBranch$Cradle
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put PaxBranch$Cradle.ring
// @role take PaxBranch$Cradle.answer
//
// @lock java.lang.Object#speak
// @type CONDITION
// @role wait PaxBranch$Round.speak
// @role notify PaxBranch$Round.speak
//
// @lock PaxBranch$Voice
// @type LATCH count=2
// @role count-down PaxBranch$Voice.recorded
// @role await PaxBranch$Voice.play

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A private branch exchange: one call at a time rings at each of two night desks; announcements speak in turn; a voice message can be played once header and body are on disk. */
public class PaxBranch {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();
    static final AtomicLong rung = new AtomicLong(), answered = new AtomicLong();

    static final class Cradle {
        private String caller;

        synchronized void ring(String c) throws InterruptedException {
            while (caller != null) wait();
            caller = c;
            notifyAll();
        }

        synchronized String answer() throws InterruptedException {
            while (caller == null) wait();
            try {
                return caller;
            } finally {
                caller = null;
                notifyAll();
            }
        }
    }

    /** Three announcements, one after the other, for ever. */
    static final class Round {
        private final Object floor = new Object();
        private final String order = "ABC";
        private int at;
        private int spoken;

        void speak(char who) throws InterruptedException {
            synchronized (floor) {
                while (order.charAt(at) != who) floor.wait();
                if (spoken++ % 3 != at) broken = "spoken out of turn";
                at = (at + 1) % order.length();
                floor.notifyAll();
            }
        }
    }

    static final class Voice {
        private static final int HEADER = 1, BODY = 2;
        private int done;

        synchronized void recorded(int part) {
            done |= part;
            if (done == (HEADER | BODY)) notifyAll();
        }

        synchronized void play() throws InterruptedException {
            while ((done & HEADER) == 0 || (done & BODY) == 0) wait();
        }
    }

    static final Cradle[] desks = {new Cradle(), new Cradle()};
    static final Round round = new Round();

    static void trunk(int id) throws InterruptedException {
        while (!stop) {
            rung.incrementAndGet();
            desks[ThreadLocalRandom.current().nextInt(2)].ring("trunk-" + id);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
        }
    }

    static void nightDesk(Cradle c) throws InterruptedException {
        while (!stop) {
            if (!c.answer().startsWith("trunk-")) broken = "nobody on the line";
            if (answered.incrementAndGet() > rung.get()) broken = "answered without a ring";
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    static void announcement(char c) throws InterruptedException {
        while (!stop) {
            round.speak(c);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    static volatile Voice header, body;

    /** Writes one part of each message as it comes. */
    static void disk(int part) throws InterruptedException {
        while (!stop) {
            Voice v = part == Voice.HEADER ? header : body;
            if (v == null) {
                Thread.sleep(1);
                continue;
            }
            if (part == Voice.HEADER) header = null; else body = null;
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            v.recorded(part);
        }
    }

    static void caller() throws InterruptedException {
        while (!stop) {
            Voice v = new Voice();
            header = v;
            body = v;
            v.play();
            if (v.done != 3) broken = "message not complete";
            ops.incrementAndGet();
            Thread.sleep(1);
        }
    }

    interface Body { void run() throws InterruptedException; }

    static void start(Body b) {
        Thread t = new Thread(() -> {
            try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            int id = i;
            start(() -> trunk(id));
            start(() -> announcement((char) ('A' + id)));
        }
        for (Cradle c : desks) start(() -> nightDesk(c));
        start(() -> disk(Voice.HEADER));
        start(() -> disk(Voice.BODY));
        start(PaxBranch::caller);
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
