// @lock UndoHistory$Document
// @type MUTEX
// @role enter UndoHistory$EditAction.perform
// @role enter UndoHistory$UndoManager.undoLast
// @role enter UndoHistory$AutoSave.save

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A desktop editor: edits, undo and the automatic save are three classes that all lock the document they work on. */
public final class UndoHistory {
    static final class Document {
        private final StringBuilder text = new StringBuilder();
        private final Deque<Integer> insertedAt = new ArrayDeque<>();
        private long edits;
        private long undone;
    }

    static final class EditAction {
        private final Document doc;

        EditAction(Document doc) {
            this.doc = doc;
        }

        void perform(char c) throws InterruptedException {
            synchronized (doc) {
                int at = ThreadLocalRandom.current().nextInt(doc.text.length() + 1);
                doc.text.insert(at, c);
                reflow();
                doc.insertedAt.push(at);
                doc.edits++;
            }
        }

        private static void reflow() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class UndoManager {
        private final Document doc;

        UndoManager(Document doc) {
            this.doc = doc;
        }

        boolean undoLast() {
            synchronized (doc) {
                Integer at = doc.insertedAt.poll();
                if (at == null) {
                    return false;
                }
                doc.text.deleteCharAt(at);
                doc.undone++;
                return true;
            }
        }
    }

    static final class AutoSave {
        private final Document doc;
        private String lastCopy = "";

        AutoSave(Document doc) {
            this.doc = doc;
        }

        void save() throws InterruptedException {
            String copy;
            long expected;
            synchronized (doc) {
                copy = doc.text.toString();
                Thread.sleep(1);
                expected = doc.edits - doc.undone;
            }
            if (copy.length() != expected) {
                throw new IllegalStateException("saved " + copy.length() + " characters of " + expected);
            }
            lastCopy = copy;
        }

        int size() {
            return lastCopy.length();
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;

    private static void type(Document doc) throws InterruptedException {
        EditAction action = new EditAction(doc);
        UndoManager undo = new UndoManager(doc);
        while (failure == null) {
            action.perform((char) ThreadLocalRandom.current().nextInt('a', 'z' + 1));
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            for (int i = ThreadLocalRandom.current().nextInt(3); i > 0 && undo.undoLast(); i--) {
                ops.incrementAndGet();
            }
        }
    }

    private static void keepSafe(Document doc) throws InterruptedException {
        AutoSave saver = new AutoSave(doc);
        while (failure == null) {
            try {
                saver.save();
            } catch (IllegalStateException e) {
                failure = e.getMessage();
            }
            Thread.sleep(saver.size() > 1000 ? 2 : 4);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Document[] documents = {new Document(), new Document()};
        for (Document doc : documents) {
            for (int i = 0; i < 4; i++) {
                daemon("typist-" + i, doc, true);
            }
            daemon("autosave", doc, false);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }

    private static void daemon(String name, Document doc, boolean typist) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    if (typist) {
                        type(doc);
                    } else {
                        keepSafe(doc);
                    }
                } catch (InterruptedException e) {
                    interrupt();
                } catch (RuntimeException e) {
                    failure = e.toString();
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }
}
