// @lock Caretaker$Service
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A supervisor for each service: it waits for the service's thread to end, for better or worse, and starts another. */
public final class Caretaker implements Runnable {
    static final class Service extends Thread {
        private volatile Throwable cause;
        private volatile boolean ended;

        Service(String name) {
            super(name);
            setDaemon(true);
            setUncaughtExceptionHandler((t, e) -> cause = e);
        }

        @Override
        public void run() {
            try {
                for (int i = ThreadLocalRandom.current().nextInt(1, 4); i > 0; i--) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
                if (ThreadLocalRandom.current().nextInt(3) == 0) {
                    throw new IllegalArgumentException("bad request");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended = true;
            }
        }
    }

    private static volatile boolean stop;
    private static final AtomicLong restarts = new AtomicLong();

    private final String name;
    private int crashes;
    private int exits;
    private volatile boolean broken;

    Caretaker(String name) {
        this.name = name;
    }

    @Override
    public void run() {
        try {
            while (!stop) {
                Service service = new Service(name);
                service.start();
                for (int looks = 0; service.isAlive(); looks++) {
                    service.join(50);
                    if (looks > 200) {
                        broken = true;
                        return;
                    }
                }
                broken |= !service.ended;
                if (service.cause != null) {
                    crashes++;
                } else {
                    exits++;
                }
                restarts.incrementAndGet();
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        List<Caretaker> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (String name : new String[] {"mail", "index", "backup", "feed"}) {
            Caretaker c = new Caretaker(name);
            Thread t = new Thread(c, "caretaker-" + name);
            all.add(c);
            threads.add(t);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        long sum = 0;
        for (int i = 0; i < all.size(); i++) {
            threads.get(i).join();
            Caretaker c = all.get(i);
            sum += c.crashes + c.exits;
            if (c.broken || c.crashes == 0 || c.exits == 0) {
                throw new IllegalStateException("the service " + c.name + " was lost");
            }
        }
        if (sum != restarts.get()) {
            throw new IllegalStateException("restarts do not add up");
        }
        System.out.println("DONE " + sum);
    }
}
