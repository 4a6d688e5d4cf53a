// A compiler that stays in memory: clients hand it one source at a time, the symbol table is used in order of tickets.
// @lock CompilerDaemon$TableLock
// @type LOCK reentrant=false
// @role lock CompilerDaemon$TableLock.take
// @role unlock CompilerDaemon$TableLock.leave
//
// @lock CompilerDaemon$Desk
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put CompilerDaemon$Desk.hand
// @role take CompilerDaemon$Desk.fetch
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

public class CompilerDaemon {
    static final AtomicLong compiled = new AtomicLong();

    static final class TableLock {
        private long drawn, called;

        synchronized void take() throws InterruptedException {
            final long ticket = drawn++;
            boolean interrupted = false;
            while (ticket != called) {
                try { wait(); } catch (InterruptedException e) { interrupted = true; }
            }
            if (interrupted) Thread.currentThread().interrupt();
        }

        synchronized void leave() {
            called++;
            notifyAll();
        }
    }

    static final class Source {
        final String name;
        final int lines;
        Source(String name, int lines) { this.name = name; this.lines = lines; }
    }

    static final class Desk {
        private Source lying;

        synchronized void hand(Source s) throws InterruptedException {
            while (lying != null) wait();
            lying = s;
            notifyAll();
        }

        synchronized Source fetch() throws InterruptedException {
            while (lying == null) wait();
            Source s = lying;
            lying = null;
            notifyAll();
            return s;
        }
    }

    static final class Symbols {
        final Map<String, Integer> known = new HashMap<>();
        final TableLock lock = new TableLock();
        int total;

        void enter(String name, int lines) throws InterruptedException {
            lock.take();
            try {
                int before = total;
                Thread.sleep(1);
                known.merge(name, lines, Integer::sum);
                if (total != before) fail("table changed under the lock");
                total = before + lines;
            } finally { lock.leave(); }
        }

        void verify() throws InterruptedException {
            lock.take();
            try {
                int s = 0;
                for (int v : known.values()) s += v;
                if (s != total) fail("table broken");
            } finally { lock.leave(); }
        }
    }

    static void fail(String m) { System.out.println("FAILED " + m); System.exit(1); }

    static abstract class Service extends Thread {
        Service(String n) { super(n); setDaemon(true); }
        abstract void once() throws InterruptedException;
        @Override public final void run() {
            try { for (;;) once(); } catch (InterruptedException e) { fail(getName() + " interrupted"); }
        }
    }

    static final class Client extends Service {
        final Desk desk;
        int n;
        Client(Desk d, String name) { super(name); desk = d; }
        @Override void once() throws InterruptedException {
            for (int i = 0; i < 5; i++) desk.hand(new Source(getName() + (n++ % 50), i + 1));
            Thread.sleep(19);
        }
    }

    static final class Pass extends Service {
        final Desk desk;
        final Symbols sym;
        Pass(Desk d, Symbols s, int i) { super("pass-" + i); desk = d; sym = s; }
        @Override void once() throws InterruptedException {
            Source s = desk.fetch();
            sym.enter(s.name, s.lines);
            compiled.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Desk d = new Desk();
        Symbols s = new Symbols();
        for (int i = 0; i < 3; i++) new Pass(d, s, i).start();
        for (String n : new String[] {"ide", "cli", "ci"}) new Client(d, n).start();
        for (int i = 0; i < 2; i++) new Service("verifier-" + i) {
            @Override void once() throws InterruptedException { s.verify(); Thread.sleep(3); }
        }.start();
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + compiled.get());
    }
}
