// @lock Gatehouse
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Gatehouse$Pass.come
// @role read-unlock Gatehouse$Pass.go
// @role write-lock Gatehouse$Repair.begin
// @role write-unlock Gatehouse$Repair.end

// @lock Gatehouse$Bell
// @type LATCH count=1
// @role count-down Gatehouse$Bell.ring
// @role await Gatehouse$Bell.hear

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A gatehouse whose passes and repairs are inner classes that lock the house around them. */
public class Gatehouse {
    private int passing;
    private boolean scaffold;

    final class Pass {
        void come() throws InterruptedException {
            synchronized (Gatehouse.this) {
                while (scaffold) {
                    Gatehouse.this.wait();
                }
                passing++;
            }
        }

        void go() {
            synchronized (Gatehouse.this) {
                passing--;
                if (passing == 0) {
                    Gatehouse.this.notifyAll();
                }
            }
        }
    }

    final class Repair {
        void begin() throws InterruptedException {
            synchronized (Gatehouse.this) {
                while (scaffold || passing != 0) {
                    Gatehouse.this.wait();
                }
                scaffold = true;
            }
        }

        void end() {
            synchronized (Gatehouse.this) {
                scaffold = false;
                Gatehouse.this.notifyAll();
            }
        }
    }

    private static class Bell {
        private boolean rung;

        void hear() throws InterruptedException {
            synchronized (this) {
                if (!rung) {
                    stand();
                }
            }
        }

        private void stand() throws InterruptedException {
            do {
                wait();
            } while (!rung);
        }

        synchronized void ring() {
            rung = true;
            notifyAll();
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Gatehouse house = new Gatehouse();
        AtomicInteger carts = new AtomicInteger();
        java.util.concurrent.atomic.AtomicReference<Bell> bell = new java.util.concurrent.atomic.AtomicReference<>(new Bell());
        for (int i = 0; i < 3; i++) {
            loop("cart-" + i, () -> {
                Pass p = house.new Pass();
                p.come();
                carts.incrementAndGet();
                pause(1, 4);
                carts.decrementAndGet();
                p.go();
                pause(4, 12);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("mason-" + i, () -> {
                Repair r = house.new Repair();
                r.begin();
                check(carts.get() == 0, "a cart below the scaffold");
                pause(2, 6);
                r.end();
                pause(5, 20);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("guard-" + i, () -> {
                bell.get().hear();
                pause(1, 3);
            });
        }
        loop("ringer", () -> {
            pause(4, 10);
            Bell old = bell.get();
            bell.set(new Bell());
            old.ring();
        });
        finish(args);
    }
}
