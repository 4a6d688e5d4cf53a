// @lock TextModel
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock TextModel.beginRead
// @role read-unlock TextModel.endRead
// @role write-lock TextModel.beginEdit
// @role write-unlock TextModel.endEdit

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An editor's text: views render it all the time, an author and a spell checker change it, nested edits allowed. */
public final class TextModel {
    private final StringBuilder text = new StringBuilder("....");
    private int readers;
    private Thread writer;
    private int edits;

    synchronized void beginRead() throws InterruptedException {
        while (writer != null) {
            if (writer == Thread.currentThread()) {
                return; // a writer may look at its own changes
            }
            wait();
        }
        readers++;
    }

    synchronized void endRead() {
        if (writer == Thread.currentThread()) {
            return;
        }
        if (readers <= 0) {
            throw new IllegalStateException("nobody is reading");
        }
        readers--;
        notify();
    }

    synchronized void beginEdit() throws InterruptedException {
        Thread me = Thread.currentThread();
        while (readers > 0 || writer != null) {
            if (writer == me) {
                edits++;
                return;
            }
            wait();
        }
        writer = me;
        edits = 1;
    }

    synchronized void endEdit() {
        if (--edits <= 0) {
            edits = 0;
            writer = null;
            notifyAll();
        }
    }

    private final AtomicLong reads = new AtomicLong();
    private volatile boolean broken;

    private void view() throws InterruptedException {
        beginRead();
        try {
            int length = text.length();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (text.length() != length || length % 4 != 0) {
                broken = true;
            }
        } finally {
            endRead();
        }
        reads.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
    }

    private void author() throws InterruptedException {
        beginEdit();
        try {
            if (length() > 400) {
                text.setLength(4);
            }
            type("ab");
            Thread.sleep(1);
            type("cd");
        } finally {
            endEdit();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
    }

    private int length() throws InterruptedException {
        beginRead();
        try {
            return text.length();
        } finally {
            endRead();
        }
    }

    private void type(String s) throws InterruptedException {
        beginEdit();
        try {
            text.append(s);
        } finally {
            endEdit();
        }
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void forever(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
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
        TextModel model = new TextModel();
        for (int i = 0; i < 3; i++) {
            forever("view-" + i, model::view);
        }
        forever("author", model::author);
        forever("spell-checker", model::author);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (model.broken) {
            throw new IllegalStateException("a view saw half an edit");
        }
        System.out.println("DONE " + model.reads);
    }
}
