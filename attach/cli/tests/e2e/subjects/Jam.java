import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;

/**
 * Gets stuck at its first line of input, in the way its argument says: `lockout` (who waits holds what those need that would wake
 * it), `busy` (the holder is at work and does not come to an end) or `virtual` (two virtual threads block on each other). When it is stuck there is a thread called `stuck`.
 */
public final class Jam {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    /** A box whose lid must be held to look inside, and which is asked to wake who waits inside. */
    private static final class Box {
        private final Object inside = new Object();
        private int items;

        synchronized void take() throws InterruptedException {
            synchronized (inside) {
                while (items == 0) {
                    inside.wait();
                }
                items--;
            }
        }

        synchronized void put() {
            synchronized (inside) {
                items++;
                inside.notify();
            }
        }
    }

    private static void become(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    private static Thread start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void lockout() throws InterruptedException {
        Box box = new Box();
        Runnable take = () -> {
            try {
                box.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        become(start(take, "taker"), Thread.State.WAITING);
        for (int i = 0; i < 2; i++) {
            become(start(box::put, "putter-" + i), Thread.State.BLOCKED);
        }
    }

    private static void busy() throws InterruptedException {
        CountDownLatch holding = new CountDownLatch(1);
        start(() -> grind(holding), "grinder");
        holding.await();
        become(start(() -> grind(holding), "visitor"), Thread.State.BLOCKED);
    }

    private static void crowd() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Object stone = new Object();
            become(start(() -> sleepOn(stone), "sleeper-" + i), Thread.State.TIMED_WAITING);
            for (int visitor = i == 1 ? 20 : 1; visitor > 0; visitor--) {
                become(start(() -> sleepOn(stone), "visitor"), Thread.State.BLOCKED);
            }
        }
    }

    private static void sleepOn(Object stone) {
        synchronized (stone) {
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void grind(CountDownLatch holding) {
        synchronized (LEFT) {
            holding.countDown();
            turn();
        }
    }

    private static void turn() {
        while (true) {
            Thread.yield();
        }
    }

    private static void leftRight(CountDownLatch holding) {
        synchronized (LEFT) {
            meet(holding);
            synchronized (RIGHT) {
                System.out.println("not reached");
            }
        }
    }

    private static void rightLeft(CountDownLatch holding) {
        synchronized (RIGHT) {
            meet(holding);
            synchronized (LEFT) {
                System.out.println("not reached");
            }
        }
    }

    /** Yields, which a virtual thread that holds a monitor does on its carrier. */
    private static void meet(CountDownLatch holding) {
        holding.countDown();
        while (holding.getCount() > 0) {
            Thread.yield();
        }
    }

    private static void virtual() throws Exception {
        CountDownLatch holding = new CountDownLatch(2);
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Runnable[] works = {() -> leftRight(holding), () -> rightLeft(holding)};
        Thread[] threads = new Thread[works.length];
        for (int i = 0; i < works.length; i++) {
            threads[i] = (Thread) start.invoke(null, works[i]);
        }
        for (Thread thread : threads) {
            become(thread, Thread.State.BLOCKED);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("READY");
        System.in.read();
        switch (args[0]) {
            case "virtual":
                virtual();
                break;
            case "busy":
                busy();
                break;
            case "crowd":
                crowd();
                break;
            default:
                lockout();
        }
        start(Jam::sleep, "stuck");
        Thread.sleep(600_000);
    }
}
