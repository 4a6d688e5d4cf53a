import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread parks for ever, from the beginning on. For each line of the input a thread of that name unparks it and is
 * joined, and the next line is read when the first one is parked again. Written for JDK 8.
 */
public final class Doorman {
    static final class Door { }

    static volatile int passed;

    public static void main(String[] args) throws Exception {
        Door door = new Door();
        Thread guest = new Thread(() -> {
            for (;;) {
                LockSupport.park(door);
                passed++;
            }
        });
        guest.setDaemon(true);
        guest.start();
        awaitParked(guest, door);
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String name; (name = input.readLine()) != null; ) {
            int before = passed;
            Thread by = new Thread(() -> {
                LockSupport.unpark(guest);
                // Joined for long enough to be seen waited for.
                LockSupport.parkNanos(50_000_000);
            }, name);
            by.start();
            by.join();
            while (passed == before) {
                Thread.yield();
            }
            awaitParked(guest, door);
        }
    }

    static void awaitParked(Thread thread, Object on) {
        while (LockSupport.getBlocker(thread) != on || thread.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }
}
