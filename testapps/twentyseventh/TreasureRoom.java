// @lock TreasureRoom$Doors
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock TreasureRoom$Doors.visit
// @role read-unlock TreasureRoom$Doors.leave
// @role write-lock TreasureRoom$Doors.rearrange
// @role write-unlock TreasureRoom$Doors.reopen
// @role wait TreasureRoom$Doors.newExhibition
// @role notify TreasureRoom$Doors.reopen
//
// @lock TreasureRoom$CloakRoom
// @type MUTEX
// @role enter TreasureRoom$CloakRoom.hang

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A museum: visitors see the room together, the curator rearranges it alone, critics come whenever it has been rearranged. */
public class TreasureRoom {
    static volatile String fault;
    static final AtomicLong visits = new AtomicLong();

    static final class Doors {
        private final Set<Thread> inside = new HashSet<>();
        private boolean closed;
        private long exhibition;

        synchronized void visit() throws InterruptedException {
            while (closed) {
                wait();
            }
            inside.add(Thread.currentThread());
        }

        synchronized void leave() {
            if (!inside.remove(Thread.currentThread())) {
                throw new IllegalStateException("was not inside");
            }
            if (inside.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void rearrange() throws InterruptedException {
            while (closed || !inside.isEmpty()) {
                wait();
            }
            closed = true;
        }

        synchronized void reopen() {
            closed = false;
            exhibition++;
            notifyAll();
        }

        synchronized long newExhibition(long known) throws InterruptedException {
            while (exhibition == known) {
                wait();
            }
            return exhibition;
        }
    }

    static final class CloakRoom {
        private int coats;
        private int tags;

        void hang() throws InterruptedException {
            synchronized (this) {
                coats++;
                Thread.sleep(1);
                tags++;
                if (coats != tags) {
                    fault = "a coat without a tag";
                }
            }
        }
    }

    static final Doors doors = new Doors();
    static final CloakRoom cloaks = new CloakRoom();
    static final int[] vitrines = new int[5];

    static void visitor() throws InterruptedException {
        cloaks.hang();
        doors.visit();
        int v = vitrines[0];
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        for (int w : vitrines) {
            if (w != v) {
                fault = "saw the curator at work";
            }
        }
        doors.leave();
        visits.incrementAndGet();
        cloaks.hang();
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
    }

    static void curator() throws InterruptedException {
        doors.rearrange();
        for (int i = 0; i < vitrines.length; i++) {
            vitrines[i]++;
            if (i % 2 == 1) {
                Thread.sleep(1);
            }
        }
        doors.reopen();
        Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
    }

    interface Part {
        void play() throws InterruptedException;
    }

    static void cast(String name, Part p) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    p.play();
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            cast("visitor-" + i, TreasureRoom::visitor);
        }
        cast("curator", TreasureRoom::curator);
        cast("deputy", TreasureRoom::curator);
        long[] known = new long[1];
        cast("critic", () -> {
            long e = doors.newExhibition(known[0]);
            if (e < known[0]) {
                fault = "an old exhibition";
            }
            known[0] = e;
        });
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + visits.get());
        System.exit(0);
    }
}
