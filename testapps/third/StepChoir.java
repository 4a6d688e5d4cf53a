// @lock StepChoir$Rendezvous
// @type BARRIER parties=5
// @role arrive StepChoir$Rendezvous.meet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Five singers meet before each verse; a meeting must have emptied before the next one can begin to fill. */
public final class StepChoir {
    static final class Rendezvous {
        private static final int PARTIES = 5;
        private int present;
        private boolean leaving;

        synchronized void meet() throws InterruptedException {
            while (leaving) {
                wait();
            }
            present++;
            if (present == PARTIES) {
                leaving = true;
                notifyAll();
            }
            while (!leaving) {
                wait();
            }
            if (--present == 0) {
                leaving = false;
                notifyAll();
            }
        }
    }

    private final Rendezvous stage = new Rendezvous();
    private final AtomicInteger[] verse = new AtomicInteger[5];
    private volatile boolean apart;

    private void sing(int voice) {
        try {
            for (;;) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 10));
                int mine = verse[voice].incrementAndGet();
                stage.meet();
                for (AtomicInteger v : verse) {
                    int theirs = v.get();
                    if (theirs != mine && theirs != mine + 1) {
                        apart = true;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        StepChoir choir = new StepChoir();
        for (int i = 0; i < 5; i++) {
            choir.verse[i] = new AtomicInteger();
        }
        Thread[] singers = new Thread[5];
        for (int i = 0; i < 5; i++) {
            int voice = i;
            singers[i] = new Thread(() -> choir.sing(voice), "voice-" + i);
            singers[i].setDaemon(true);
            singers[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        int low = Integer.MAX_VALUE;
        for (Thread t : singers) {
            t.interrupt();
        }
        for (Thread t : singers) {
            t.join(5_000);
        }
        for (AtomicInteger v : choir.verse) {
            low = Math.min(low, v.get());
        }
        if (choir.apart || low < 2) {
            throw new IllegalStateException("the choir fell apart at verse " + low);
        }
        System.out.println("DONE " + low);
    }
}
