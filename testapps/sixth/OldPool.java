// @lock OldPool$Channel
// @type PRODUCER-CONSUMER capacity=10
// @role put OldPool$Channel.putRequest
// @role take OldPool$Channel.takeRequest

import java.util.Vector;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** The worker threads of a 1998 book on patterns: clients put requests into a channel, idle workers take them out. */
public class OldPool {
    static class Request {
        private final String name;
        private final int number;

        Request(String name, int number) {
            this.name = name;
            this.number = number;
        }

        public void execute() throws InterruptedException {
            if (done.incrementAndGet(number) != 1) {
                throw new IllegalStateException(this + " executed twice");
            }
            Thread.sleep(1 + number % 5);
        }

        public String toString() {
            return "[ Request from " + name + " No." + number + " ]";
        }
    }

    static class Channel {
        private static final int MAX_REQUEST = 10;
        private final Vector<Request> requestQueue = new Vector<Request>();

        public synchronized void putRequest(Request request) {
            while (requestQueue.size() >= MAX_REQUEST) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    // it was usual to ignore it
                }
            }
            requestQueue.addElement(request);
            notifyAll();
        }

        public synchronized Request takeRequest() {
            while (requestQueue.size() <= 0) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    // it was usual to ignore it
                }
            }
            Request request = requestQueue.firstElement();
            requestQueue.removeElementAt(0);
            notifyAll();
            return request;
        }
    }

    static class WorkerThread extends Thread {
        private final Channel channel;

        WorkerThread(String name, Channel channel) {
            super(name);
            this.channel = channel;
            setDaemon(true);
        }

        public void run() {
            try {
                while (fault == null) {
                    channel.takeRequest().execute();
                    finished.incrementAndGet();
                }
            } catch (Exception e) {
                fault = e;
            }
        }
    }

    static class ClientThread extends Thread {
        private final Channel channel;

        ClientThread(String name, Channel channel) {
            super(name);
            this.channel = channel;
            setDaemon(true);
        }

        public void run() {
            try {
                while (fault == null) {
                    int n = numbers.nextElement();
                    if (n < 0) {
                        return;
                    }
                    channel.putRequest(new Request(getName(), n));
                    if (n % 16 == 0) {
                        Thread.sleep(45);
                    }
                }
            } catch (Exception e) {
                fault = e;
            }
        }
    }

    /** Numbers from 0 up, each once. */
    static class Numbers {
        private final AtomicLong next = new AtomicLong();

        int nextElement() {
            long n = next.getAndIncrement();
            return n < done.length() ? (int) n : -1;
        }
    }

    static final AtomicIntegerArray done = new AtomicIntegerArray(4_000_000);
    static final AtomicLong finished = new AtomicLong();
    static final Numbers numbers = new Numbers();
    static volatile Exception fault;

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Channel channel = new Channel();
        for (int i = 0; i < 5; i++) {
            new WorkerThread("Worker-" + i, channel).start();
        }
        String[] clients = {"Alice", "Bobby", "Chris"};
        for (int i = 0; i < clients.length; i++) {
            new ClientThread(clients[i], channel).start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * seconds);
        if (fault != null) {
            throw fault;
        }
        if (numbers.next.get() - finished.get() > 10 + 5 + 3 + 5) {
            throw new IllegalStateException("requests were lost");
        }
        System.out.println("DONE " + finished);
    }
}
