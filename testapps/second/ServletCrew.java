// @lock ServletCrew
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put ServletCrew.execute
// @role take ServletCrew.nextJob

import java.util.concurrent.atomic.AtomicLong;

/** The worker pool of an old servlet engine: a linked list of requests, notify only when somebody is idle. */
public class ServletCrew {
    private static class Link {
        final Runnable job;
        Link next;

        Link(Runnable job) {
            this.job = job;
        }
    }

    private class Worker extends Thread {
        Worker(int n) {
            super("worker-" + n);
            setDaemon(true);
        }

        @Override
        public void run() {
            for (;;) {
                Runnable job = nextJob();
                if (job == null) {
                    return;
                }
                try {
                    job.run();
                } catch (RuntimeException e) {
                    failures.incrementAndGet();
                }
            }
        }
    }

    private Link head;
    private Link tail;
    private int idle;
    final AtomicLong failures = new AtomicLong();

    ServletCrew(int size) {
        for (int i = 0; i < size; i++) {
            new Worker(i).start();
        }
    }

    public void execute(Runnable job) {
        Link link = new Link(job);
        synchronized (this) {
            if (tail == null) {
                head = link;
            } else {
                tail.next = link;
            }
            tail = link;
            if (idle > 0) {
                notify();
            }
        }
    }

    private synchronized Runnable nextJob() {
        while (head == null) {
            ++idle;
            try {
                wait();
            } catch (InterruptedException e) {
                return null;
            } finally {
                --idle;
            }
        }
        Runnable job = head.job;
        head = head.next;
        if (head == null) {
            tail = null;
        }
        return job;
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        int workers = a.length > 1 ? Integer.parseInt(a[1]) : 5;
        ServletCrew crew = new ServletCrew(workers);
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            Thread acceptor = new Thread(() -> {
                try {
                    for (int n = 0;; n++) {
                        in.incrementAndGet();
                        crew.execute(() -> {
                            try {
                                Thread.sleep(3);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            out.incrementAndGet();
                        });
                        if (n % 5 == 0) {
                            Thread.sleep(n % 100 == 0 ? 40 : 8);
                        }
                    }
                } catch (InterruptedException e) {
                    crew.failures.incrementAndGet();
                }
            }, "acceptor-" + i);
            acceptor.setDaemon(true);
            acceptor.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (out.get() > in.get() || crew.failures.get() > 0 || out.get() == 0) {
            System.out.println("requests lost");
            System.exit(1);
        }
        System.out.println("DONE " + out);
    }
}
