// A lock whose waiters stand in a chain of nodes, a monitor each; those who sing under it meet afterwards at a barrier.
// @lock Vesper$Lectern
// @type LOCK reentrant=false
// @role lock Vesper$Lectern.mount
// @role unlock Vesper$Lectern.descend
// @lock Vesper$Pause
// @type BARRIER parties=4
// @role arrive Vesper$Pause.together
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Vesper {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Lectern {
        static final class Step {
            final Thread who = Thread.currentThread();
            Step below;
            boolean called;

            synchronized void stand() throws InterruptedException {
                while (!called) {
                    wait();
                }
            }

            synchronized void call() {
                called = true;
                notifyAll();
            }
        }

        private Thread speaker;
        private Step top;
        private Step bottom;

        void mount() throws InterruptedException {
            Step s;
            synchronized (this) {
                if (speaker == null) {
                    speaker = Thread.currentThread();
                    return;
                }
                s = new Step();
                if (top == null) {
                    top = s;
                } else {
                    bottom.below = s;
                }
                bottom = s;
            }
            s.stand();
        }

        void descend() {
            synchronized (this) {
                if (speaker != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                Step s = top;
                if (s == null) {
                    speaker = null;
                } else {
                    top = s.below;
                    speaker = s.who;
                    s.call();
                }
            }
        }
    }

    static final class Pause {
        private final int size;
        private int here;
        private int verse;

        Pause(int size) {
            this.size = size;
        }

        synchronized void together() throws InterruptedException {
            int v = verse;
            if (++here == size) {
                here = 0;
                verse++;
                notifyAll();
                return;
            }
            while (v == verse) {
                wait();
            }
        }
    }

    final Lectern lectern = new Lectern();
    final Pause pause = new Pause(4);
    final AtomicInteger speaking = new AtomicInteger();
    final AtomicIntegerArray verses = new AtomicIntegerArray(4);

    void verse(int id) throws InterruptedException {
        for (int line = 0; line < 2; line++) {
            lectern.mount();
            try {
                if (speaking.incrementAndGet() != 1) {
                    broken = "two speakers";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                speaking.decrementAndGet();
            } finally {
                lectern.descend();
            }
        }
        int mine = verses.incrementAndGet(id);
        pause.together();
        for (int i = 0; i < 4; i++) {
            int theirs = verses.get(i);
            if (theirs < mine || theirs > mine + 1) {
                broken = "out of step";
            }
        }
        OPS.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Vesper v = new Vesper();
        for (int i = 0; i < 4; i++) {
            final int id = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        v.verse(id);
                    }
                } catch (InterruptedException e) {
                    broken = "interrupted";
                }
            }, "voice-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
