import java.util.ArrayDeque;

/** Contention, waits, joins, renames and a static lock, all at once, until killed. */
public class Zoo {
    /** A bounded buffer of one element. */
    static class Box {
        private final ArrayDeque<Integer> items = new ArrayDeque<>();

        synchronized void put(int item) throws InterruptedException {
            while (!items.isEmpty()) {
                wait();
            }
            items.add(item);
            hold(1);
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (items.isEmpty()) {
                wait();
            }
            notifyAll();
            return items.remove();
        }
    }

    static final Object GUARD = new Object();
    static volatile long shared;

    static synchronized void slow() {
        hold(2);
    }

    static void guarded() {
        synchronized (GUARD) {
            hold(2);
        }
    }

    static void hold(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        shared++;
    }

    interface Step {
        void run() throws InterruptedException;
    }

    static void forever(String name, Step step) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    step.run();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        Box box = new Box();
        Object never = new Object();
        forever("putter", () -> box.put(1));
        forever("taker", () -> box.take());
        for (int i = 0; i < 3; i++) {
            forever("guard-" + i, Zoo::guarded);
            forever("static-" + i, Zoo::slow);
        }
        forever("idler", () -> {
            synchronized (never) {
                never.wait(30);
            }
        });
        forever("renamer", () -> {
            Thread.currentThread().setName("renamed");
            guarded();
        });
        System.out.println("ready");
        while (true) {
            Thread child = new Thread(() -> hold(5), "child");
            child.start();
            child.join();
        }
    }
}
