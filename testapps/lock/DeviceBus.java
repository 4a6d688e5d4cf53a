// @lock DeviceBus$Bus
// @type LOCK reentrant=false
// @role lock DeviceBus$Bus.begin
// @role unlock DeviceBus$Bus.end

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Drivers sharing a bus: one transaction at a time, the owner is checked, waiting drivers are counted. */
public final class DeviceBus {
    static final class Bus {
        private Thread master;
        private int queued;
        private final StringBuilder wire = new StringBuilder();

        synchronized void begin() throws InterruptedException {
            final Thread caller = Thread.currentThread();
            if (caller == master) {
                throw new IllegalStateException("transactions do not nest");
            }
            ++queued;
            try {
                for (;;) {
                    if (master == null) {
                        master = caller;
                        return;
                    }
                    wait();
                }
            } catch (InterruptedException e) {
                if (master == null && queued > 1) {
                    notify();
                }
                throw e;
            } finally {
                --queued;
            }
        }

        synchronized void end() {
            if (Thread.currentThread() != master) {
                throw new IllegalStateException("not the master");
            }
            master = null;
            if (queued != 0) {
                notify();
            }
        }

        /** Only between begin and end, hence without the monitor. */
        void send(char c) {
            wire.append(c);
        }

        String frame() {
            String f = wire.toString();
            wire.setLength(0);
            return f;
        }
    }

    private static volatile boolean failed;
    private static final AtomicLong frames = new AtomicLong();

    private static void driver(Bus bus, char id) {
        try {
            while (!failed) {
                bus.begin();
                try {
                    for (int i = 0; i < 8; i++) {
                        bus.send(id);
                        if (i == 3) {
                            Thread.sleep(1);
                        }
                    }
                    String frame = bus.frame();
                    if (frame.length() != 8 || frame.replace(String.valueOf(id), "").length() > 0) {
                        failed = true;
                    }
                } finally {
                    bus.end();
                }
                frames.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Bus bus = new Bus();
        for (char id = 'a'; id < 'e'; id++) {
            char me = id;
            Thread t = new Thread(() -> driver(bus, me), "driver-" + id);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("two drivers talked at once");
        }
        System.out.println("DONE " + frames);
    }
}
