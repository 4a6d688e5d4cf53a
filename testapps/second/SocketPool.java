// @lock SocketPool$GenericPool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire SocketPool$GenericPool.borrowObject
// @role release SocketPool$GenericPool.returnObject
// @role release SocketPool$GenericPool.invalidateObject

import java.util.LinkedList;
import java.util.NoSuchElementException;
import java.util.Random;

/** An object pool with maxActive, maxWait and "when exhausted: block", as the database pools of the 2000s had it. */
public class SocketPool {
    interface PoolableFactory<T> {
        T make();

        boolean validate(T t);
    }

    static class GenericPool<T> {
        private final LinkedList<T> idle = new LinkedList<>();
        private final PoolableFactory<T> factory;
        private final int maxActive;
        private final long maxWait;
        private int numActive;

        GenericPool(PoolableFactory<T> factory, int maxActive, long maxWait) {
            this.factory = factory;
            this.maxActive = maxActive;
            this.maxWait = maxWait;
        }

        public synchronized T borrowObject() {
            long start = System.currentTimeMillis();
            for (;;) {
                if (numActive < maxActive) {
                    break;
                }
                try {
                    if (maxWait <= 0) {
                        wait();
                    } else {
                        long elapsed = System.currentTimeMillis() - start;
                        if (elapsed >= maxWait) {
                            throw new NoSuchElementException("Timeout waiting for idle object");
                        }
                        wait(maxWait - elapsed);
                    }
                } catch (InterruptedException e) {
                    notify();
                    Thread.currentThread().interrupt();
                    throw new NoSuchElementException("interrupted");
                }
            }
            numActive++;
            T t = idle.isEmpty() ? null : idle.removeFirst();
            return t != null && factory.validate(t) ? t : factory.make();
        }

        public synchronized void returnObject(T t) {
            numActive--;
            idle.addFirst(t);
            notify();
        }

        public synchronized void invalidateObject(T t) {
            numActive--;
            notify();
        }
    }

    static final class Sock {
        volatile Thread user;
        int uses;
    }

    static volatile String broken;
    static volatile boolean stop;

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        int max = Integer.getInteger("pool.maxActive", 4);
        GenericPool<Sock> pool = new GenericPool<>(new PoolableFactory<Sock>() {
            @Override
            public Sock make() {
                return new Sock();
            }

            @Override
            public boolean validate(Sock s) {
                return s.uses < 50;
            }
        }, max, 60000);
        long[] counts = new long[9];
        Thread[] clients = new Thread[counts.length];
        for (int i = 0; i < clients.length; i++) {
            int me = i;
            clients[i] = new Thread(() -> {
                Random r = new Random(me);
                try {
                    while (!stop) {
                        Sock s = pool.borrowObject();
                        if (s.user != null) {
                            broken = "socket lent twice";
                        }
                        s.user = Thread.currentThread();
                        s.uses++;
                        Thread.sleep(r.nextInt(5));
                        s.user = null;
                        if (r.nextInt(20) == 0) {
                            pool.invalidateObject(s);
                        } else {
                            pool.returnObject(s);
                        }
                        counts[me]++;
                        Thread.sleep(1 + r.nextInt(5));
                    }
                } catch (InterruptedException | RuntimeException e) {
                    broken = e.toString();
                }
            });
            clients[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        long sum = 0;
        for (int i = 0; i < clients.length; i++) {
            clients[i].join();
            sum += counts[i];
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + sum);
    }
}
