// @lock DonutRing$Counter
// @type PRODUCER-CONSUMER capacity=10
// @role put DonutRing$Counter.put
// @role take DonutRing$Counter.get

/** The bounded buffer of every second exercise sheet: bakers put doughnuts on a round counter, policemen eat them. */
public class DonutRing {
    static class Counter {
        int[] buffer = new int[10];
        int in = 0;
        int out = 0;
        int count = 0;

        public synchronized void put(int donut) {
            while (count == buffer.length) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    System.out.println("baker woken up");
                }
            }
            buffer[in] = donut;
            in = (in + 1) % buffer.length;
            count = count + 1;
            notifyAll();
        }

        public synchronized int get() {
            while (count == 0) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    System.out.println("policeman woken up");
                }
            }
            int donut = buffer[out];
            out = (out + 1) % buffer.length;
            count = count - 1;
            notifyAll();
            return donut;
        }
    }

    static class Baker extends Thread {
        Counter counter;
        long sum = 0;

        Baker(Counter counter) {
            this.counter = counter;
        }

        public void run() {
            int i = 0;
            while (open) {
                i++;
                counter.put(i);
                sum += i;
                if (i % 25 == 0) {
                    pause(30);
                } else if (i % 2 == 0) {
                    pause(1);
                }
            }
        }
    }

    static class Policeman extends Thread {
        Counter counter;
        long sum = 0;
        int eaten = 0;

        Policeman(Counter counter) {
            this.counter = counter;
        }

        public void run() {
            while (true) {
                int donut = counter.get();
                if (donut < 0) {
                    return;
                }
                sum += donut;
                eaten++;
                pause(2);
            }
        }
    }

    static volatile boolean open = true;

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            System.out.println("short pause");
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Counter counter = new Counter();
        Baker[] bakers = {new Baker(counter), new Baker(counter)};
        Policeman[] policemen = {new Policeman(counter), new Policeman(counter), new Policeman(counter)};
        for (Baker b : bakers) {
            b.start();
        }
        for (Policeman p : policemen) {
            p.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        open = false;
        long baked = 0;
        for (Baker b : bakers) {
            b.join();
            baked += b.sum;
        }
        for (int i = 0; i < policemen.length; i++) {
            counter.put(-1);
        }
        long eaten = 0;
        int ops = 0;
        for (Policeman p : policemen) {
            p.join();
            eaten += p.sum;
            ops += p.eaten;
        }
        if (baked != eaten) {
            System.out.println("baked " + baked + " but eaten " + eaten);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
