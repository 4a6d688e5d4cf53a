// @lock HandleTable
// @type MUTEX
// @role enter HandleTable.open
// @role enter HandleTable.close

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** File handles of a small virtual file system: a growing table with a free list threaded through it. */
public class HandleTable {
    private static final int NIL = -1;

    private int[] next = new int[4];
    private String[] name = new String[4];
    private int free = NIL;
    private int used;
    private int live;

    public synchronized int open(String path) throws InterruptedException {
        int handle;
        if (free != NIL) {
            handle = free;
            free = next[handle];
        } else {
            if (used == next.length) {
                next = Arrays.copyOf(next, 2 * used);
                name = Arrays.copyOf(name, 2 * used);
            }
            handle = used++;
        }
        name[handle] = path;
        next[handle] = NIL;
        live++;
        touchDirectory();
        return handle;
    }

    public synchronized String close(int handle) throws InterruptedException {
        String path = name[handle];
        if (path == null) {
            throw new IllegalArgumentException("handle " + handle + " is not open");
        }
        name[handle] = null;
        next[handle] = free;
        free = handle;
        live--;
        if (handle % 2 == 0) {
            touchDirectory();
        }
        return path;
    }

    public synchronized int size() {
        return live;
    }

    /** The directory's time stamp lives on the medium. */
    private void touchDirectory() throws InterruptedException {
        Thread.sleep(1);
    }

    static final AtomicIntegerArray holders = new AtomicIntegerArray(1024);
    static final AtomicLong operations = new AtomicLong();
    static volatile String fault;

    static class Client extends Thread {
        private final HandleTable table;
        private final Random random = new Random();

        Client(HandleTable table, int number) {
            super("client-" + number);
            this.table = table;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; fault == null; i++) {
                    String path = getName() + "/" + i;
                    int handle = table.open(path);
                    if (holders.incrementAndGet(handle) != 1) {
                        fault = "handle " + handle + " given out twice";
                    }
                    Thread.sleep(1 + random.nextInt(4));
                    holders.decrementAndGet(handle);
                    if (!path.equals(table.close(handle))) {
                        fault = "wrong file closed";
                    }
                    operations.incrementAndGet();
                }
            } catch (Exception e) {
                fault = e.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        HandleTable table = new HandleTable();
        for (int i = 0; i < 6; i++) {
            new Client(table, i).start();
        }
        System.out.println("READY");
        for (int i = 0; i < seconds * 10 && fault == null; i++) {
            Thread.sleep(100);
            int size = table.size();
            if (size < 0 || size > 6) {
                fault = size + " handles are open";
            }
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + operations);
    }
}
