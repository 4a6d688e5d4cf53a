// @lock PluginBoot$Loader
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An application that (re)loads its plug-ins, a thread for each; the host joins every loader with a time limit. */
public final class PluginBoot {
    static final class Loader extends Thread {
        private final String plugin;
        private int classes;

        Loader(String plugin) {
            super("load-" + plugin);
            this.plugin = plugin;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                classes = plugin.length() * 10;
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static final AtomicLong loaded = new AtomicLong();
    private static volatile String failure;

    private static int bootOnce(String... plugins) throws InterruptedException {
        List<Loader> loaders = new ArrayList<>();
        for (String plugin : plugins) {
            Loader l = new Loader(plugin);
            l.start();
            loaders.add(l);
        }
        int classes = 0;
        for (Loader l : loaders) {
            l.join(20_000);
            if (l.isAlive() || l.classes != l.plugin.length() * 10) {
                failure = l.plugin + " was not loaded";
            }
            classes += l.classes;
            loaded.incrementAndGet();
        }
        return classes;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        String[][] hosts = {{"spelling", "print", "mail"}, {"maps", "weather"}};
        for (String[] plugins : hosts) {
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        if (bootOnce(plugins) == 0) {
                            failure = "no classes at all";
                        }
                        Thread.sleep(2);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "host");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + loaded);
    }
}
