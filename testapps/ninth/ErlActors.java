// @lock ErlActors$Mailbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put ErlActors$Mailbox.send
// @role take ErlActors$Mailbox.receive

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Processes in the manner of Erlang: everybody has a mailbox and receives selectively, if need be only for a while. */
public final class ErlActors {
    static final class Msg {
        final String tag;
        final Mailbox from;
        final long ref;
        final long body;

        Msg(String tag, Mailbox from, long ref, long body) {
            this.tag = tag;
            this.from = from;
            this.ref = ref;
            this.body = body;
        }
    }

    static final class Mailbox {
        private final List<Msg> messages = new ArrayList<>();

        void send(Msg m) {
            synchronized (messages()) {
                messages.add(m);
                messages().notify();
            }
        }

        /** The oldest message that matches, or null after so many milliseconds; the others stay for later. */
        Msg receive(Predicate<Msg> pattern, long after) throws InterruptedException {
            long end = System.nanoTime() + after * 1_000_000;
            synchronized (messages()) {
                int seen = 0;
                while (true) {
                    for (; seen < messages.size(); seen++) {
                        if (pattern.test(messages.get(seen))) {
                            return messages.remove(seen);
                        }
                    }
                    long left = (end - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        return null;
                    }
                    messages().wait(left);
                }
            }
        }

        private Object messages() {
            return this;
        }

        synchronized int forget(Predicate<Msg> pattern) {
            int n = 0;
            for (Iterator<Msg> i = messages.iterator(); i.hasNext();) {
                if (pattern.test(i.next())) {
                    i.remove();
                    n++;
                }
            }
            return n;
        }
    }

    private static final AtomicLong refs = new AtomicLong();
    private static final AtomicLong calls = new AtomicLong();
    private static volatile String crash;

    /** gen_server:call */
    static Msg call(Mailbox self, Mailbox server, String tag, long body) throws InterruptedException {
        long ref = refs.incrementAndGet();
        server.send(new Msg(tag, self, ref, body));
        Msg reply = self.receive(m -> m.ref == ref, 5000);
        if (reply == null) {
            throw new IllegalStateException("timeout in call " + tag);
        }
        calls.incrementAndGet();
        return reply;
    }

    /** A counter that serves "add" and "get" in the order in which they came. */
    static void counter(Mailbox self) throws InterruptedException {
        long value = 0;
        while (crash == null) {
            Msg m = self.receive(x -> true, 1000);
            if (m == null) {
                continue;
            }
            if (m.tag.equals("add")) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                value += m.body;
            }
            m.from.send(new Msg("reply", self, m.ref, value));
        }
    }

    static void client(Mailbox self, Mailbox server) throws InterruptedException {
        long mine = 0;
        while (crash == null) {
            long before = call(self, server, "get", 0).body;
            long n = ThreadLocalRandom.current().nextInt(1, 10);
            mine += n;
            long after = call(self, server, "add", n).body;
            if (after < before + n || after < mine) {
                crash = "counter went from " + before + " to " + after;
            }
            self.forget(m -> m.tag.equals("late"));
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        }
    }

    interface Process {
        void loop(Mailbox self) throws InterruptedException;
    }

    static Mailbox spawn(Process p) {
        Mailbox self = new Mailbox();
        Thread t = new Thread(() -> {
            try {
                p.loop(self);
            } catch (InterruptedException | IllegalStateException e) {
                crash = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
        return self;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int s = 0; s < 2; s++) {
            Mailbox server = spawn(ErlActors::counter);
            for (int c = 0; c < 4; c++) {
                spawn(self -> client(self, server));
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (crash != null) {
            throw new IllegalStateException(crash);
        }
        System.out.println("DONE " + calls);
    }
}
