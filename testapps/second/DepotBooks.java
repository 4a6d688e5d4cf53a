// @lock java.lang.Object#receive
// @type MUTEX
// @role enter DepotBooks$Inbound.receive
// @role enter DepotBooks$Outbound.ship
// @role enter DepotBooks$Audit.check

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Three classes share one set of books and the lock that was handed to their constructors. */
public class DepotBooks {
    static final class Books {
        final Map<String, Integer> stock = new HashMap<>();
        int received;
        int shipped;
    }

    abstract static class Clerk extends Thread {
        protected final Object lock;
        protected final Books books;
        protected final Random rnd = new Random();
        static volatile String complaint;

        Clerk(Object lock, Books books) {
            this.lock = lock;
            this.books = books;
            setDaemon(true);
        }

        protected abstract void once() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (true) {
                    once();
                    sleep(rnd.nextInt(4));
                }
            } catch (InterruptedException e) {
                complaint = getClass() + " interrupted";
            }
        }
    }

    static final class Inbound extends Clerk {
        Inbound(Object lock, Books books) {
            super(lock, books);
        }

        @Override
        protected void once() throws InterruptedException {
            receive("item" + rnd.nextInt(5));
        }

        void receive(String item) throws InterruptedException {
            synchronized (lock) {
                Integer n = books.stock.get(item);
                sleep(rnd.nextInt(2));
                books.stock.put(item, n == null ? 1 : n + 1);
                books.received++;
            }
        }
    }

    static final class Outbound extends Clerk {
        Outbound(Object lock, Books books) {
            super(lock, books);
        }

        @Override
        protected void once() throws InterruptedException {
            ship("item" + rnd.nextInt(5));
        }

        boolean ship(String item) {
            synchronized (lock) {
                Integer n = books.stock.get(item);
                if (n == null || n == 0) {
                    return false;
                }
                books.stock.put(item, n - 1);
                books.shipped++;
                return true;
            }
        }
    }

    static final class Audit extends Clerk {
        Audit(Object lock, Books books) {
            super(lock, books);
        }

        @Override
        protected void once() throws InterruptedException {
            check();
            sleep(5);
        }

        void check() throws InterruptedException {
            int sum = 0;
            synchronized (lock) {
                for (int n : books.stock.values()) {
                    sum += n;
                }
                sleep(1);
                sum -= books.received - books.shipped;
            }
            if (sum != 0) {
                complaint = "stock differs from the books by " + sum;
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Object bookLock = new Object();
        Books books = new Books();
        new Inbound(bookLock, books).start();
        new Outbound(bookLock, books).start();
        new Outbound(bookLock, books).start();
        new Audit(bookLock, books).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (Clerk.complaint != null) {
            System.out.println(Clerk.complaint);
            System.exit(1);
        }
        System.out.println("DONE " + books.received);
    }
}
