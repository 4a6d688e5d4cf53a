// A raid in a game: four heroes act in rounds, bards comment on the phases of the boss.
// @lock RaidLobby$Round
// @type BARRIER parties=4
// @role arrive RaidLobby$Round.ready
//
// @lock RaidLobby$Boss
// @type CONDITION
// @role wait RaidLobby$Boss.watch
// @role notify RaidLobby$Boss.turn
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class RaidLobby {
    enum Mood { ASLEEP, AWAKE, ENRAGED }

    private static final AtomicLong ops = new AtomicLong();

    static class Round {
        private final int size;
        private int here;
        private long round;

        Round(int size) { this.size = size; }

        public synchronized long ready() throws InterruptedException {
            long mine = round;
            here++;
            if (here == size) {
                here = 0;
                round = mine + 1;
                notifyAll();
            } else {
                do {
                    wait();
                } while (round == mine);
            }
            return mine;
        }
    }

    static class Boss {
        private Mood mood = Mood.ASLEEP;
        private final Map<Mood, Integer> seen = new EnumMap<>(Mood.class);

        synchronized int watch(Mood m) throws InterruptedException {
            while (mood != m) wait();
            return seen.merge(m, 1, Integer::sum);
        }

        synchronized void turn(Mood m) {
            if (m == mood) return;
            mood = m;
            notifyAll();
        }
    }

    static class Hero extends Thread {
        final Round round;
        final AtomicLong damage;
        long expected;

        Hero(String n, Round r, AtomicLong d) { super(n); round = r; damage = d; setDaemon(true); }

        @Override public void run() {
            try {
                while (true) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                    damage.incrementAndGet();
                    long no = round.ready();
                    if (no != expected++) quit("round " + no + " instead of " + (expected - 1));
                    long d = damage.get();
                    if (d < (no + 1) * 4 || d > (no + 2) * 4) quit("damage " + d + " in round " + no);
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                quit("hero gone");
            }
        }
    }

    static void quit(String why) {
        System.out.println("BROKEN " + why);
        System.exit(1);
    }

    static void bard(Boss b, Mood m) {
        int last = 0;
        try {
            while (true) {
                int n = b.watch(m);
                if (n <= last) quit("count went back");
                last = n;
                ops.incrementAndGet();
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            quit("bard gone");
        }
    }

    static void script(Boss b) {
        Mood[] all = Mood.values();
        try {
            for (int i = 1; ; i++) {
                Thread.sleep(4);
                b.turn(all[i % all.length]);
            }
        } catch (InterruptedException e) {
            quit("script gone");
        }
    }

    static void daemon(Runnable r, String n) {
        Thread t = new Thread(r, n);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Round r = new Round(4);
        AtomicLong damage = new AtomicLong();
        for (String n : new String[] {"tank", "healer", "mage", "rogue"}) new Hero(n, r, damage).start();
        Boss b = new Boss();
        for (Mood m : Mood.values()) daemon(() -> bard(b, m), "bard-" + m);
        daemon(() -> script(b), "script");
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + ops.get());
    }
}
