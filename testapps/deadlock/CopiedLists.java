// @finds nothing

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** As MergedLists, but each clerk copies the other list first, and has let it go when he adds to his own. */
public final class CopiedLists {
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

    private static void add(List<Integer> to, List<Integer> from) {
        List<Integer> copy = new ArrayList<Integer>(from);
        to.addAll(copy);
    }

    public static void main(String[] args) throws InterruptedException {
        north.add(1);
        south.add(2);
        Thread first = new Thread(() -> {
            add(north, south);
            merged = true;
        }, "first");
        Thread second = new Thread(() -> {
            while (!merged) {
                pause();
            }
            add(south, north);
        }, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("DONE");
    }
}
