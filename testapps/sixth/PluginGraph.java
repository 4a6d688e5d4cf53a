// @lock PluginGraph$Plugin
// @type LATCH count=1
// @role await PluginGraph$Plugin.awaitStarted
// @role count-down PluginGraph$Plugin.markStarted

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A plug-in container: all plug-ins start side by side, each after those that it depends on. Containers come and go. */
public final class PluginGraph {
    static final class Plugin {
        final String id;
        final List<Plugin> needs = new ArrayList<>();
        private boolean started;
        volatile boolean ready;

        Plugin(String id) {
            this.id = id;
        }

        void awaitStarted() throws InterruptedException {
            synchronized (this) {
                while (!started) {
                    wait();
                }
            }
        }

        void markStarted() {
            synchronized (this) {
                started = true;
                notifyAll();
            }
        }

        void boot() throws InterruptedException {
            for (Plugin other : needs) {
                other.awaitStarted();
                if (!other.ready) {
                    throw new IllegalStateException(id + " starts before " + other.id);
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            ready = true;
            markStarted();
        }
    }

    private static final String[] DEPENDENCIES = {
        "log", "config log", "db config",
        "cache config log", "http config", "users db cache", "shop users http", "admin users http db",
    };

    private static final ConcurrentLinkedQueue<Plugin> work = new ConcurrentLinkedQueue<>();
    private static final AtomicLong containers = new AtomicLong();
    private static volatile Exception fault;

    private static Map<String, Plugin> read() {
        Map<String, Plugin> plugins = new LinkedHashMap<>();
        for (String line : DEPENDENCIES) {
            String[] words = line.split(" ");
            Plugin plugin = new Plugin(words[0]);
            Arrays.stream(words).skip(1).map(plugins::get).forEach(plugin.needs::add);
            plugins.put(plugin.id, plugin);
        }
        return plugins;
    }

    private static void starter() {
        try {
            while (fault == null) {
                Plugin plugin = work.poll();
                if (plugin == null) {
                    Thread.sleep(1);
                } else {
                    plugin.boot();
                }
            }
        } catch (Exception e) {
            fault = e;
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(PluginGraph::starter, "starter-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long until = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < until && fault == null) {
            Map<String, Plugin> plugins = read();
            work.addAll(plugins.values());
            plugins.get("shop").awaitStarted();
            plugins.get("admin").awaitStarted();
            if (!plugins.values().stream().allMatch(p -> p.ready)) {
                throw new IllegalStateException("container is up without all its plug-ins");
            }
            containers.incrementAndGet();
        }
        if (fault != null) {
            throw fault;
        }
        System.out.println("DONE " + containers);
    }
}
