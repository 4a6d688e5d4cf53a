// @lock TreeMeet$Node
// @type BARRIER parties=2
// @role arrive TreeMeet$Node.climb

import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A combining-tree barrier: pairs meet at a node, the second of each pair climbs on with the monitor still held. */
public class TreeMeet {
    static final class Node {
        private final Node parent;
        private int here;
        private long round;

        Node(Node parent) {
            this.parent = parent;
        }

        void climb() throws InterruptedException {
            synchronized (this) {
                if (++here == 2) {
                    here = 0;
                    if (parent != null) {
                        parent.climb();
                    }
                    round++;
                    notifyAll();
                } else {
                    long r = round;
                    while (r == round) {
                        wait();
                    }
                }
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        final long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final int threads = 8;
        Node root = new Node(null);
        Node[] mid = {new Node(root), new Node(root)};
        final Node[] leaf = new Node[threads / 2];
        for (int i = 0; i < leaf.length; i++) {
            leaf[i] = new Node(mid[i / 2]);
        }
        final AtomicIntegerArray step = new AtomicIntegerArray(threads);
        final boolean[] wrong = new boolean[1];
        for (int i = 0; i < threads; i++) {
            final int me = i;
            Thread t = new Thread("leaf-" + me) {
                private final Random rnd = new Random(me);

                @Override
                public void run() {
                    try {
                        while (true) {
                            sleep(rnd.nextInt(5));
                            int mine = step.incrementAndGet(me);
                            leaf[me / 2].climb();
                            for (int k = 0; k < threads; k++) {
                                if (step.get(k) < mine || step.get(k) > mine + 1) {
                                    wrong[0] = true;
                                }
                            }
                        }
                    } catch (InterruptedException e) {
                        wrong[0] = true;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (wrong[0]) {
            System.out.println("somebody ran ahead");
            System.exit(1);
        }
        System.out.println("DONE " + step.get(0));
    }
}
