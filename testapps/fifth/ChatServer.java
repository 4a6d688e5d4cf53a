// @lock ChatServer$Door
// @type SEMAPHORE permits=3
// @role acquire ChatServer$Door.join
// @role release ChatServer$Door.part
// @lock ChatServer$Outbox
// @type PRODUCER-CONSUMER capacity=8
// @role put ChatServer$Outbox.send
// @role take ChatServer$Outbox.receive
// @lock java.util.HashSet#enter
// @type MUTEX
// @role enter ChatServer$Roster.enter
// @role enter ChatServer$Roster.leave

import java.util.HashSet;
import java.util.LinkedList;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A chat room for three at a time: guests wait at the door, sign the roster, and talk through an outbox that two writers empty. */
public final class ChatServer {
    static final class Door {
        private int inside;

        synchronized void join() throws InterruptedException {
            while (inside == 3) {
                wait();
            }
            inside++;
        }

        synchronized void part() {
            inside--;
            notify();
        }
    }

    static final class Outbox {
        private final LinkedList<String> lines = new LinkedList<>();

        synchronized void send(String line) throws InterruptedException {
            while (lines.size() == 8) {
                wait();
            }
            lines.addLast(line);
            notifyAll();
        }

        synchronized String receive() throws InterruptedException {
            while (lines.isEmpty()) {
                wait();
            }
            notifyAll();
            return lines.removeFirst();
        }
    }

    static final class Roster {
        private final Set<String> names = new HashSet<>();

        void enter(String name) throws InterruptedException {
            synchronized (names) {
                if (!names.add(name)) {
                    throw new IllegalStateException(name + " is here already");
                }
                Thread.sleep(1);
            }
        }

        boolean leave(String name) throws InterruptedException {
            synchronized (names) {
                Thread.sleep(1);
                return names.remove(name);
            }
        }
    }

    private final Door door = new Door();
    private final Outbox outbox = new Outbox();
    private final Roster roster = new Roster();
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicLong said = new AtomicLong();
    private final AtomicLong heard = new AtomicLong();
    private volatile String failure;

    private void guest(String name) throws InterruptedException {
        door.join();
        if (present.incrementAndGet() > 3) {
            failure = "the room is overcrowded";
        }
        roster.enter(name);
        for (int lines = ThreadLocalRandom.current().nextInt(1, 9); lines > 0; lines--) {
            said.incrementAndGet();
            outbox.send(name + ": hello");
        }
        if (!roster.leave(name)) {
            failure = name + " was not on the roster";
        }
        present.decrementAndGet();
        door.part();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private void writer() throws InterruptedException {
        String line = outbox.receive();
        if (!line.endsWith(": hello") || heard.incrementAndGet() > said.get()) {
            failure = "heard what nobody said";
        }
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                }
            } catch (InterruptedException | RuntimeException e) {
                failure = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ChatServer server = new ChatServer();
        for (int i = 0; i < 7; i++) {
            String name = "guest-" + i;
            server.loop(name, () -> server.guest(name));
        }
        for (int i = 0; i < 2; i++) {
            server.loop("writer-" + i, server::writer);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (server.failure != null) {
            throw new IllegalStateException(server.failure);
        }
        System.out.println("DONE " + server.heard);
    }
}
