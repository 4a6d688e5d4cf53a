// @lock SysvSem
// @type SEMAPHORE permits=2
// @role acquire SysvSem.P
// @role release SysvSem.V

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Semaphores with the operations of old, as a tool ported from C has them: below zero, the value is the number of those who
 * wait. An interrupted wait is begun again (EINTR). Here they count the tape drives of a backup host.
 */
public class SysvSem {
    private int value;
    private int wakeups;

    public SysvSem(int initial) {
        value = initial;
    }

    public synchronized void P() {
        value--;
        if (value < 0) {
            boolean eintr = false;
            do {
                try {
                    wait();
                } catch (InterruptedException e) {
                    eintr = true;
                }
            } while (wakeups < 1);
            wakeups--;
            if (eintr) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public synchronized void V() {
        value++;
        if (value <= 0) {
            wakeups++;
            notify();
        }
    }

    private static final int DRIVES = 2;
    private static final AtomicInteger mounted = new AtomicInteger();
    private static final AtomicLong tapes = new AtomicLong();
    private static volatile int rc;
    private static volatile boolean down;

    private static void backup(SysvSem drives, int client) {
        while (!down) {
            drives.P();
            if (mounted.incrementAndGet() > DRIVES) {
                rc = 1;
            }
            pause(1 + client % 3);
            mounted.decrementAndGet();
            drives.V();
            tapes.incrementAndGet();
            pause(client % 2 + 1);
        }
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            down = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SysvSem drives = new SysvSem(DRIVES);
        Thread[] clients = new Thread[6];
        for (int i = 0; i < clients.length; i++) {
            int client = i;
            clients[i] = new Thread(() -> backup(drives, client), "client" + i);
            clients[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        down = true;
        for (Thread client : clients) {
            client.join();
        }
        if (rc != 0 || drives.value != DRIVES || drives.wakeups != 0) {
            System.out.println("more tapes than drives, or a drive lost: " + drives.value);
            System.exit(1);
        }
        System.out.println("DONE " + tapes);
    }
}
