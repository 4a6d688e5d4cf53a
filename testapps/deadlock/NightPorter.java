// @finds unserved-waiter T4

/** A guest rings for the night porter and sits down until he is called. Nobody writes down that the room is ready: whoever sits down later than the call sits there until morning. */
public final class NightPorter {
    interface Lobby {
        void await() throws InterruptedException;

        void call();
    }

    private static final class Bench implements Lobby {
        @Override
        public synchronized void await() throws InterruptedException {
            wait();
        }

        @Override
        public synchronized void call() {
            notifyAll();
        }
    }

    /** The porter comes when the guest has sat down, which nothing of theirs makes him do. */
    static void run(Lobby lobby) throws InterruptedException {
        Thread guest = new Thread(() -> {
            try {
                lobby.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "guest");
        guest.start();
        while (guest.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        Thread porter = new Thread(lobby::call, "porter");
        porter.start();
        porter.join();
        guest.join();
        System.out.println("DONE");
    }

    public static void main(String[] args) throws InterruptedException {
        run(new Bench());
    }
}
