/** Two threads hand a turn back and forth as fast as they can; prints how often, ten times a second. */
public class Storm {
    private static final Object TURN = new Object();
    private static int turn;
    private static volatile long handed;

    private static void play(int me) throws InterruptedException {
        while (true) {
            synchronized (TURN) {
                while (turn != me) {
                    TURN.wait();
                }
                turn = 1 - me;
                handed++;
                TURN.notify();
            }
        }
    }

    private static void start(int me) {
        Thread player = new Thread(() -> {
            try {
                play(me);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "player-" + me);
        player.setDaemon(true);
        player.start();
    }

    public static void main(String[] args) throws InterruptedException {
        start(0);
        start(1);
        System.out.println("ready");
        while (true) {
            Thread.sleep(100);
            System.out.println(handed);
        }
    }
}
