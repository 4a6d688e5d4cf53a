import java.util.concurrent.CyclicBarrier;

/** As many clerks as the argument says; each holds a ledger and wants the next one's. Another one waits behind them. */
public final class MonitorRing {
    static final class Ledger { }

    private static void post(Ledger mine, Ledger next, CyclicBarrier all) {
        synchronized (mine) {
            Meeting.of(all);
            synchronized (next) {
                throw new AssertionError("not stuck");
            }
        }
    }

    private static void audit(Ledger ledger) {
        synchronized (ledger) {
            throw new AssertionError("not stuck");
        }
    }

    public static void main(String[] args) {
        int clerks = args.length == 0 ? 2 : Integer.parseInt(args[0]);
        Ledger[] ledgers = new Ledger[clerks];
        for (int i = 0; i < clerks; i++) {
            ledgers[i] = new Ledger();
        }
        CyclicBarrier all = new CyclicBarrier(clerks);
        Stage stage = new Stage();
        for (int i = 0; i < clerks; i++) {
            Ledger mine = ledgers[i], next = ledgers[(i + 1) % clerks];
            stage.start("clerk-" + i, () -> post(mine, next, all));
        }
        stage.standStill();
        stage.start("auditor", () -> audit(ledgers[0]));
        stage.standStill();
        Stage.ready();
    }
}
