// @lock TrunkLines$TrunkGroup
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire TrunkLines$TrunkGroup.seize
// @role release TrunkLines$TrunkGroup.hangUp
//
// @lock TrunkLines$CallSetup
// @type LATCH count=1 form=future
// @role count-down TrunkLines$CallSetup.answered
// @role await TrunkLines$CallSetup.awaitAnswer

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** An office exchange: seven extensions share four trunks; each call is set up by a signalling thread. */
public class TrunkLines {

    static class Trunk {
        final int number;
        final AtomicBoolean busy = new AtomicBoolean();

        Trunk(int number) {
            this.number = number;
        }
    }

    static class TrunkGroup {
        private final Deque<Trunk> idle = new ArrayDeque<>();

        TrunkGroup(int size) {
            for (int i = 1; i <= size; i++) {
                idle.addLast(new Trunk(i));
            }
        }

        synchronized Trunk seize() throws InterruptedException {
            while (idle.isEmpty()) {
                wait();
            }
            return idle.removeFirst();
        }

        synchronized void hangUp(Trunk t) {
            idle.addLast(t);
            notify();
        }
    }

    /** What the far end will have said some time. */
    static class CallSetup {
        final String dialled;
        private boolean done;
        private String code;

        CallSetup(String dialled) {
            this.dialled = dialled;
        }

        synchronized void answered(String sipCode) {
            if (done) {
                throw new IllegalStateException("answered twice: " + dialled);
            }
            code = sipCode;
            done = true;
            notifyAll();
        }

        synchronized String awaitAnswer() throws InterruptedException {
            while (!done) {
                wait();
            }
            return code;
        }
    }

    private final TrunkGroup group = new TrunkGroup(4);
    private final ConcurrentLinkedQueue<CallSetup> signalling = new ConcurrentLinkedQueue<>();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicReference<String> trouble = new AtomicReference<>();

    private void extension(int own) {
        try {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            while (true) {
                Trunk trunk = group.seize();
                try {
                    if (!trunk.busy.compareAndSet(false, true)) {
                        trouble.set("crossed lines on trunk " + trunk.number);
                    }
                    call(own, random);
                    trunk.busy.set(false);
                } finally {
                    group.hangUp(trunk);
                }
                Thread.sleep(2 + random.nextInt(8));
            }
        } catch (InterruptedException e) {
            trouble.set("extension " + own + " interrupted");
        }
    }

    private void call(int own, ThreadLocalRandom random) throws InterruptedException {
        CallSetup setup = new CallSetup(own + "-" + random.nextInt(1000));
        signalling.add(setup);
        String code = setup.awaitAnswer();
        if (!code.equals("200 " + setup.dialled)) {
            trouble.set("wrong answer " + code);
        }
        Thread.sleep(1 + random.nextInt(4));
        calls.incrementAndGet();
    }

    private void signal() {
        try {
            while (true) {
                Thread.sleep(3);
                CallSetup s;
                while ((s = signalling.poll()) != null) {
                    s.answered("200 " + s.dialled);
                }
            }
        } catch (InterruptedException e) {
            trouble.set("signalling interrupted");
        }
    }

    private void start(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    private int serve(int seconds) throws InterruptedException {
        for (int i = 0; i < 7; i++) {
            final int own = 100 + i;
            start(() -> extension(own), "ext-" + own);
        }
        start(this::signal, "signalling");
        System.out.println("READY");
        for (int s = 0; s < seconds; s++) {
            Thread.sleep(1000);
            if (trouble.get() != null) {
                System.out.println("TROUBLE " + trouble.get());
                return 1;
            }
        }
        System.out.println("DONE " + calls.get());
        return 0;
    }

    public static void main(String[] args) throws InterruptedException {
        System.exit(new TrunkLines().serve(args.length > 0 ? Integer.parseInt(args[0]) : 600));
    }
}
