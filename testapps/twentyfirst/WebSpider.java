// @lock WebSpider$HostLimit
// @type SEMAPHORE permits=2
// @role acquire WebSpider$HostLimit.connect
// @role acquire WebSpider$HostLimit.tryConnect
// @role release WebSpider$HostLimit.disconnect
//
// @lock WebSpider$Courtesy
// @type DELAY
// @role delay WebSpider$Courtesy.pause

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A web crawler: at most two connections to a host at any time, and a courteous pause between two pages. */
public class WebSpider {

    static class HostLimit {
        private static final int MAX = 2;
        private final Map<Integer, Thread> open = new HashMap<>();

        synchronized int connect() throws InterruptedException {
            while (full()) {
                wait();
            }
            return register();
        }

        /** @return a connection, or 0 if none became free in time */
        synchronized int tryConnect(long millis) throws InterruptedException {
            final long deadline = System.currentTimeMillis() + millis;
            while (full()) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return 0;
                }
                wait(left);
            }
            return register();
        }

        synchronized void disconnect(int connection) {
            if (open.remove(connection) == null) {
                throw new IllegalArgumentException("not connected: " + connection);
            }
            notifyAll();
        }

        private boolean full() {
            return open.size() >= MAX;
        }

        private int register() {
            int connection = 1;
            while (open.containsKey(connection)) {
                connection++;
            }
            open.put(connection, Thread.currentThread());
            return connection;
        }
    }

    static class Host {
        final HostLimit limit = new HostLimit();
        final AtomicInteger connected = new AtomicInteger();
    }

    /** The pause; a spider that is told to stop is interrupted and does not finish it. */
    static class Courtesy {
        void pause(int millis) throws InterruptedException {
            synchronized (this) {
                long end = System.currentTimeMillis() + millis;
                for (long left = millis; left > 0; left = end - System.currentTimeMillis()) {
                    wait(left);
                }
            }
        }
    }

    static final Host[] HOSTS = {new Host(), new Host()};
    static final Courtesy COURTESY = new Courtesy();
    static final AtomicLong pages = new AtomicLong();
    static volatile String broken;

    static abstract class Spider extends Thread {
        final Random random;
        Spider(String name) {
            super(name);
            random = new Random(name.hashCode());
            setDaemon(true);
        }
        abstract int open(HostLimit limit) throws InterruptedException;

        @Override
        public void run() {
            try {
                while (broken == null) {
                    Host host = HOSTS[random.nextInt(HOSTS.length)];
                    int c = open(host.limit);
                    if (c == 0) {
                        continue;
                    }
                    try {
                        fetch(host);
                    } finally {
                        host.limit.disconnect(c);
                    }
                    COURTESY.pause(2 + random.nextInt(6));
                }
            } catch (InterruptedException e) {
                broken = getName() + " interrupted";
            }
        }

        private void fetch(Host host) throws InterruptedException {
            int n = host.connected.incrementAndGet();
            if (n > 2) {
                broken = n + " connections to one host";
            }
            Thread.sleep(3 + random.nextInt(8));
            host.connected.decrementAndGet();
            pages.incrementAndGet();
        }
    }

    static class PatientSpider extends Spider {
        PatientSpider(int n) {
            super("patient-" + n);
        }
        @Override
        int open(HostLimit limit) throws InterruptedException {
            return limit.connect();
        }
    }

    static class HastySpider extends Spider {
        HastySpider(int n) {
            super("hasty-" + n);
        }
        @Override
        int open(HostLimit limit) throws InterruptedException {
            return limit.tryConnect(60);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            new PatientSpider(i).start();
            new HastySpider(i).start();
        }
        System.out.println("READY");
        for (int i = 0; i < seconds * 20 && broken == null; i++) {
            Thread.sleep(50);
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + pages);
        System.exit(0);
    }
}
