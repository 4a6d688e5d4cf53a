// @lock ImageRequest
// @type LATCH count=1 form=future
// @role count-down ImageRequest.deliver
// @role await ImageRequest.bitmap
// @lock UiQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put UiQueue.post
// @role put UiQueue.postUrgent
// @role take UiQueue.nextMessage

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An image being fetched; views wait for it or leave a callback. */
class ImageRequest {
    interface Callback { void onImage(int[] px); }

    final String url;
    private int[] pixels;
    private Exception failure;
    private List<Callback> callbacks = new ArrayList<>();

    ImageRequest(String url) { this.url = url; }

    void onReady(Callback c) {
        int[] now;
        synchronized (this) {
            now = pixels;
            if (now == null && failure == null) {
                callbacks.add(c);
                return;
            }
        }
        c.onImage(now);
    }

    synchronized int[] bitmap() throws Exception {
        while (pixels == null && failure == null) wait();
        if (failure != null) throw failure;
        return pixels;
    }

    void deliver(int[] px, Exception e) {
        List<Callback> todo;
        synchronized (this) {
            if (pixels != null || failure != null) return;
            pixels = px;
            failure = e;
            todo = callbacks;
            callbacks = null;
            notifyAll();
        }
        for (Callback c : todo) c.onImage(px);
    }
}

/** The message queue of the UI thread: linked messages, urgent ones in front. */
class UiQueue {
    private static class Msg { Runnable what; Msg next; }

    private Msg head, tail, pool;
    private int poolSize;
    private boolean quitting, blocked;
    private int size;
    private long dispatched;

    private Msg obtain(Runnable r) {
        Msg m = pool;
        if (m == null) m = new Msg();
        else {
            pool = m.next;
            poolSize--;
        }
        m.what = r;
        m.next = null;
        return m;
    }

    synchronized boolean post(Runnable r) {
        if (quitting) return false;
        Msg m = obtain(r);
        if (tail == null) head = m; else tail.next = m;
        tail = m;
        size++;
        if (blocked) notify();
        return true;
    }

    synchronized boolean postUrgent(Runnable r) {
        if (quitting) return false;
        Msg m = obtain(r);
        m.next = head;
        head = m;
        if (tail == null) tail = m;
        size++;
        if (blocked) notify();
        return true;
    }

    synchronized Runnable nextMessage() throws InterruptedException {
        for (;;) {
            Msg m = head;
            if (m != null) {
                head = m.next;
                if (head == null) tail = null;
                Runnable r = m.what;
                m.what = null;
                if (poolSize < 10) {
                    m.next = pool;
                    pool = m;
                    poolSize++;
                }
                size--;
                dispatched++;
                blocked = false;
                return r;
            }
            if (quitting) return null;
            blocked = true;
            wait();
        }
    }
}

public class ThumbLoader {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    static volatile ImageRequest visible;

    public static void main(String[] v) throws Exception {
        UiQueue ui = new UiQueue();
        AtomicLong shown = new AtomicLong(), posted = new AtomicLong();
        visible = new ImageRequest("0");
        spawn("main-ui", () -> {
            Runnable r = ui.nextMessage();
            if (r != null) r.run();
            check(shown.get() <= posted.get(), "shown more than posted");
        });
        int[] n = {0};
        spawn("fetcher", () -> {
            ImageRequest r = visible;
            r.onReady(px -> { posted.incrementAndGet(); ui.post(() -> shown.addAndGet(px.length / 4)); });
            pause(5, 12);
            visible = new ImageRequest(String.valueOf(++n[0]));
            r.deliver(new int[] {1, 2, 3, Integer.parseInt(r.url)}, null);
        });
        for (int i = 0; i < 3; i++) {
            int at = i;
            spawn("view-" + i, () -> {
                ImageRequest r = visible;
                int[] px = r.bitmap();
                check(px[3] == Integer.parseInt(r.url), "another image");
                posted.incrementAndGet();
                if (at == 0) ui.postUrgent(shown::incrementAndGet);
                else ui.post(shown::incrementAndGet);
                if (ThreadLocalRandom.current().nextInt(5) == 0) pause(1, 3);
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
