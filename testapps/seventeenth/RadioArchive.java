// @lock RadioArchive$Rotation
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock RadioArchive$Rotation.enterListener
// @role read-unlock RadioArchive$Rotation.leaveListener
// @role write-lock RadioArchive$Rotation.enterEditor
// @role write-unlock RadioArchive$Rotation.leaveEditor
//
// @lock RadioArchive$Inbox
// @type PRODUCER-CONSUMER capacity=7
// @role put RadioArchive$Inbox.submit
// @role take RadioArchive$Inbox.drain

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A radio archive: play lists listened to and edited in order of arrival, and recordings taken from an inbox by the armful. */
public class RadioArchive {
    static class Rotation {
        private int nextTicket;
        private int admitted;
        private int listeners;

        public synchronized void enterListener() throws InterruptedException {
            int ticket = nextTicket++;
            while (ticket != admitted) {
                wait();
            }
            listeners++;
            admitted++;
            notifyAll();
        }

        public synchronized void leaveListener() {
            listeners--;
            if (listeners == 0) {
                notifyAll();
            }
        }

        public synchronized void enterEditor() throws InterruptedException {
            int ticket = nextTicket++;
            while (ticket != admitted || listeners != 0) {
                wait();
            }
        }

        public synchronized void leaveEditor() {
            admitted++;
            notifyAll();
        }
    }

    static class Inbox {
        private static final int SHELF = 7;
        private final List<Long> tapes = new ArrayList<>(SHELF);

        void submit(long tape) throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if (tapes.size() < SHELF) {
                        break;
                    }
                    this.wait();
                }
                tapes.add(tape);
                this.notifyAll();
            }
        }

        List<Long> drain() throws InterruptedException {
            synchronized (this) {
                while (tapes.isEmpty()) {
                    this.wait();
                }
                List<Long> all = new ArrayList<>(tapes);
                tapes.clear();
                this.notifyAll();
                return all;
            }
        }
    }

    static final class PlayList {
        private final List<Integer> titles = new ArrayList<>();

        PlayList() {
            for (int i = 0; i < 20; i++) {
                titles.add(i);
            }
        }

        int sum() {
            int s = 0;
            for (int t : titles) {
                s += t;
            }
            return s;
        }

        void reorder() throws InterruptedException {
            Integer out = titles.remove(ThreadLocalRandom.current().nextInt(titles.size()));
            Thread.sleep(1);
            titles.add(out);
            Collections.swap(titles, 0, titles.size() - 1);
        }
    }

    static final AtomicLong SENT = new AtomicLong();
    static final AtomicLong FILED = new AtomicLong();
    static volatile String offAir;

    private static void listener(Rotation r, PlayList p) throws InterruptedException {
        r.enterListener();
        try {
            Thread.sleep(2);
            if (p.sum() != 190) {
                offAir = "a title is missing";
            }
        } finally {
            r.leaveListener();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
    }

    private static void editor(Rotation r, PlayList p) throws InterruptedException {
        r.enterEditor();
        try {
            p.reorder();
        } finally {
            r.leaveEditor();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
    }

    private static void studio(Inbox in) throws InterruptedException {
        for (int i = ThreadLocalRandom.current().nextInt(2, 10); i > 0; i--) {
            in.submit(SENT.incrementAndGet());
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(10, 25));
    }

    private static void archivist(Inbox in) throws InterruptedException {
        List<Long> armful = in.drain();
        if (armful.isEmpty() || armful.size() > 7) {
            offAir = "an armful of " + armful.size();
        }
        if (FILED.addAndGet(armful.size()) > SENT.get()) {
            offAir = "filed more than was sent";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Rotation rotation = new Rotation();
        PlayList list = new PlayList();
        Inbox inbox = new Inbox();
        String[] people = {"listener", "listener", "listener", "listener", "editor", "editor", "studio", "studio", "archivist"};
        for (String who : people) {
            Thread t = new Thread(who) {
                @Override
                public void run() {
                    try {
                        while (offAir == null) {
                            switch (who) {
                                case "listener":
                                    listener(rotation, list);
                                    break;
                                case "editor":
                                    editor(rotation, list);
                                    break;
                                case "studio":
                                    studio(inbox);
                                    break;
                                default:
                                    archivist(inbox);
                            }
                        }
                    } catch (InterruptedException | RuntimeException e) {
                        offAir = who + ": " + e;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (offAir == null && System.nanoTime() < end) {
            Thread.sleep(30);
        }
        System.out.println(offAir == null ? "DONE " + FILED : offAir);
        System.exit(offAir == null ? 0 : 1);
    }
}
