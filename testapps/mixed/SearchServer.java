// @lock SearchServer$Requests
// @type PRODUCER-CONSUMER capacity=5
// @role put SearchServer$Requests.submit
// @role take SearchServer$Requests.next
//
// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put SearchServer$Replies.add
// @role take SearchServer$Replies.remove
//
// @lock SearchServer$Query
// @type LATCH count=3
// @role count-down SearchServer$Query.answered
// @role await SearchServer$Query.await

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A search server: a query becomes three requests for three shards; a collector hands the replies back to the query. */
public final class SearchServer {
    static final class Query {
        private int open = 3;
        private long sum;

        synchronized void answered(long part) {
            sum += part;
            open--;
            if (open == 0) {
                notifyAll();
            }
        }

        synchronized long await() throws InterruptedException {
            while (open > 0) {
                wait();
            }
            return sum;
        }
    }

    static final class Request {
        private final Query query;
        private final int shard;

        Request(Query query, int shard) {
            this.query = query;
            this.shard = shard;
        }
    }

    static final class Requests {
        private final Request[] ring = new Request[5];
        private long in;
        private long out;

        synchronized void submit(Request r) throws InterruptedException {
            while (in - out >= ring.length) {
                wait();
            }
            ring[(int) (in++ % ring.length)] = r;
            notifyAll();
        }

        synchronized Request next() throws InterruptedException {
            while (in == out) {
                wait();
            }
            Request r = ring[(int) (out++ % ring.length)];
            notifyAll();
            return r;
        }
    }

    static final class Replies {
        private final LinkedList<Request> list = new LinkedList<>();

        void add(Request r) {
            synchronized (list) {
                list.add(r);
                list.notify();
            }
        }

        Request remove() throws InterruptedException {
            synchronized (list) {
                while (list.size() == 0) {
                    list.wait();
                }
                return list.removeFirst();
            }
        }
    }

    private final Requests requests = new Requests();
    private final Replies replies = new Replies();
    private final AtomicLong answers = new AtomicLong();
    private volatile boolean failed;

    private void client() throws InterruptedException {
        Query q = new Query();
        for (int shard = 1; shard <= 3; shard++) {
            requests.submit(new Request(q, shard));
        }
        if (q.await() != 6) {
            failed = true;
        }
        answers.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
    }

    private void shard() throws InterruptedException {
        Request r = requests.next();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        replies.add(r);
    }

    private void collector() throws InterruptedException {
        Request r = replies.remove();
        r.query.answered(r.shard);
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (!failed) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SearchServer server = new SearchServer();
        for (int i = 0; i < 4; i++) {
            server.loop("client-" + i, server::client);
        }
        for (int i = 0; i < 3; i++) {
            server.loop("shard-" + i, server::shard);
        }
        server.loop("collector", server::collector);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (server.failed) {
            throw new IllegalStateException("a query was answered with the wrong parts");
        }
        System.out.println("DONE " + server.answers);
    }
}
