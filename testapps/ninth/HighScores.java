// @lock java.lang.Object#locked
// @type MUTEX
// @role enter HighScores$Guarded.locked

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A high score table of a small game server: the state is reachable only through a function that holds its guard. */
public final class HighScores {
    /** Owns a value that may be looked at only inside {@link #locked}. */
    static final class Guarded<S> {
        private final Object guard = new Object();
        private final S state;

        Guarded(S state) {
            this.state = state;
        }

        <R> R locked(Function<? super S, ? extends R> body) {
            synchronized (guard) {
                return body.apply(state);
            }
        }
    }

    static final class Entry {
        final String player;
        final int points;

        Entry(String player, int points) {
            this.player = player;
            this.points = points;
        }
    }

    private static final Guarded<List<Entry>> table = new Guarded<>(new ArrayList<>());
    private static final AtomicLong ops = new AtomicLong();
    private static volatile String broken;

    private static boolean insert(List<Entry> list, Entry e) {
        list.add(e);
        pause(1);
        list.sort(Comparator.comparingInt((Entry x) -> x.points).reversed());
        while (list.size() > 10) {
            list.remove(list.size() - 1);
        }
        return list.contains(e);
    }

    private static int best(List<Entry> list) {
        for (int i = 1; i < list.size(); i++) {
            if (list.get(i - 1).points < list.get(i).points || i >= 10) {
                broken = "the table is not in order";
            }
        }
        return list.isEmpty() ? 0 : list.get(0).points;
    }

    private static Integer decay(List<Entry> list) {
        if (list.size() == 10) {
            list.remove(0);
            pause(1);
        }
        return list.size();
    }

    private static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void spawn(String name, Runnable step) {
        Thread t = new Thread(() -> {
            while (broken == null) {
                step.run();
                ops.incrementAndGet();
                pause(ThreadLocalRandom.current().nextInt(1, 4));
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (String p : new String[] {"ann", "bo", "cy", "di"}) {
            spawn(p, () -> {
                Entry e = new Entry(p, ThreadLocalRandom.current().nextInt(1000));
                table.locked(list -> insert(list, e));
            });
        }
        spawn("scoreboard", () -> table.locked(HighScores::best));
        spawn("decay", () -> table.locked(HighScores::decay));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken != null) {
            throw new IllegalStateException(broken);
        }
        System.out.println("DONE " + ops);
    }
}
