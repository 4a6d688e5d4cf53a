// The lobby of a game server: players are paired by swapping their cards at a table, and profiles are loaded once for
// everybody who asks meanwhile, behind a promise. A head count is kept under a lock hardly anybody meets at.
//
// @lock MatchLobby$Table
// @type BARRIER parties=2 form=exchanger
// @role arrive MatchLobby$Table.swap
//
// @lock MatchLobby$Promise
// @type LATCH count=1 form=future
// @role count-down MatchLobby$Promise.resolve
// @role await MatchLobby$Promise.get
//
// @lock MatchLobby$HeadCount
// @type MUTEX
// @role enter MatchLobby$HeadCount.step
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

public class MatchLobby {
    static volatile String broken;
    static final AtomicLong matches = new AtomicLong();

    static final class Card {
        final int player;
        final long turn;

        Card(int player, long turn) {
            this.player = player;
            this.turn = turn;
        }
    }

    /** Two players, two tables would be two of these. */
    static final class Table {
        private Card first, second;

        synchronized Card swap(Card mine) throws InterruptedException {
            while (second != null) // the last pair has not left yet
                wait();
            if (first == null) {
                first = mine;
                while (second == null)
                    wait();
                Card other = second;
                first = second = null;
                notifyAll();
                return other;
            }
            second = mine;
            Card other = first;
            notifyAll();
            return other;
        }
    }

    static final class Promise {
        private Object value;

        void resolve(Object v) {
            synchronized (this) {
                if (value != null)
                    throw new IllegalStateException("resolved twice");
                value = v;
                notifyAll();
            }
        }

        Object get() throws InterruptedException {
            synchronized (this) {
                while (value == null)
                    wait();
                return value;
            }
        }
    }

    static final class HeadCount {
        private int here;

        synchronized int step(int n) {
            return here += n;
        }
    }

    static final AtomicReference<Promise> profile = new AtomicReference<>(new Promise());

    static void loader() throws InterruptedException {
        for (int version = 1;; version++) {
            Thread.sleep(6 + ThreadLocalRandom.current().nextInt(5));
            Promise loading = profile.getAndSet(new Promise());
            loading.resolve("profile " + version);
        }
    }

    static void player(int number, Table table, HeadCount count) throws InterruptedException {
        for (long turn = 0;; turn++) {
            if (count.step(1) < 1)
                broken = "head count";
            Object p = profile.get().get();
            if (!p.toString().startsWith("profile"))
                broken = "no profile";
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(6));
            Card other = table.swap(new Card(number, turn));
            if (other.player == number)
                broken = "played against itself";
            matches.incrementAndGet();
            count.step(-1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t + " " + e);
        final Table table = new Table();
        final HeadCount count = new HeadCount();
        for (int i = 0; i < 5; i++) {
            final int n = i;
            Thread t = new Thread("lobby-" + i) {
                @Override
                public void run() {
                    try {
                        if (n == 4)
                            loader();
                        else
                            player(n, table, count);
                    } catch (InterruptedException e) {
                        broken = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        long last = -1;
        int idle = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(350);
            idle = matches.get() == last ? idle + 1 : 0;
            if (idle > 25)
                broken = "nobody plays";
            last = matches.get();
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + matches.get());
    }
}
