// @lock RpcLink$Call
// @type LATCH count=1 form=future
// @role await RpcLink$Call.await
// @role count-down RpcLink$Call.complete
//
// @lock RpcLink$Handshake
// @type CONDITION
// @role wait RpcLink$Handshake.expect
// @role notify RpcLink$Handshake.move
//
// @lock java.util.LinkedHashMap#send
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put RpcLink$Connection.send
// @role take RpcLink$Connection.nextCall

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An RPC client: calls with futures over a few connections, and peers that open each conversation with a handshake. */
public class RpcLink {
    static class Call {
        final int id;
        final int param;
        private Integer value;

        Call(int id, int param) {
            this.id = id;
            this.param = param;
        }

        synchronized int await() throws InterruptedException {
            while (value == null) {
                wait();
            }
            return value;
        }

        synchronized void complete(int result) {
            value = result;
            notifyAll();
        }
    }

    static class Connection extends Thread {
        private final Map<Integer, Call> calls = new LinkedHashMap<Integer, Call>();

        Connection(int n) {
            super("ipc-connection-" + n);
            setDaemon(true);
        }

        void send(Call call) {
            synchronized (calls) {
                calls.put(call.id, call);
                calls.notify();
            }
        }

        private Call nextCall() throws InterruptedException {
            synchronized (calls) {
                while (calls.isEmpty()) {
                    calls.wait();
                }
                Iterator<Call> it = calls.values().iterator();
                Call call = it.next();
                it.remove();
                return call;
            }
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Call call = nextCall();
                    if (ThreadLocalRandom.current().nextInt(2) == 0) {
                        sleep(1);
                    }
                    call.complete(call.param * 7 + 1);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    enum State { CLOSED, HELLO, CHALLENGE, RESPONSE, ESTABLISHED }

    /** Both ends of a conversation see the same state and wait for the one that is theirs to answer. */
    static class Handshake {
        private State state = State.CLOSED;
        private int nonce;

        synchronized int expect(State wanted) throws InterruptedException {
            while (state != wanted) {
                wait();
            }
            return nonce;
        }

        synchronized void move(State from, State to, int withNonce) {
            if (state != from) {
                throw new IllegalStateException(state + " instead of " + from);
            }
            state = to;
            nonce = withNonce;
            notifyAll();
        }
    }

    private static final AtomicInteger callIds = new AtomicInteger();
    private static final AtomicLong answered = new AtomicLong();
    private static volatile String failure;

    static void dial(Handshake h) throws InterruptedException {
        while (failure == null) {
            h.expect(State.CLOSED);
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            h.move(State.CLOSED, State.HELLO, 0);
            int nonce = h.expect(State.CHALLENGE);
            h.move(State.CHALLENGE, State.RESPONSE, nonce ^ 0x5a5a);
            h.expect(State.ESTABLISHED);
            Thread.sleep(1);
            h.move(State.ESTABLISHED, State.CLOSED, 0);
        }
    }

    static void accept(Handshake h) throws InterruptedException {
        while (failure == null) {
            h.expect(State.HELLO);
            int nonce = ThreadLocalRandom.current().nextInt();
            h.move(State.HELLO, State.CHALLENGE, nonce);
            if (h.expect(State.RESPONSE) != (nonce ^ 0x5a5a)) {
                failure = "wrong response";
            }
            Thread.sleep(1);
            h.move(State.RESPONSE, State.ESTABLISHED, nonce);
            answered.incrementAndGet();
        }
    }

    static void caller(Connection[] connections) throws InterruptedException {
        while (failure == null) {
            int param = ThreadLocalRandom.current().nextInt(1000);
            Call call = new Call(callIds.incrementAndGet(), param);
            connections[call.id % connections.length].send(call);
            if (call.await() != param * 7 + 1) {
                failure = "an answer to another call";
            }
            answered.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IllegalStateException e) {
                failure = e.getMessage();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Connection[] connections = {new Connection(0), new Connection(1)};
        for (Connection c : connections) {
            c.start();
        }
        for (int i = 0; i < 6; i++) {
            spawn("caller-" + i, () -> caller(connections));
        }
        for (int i = 0; i < 3; i++) {
            Handshake h = new Handshake();
            spawn("client-" + i, () -> dial(h));
            spawn("server-" + i, () -> accept(h));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            System.out.println(failure);
            System.exit(1);
        }
        System.out.println("DONE " + answered);
    }
}
