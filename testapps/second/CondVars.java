// @lock CondVars$Mutex
// @type LOCK reentrant=false
// @role lock CondVars$Mutex.acquire
// @role unlock CondVars$Mutex.release
//
// @lock CondVars$CondVar
// @type CONDITION
// @role wait CondVars$CondVar.await
// @role notify CondVars$CondVar.signal

import java.util.ArrayDeque;
import java.util.Deque;

/** Hand-made mutex and condition variables; a bounded buffer with two of them (not full, not empty) on top. */
public class CondVars {
    static class Mutex {
        protected boolean inuse_ = false;

        void acquire() throws InterruptedException {
            synchronized (this) {
                try {
                    while (inuse_) {
                        wait();
                    }
                    inuse_ = true;
                } catch (InterruptedException ex) {
                    notify();
                    throw ex;
                }
            }
        }

        synchronized void release() {
            inuse_ = false;
            notify();
        }
    }

    static class CondVar {
        protected final Mutex mutex_;

        CondVar(Mutex mutex) {
            mutex_ = mutex;
        }

        void await() throws InterruptedException {
            try {
                synchronized (this) {
                    mutex_.release();
                    wait();
                }
            } finally {
                mutex_.acquire();
            }
        }

        synchronized void signal() {
            notify();
        }
    }

    static class Buffer<E> {
        private final Mutex mutex = new Mutex();
        private final CondVar notFull = new CondVar(mutex);
        private final CondVar notEmpty = new CondVar(mutex);
        private final Deque<E> items = new ArrayDeque<>();
        private final int max;

        Buffer(int max) {
            this.max = max;
        }

        void put(E e) throws InterruptedException {
            mutex.acquire();
            try {
                while (items.size() == max) {
                    notFull.await();
                }
                items.addLast(e);
                notEmpty.signal();
            } finally {
                mutex.release();
            }
        }

        E take() throws InterruptedException {
            mutex.acquire();
            try {
                while (items.isEmpty()) {
                    notEmpty.await();
                }
                if (items.size() > max) {
                    throw new IllegalStateException("overfull");
                }
                // copying a large element takes a moment
                Thread.sleep(1);
                E e = items.removeFirst();
                notFull.signal();
                return e;
            } finally {
                mutex.release();
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Buffer<Integer> buffer = new Buffer<>(5);
        final long[] sent = new long[2];
        final long[] got = new long[2];
        final Throwable[] failure = new Throwable[1];
        final boolean[] stop = new boolean[1];
        Thread[] all = new Thread[4];
        for (int i = 0; i < 2; i++) {
            final int me = i;
            all[i] = new Thread(() -> {
                try {
                    for (int n = 1; !stop[0]; n++) {
                        buffer.put(n);
                        sent[me] += n;
                        Thread.sleep(n / 100 % 2 == 0 ? 1 : 5);
                    }
                    buffer.put(-1);
                } catch (Throwable t) {
                    failure[0] = t;
                }
            });
            all[i + 2] = new Thread(() -> {
                try {
                    for (int e = buffer.take(); e != -1; e = buffer.take()) {
                        got[me] += e;
                        Thread.sleep(3);
                    }
                } catch (Throwable t) {
                    failure[0] = t;
                }
            });
        }
        for (Thread t : all) {
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop[0] = true;
        for (Thread t : all) {
            t.join();
        }
        if (failure[0] != null || sent[0] + sent[1] != got[0] + got[1]) {
            System.out.println("elements lost, " + failure[0]);
            System.exit(1);
        }
        System.out.println("DONE " + got[0]);
    }
}
