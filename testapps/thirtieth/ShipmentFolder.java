// @lock ShipmentFolder$Folder
// @type PRODUCER-CONSUMER+LATCH capacity=unbounded count=1
// @role put ShipmentFolder$Folder.pack
// @role take ShipmentFolder$Folder.load
// @role count-down ShipmentFolder$Folder.seal
// @role await ShipmentFolder$Folder.awaitSeal

// @lock ShipmentFolder$TrolleyPark
// @type SEMAPHORE permits=2 form=object-pool
// @role acquire ShipmentFolder$TrolleyPark.fetch
// @role release ShipmentFolder$TrolleyPark.bringBack

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A folder for each shipment: packers put parcels in, the loader takes them out, and the customs clerk waits until the folder has been sealed. */
public class ShipmentFolder {
    static final int PARCELS = 6;

    static final class Folder {
        private final LinkedList<Integer> parcels = new LinkedList<>();
        private String seal;

        synchronized void pack(int parcel) {
            parcels.add(parcel);
            notifyAll();
        }

        synchronized int load() throws InterruptedException {
            while (parcels.isEmpty()) {
                wait();
            }
            return parcels.removeFirst();
        }

        synchronized void seal(String number) {
            if (seal == null) {
                seal = number;
                notifyAll();
            }
        }

        synchronized String awaitSeal() throws InterruptedException {
            while (seal == null) {
                wait();
            }
            return seal;
        }
    }

    static final class Trolley {
        final AtomicInteger users = new AtomicInteger();
    }

    static final class TrolleyPark {
        private final List<Trolley> parked = new ArrayList<>();

        TrolleyPark() {
            parked.add(new Trolley());
            parked.add(new Trolley());
        }

        synchronized Trolley fetch() throws InterruptedException {
            while (parked.isEmpty()) {
                wait();
            }
            return parked.remove(parked.size() - 1);
        }

        synchronized void bringBack(Trolley t) {
            parked.add(t);
            notify();
        }
    }

    /** What has to be packed: a parcel of a folder. */
    static final class Task {
        final Folder folder;
        final int parcel;

        Task(Folder folder, int parcel) {
            this.folder = folder;
            this.parcel = parcel;
        }
    }

    static final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
    static final ConcurrentLinkedQueue<Folder> customs = new ConcurrentLinkedQueue<>();
    static final TrolleyPark park = new TrolleyPark();
    static final AtomicLong declared = new AtomicLong();
    static volatile Throwable failure;

    interface Work {
        void once() throws InterruptedException;
    }

    static void start(String name, Work work) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    work.once();
                }
            } catch (InterruptedException | RuntimeException e) {
                failure = e;
                e.printStackTrace();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void packer() throws InterruptedException {
        Task task = tasks.poll();
        if (task == null) {
            Thread.sleep(2);
            return;
        }
        Trolley trolley = park.fetch();
        if (trolley.users.incrementAndGet() != 1) {
            throw new IllegalStateException("one trolley, two packers");
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        trolley.users.decrementAndGet();
        park.bringBack(trolley);
        task.folder.pack(task.parcel);
    }

    static void customsClerk() throws InterruptedException {
        Folder f = customs.poll();
        if (f == null) {
            Thread.sleep(1);
        } else if (f.awaitSeal().startsWith("S-")) {
            declared.incrementAndGet();
        } else {
            throw new IllegalStateException("wrong seal");
        }
    }

    static void loader() throws InterruptedException {
        Folder f = new Folder();
        customs.add(f);
        int expected = 0;
        for (int i = 0; i < PARCELS; i++) {
            int parcel = ThreadLocalRandom.current().nextInt(1000);
            expected += parcel;
            tasks.add(new Task(f, parcel));
        }
        int sum = 0;
        for (int i = 0; i < PARCELS; i++) {
            sum += f.load();
        }
        if (sum != expected) {
            throw new IllegalStateException("other parcels than were packed");
        }
        Thread.sleep(2);
        f.seal("S-" + sum);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            start("packer-" + i, ShipmentFolder::packer);
        }
        start("loader-1", ShipmentFolder::loader);
        start("loader-2", ShipmentFolder::loader);
        start("customs-1", ShipmentFolder::customsClerk);
        start("customs-2", ShipmentFolder::customsClerk);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + declared);
    }
}
