// @finds nothing

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** As {@code LaidDelivery} and {@code GivenPermit}, but there is somebody else who comes without going through the shop, or more lay there. */
public final class SparedDelivery {
    private static final Object shop = new Object();
    private static final BlockingQueue<String> ramp = new LinkedBlockingQueue<>();
    private static final BlockingQueue<String> store = new LinkedBlockingQueue<>();
    private static final Semaphore done = new Semaphore(0);
    private static final Semaphore stock = new Semaphore(0);
    private static int visits;
    private static volatile boolean laid;
    private static volatile boolean ready;

    private static void drive() {
        stock.release(2);
        store.add("crate");
        store.add("crate");
        synchronized (shop) {
            visits++;
        }
        ramp.add("crate");
        store.add("crate");
        done.release();
        stock.release();
        laid = true;
    }

    private static void help() {
        while (!ready) {
            Thread.yield();
        }
        ramp.add("box");
        done.release();
    }

    private static void buy() {
        while (!laid) {
            Thread.yield();
        }
        synchronized (shop) {
            try {
                ramp.take();
                store.take();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            done.acquireUninterruptibly();
            stock.acquireUninterruptibly();
        }
        ready = true;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = {
            new Thread(SparedDelivery::drive, "driver"), new Thread(SparedDelivery::buy, "buyer"), new Thread(SparedDelivery::help, "helper")
        };
        for (Thread thread : all) {
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        System.out.println("DONE " + visits);
    }
}
