// @finds order T3

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Two synchronized lists, each of which takes over what is in the other. All the locking is done in classes of the JDK; the
 * clerks happen to come one after the other.
 */
public final class MergedLists {
    private static final List<Integer> north = Collections.synchronizedList(new ArrayList<Integer>());
    private static final List<Integer> south = Collections.synchronizedList(new ArrayList<Integer>());
    private static volatile boolean merged;

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        north.add(1);
        south.add(2);
        Thread first = new Thread(() -> {
            north.addAll(south);
            merged = true;
        }, "first");
        Thread second = new Thread(() -> {
            while (!merged) {
                pause();
            }
            south.addAll(north);
        }, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("DONE");
    }
}
