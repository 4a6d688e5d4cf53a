// @lock RocketPad$Clearance
// @type LATCH count=4
// @role count-down RocketPad$Clearance.go
// @role await RocketPad$Clearance.awaitGo
// @lock RocketPad$Headset
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put RocketPad$Headset.say
// @role take RocketPad$Headset.hear

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A launch needs the "go" of four desks; each desk is told through its own headset which launch is meant. */
public final class RocketPad {
    enum Desk { GUIDANCE, FUEL, WEATHER, RANGE }

    /** One per launch; one bit per desk still silent. */
    static final class Clearance {
        private static final int ALL = (1 << Desk.values().length) - 1;
        private int silent = ALL;

        void go(Desk desk) {
            synchronized (this) {
                silent &= ~(1 << desk.ordinal());
                if (silent == 0) {
                    notifyAll();
                }
            }
        }

        void awaitGo() throws InterruptedException {
            synchronized (this) {
                while (silent != 0) {
                    wait();
                }
            }
        }
    }

    private static final class Phrase {
        final Clearance launch;
        final AtomicLong[] proofs;
        Phrase following;

        Phrase(Clearance launch, AtomicLong... proofs) {
            this.launch = launch;
            this.proofs = proofs;
        }
    }

    /** What is said is heard in order, however long that takes. */
    static final class Headset {
        private Phrase oldest;
        private Phrase newest;

        synchronized void say(Phrase p) {
            if (newest == null) {
                oldest = p;
                notifyAll();
            } else {
                newest.following = p;
            }
            newest = p;
        }

        synchronized Phrase hear() throws InterruptedException {
            while (oldest == null) {
                wait();
            }
            Phrase p = oldest;
            oldest = p.following;
            if (oldest == null) {
                newest = null;
            }
            return p;
        }
    }

    private final Map<Desk, Headset> headsets = new EnumMap<>(Desk.class);
    private final AtomicLong launches = new AtomicLong();
    private volatile String scrub;

    private void desk(Desk d) {
        Headset ear = headsets.get(d);
        try {
            while (scrub == null) {
                Phrase p = ear.hear();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
                p.proofs[0].incrementAndGet();
                p.launch.go(d);
            }
        } catch (InterruptedException e) {
            scrub = d + " went home";
        }
    }

    private void director() {
        try {
            while (scrub == null) {
                Clearance c = new Clearance();
                AtomicLong proof = new AtomicLong();
                for (Headset h : headsets.values()) {
                    h.say(new Phrase(c, proof));
                }
                c.awaitGo();
                if (proof.get() != 4) {
                    scrub = "launched with " + proof + " desks";
                }
                launches.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
            }
        } catch (InterruptedException e) {
            scrub = "director went home";
        }
    }

    private static void start(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
    }

    private void run(long seconds) throws InterruptedException {
        for (Desk d : Desk.values()) {
            headsets.put(d, new Headset());
        }
        for (Desk d : Desk.values()) {
            start(() -> desk(d));
        }
        start(this::director);
        start(this::director);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (scrub != null) {
            throw new IllegalStateException(scrub);
        }
        System.out.println("DONE " + launches);
    }

    public static void main(String[] args) throws InterruptedException {
        new RocketPad().run(args.length > 0 ? Long.parseLong(args[0]) : 600);
    }
}
