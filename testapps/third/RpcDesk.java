// @lock RpcDesk$Call
// @type LATCH count=1 form=future
// @role await RpcDesk$Call.get
// @role count-down RpcDesk$Call.complete
// @role count-down RpcDesk$Call.fail
//
// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put RpcDesk$Connection.send
// @role take RpcDesk$Connection.receive

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Remote calls over one connection: clients queue a call and wait for its answer, handlers answer each or let it fail. */
public final class RpcDesk {
    static final class Call {
        final int argument;
        private Integer result;
        private String error;
        private boolean done;

        Call(int argument) {
            this.argument = argument;
        }

        public int get() throws InterruptedException {
            synchronized (this) {
                while (!done) {
                    wait();
                }
            }
            if (error != null) {
                throw new IllegalArgumentException(error);
            }
            return result;
        }

        public synchronized void complete(int value) {
            result = value;
            done = true;
            notifyAll();
        }

        public synchronized void fail(String why) {
            error = why;
            done = true;
            notifyAll();
        }
    }

    static final class Connection {
        private final LinkedList<Call> outgoing = new LinkedList<>();

        void send(Call call) {
            synchronized (outgoing) {
                outgoing.addLast(call);
                outgoing.notify();
            }
        }

        Call receive() throws InterruptedException {
            synchronized (outgoing) {
                while (outgoing.isEmpty()) {
                    outgoing.wait();
                }
                return outgoing.removeFirst();
            }
        }
    }

    private final Connection connection = new Connection();
    private final AtomicLong answered = new AtomicLong();
    private volatile boolean closing;
    private volatile String fault;

    private void client() {
        try {
            while (!closing) {
                int n = ThreadLocalRandom.current().nextInt(1, 100);
                Call call = new Call(n);
                connection.send(call);
                boolean failed = false;
                int square = 0;
                try {
                    square = call.get();
                } catch (IllegalArgumentException e) {
                    failed = true;
                }
                if (failed != (n % 10 == 0) || !failed && square != n * n) {
                    fault = "wrong answer for " + n;
                }
                answered.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
            }
        } catch (InterruptedException e) {
            fault = "interrupted";
        }
    }

    private void handler() {
        try {
            for (;;) {
                Call call = connection.receive();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                if (call.argument % 10 == 0) {
                    call.fail("round number");
                } else {
                    call.complete(call.argument * call.argument);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RpcDesk desk = new RpcDesk();
        Thread[] clients = new Thread[5];
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(desk::handler, "handler-" + i);
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Thread(desk::client, "client-" + i);
            clients[i].setDaemon(true);
            clients[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        desk.closing = true;
        for (Thread t : clients) {
            t.join(5_000);
        }
        if (desk.fault != null || desk.answered.get() == 0) {
            throw new IllegalStateException(desk.fault);
        }
        System.out.println("DONE " + desk.answered);
    }
}
