// @lock MillBelt$Belt
// @type PRODUCER-CONSUMER capacity=7
// @role put MillBelt$Belt.put
// @role take MillBelt$Belt.take

/** Mill, packer and loader with two belts (array rings) between them; the size is computed. */
public class MillBelt {
    static class Belt {
        private final Object[] slots;
        private int count;
        private int putAt;
        private int takeAt;

        Belt(int metres, int perMetre) {
            slots = new Object[metres * perMetre + 1];
        }

        public synchronized void put(Object sack) throws InterruptedException {
            if (count == slots.length) {
                do {
                    wait();
                } while (count == slots.length);
            }
            slots[putAt] = sack;
            putAt = (putAt + 1) % slots.length;
            if (count++ == 0) {
                notifyAll();
            }
        }

        public synchronized Object take() throws InterruptedException {
            if (count == 0) {
                do {
                    wait();
                } while (count == 0);
            }
            Object sack = slots[takeAt];
            slots[takeAt] = null;
            takeAt = (takeAt + 1) % slots.length;
            if (count-- == slots.length) {
                notifyAll();
            }
            return sack;
        }
    }

    abstract static class Worker extends Thread {
        Worker(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void step(int n) throws InterruptedException;

        @Override
        public void run() {
            try {
                for (int n = 0;; n++) {
                    step(n);
                }
            } catch (InterruptedException e) {
                failed = getName();
            }
        }
    }

    static volatile String failed;
    static volatile int loaded;

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final Belt first = new Belt(2, 3);
        final Belt second = new Belt(3, 2);
        Worker mill = new Worker("mill") {
            @Override
            void step(int n) throws InterruptedException {
                first.put(n);
                if (n % 3 == 0) {
                    sleep(n / 200 % 2 == 0 ? 1 : 5);
                }
            }
        };
        Worker packer = new Worker("packer") {
            @Override
            void step(int n) throws InterruptedException {
                Object flour = first.take();
                if (n % 3 == 0) {
                    sleep(n / 400 % 2 == 0 ? 4 : 2);
                }
                second.put("sack " + flour);
            }
        };
        Worker loader = new Worker("loader") {
            @Override
            void step(int n) throws InterruptedException {
                if (!second.take().equals("sack " + n)) {
                    failed = "sack " + n + " out of order";
                }
                loaded = n;
                if (n % 3 == 0) {
                    sleep(n / 300 % 2 == 0 ? 6 : 1);
                }
            }
        };
        mill.start();
        packer.start();
        loader.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed != null) {
            System.out.println(failed);
            System.exit(1);
        }
        System.out.println("DONE " + loaded);
    }
}
