// Brinch Hansen's line printer system: an input, a job and an output process with a one-line buffer between each two,
// and one operator's typewriter for all of them.
// @lock HansenPipeline$LineBuffer
// @type PRODUCER-CONSUMER capacity=1
// @role put HansenPipeline$LineBuffer.send
// @role take HansenPipeline$LineBuffer.receive
// @lock HansenPipeline$Typewriter
// @type MUTEX
// @role enter HansenPipeline$Typewriter.type
// @role enter HansenPipeline$Typewriter.tearOff

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class HansenPipeline {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    /** "linebuffer = monitor": sender and receiver take turns. */
    static final class LineBuffer {
        private String contents;
        private boolean full;

        synchronized void send(String text) throws InterruptedException {
            while (full) {
                wait();
            }
            contents = text;
            full = true;
            notify();
        }

        synchronized String receive() throws InterruptedException {
            while (!full) {
                wait();
            }
            String text = contents;
            contents = null;
            full = false;
            notify();
            return text;
        }
    }

    /** The console of the operator; typing is slow and nobody may type in between. */
    static final class Typewriter {
        private final StringBuilder paper = new StringBuilder();
        private int lines;
        private boolean carriageMoving;

        synchronized void type(String who, int n) throws InterruptedException {
            check(!carriageMoving, "two at the typewriter");
            carriageMoving = true;
            paper.append(who).append(' ').append(n).append('\n');
            Thread.sleep(1);
            lines++;
            carriageMoving = false;
        }

        synchronized int tearOff() {
            int found = 0;
            for (int i = 0; i < paper.length(); i++) {
                if (paper.charAt(i) == '\n') {
                    found++;
                }
            }
            check(found == lines, "lines on paper " + found + " counted " + lines);
            paper.setLength(0);
            lines = 0;
            return found;
        }
    }

    final LineBuffer cards = new LineBuffer();
    final LineBuffer lines = new LineBuffer();
    final Typewriter typewriter = new Typewriter();
    int read;
    int worked;
    int printed;

    void inputProcess() throws InterruptedException {
        nap(4);
        cards.send("card-" + read++);
        if (read % 2 == 0) {
            typewriter.type("input", read);
        }
    }

    void jobProcess() throws InterruptedException {
        String card = cards.receive();
        nap(dice(10) == 0 ? 12 : 3);
        check(card.equals("card-" + worked), "order of cards");
        lines.send("line-" + worked++);
        if (worked % 2 == 0) {
            typewriter.type("job", worked);
        }
    }

    void outputProcess() throws InterruptedException {
        String line = lines.receive();
        check(line.equals("line-" + printed), "order of lines");
        printed++;
        nap(3);
        OPS.incrementAndGet();
        typewriter.type("output", printed);
    }

    public static void main(String[] args) throws InterruptedException {
        HansenPipeline system = new HansenPipeline();
        go("input", system::inputProcess);
        go("job", system::jobProcess);
        go("output", system::outputProcess);
        for (int i = 0; i < 2; i++) {
            int id = i;
            go("operator-" + i, () -> {
                nap(4);
                system.typewriter.type("operator", id);
                if (dice(30) == 0) {
                    system.typewriter.tearOff();
                }
            });
        }
        finish(args);
    }
}
