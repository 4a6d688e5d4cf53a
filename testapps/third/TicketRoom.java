// @lock TicketRoom
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock TicketRoom.join
// @role read-unlock TicketRoom.part
// @role write-lock TicketRoom.clear
// @role write-unlock TicketRoom.reopen

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A chat room: talkers take one of fifty tickets each and are in it together; the host takes all of them to have the room alone. */
public final class TicketRoom {
    private static final int TICKETS = 50;

    private int left = TICKETS;
    private final AtomicInteger talkers = new AtomicInteger();
    private final AtomicInteger hosts = new AtomicInteger();
    private final AtomicLong ops = new AtomicLong();
    private volatile boolean rude;
    private volatile boolean closing;

    public synchronized void join() throws InterruptedException {
        while (left == 0) {
            wait();
        }
        left--;
    }

    public synchronized void part() {
        left++;
        notifyAll();
    }

    public synchronized void clear() throws InterruptedException {
        while (left < TICKETS) {
            wait();
        }
        left = 0;
    }

    public synchronized void reopen() {
        left = TICKETS;
        notifyAll();
    }

    private void talk() throws InterruptedException {
        join();
        try {
            talkers.incrementAndGet();
            rude |= hosts.get() != 0;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            rude |= hosts.get() != 0;
            talkers.decrementAndGet();
        } finally {
            part();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
    }

    private void host() throws InterruptedException {
        clear();
        try {
            rude |= hosts.incrementAndGet() != 1 || talkers.get() != 0;
            Thread.sleep(2);
            rude |= hosts.decrementAndGet() != 0 || talkers.get() != 0;
        } finally {
            reopen();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TicketRoom room = new TicketRoom();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            boolean host = i % 4 == 0;
            threads[i] = new Thread(() -> {
                try {
                    while (!room.closing) {
                        if (host) {
                            room.host();
                        } else {
                            room.talk();
                        }
                        room.ops.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    room.rude = true;
                }
            });
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        room.closing = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        if (room.rude || room.left != TICKETS) {
            throw new IllegalStateException("the host was not alone");
        }
        System.out.println("DONE " + room.ops);
    }
}
