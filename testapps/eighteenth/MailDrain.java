// @lock Outbox
// @type PRODUCER-CONSUMER+CONDITION capacity=unbounded
// @role put Outbox.post
// @role take Outbox.collect
// @role wait Outbox.flush
// @role notify Outbox.delivered
// @lock Ending
// @type JOIN
// @role join Ending.awaitEnd

import java.util.concurrent.atomic.AtomicLong;

/** An outbox of linked letters; whoever has posted a batch may wait until nothing is under way, then archives it on a thread. */
public class MailDrain {
    static final AtomicLong SENT = new AtomicLong();
    static volatile String lost;

    static class Archiver implements Runnable {
        final Ending ending = new Ending();
        int letters;

        @Override
        public void run() {
            try {
                Thread.sleep(3);
                letters = 5;
            } catch (InterruptedException e) {
                lost = "archiver interrupted";
            } finally {
                ending.signal();
            }
        }
    }

    static class Office implements Runnable {
        private final Outbox box;

        Office(Outbox b) {
            box = b;
        }

        @Override
        public void run() {
            try {
                while (lost == null) {
                    Outbox.Letter[] batch = new Outbox.Letter[5];
                    for (int i = 0; i < batch.length; i++) {
                        batch[i] = new Outbox.Letter();
                        box.post(batch[i]);
                    }
                    box.flush();
                    for (Outbox.Letter l : batch) {
                        if (!l.sent) {
                            lost = "flushed too early";
                        }
                    }
                    Archiver a = new Archiver();
                    Thread t = new Thread(a, "archiver");
                    t.setDaemon(true);
                    t.start();
                    a.ending.awaitEnd();
                    if (a.letters != 5) {
                        lost = "archive incomplete";
                    }
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                lost = "office interrupted";
            }
        }
    }

    static class Postman implements Runnable {
        private final Outbox box;

        Postman(Outbox b) {
            box = b;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Outbox.Letter l = box.collect();
                    Thread.sleep(1);
                    l.sent = true;
                    SENT.incrementAndGet();
                    box.delivered();
                }
            } catch (InterruptedException e) {
                lost = "postman interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Outbox box = new Outbox();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(i < 2 ? new Office(box) : new Postman(box), "mail-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long last = -1;
        while (System.nanoTime() < end && lost == null) {
            Thread.sleep(500);
            if (last == SENT.get()) {
                lost = "mail stands still";
            }
            last = SENT.get();
        }
        if (lost != null) {
            System.out.println(lost);
            System.exit(1);
        }
        System.out.println("DONE " + SENT);
    }
}

class Outbox {
    static class Letter {
        Letter next;
        volatile boolean sent;
    }

    private Letter first;
    private Letter last;
    private int underWay;

    synchronized void post(Letter l) {
        if (first == null) {
            first = l;
        } else {
            last.next = l;
        }
        last = l;
        underWay++;
        notifyAll();
    }

    synchronized Letter collect() throws InterruptedException {
        while (first == null) {
            wait();
        }
        Letter l = first;
        first = l.next;
        l.next = null;
        return l;
    }

    synchronized void delivered() {
        if (--underWay == 0) {
            notifyAll();
        }
    }

    synchronized void flush() throws InterruptedException {
        while (underWay > 0) {
            wait();
        }
    }
}

/** Stands for the end of a thread. */
class Ending {
    private boolean ended;

    synchronized void signal() {
        ended = true;
        notifyAll();
    }

    synchronized void awaitEnd() throws InterruptedException {
        while (!ended) {
            wait();
        }
    }
}
