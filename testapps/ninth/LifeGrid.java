// @lock LifeGrid$World
// @type BARRIER parties=3
// @role arrive LifeGrid$Rendezvous.meet

/** The game of life on a torus in three bands; the meeting of the threads is a base class that lets the last one turn the page. */
public class LifeGrid {
    static abstract class Rendezvous {
        private final int parties;
        private int missing;
        private int generation;

        Rendezvous(int parties) {
            this.parties = parties;
            this.missing = parties;
        }

        final int meet() throws InterruptedException {
            synchronized (this) {
                final int mine = generation;
                missing--;
                if (missing == 0) {
                    onComplete(mine);
                    missing = parties;
                    generation = mine + 1;
                    notifyAll();
                    return mine;
                }
                while (generation == mine) {
                    wait();
                }
                return mine;
            }
        }

        protected abstract void onComplete(int generation);
    }

    static class World extends Rendezvous {
        static final int SIZE = 18;
        private boolean[][] now = new boolean[SIZE][SIZE];
        private boolean[][] next = new boolean[SIZE][SIZE];
        volatile String error;
        volatile int done;

        World() {
            super(3);
            now[0][1] = now[1][2] = now[2][0] = now[2][1] = now[2][2] = true;
        }

        @Override
        protected void onComplete(int generation) {
            boolean[][] page = now;
            now = next;
            next = page;
            int alive = 0;
            for (boolean[] row : now) {
                for (boolean cell : row) {
                    alive += cell ? 1 : 0;
                }
            }
            if (alive != 5) {
                error = "the glider fell apart in generation " + generation;
            }
            done = generation + 1;
        }

        void band(int from, int to) {
            for (int y = from; y < to; y++) {
                for (int x = 0; x < SIZE; x++) {
                    int n = 0;
                    for (int k = 0; k < 9; k++) {
                        if (k != 4 && now[(y + k / 3 - 1 + SIZE) % SIZE][(x + k % 3 - 1 + SIZE) % SIZE]) {
                            n++;
                        }
                    }
                    next[y][x] = n == 3 || n == 2 && now[y][x];
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final World world = new World();
        for (int i = 0; i < 3; i++) {
            final int from = i * 6;
            Thread t = new Thread("band " + i) {
                @Override
                public void run() {
                    try {
                        for (int g = 0; world.error == null; g++) {
                            world.band(from, from + 6);
                            Thread.sleep((g + from) % 4);
                            if (world.meet() != g) {
                                world.error = "bands in different generations";
                            }
                        }
                    } catch (InterruptedException e) {
                        world.error = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (world.error != null) {
            System.out.println(world.error);
            System.exit(1);
        }
        System.out.println("DONE " + world.done);
    }
}
