// @lock PrintFlush$Spooler
// @type PRODUCER-CONSUMER+CONDITION capacity=8
// @role put PrintFlush$Spooler.submit
// @role take PrintFlush$Spooler.nextPage
// @role wait PrintFlush$Spooler.flush
// @role notify PrintFlush$Spooler.printed

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A print spooler of eight pages; whoever changes the paper waits until nothing is queued and nothing is being printed. */
public final class PrintFlush {
    static final class Spooler {
        private final List<Integer> pages = new ArrayList<>(8);
        private int printing;

        synchronized void submit(int page) throws InterruptedException {
            while (pages.size() == 8) {
                wait();
            }
            pages.add(page);
            notifyAll();
        }

        synchronized int nextPage() throws InterruptedException {
            while (pages.isEmpty()) {
                wait();
            }
            printing++;
            notifyAll();
            return pages.remove(0);
        }

        synchronized void printed() {
            printing--;
            if (isIdle()) {
                notifyAll();
            }
        }

        private boolean isIdle() {
            return pages.isEmpty() && printing == 0;
        }

        /** Returns how many sheets were under way at its end, which is none. */
        synchronized int flush() throws InterruptedException {
            while (!isIdle()) {
                wait();
            }
            return pages.size() + printing;
        }
    }

    static final AtomicLong printed = new AtomicLong();
    static final AtomicLong flushes = new AtomicLong();
    static final AtomicLong jams = new AtomicLong();

    abstract static class Person extends Thread {
        final Spooler spooler;

        Person(Spooler spooler) {
            this.spooler = spooler;
            setDaemon(true);
        }

        abstract void act() throws InterruptedException;

        @Override
        public void run() {
            try {
                for (;;) {
                    act();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class Author extends Person {
        Author(Spooler spooler) {
            super(spooler);
        }

        @Override
        void act() throws InterruptedException {
            int pages = ThreadLocalRandom.current().nextInt(6, 14);
            for (int i = 1; i <= pages; i++) {
                spooler.submit(i);
            }
            sleep(ThreadLocalRandom.current().nextInt(30, 70));
        }
    }

    static class Printer extends Person {
        Printer(Spooler spooler) {
            super(spooler);
        }

        @Override
        void act() throws InterruptedException {
            int page = spooler.nextPage();
            sleep(1 + page % 3);
            printed.incrementAndGet();
            spooler.printed();
        }
    }

    static class PaperChanger extends Person {
        PaperChanger(Spooler spooler) {
            super(spooler);
        }

        @Override
        void act() throws InterruptedException {
            if (spooler.flush() != 0) {
                jams.incrementAndGet();
            }
            flushes.incrementAndGet();
            sleep(ThreadLocalRandom.current().nextInt(4, 12));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Spooler spooler = new Spooler();
        Person[] staff = {
            new Author(spooler), new Author(spooler), new Author(spooler),
            new Printer(spooler), new Printer(spooler),
            new PaperChanger(spooler), new PaperChanger(spooler)
        };
        for (Person p : staff) {
            p.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (jams.get() > 0 || flushes.get() == 0) {
            throw new IllegalStateException(jams + " jams, " + flushes + " flushes");
        }
        System.out.println("DONE " + printed);
    }
}
