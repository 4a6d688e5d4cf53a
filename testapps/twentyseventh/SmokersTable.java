// @lock SmokersTable$Table
// @type CONDITION
// @role wait SmokersTable$Table.lay
// @role wait SmokersTable$Table.roll
// @role notify SmokersTable$Table.lay
// @role notify SmokersTable$Table.roll
//
// @lock SmokersTable$Tally
// @type MUTEX
// @role enter SmokersTable$Tally.add
// @role enter SmokersTable$Tally.sum
// @quiet

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Three smokers, each with an endless supply of one ingredient, and an agent who lays two others on the table. */
public class SmokersTable {
    enum Ingredient { TOBACCO, PAPER, MATCHES }

    static volatile String fault;

    static final class Table {
        private final EnumSet<Ingredient> laid = EnumSet.noneOf(Ingredient.class);

        synchronized void lay(Set<Ingredient> two) throws InterruptedException {
            while (!laid.isEmpty()) {
                wait();
            }
            laid.addAll(two);
            notifyAll();
        }

        /** For the smoker who needs everything but what he owns. */
        synchronized void roll(Ingredient own) throws InterruptedException {
            while (laid.isEmpty() || laid.contains(own)) {
                wait();
            }
            if (laid.size() != 2) {
                fault = "not two things on the table: " + laid;
            }
            laid.clear();
            notifyAll();
        }
    }

    static final class Tally {
        private final long[] smoked = new long[Ingredient.values().length];

        synchronized void add(Ingredient i) {
            smoked[i.ordinal()]++;
        }

        synchronized long sum() {
            long s = 0;
            for (long l : smoked) {
                s += l;
            }
            return s;
        }
    }

    static final class Smoker implements Runnable {
        private final Table table;
        private final Tally tally;
        private final Ingredient own;

        Smoker(Table table, Tally tally, Ingredient own) {
            this.table = table;
            this.tally = tally;
            this.own = own;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    table.roll(own);
                    tally.add(own);
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                }
            } catch (InterruptedException e) {
                fault = e.toString();
            }
        }
    }

    static void launch(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Table table = new Table();
        Tally tally = new Tally();
        for (Ingredient i : Ingredient.values()) {
            launch("smoker-" + i, new Smoker(table, tally, i));
        }
        launch("agent", () -> {
            Ingredient[] all = Ingredient.values();
            try {
                for (;;) {
                    Ingredient left = all[ThreadLocalRandom.current().nextInt(all.length)];
                    table.lay(EnumSet.complementOf(EnumSet.of(left)));
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            } catch (InterruptedException e) {
                fault = e.toString();
            }
        });
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long last = -1;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(500);
            long s = tally.sum();
            if (s < last) {
                fault = "tally went down";
            }
            last = s;
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + tally.sum());
        System.exit(0);
    }
}
