// A cheque vault: tellers open and close it, one at a time; auditors wait, on the same monitor, for the next seal.
// @lock ChequeVault$Vault
// @type LOCK+CONDITION reentrant=false
// @role lock ChequeVault$Vault.open
// @role unlock ChequeVault$Vault.close
// @role wait ChequeVault$Vault.awaitSeal
// @role notify ChequeVault$Vault.seal
import java.util.concurrent.atomic.AtomicLong;

public class ChequeVault {
    static final AtomicLong ops = new AtomicLong();

    static final class Vault {
        private Thread inside;
        private int sealNo;
        private int cheques, stubs;

        synchronized void open() throws InterruptedException {
            if (inside == Thread.currentThread()) throw new IllegalStateException("already inside");
            while (inside != null) wait();
            inside = Thread.currentThread();
        }

        synchronized void close() {
            if (inside != Thread.currentThread()) throw new IllegalStateException("not inside");
            inside = null;
            notifyAll();
        }

        synchronized int awaitSeal(int after) throws InterruptedException {
            while (sealNo - after <= 0) wait();
            return sealNo;
        }

        synchronized void seal() {
            sealNo++;
            notifyAll();
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static void teller(Vault v, int rest) {
        try {
            for (;;) {
                v.open();
                try {
                    v.cheques++;
                    Thread.sleep(1);
                    v.stubs++;
                    if (v.cheques != v.stubs) fail("stub missing");
                } finally { v.close(); }
                ops.incrementAndGet();
                Thread.sleep(rest);
            }
        } catch (InterruptedException e) { fail("teller interrupted"); }
    }

    static void auditor(Vault v) {
        int seen = 0;
        try {
            for (;;) {
                int s = v.awaitSeal(seen);
                if (s <= seen) fail("seal seen twice");
                seen = s;
                ops.incrementAndGet();
                Thread.sleep(1);
            }
        } catch (InterruptedException e) { fail("auditor interrupted"); }
    }

    static void keeper(Vault v) {
        try {
            for (;;) {
                Thread.sleep(6);
                v.seal();
            }
        } catch (InterruptedException e) { fail("keeper interrupted"); }
    }

    static void go(String n, Runnable r) {
        Thread t = new Thread(r, n);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        for (int k = 0; k < 2; k++) {
            Vault v = new Vault();
            for (int i = 0; i < 3; i++) { int r = 2 + i; go("teller-" + k + i, () -> teller(v, r)); }
            for (int i = 0; i < 2; i++) go("auditor-" + k + i, () -> auditor(v));
            go("keeper-" + k, () -> keeper(v));
        }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + ops.get());
    }
}
