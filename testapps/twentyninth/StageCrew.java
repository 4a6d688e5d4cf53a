// @lock StageCrew$Scene
// @type BARRIER form=phaser
// @role arrive StageCrew$Scene.finish
// @lock StageCrew$CueLight
// @type CONDITION
// @role wait StageCrew$CueLight.awaitColour
// @role notify StageCrew$CueLight.show

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * No scene starts before all on the call sheet have finished the one before; three are on it always, two extras sign
 * on and off as they like. Two fly-men act on the cue light only.
 */
public class StageCrew {

    static class Scene {
        private int onSheet;
        private int finished;
        private long number;

        synchronized long signOn() {
            onSheet++;
            return number;
        }

        /** @return the number of the scene that can start now */
        synchronized long finish() throws InterruptedException {
            long current = number;
            finished++;
            if (!curtain()) {
                while (number == current) {
                    wait();
                }
            }
            return current + 1;
        }

        synchronized void signOff() {
            onSheet--;
            curtain();
        }

        private boolean curtain() {
            if (finished < onSheet || finished == 0) {
                return false;
            }
            finished = 0;
            number++;
            notifyAll();
            return true;
        }
    }

    enum Colour {
        RED, AMBER, GREEN;

        Colour next() {
            return values()[(ordinal() + 1) % 3];
        }
    }

    static class CueLight {
        private Colour lit = Colour.RED;

        void show(Colour c) {
            synchronized (this) {
                lit = c;
                notifyAll();
            }
        }

        void awaitColour(Colour c) throws InterruptedException {
            synchronized (this) {
                while (lit != c) {
                    wait();
                }
            }
        }
    }

    static final AtomicLongArray at = new AtomicLongArray(3);
    static final AtomicLong acts = new AtomicLong();
    static volatile String mishap;

    static void regular(Scene scene, int who) throws InterruptedException {
        long now = 0; // signed on by the house
        while (mishap == null) {
            at.set(who, now);
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            now = scene.finish();
            for (int i = 0; i < 3; i++) {
                long other = at.get(i);
                if (other < now - 1 || other > now) {
                    mishap = "scene " + now + " began while " + i + " was in " + other;
                }
            }
            acts.incrementAndGet();
        }
    }

    static void extra(Scene scene) throws InterruptedException {
        while (mishap == null) {
            long now = scene.signOn();
            for (int i = ThreadLocalRandom.current().nextInt(1, 6); i > 0; i--) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                long then = scene.finish();
                if (then != now + 1) {
                    mishap = "the extras' scene " + now + " was followed by " + then;
                }
                now = then;
            }
            scene.signOff();
            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 20));
        }
    }

    static void flyman(CueLight light, Colour mine) throws InterruptedException {
        while (mishap == null) {
            light.awaitColour(mine);
            acts.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(7, 12));
        }
    }

    static void prompter(CueLight light) throws InterruptedException {
        for (Colour c = Colour.RED; mishap == null; c = c.next()) {
            light.show(c);
            Thread.sleep(6);
        }
    }

    interface Part {
        void play() throws InterruptedException;
    }

    static void cast(Part p) {
        Thread t = new Thread() {
            @Override
            public void run() {
                try {
                    p.play();
                } catch (InterruptedException e) {
                    mishap = "interrupted";
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Scene scene = new Scene();
        CueLight light = new CueLight();
        for (int i = 0; i < 3; i++) {
            scene.signOn();
        }
        for (int i = 0; i < 3; i++) {
            int who = i;
            cast(() -> regular(scene, who));
        }
        cast(() -> extra(scene));
        cast(() -> extra(scene));
        cast(() -> flyman(light, Colour.GREEN));
        cast(() -> flyman(light, Colour.AMBER));
        cast(() -> prompter(light));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (mishap != null) {
            System.out.println(mishap);
            System.exit(1);
        }
        System.out.println("DONE " + acts);
    }
}
