// @finds nothing

import java.util.ArrayDeque;
import java.util.Queue;

/** A clerk that keeps its letters in itself and waits there for more: not for its own end, as who joins it does. */
public final class OwnMailbox extends Thread {
    private final Queue<String> letters = new ArrayDeque<>();
    private boolean closed;

    private OwnMailbox() {
        super("clerk");
    }

    private synchronized void send(String letter) {
        letters.add(letter);
        notifyAll();
    }

    private synchronized void close() {
        closed = true;
        notifyAll();
    }

    private synchronized String next() throws InterruptedException {
        while (letters.isEmpty() && !closed) {
            wait();
        }
        return letters.poll();
    }

    @Override
    public void run() {
        try {
            while (next() != null) {
                Thread.yield();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        OwnMailbox clerk = new OwnMailbox();
        clerk.start();
        for (int n = 0; n < 20; n++) {
            clerk.send("letter " + n);
            Thread.sleep(1);
        }
        clerk.close();
        clerk.join();
        System.out.println("DONE");
    }
}
