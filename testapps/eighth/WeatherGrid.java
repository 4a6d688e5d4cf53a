// @lock WeatherGrid$Field
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock WeatherGrid$Field.startRead
// @role read-unlock WeatherGrid$Field.endRead
// @role write-lock WeatherGrid$Field.startWrite
// @role write-unlock WeatherGrid$Field.endWrite
//
// @lock WeatherGrid$RunSwitch
// @type CONDITION form=resettable-event
// @role wait WeatherGrid$RunSwitch.passWhenRunning
// @role notify WeatherGrid$RunSwitch.resume

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A weather model: two threads advance the pressure field, four views draw it, and the user keeps pressing the pause button. A view that
 * begins while a model thread waits lets that one go first.
 */
public class WeatherGrid {

    static class Field {
        final int[] pressure = new int[64];
        private int reading;
        private boolean writing;
        private int wantToWrite;

        Field() {
            Arrays.fill(pressure, 1000);
        }

        synchronized void startRead() throws InterruptedException {
            while (writing || wantToWrite > 0) {
                wait();
            }
            reading++;
        }

        synchronized void endRead() {
            reading--;
            if (reading == 0) {
                notifyAll();
            }
        }

        synchronized void startWrite() throws InterruptedException {
            wantToWrite++;
            try {
                while (writing || reading > 0) {
                    wait();
                }
                writing = true;
            } catch (InterruptedException e) {
                notifyAll();    // views may have waited for this thread
                throw e;
            } finally {
                wantToWrite--;
            }
        }

        synchronized void endWrite() {
            writing = false;
            notifyAll();
        }
    }

    static class RunSwitch {
        private boolean running = true;

        synchronized void passWhenRunning() throws InterruptedException {
            while (!running) {
                wait();
            }
        }

        synchronized void pause() {
            running = false;
        }

        synchronized void resume() {
            running = true;
            notifyAll();
        }
    }

    private final Field field = new Field();
    private final RunSwitch runSwitch = new RunSwitch();
    private final AtomicLong frames = new AtomicLong();
    private volatile String failure;

    private class Model extends Thread {
        private final Random random;

        Model(int seed) {
            random = new Random(seed);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    runSwitch.passWhenRunning();
                    field.startWrite();
                    int from = random.nextInt(64);
                    int flow = random.nextInt(20);
                    field.pressure[from] -= flow;
                    sleep(1);
                    field.pressure[(from + 1) % 64] += flow;
                    field.endWrite();
                    sleep(1 + random.nextInt(3));
                }
            } catch (InterruptedException e) {
                failure = "a model thread was interrupted";
            }
        }
    }

    private class View extends Thread {
        View() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    field.startRead();
                    int sum = 0;
                    for (int p : field.pressure) {
                        sum += p;
                    }
                    sleep(1);
                    field.endRead();
                    if (sum != 64000) {
                        failure = "air was lost: " + sum;
                    }
                    frames.incrementAndGet();
                    sleep(2);
                }
            } catch (InterruptedException e) {
                failure = "a view was interrupted";
            }
        }
    }

    private void simulate(long seconds) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            if (i % 2 == 0) {
                new Model(i).start();
            }
            new View().start();
        }
        System.out.println("READY");
        System.out.flush();
        for (long end = System.nanoTime() + seconds * 1_000_000_000L; System.nanoTime() - end < 0; ) {
            Thread.sleep(9);
            runSwitch.pause();
            Thread.sleep(6);
            runSwitch.resume();
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + frames);
    }

    public static void main(String[] args) throws InterruptedException {
        new WeatherGrid().simulate(args.length > 0 ? Long.parseLong(args[0]) : 600);
    }
}
