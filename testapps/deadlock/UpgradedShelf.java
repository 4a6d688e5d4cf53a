// @finds upgrade T3

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Who reads the shelf wants to write: that is never granted, since he reads himself. He is called off once he waits. */
public final class UpgradedShelf {
    private static final ReentrantReadWriteLock shelf = new ReentrantReadWriteLock();

    private static void change() {
        shelf.readLock().lock();
        try {
            shelf.writeLock().lockInterruptibly();
            shelf.writeLock().unlock();
        } catch (InterruptedException called) {
            System.out.println("DONE");
        } finally {
            shelf.readLock().unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread clerk = new Thread(UpgradedShelf::change, "clerk");
        clerk.start();
        while (clerk.getState() != Thread.State.WAITING || !shelf.hasQueuedThread(clerk)) {
            Thread.yield();
        }
        clerk.interrupt();
        clerk.join();
    }
}
