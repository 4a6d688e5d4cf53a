// @lock SmscThrottle$Quota
// @type SEMAPHORE form=rate-limiter
// @role acquire SmscThrottle$Quota.admit
// @role release SmscThrottle$Quota.nextWindow
// @lock SmscThrottle$Window
// @type PRODUCER-CONSUMER form=rendezvous
// @role put SmscThrottle$Window.submit
// @role take SmscThrottle$Window.fetch
// @lock SmscThrottle$LinkStats
// @type MUTEX+DELAY
// @role enter SmscThrottle$LinkStats.sent
// @role enter SmscThrottle$LinkStats.accepted
// @role delay SmscThrottle$LinkStats.idle

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Short messages are accepted at a limited rate and handed, each in person, to one of two links. */
public final class SmscThrottle {
    /** So many messages in a window of time, and no more. */
    static final class Quota {
        private final int perWindow;
        private int left;

        Quota(int perWindow) {
            this.perWindow = perWindow;
        }

        synchronized void admit() throws InterruptedException {
            while (left <= 0) {
                wait();
            }
            left--;
        }

        synchronized void nextWindow() {
            left = perWindow;
            notifyAll();
        }
    }

    static final class Message {
        final int sender;
        final long number;
        boolean received;

        Message(int sender, long number) {
            this.sender = sender;
            this.number = number;
        }
    }

    /** Submission returns when a link has the message in its hands. */
    static final class Window {
        private Message onSill;

        synchronized void submit(Message m) throws InterruptedException {
            while (onSill != null) {
                wait();
            }
            onSill = m;
            notifyAll();
            while (onSill == m) {
                wait();
            }
        }

        synchronized Message fetch() throws InterruptedException {
            while (onSill == null) {
                wait();
            }
            Message m = onSill;
            m.received = true;
            onSill = null;
            notifyAll();
            return m;
        }
    }

    static final class LinkStats {
        private final Map<Integer, Long> accepted = new HashMap<>();
        private final Map<Integer, Long> sent = new HashMap<>();
        private int inside;

        synchronized void accepted(int sender) throws InterruptedException {
            bump(accepted, sender);
        }

        synchronized void sent(int sender) throws InterruptedException {
            bump(sent, sender);
            if (sent.get(sender) < accepted.getOrDefault(sender, 0L)) {
                throw new IllegalStateException("accepted before it was sent");
            }
        }

        private void bump(Map<Integer, Long> m, int key) throws InterruptedException {
            if (++inside != 1) {
                throw new IllegalStateException("two threads in the statistics");
            }
            Thread.sleep(1);
            m.merge(key, 1L, Long::sum);
            inside--;
        }

        /** The supervisor naps here between two looks, without keeping the others out. */
        synchronized void idle(long millis) throws InterruptedException {
            wait(millis);
        }

        synchronized long total() {
            return sent.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static final Quota quota = new Quota(4);
    private static final Window window = new Window();
    private static final LinkStats stats = new LinkStats();
    private static volatile Throwable problem;

    private interface Duty {
        void perform() throws InterruptedException;
    }

    private static void employ(String name, Duty duty) {
        Thread t = new Thread(() -> {
            try {
                while (problem == null) {
                    duty.perform();
                }
            } catch (InterruptedException | RuntimeException e) {
                problem = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static Duty sender(int id) {
        long[] number = new long[1];
        return () -> {
            quota.admit();
            Message m = new Message(id, ++number[0]);
            stats.sent(id);
            window.submit(m);
            if (!m.received) {
                throw new IllegalStateException("nobody took the message");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        };
    }

    private static Duty link() {
        return () -> {
            Message m = window.fetch();
            stats.accepted(m.sender);
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
        };
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            employ("esme-" + i, sender(i));
        }
        employ("link-a", link());
        employ("link-b", link());
        employ("clock", () -> {
            Thread.sleep(20);
            quota.nextWindow();
        });
        long[] before = new long[1];
        employ("supervisor", () -> {
            stats.idle(15);
            long now = stats.total();
            if (now < before[0]) {
                throw new IllegalStateException("the total shrank");
            }
            before[0] = now;
        });
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (problem != null) {
            problem.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + stats.total());
    }
}
