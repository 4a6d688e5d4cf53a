// @lock BufferSwap$Meeting
// @type BARRIER parties=2 form=exchanger
// @role arrive BufferSwap$Meeting.exchange

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Recorder and encoder exchange a full buffer for an empty one; there are two such pairs. */
public final class BufferSwap {
    static final class Meeting<T> {
        private static final class Offer<T> {
            private T given;
            private T got;
        }

        private Offer<T> open;

        synchronized T exchange(T mine) throws InterruptedException {
            if (open != null) {
                Offer<T> other = open;
                open = null;
                other.got = mine;
                notifyAll();
                return other.given;
            }
            Offer<T> offer = new Offer<>();
            offer.given = mine;
            open = offer;
            while (offer.got == null) {
                wait();
            }
            return offer.got;
        }
    }

    private static volatile boolean failed;
    private static volatile long encoded;

    private static void recorder(Meeting<List<Integer>> meeting) throws InterruptedException {
        int sample = 0;
        for (List<Integer> buffer = new ArrayList<>();;) {
            if (!buffer.isEmpty()) {
                throw new IllegalStateException("the buffer came back unread");
            }
            for (int i = 0; i < 32; i++) {
                buffer.add(sample++);
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            buffer = meeting.exchange(buffer);
        }
    }

    private static void encoder(Meeting<List<Integer>> meeting) throws InterruptedException {
        int expected = 0;
        for (List<Integer> buffer = new ArrayList<>();;) {
            buffer = meeting.exchange(buffer);
            for (int sample : buffer) {
                if (sample != expected++) {
                    throw new IllegalStateException("sample " + sample + " for " + (expected - 1));
                }
            }
            encoded += buffer.size();
            buffer.clear();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    interface Half {
        void run(Meeting<List<Integer>> m) throws InterruptedException;
    }

    private static void start(String name, Half half, Meeting<List<Integer>> m) {
        Thread t = new Thread(() -> {
            try {
                half.run(m);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            failed = true;
            e.printStackTrace();
        });
        for (String channel : new String[] {"left", "right"}) {
            Meeting<List<Integer>> m = new Meeting<>();
            start("recorder-" + channel, BufferSwap::recorder, m);
            start("encoder-" + channel, BufferSwap::encoder, m);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("a channel failed");
        }
        System.out.println("DONE " + encoded);
    }
}
