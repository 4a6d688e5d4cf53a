// @lock StealDeques$TaskDeque
// @type MUTEX
// @role enter StealDeques$TaskDeque.push
// @role enter StealDeques$TaskDeque.pop
// @role enter StealDeques$TaskDeque.steal
// @quiet
//
// @lock java.lang.Object#rest
// @type DELAY
// @role delay StealDeques.rest

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Fork/join workers with a deque each, guarded by its monitor; a worker without work naps for a moment. */
public class StealDeques {
    static class TaskDeque {
        private Runnable[] tasks = new Runnable[16];
        private int base;
        private int top;

        synchronized void push(Runnable r) {
            if (top == tasks.length) {
                int n = top - base;
                Runnable[] to = n > tasks.length / 2 ? new Runnable[tasks.length * 2] : tasks;
                System.arraycopy(tasks, base, to, 0, n);
                java.util.Arrays.fill(to, n, to.length, null);
                tasks = to;
                base = 0;
                top = n;
            }
            tasks[top++] = r;
        }

        synchronized Runnable pop() {
            if (top == base) {
                return null;
            }
            Runnable r = tasks[--top];
            tasks[top] = null;
            return r;
        }

        synchronized Runnable steal() {
            if (top == base) {
                return null;
            }
            Runnable r = tasks[base];
            tasks[base++] = null;
            return r;
        }
    }

    final TaskDeque[] deques = new TaskDeque[4];
    final AtomicLong forked = new AtomicLong();
    final AtomicLong ran = new AtomicLong();
    private final Object idle = new Object();
    volatile boolean stop;

    private void rest() throws InterruptedException {
        synchronized (idle) {
            idle.wait(2);
        }
    }

    void fork(TaskDeque d, int depth) {
        forked.incrementAndGet();
        d.push(() -> {
            int x = depth;
            for (int i = 0; i < 2000; i++) {
                x = x * 7 + i;
            }
            if (depth > 0) {
                fork(d, depth - 1);
                fork(d, x == 42 ? 0 : depth - 1);
            }
            ran.incrementAndGet();
        });
    }

    void work(int me) {
        Random rnd = new Random(me);
        try {
            while (true) {
                Runnable r = deques[me].pop();
                for (int i = 1; r == null && i < deques.length; i++) {
                    r = deques[(me + i) % deques.length].steal();
                }
                if (r != null) {
                    r.run();
                } else if (stop) {
                    return;
                } else if (rnd.nextInt(20) == 0) {
                    fork(deques[me], 4);
                } else {
                    rest();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        StealDeques pool = new StealDeques();
        for (int i = 0; i < pool.deques.length; i++) {
            pool.deques[i] = new TaskDeque();
        }
        Thread[] workers = new Thread[pool.deques.length];
        for (int i = 0; i < workers.length; i++) {
            int me = i;
            workers[i] = new Thread(() -> pool.work(me), "worker-" + i);
            workers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        pool.stop = true;
        for (Thread t : workers) {
            t.join();
        }
        if (pool.forked.get() != pool.ran.get()) {
            System.out.println(pool.forked + " tasks forked, " + pool.ran + " run");
            System.exit(1);
        }
        System.out.println("DONE " + pool.ran);
    }
}
