// @lock WeatherPoll$Pause
// @type DELAY
// @role delay WeatherPoll$Pause.forMillis

/** Sensors are polled at their own rates; the pause between polls is a timed wait that nobody ends. */
public class WeatherPoll {
    static class Pause {
        synchronized void forMillis(long ms) {
            try {
                wait(ms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Sensor implements Runnable {
        final String name;
        final int every;
        final Pause pause;
        volatile int polls;
        double average;

        Sensor(String name, int every, Pause pause) {
            this.name = name;
            this.every = every;
            this.pause = pause;
        }

        @Override
        public void run() {
            while (!Thread.currentThread().isInterrupted()) {
                double v = Math.sin(polls * 0.01) * every;
                average += (v - average) / 16;
                polls++;
                pause.forMillis(every);
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Pause pause = new Pause();
        Sensor[] sensors = {
            new Sensor("wind", 5, pause), new Sensor("rain", 9, pause), new Sensor("light", 14, pause),
        };
        Thread[] threads = new Thread[sensors.length];
        long from = System.nanoTime();
        for (int i = 0; i < sensors.length; i++) {
            threads[i] = new Thread(sensors[i], sensors[i].name);
            threads[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long polls = 0;
        for (int i = 0; i < sensors.length; i++) {
            threads[i].interrupt();
            threads[i].join();
            polls += sensors[i].polls;
            long most = (System.nanoTime() - from) / 1_000_000 / sensors[i].every + 2;
            if (sensors[i].polls > most * 1.2 || Math.abs(sensors[i].average) > sensors[i].every) {
                System.out.println(sensors[i].name + " polled too often: " + sensors[i].polls);
                System.exit(1);
            }
        }
        System.out.println("DONE " + polls);
    }
}
