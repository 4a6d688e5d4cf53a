// @lock IndexExchanger$Rendezvous
// @type BARRIER parties=2 form=exchanger
// @role arrive IndexExchanger$Rendezvous.exchange
//
// @lock IndexExchanger$PostingFile
// @type MUTEX
// @role enter IndexExchanger$PostingFile.appendSegment

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A search index: each of four indexers swaps its full term buffer for an empty one with its flusher; all flushers append to one file. */
public final class IndexExchanger {
    static final class Rendezvous<T> {
        private T first;
        private T second;

        synchronized T exchange(T mine) throws InterruptedException {
            while (second != null) {
                wait();
            }
            if (first != null) {
                second = mine;
                notifyAll();
                return first;
            }
            first = mine;
            while (second == null) {
                wait();
            }
            T theirs = second;
            first = null;
            second = null;
            notifyAll();
            return theirs;
        }
    }

    static final class Buffer {
        final List<Long> terms = new ArrayList<>();
    }

    static final class PostingFile {
        private long terms;
        private int segments;

        synchronized void appendSegment(List<Long> sorted) throws InterruptedException {
            terms += sorted.size();
            segments++;
            Thread.sleep(1);
        }

        synchronized long terms() {
            return segments == 0 ? 0 : terms;
        }
    }

    private static final AtomicLong indexed = new AtomicLong();
    private static volatile String failure;

    private static void index(Rendezvous<Buffer> meeting) {
        try {
            Buffer mine = new Buffer();
            while (failure == null) {
                int n = ThreadLocalRandom.current().nextInt(1, 40);
                for (int i = 0; i < n; i++) {
                    mine.terms.add(indexed.incrementAndGet());
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(5));
                mine = meeting.exchange(mine);
                if (!mine.terms.isEmpty()) {
                    failure = "an indexer got a buffer that was not flushed";
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void flush(Rendezvous<Buffer> meeting, PostingFile file) {
        try {
            Buffer mine = new Buffer();
            while (failure == null) {
                mine = meeting.exchange(mine);
                if (mine.terms.isEmpty()) {
                    failure = "a flusher got an empty buffer";
                }
                mine.terms.sort(null);
                file.appendSegment(mine.terms);
                mine.terms.clear();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PostingFile file = new PostingFile();
        for (int i = 0; i < 4; i++) {
            Rendezvous<Buffer> meeting = new Rendezvous<>();
            Thread indexer = new Thread(() -> index(meeting), "indexer-" + i);
            Thread flusher = new Thread(() -> flush(meeting, file), "flusher-" + i);
            indexer.setDaemon(true);
            flusher.setDaemon(true);
            indexer.start();
            flusher.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long written = file.terms();
        if (failure == null && (written > indexed.get() || written < indexed.get() - 4 * 120)) {
            failure = written + " of " + indexed + " terms written";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + written);
    }
}
