// Cluster membership: each node beats at its own pace (a timed wait on the ticker that nobody ever ends early), enters its beat in
// the member table and looks for the dead. The table is sent over the wire while it is locked.
//
// @lock Heartbeat$Ticker
// @type DELAY
// @role delay Heartbeat$Ticker.nextBeat
//
// @lock Heartbeat$Members
// @type MUTEX
// @role enter Heartbeat$Members.beat
// @role enter Heartbeat$Members.suspects
// @role enter Heartbeat$Members.gossip

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

public class Heartbeat {
    static final AtomicLong beats = new AtomicLong();
    static volatile String broken;

    static class Ticker {
        private final long period;
        private long next;

        Ticker(long period) {
            this.period = period;
            this.next = System.currentTimeMillis() + period;
        }

        synchronized void nextBeat() throws InterruptedException {
            long now = System.currentTimeMillis();
            while (now < next) {
                wait(next - now);
                now = System.currentTimeMillis();
            }
            next = Math.max(next + period, now + 1);
        }
    }

    static class Members {
        private final TreeMap<String, long[]> table = new TreeMap<>();
        private long total;

        synchronized void beat(String node) throws InterruptedException {
            long[] entry = table.get(node);
            if (entry == null) {
                entry = new long[2];
                table.put(node, entry);
            }
            long before = entry[1];
            entry[0] = System.currentTimeMillis();
            Thread.sleep(1);
            entry[1] = before + 1;
            total++;
        }

        synchronized List<String> suspects(long silence) {
            List<String> out = new ArrayList<>();
            long limit = System.currentTimeMillis() - silence;
            table.forEach((k, v) -> {
                if (v[0] < limit) {
                    out.add(k);
                }
            });
            return out;
        }

        synchronized long gossip() throws InterruptedException {
            long sum = 0;
            for (long[] entry : table.values()) {
                sum += entry[1];
            }
            Thread.sleep(3);
            if (sum != total) {
                broken = "beats do not add up";
            }
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Members members = new Members();
        final long[] periods = {6, 7, 9, 11, 13};
        for (int i = 0; i < periods.length; i++) {
            final String name = "node-" + i;
            final Ticker ticker = new Ticker(periods[i]);
            Thread t = new Thread(name) {
                @Override
                public void run() {
                    try {
                        while (true) {
                            ticker.nextBeat();
                            members.beat(name);
                            if (members.suspects(30_000).contains(name)) {
                                broken = name + " suspects itself";
                            }
                            beats.incrementAndGet();
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        Thread gossip = new Thread("gossip") {
            @Override
            public void run() {
                try {
                    while (true) {
                        members.gossip();
                        sleep(6);
                    }
                } catch (InterruptedException e) {
                    interrupt();
                }
            }
        };
        gossip.setDaemon(true);
        gossip.start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + beats.get());
        System.exit(broken != null ? 1 : 0);
    }
}
