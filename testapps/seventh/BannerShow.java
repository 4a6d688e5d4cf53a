// @lock BannerShow$Ticker
// @type DELAY
// @role delay BannerShow$Animation.idle

import java.util.concurrent.atomic.AtomicLong;

/** Animations in the manner of the first applets: each is a Runnable that draws a frame and waits on itself for the next. */
public final class BannerShow {
    abstract static class Animation implements Runnable {
        private volatile boolean dead;
        private volatile boolean early;
        protected int frame;

        abstract void paint();

        abstract int frameMillis();

        private void idle(long due) throws InterruptedException {
            synchronized (this) {
                long left = due - System.currentTimeMillis();
                if (left > 0) {
                    wait(left);
                }
            }
        }

        @Override
        public void run() {
            long first = System.currentTimeMillis();
            long due = first;
            try {
                while (!dead) {
                    paint();
                    frame++;
                    frames.incrementAndGet();
                    due += frameMillis();
                    idle(due);
                    if (frame > 100 && System.currentTimeMillis() - first < (long) frame * frameMillis() / 4) {
                        early = true;
                    }
                }
            } catch (InterruptedException e) {
                dead = true;
            }
        }
    }

    static final class Ticker extends Animation {
        private final String text;
        private String shown = "";

        Ticker(String text) {
            this.text = text;
        }

        @Override
        void paint() {
            int cut = frame % text.length();
            shown = text.substring(cut) + text.substring(0, cut);
            if (shown.length() != text.length()) {
                throw new IllegalStateException();
            }
        }

        @Override
        int frameMillis() {
            return 5;
        }
    }

    static final class Fade extends Animation {
        private int alpha;

        @Override
        void paint() {
            alpha = 255 * (frame % 20) / 19;
        }

        @Override
        int frameMillis() {
            return 3 + alpha / 128;
        }
    }

    private static final AtomicLong frames = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Animation[] all = {new Ticker("Welcome to our home page! "), new Ticker("*** NEWS ***"), new Fade(), new Fade()};
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) {
            threads[i] = new Thread(all[i], "anim-" + i);
            threads[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (int i = 0; i < all.length; i++) {
            all[i].dead = true;
            threads[i].join(5_000);
            if (all[i].early || threads[i].isAlive()) {
                throw new IllegalStateException("animation " + i + " runs too fast or not at all");
            }
        }
        System.out.println("DONE " + frames);
    }
}
