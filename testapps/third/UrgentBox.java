// @lock UrgentBox$Box
// @type PRODUCER-CONSUMER capacity=12
// @role put UrgentBox$Box.submit
// @role take UrgentBox$Box.next
//
// @lock UrgentBox$Report
// @type MUTEX
// @role enter UrgentBox$Report.add
// @role enter UrgentBox$Report.sum

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A help desk: tickets by urgency in a box of twelve, refused after a while; what was done goes into a report. */
public final class UrgentBox {
    enum Urgency { FATAL, MAJOR, MINOR }

    static final class Ticket {
        final Urgency urgency;
        final int number;

        Ticket(Urgency urgency, int number) {
            this.urgency = urgency;
            this.number = number;
        }
    }

    static final class Box {
        private final TreeMap<Urgency, LinkedList<Ticket>> byUrgency = new TreeMap<>();
        private int filed;

        public boolean submit(Ticket ticket, long patience) throws InterruptedException {
            synchronized (this) {
                if (filed >= 12) {
                    long until = System.currentTimeMillis() + patience;
                    do {
                        long rest = until - System.currentTimeMillis();
                        if (rest <= 0) {
                            return false;
                        }
                        wait(rest);
                    } while (filed >= 12);
                }
                LinkedList<Ticket> list = byUrgency.get(ticket.urgency);
                if (list == null) {
                    byUrgency.put(ticket.urgency, list = new LinkedList<>());
                }
                list.add(ticket);
                filed++;
                notifyAll();
                return true;
            }
        }

        public synchronized Ticket next() throws InterruptedException {
            while (filed == 0) {
                wait();
            }
            Map.Entry<Urgency, LinkedList<Ticket>> first = byUrgency.firstEntry();
            Ticket ticket = first.getValue().removeFirst();
            if (first.getValue().isEmpty()) {
                byUrgency.remove(first.getKey());
            }
            filed--;
            notifyAll();
            return ticket;
        }
    }

    static final class Report {
        private final long[] sums = new long[Urgency.values().length];

        synchronized void add(Ticket t) throws InterruptedException {
            long n = sums[t.urgency.ordinal()] + t.number;
            Thread.sleep(1);
            sums[t.urgency.ordinal()] = n;
        }

        synchronized long sum() throws InterruptedException {
            long all = 0;
            for (long s : sums) {
                all += s;
            }
            Thread.sleep(2);
            return all;
        }
    }

    private final Box box = new Box();
    private final Report report = new Report();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong worked = new AtomicLong();
    private volatile boolean over;
    private volatile boolean shrunk;

    private void customer() throws InterruptedException {
        while (!over) {
            for (int i = ThreadLocalRandom.current().nextInt(10); i >= 0; i--) {
                Ticket t = new Ticket(Urgency.values()[i % 3], i + 1);
                if (box.submit(t, 150)) {
                    accepted.addAndGet(t.number);
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(10, 35));
        }
    }

    private void agent() throws InterruptedException {
        for (Ticket t = box.next(); t.number > 0; t = box.next()) {
            report.add(t);
            worked.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    private void manager() throws InterruptedException {
        long last = 0;
        while (!over) {
            long now = report.sum();
            if (now < last) {
                shrunk = true;
            }
            last = now;
            Thread.sleep(6);
        }
    }

    interface Job {
        void run() throws InterruptedException;
    }

    private static Thread hire(String name, Job job, List<Thread> into) {
        Thread t = new Thread(() -> {
            try {
                job.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        into.add(t);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        UrgentBox desk = new UrgentBox();
        List<Thread> outside = new ArrayList<>();
        List<Thread> agents = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            hire("customer-" + i, desk::customer, outside);
            hire("agent-" + i, desk::agent, agents);
        }
        hire("manager", desk::manager, outside);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        desk.over = true;
        for (Thread t : outside) {
            t.join(5_000);
        }
        for (int i = 0; i < agents.size(); i++) {
            desk.box.submit(new Ticket(Urgency.MINOR, 0), 5_000);
        }
        for (Thread t : agents) {
            t.join(5_000);
        }
        if (desk.shrunk || desk.report.sum() != desk.accepted.get()) {
            throw new IllegalStateException("tickets lost");
        }
        System.out.println("DONE " + desk.worked);
    }
}
