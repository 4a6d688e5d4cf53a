// @lock InfusionLog$EventRing
// @type PRODUCER-CONSUMER capacity=8
// @role put InfusionLog$EventRing.add
// @role take InfusionLog$EventRing.remove
// @lock InfusionLog$Archive
// @type MUTEX
// @role enter InfusionLog$Archive.store
// @role enter InfusionLog$Archive.lastOf

/**
 * Events of four infusion pumps go through a ring to two writers, who keep the archive.
 *
 * @since 1.2
 */
public class InfusionLog {
    static final int PUMPS = 4;
    static volatile boolean running = true;
    static volatile String fault;

    static class Event {
        int pump;
        int serial;

        Event(int pump, int serial) {
            this.pump = pump;
            this.serial = serial;
        }
    }

    static class EventRing {
        private Event[] slots = new Event[8];
        private int head;
        private int tail;
        private int used;

        public synchronized void add(Event e) throws InterruptedException {
            while (used == slots.length) {
                wait();
            }
            slots[tail] = e;
            tail = (tail + 1) % slots.length;
            used++;
            notifyAll();
        }

        public synchronized Event remove() throws InterruptedException {
            while (used == 0) {
                wait();
            }
            Event e = slots[head];
            slots[head] = null;
            head = (head + 1) % slots.length;
            used--;
            notifyAll();
            return e;
        }
    }

    static class Archive {
        private int[] count = new int[PUMPS];
        private int[] last = new int[PUMPS];
        private int total;

        public synchronized void store(Event e) throws InterruptedException {
            int before = total;
            Thread.sleep(2);                    // the disk
            if (total != before) {
                fault = "two writers in the archive";
            }
            total = before + 1;
            count[e.pump]++;
            if (e.serial > last[e.pump]) {
                last[e.pump] = e.serial;
            }
        }

        public synchronized int lastOf(int pump) throws InterruptedException {
            int seen = total;
            Thread.sleep(1);
            if (seen != total) {
                fault = "the archive changed under a reader";
            }
            return last[pump];
        }

        synchronized int getTotal() {
            return total;
        }
    }

    static EventRing ring = new EventRing();
    static Archive archive = new Archive();

    static class Pump extends Thread {
        private int number;
        volatile int sent;

        Pump(int number) {
            super("pump-" + number);
            this.number = number;
        }

        public void run() {
            try {
                while (running) {
                    for (int i = 0; i < 5; i++) {
                        ring.add(new Event(number, sent + 1));
                        sent++;
                    }
                    Thread.sleep(70 + 3 * number);
                }
            } catch (InterruptedException e) {
                // switched off
            }
        }
    }

    static class Writer extends Thread {
        public void run() {
            try {
                for (;;) {
                    archive.store(ring.remove());
                }
            } catch (InterruptedException e) {
                // switched off
            }
        }
    }

    static class Display extends Thread {
        public void run() {
            int[] shown = new int[PUMPS];
            try {
                for (int p = 0;; p = (p + 1) % PUMPS) {
                    int now = archive.lastOf(p);
                    if (now < shown[p]) {
                        fault = "the display went backwards";
                    }
                    shown[p] = now;
                    Thread.sleep(4);
                }
            } catch (InterruptedException e) {
                // switched off
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Pump[] pumps = new Pump[PUMPS];
        Thread[] others = { new Writer(), new Writer(), new Display() };
        for (int i = 0; i < others.length; i++) {
            others[i].setDaemon(true);
            others[i].start();
        }
        for (int i = 0; i < PUMPS; i++) {
            pumps[i] = new Pump(i);
            pumps[i].setDaemon(true);
            pumps[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        running = false;
        int sent = 0;
        for (int i = 0; i < PUMPS; i++) {
            pumps[i].join(10000);
            sent += pumps[i].sent;
        }
        for (int i = 0; i < 500 && archive.getTotal() < sent; i++) {
            Thread.sleep(20);
        }
        if (fault == null && archive.getTotal() != sent) {
            fault = "sent " + sent + ", stored " + archive.getTotal();
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + sent);
    }
}
