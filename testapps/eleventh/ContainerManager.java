// @lock ContainerManager$NodeCapacity
// @type SEMAPHORE permits=6
// @role acquire ContainerManager$NodeCapacity.allocate
// @role release ContainerManager$NodeCapacity.release
//
// @lock java.lang.Object#run
// @type DELAY
// @role delay ContainerManager$NodeStatusUpdater.run
//
// @lock ContainerManager$ContainerLock
// @type LOCK reentrant=true
// @role lock ContainerManager$ContainerLock.lock
// @role unlock ContainerManager$ContainerLock.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A resource manager: applications ask two nodes for one to three of six cores each, containers are changed under their lock, nodes send heartbeats. */
public final class ContainerManager {
    static final class NodeCapacity {
        private final int total = 6;
        private int allocated;

        public synchronized void allocate(int cores) throws InterruptedException {
            if (cores > total) {
                throw new IllegalArgumentException("more cores than the node has");
            }
            while (total - allocated < cores) {
                this.wait();
            }
            allocated += cores;
        }

        public synchronized void release(int cores) {
            allocated -= cores;
            this.notifyAll();
        }
    }

    /** Held by the thread that changes the container; its transitions call each other. */
    static final class ContainerLock {
        private Thread holder;
        private int holds;

        public void lock() {
            boolean interrupted = false;
            Thread me = Thread.currentThread();
            synchronized (this) {
                while (holder != null && holder != me) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                holder = me;
                holds++;
            }
            if (interrupted) {
                me.interrupt();
            }
        }

        public void unlock() {
            synchronized (this) {
                if (holder != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not the holder");
                }
                holds--;
                if (holds == 0) {
                    holder = null;
                    notify();
                }
            }
        }
    }

    static final class Container {
        final ContainerLock lock = new ContainerLock();
        private int transitions;
        private int events;

        void handle() throws InterruptedException {
            lock.lock();
            try {
                int before = transitions;
                transition();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                transition();
                if (transitions != before + 2 || transitions != events) {
                    failure = "a container changed by two";
                }
            } finally {
                lock.unlock();
            }
        }

        private void transition() {
            lock.lock();
            try {
                transitions++;
                events++;
            } finally {
                lock.unlock();
            }
        }
    }

    static final class Node {
        final NodeCapacity capacity = new NodeCapacity();
        final AtomicInteger running = new AtomicInteger();
        final Container container = new Container();
    }

    static final class NodeStatusUpdater implements Runnable {
        private final Object heartbeatMonitor = new Object();
        private final Node node;
        private int lastResponseId;

        NodeStatusUpdater(Node node) {
            this.node = node;
        }

        @Override
        public void run() {
            while (failure == null) {
                try {
                    if (node.running.get() > 6) {
                        failure = "more cores in use than the node has";
                    }
                    lastResponseId++;
                    synchronized (heartbeatMonitor) {
                        heartbeatMonitor.wait(3 + lastResponseId % 4);
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    private static final AtomicLong containers = new AtomicLong();
    private static volatile String failure;

    private static void application(Node[] nodes, int n) {
        try {
            while (failure == null) {
                Node node = nodes[(n + ThreadLocalRandom.current().nextInt(2)) % 2];
                int cores = ThreadLocalRandom.current().nextInt(1, 4);
                node.capacity.allocate(cores);
                node.running.addAndGet(cores);
                node.container.handle();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                node.running.addAndGet(-cores);
                node.capacity.release(cores);
                containers.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Node[] nodes = {new Node(), new Node()};
        for (Node node : nodes) {
            Thread t = new Thread(new NodeStatusUpdater(node), "Node Status Updater");
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 12; i++) {
            int n = i;
            Thread t = new Thread(() -> application(nodes, n), "application-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + containers);
    }
}
