// @lock ContainerStart$Startup
// @type LATCH count=3
// @role count-down ContainerStart$Startup.started
// @role await ContainerStart$Startup.awaitStarted

import java.util.Arrays;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An application server: a deployment is open for requests once its three services have struck themselves off the list. */
public final class ContainerStart {
    static final class Startup {
        private final Set<String> missing = new HashSet<>(Arrays.asList("datasource", "messaging", "web"));

        synchronized void started(String service) {
            if (!missing.remove(service)) {
                throw new IllegalStateException(service + " started twice");
            }
            if (missing.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void awaitStarted() throws InterruptedException {
            while (!missing.isEmpty()) {
                wait();
            }
        }
    }

    private static final Queue<Runnable> boots = new ConcurrentLinkedQueue<>();
    private static final AtomicLong deployments = new AtomicLong();
    private static volatile String failure;

    private static void deploy() throws InterruptedException {
        Startup startup = new Startup();
        AtomicInteger up = new AtomicInteger();
        for (String service : new String[] {"datasource", "messaging", "web"}) {
            boots.add(() -> {
                up.incrementAndGet();
                startup.started(service);
            });
        }
        startup.awaitStarted();
        if (up.get() != 3) {
            throw new IllegalStateException("open with " + up + " services");
        }
        deployments.incrementAndGet();
    }

    private static void bootNext() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        Runnable boot = boots.poll();
        if (boot != null) {
            boot.run();
        }
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                }
            } catch (InterruptedException | RuntimeException e) {
                failure = e.toString();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            loop("boot-" + i, ContainerStart::bootNext);
        }
        for (int i = 0; i < 3; i++) {
            loop("deployer-" + i, ContainerStart::deploy);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null || deployments.get() == 0) {
            throw new IllegalStateException("deployment failed: " + failure);
        }
        System.out.println("DONE " + deployments);
    }
}
