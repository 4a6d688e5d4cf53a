// @lock OddEven
// @type CONDITION
// @role wait OddEven.printOdd
// @role wait OddEven.printEven
// @role notify OddEven.printOdd
// @role notify OddEven.printEven

import java.util.concurrent.atomic.AtomicLong;

/** The interview question: one thread prints the odd numbers, one the even numbers, and the output is in order. */
public class OddEven {
    private int number = 1;
    private final StringBuilder printed = new StringBuilder();
    private static final AtomicLong lines = new AtomicLong();
    private static volatile boolean broken;

    void printOdd() throws InterruptedException {
        synchronized (this) {
            while (number % 2 == 0) {
                wait();
            }
            print();
            number++;
            notify();
        }
    }

    void printEven() throws InterruptedException {
        synchronized (this) {
            while (number % 2 == 1) {
                wait();
            }
            print();
            number++;
            notify();
        }
    }

    private void print() throws InterruptedException {
        printed.append(number).append(' ');
        if (number % 10 == 0) {
            StringBuilder expected = new StringBuilder();
            for (int i = number - 9; i <= number; i++) {
                expected.append(i).append(' ');
            }
            if (!expected.toString().equals(printed.toString())) {
                broken = true;
            }
            printed.setLength(0);
        }
        lines.incrementAndGet();
        Thread.sleep(1);
    }

    static class Printer extends Thread {
        private final OddEven shared;
        private final boolean odd;

        Printer(OddEven shared, boolean odd) {
            this.shared = shared;
            this.odd = odd;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!broken) {
                    if (odd) {
                        shared.printOdd();
                    } else {
                        shared.printEven();
                    }
                }
            } catch (InterruptedException e) {
                broken = true;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            OddEven shared = new OddEven();
            new Printer(shared, true).start();
            new Printer(shared, false).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (broken) {
            System.out.println("out of order");
            System.exit(1);
        }
        System.out.println("DONE " + lines);
    }
}
