// @lock AddressFile$Book
// @type MUTEX
// @role enter AddressFile$Book.enter
// @role enter AddressFile$Book.lookup
// @role enter AddressFile$Book.strike

import java.util.Random;
import java.util.Vector;

/** An office address file of the last century: two vectors side by side, every method synchronized. */
public class AddressFile {
    static class Book {
        private Vector<String> names = new Vector<String>();
        private Vector<Integer> numbers = new Vector<Integer>();

        public synchronized void enter(String name) {
            names.addElement(name);
            disk(1);
            numbers.addElement(name.hashCode());
        }

        public synchronized boolean lookup(int at) {
            if (names.size() != numbers.size()) {
                return false;
            }
            if (names.isEmpty()) {
                return true;
            }
            int i = at % names.size();
            String name = names.elementAt(i);
            disk(1);
            return name.hashCode() == numbers.elementAt(i).intValue();
        }

        public synchronized void strike() {
            if (names.size() > 200) {
                names.removeElementAt(0);
                disk(1);
                numbers.removeElementAt(0);
            }
        }

        private void disk(int ms) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Clerk extends Thread {
        private final Book book;
        private final int kind;
        private final Random dice;
        volatile long done;
        volatile boolean wrong;

        Clerk(Book book, int kind) {
            this.book = book;
            this.kind = kind;
            this.dice = new Random(kind * 31L + 7);
            setDaemon(true);
        }

        public void run() {
            while (!wrong) {
                if (kind == 0) {
                    book.enter("customer " + dice.nextInt(100000));
                } else if (kind == 1) {
                    book.strike();
                } else if (!book.lookup(dice.nextInt(1000))) {
                    wrong = true;
                }
                done++;
                try {
                    sleep(1 + dice.nextInt(4));
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Book book = new Book();
        Clerk[] clerks = new Clerk[6];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Clerk(book, i);
            clerks[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        long sum = 0;
        for (int i = 0; i < clerks.length; i++) {
            if (clerks[i].wrong) {
                System.out.println("a name and its number do not belong together");
                System.exit(1);
            }
            sum += clerks[i].done;
        }
        System.out.println("DONE " + sum);
    }
}
