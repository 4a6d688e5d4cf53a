// @lock TurnedAway
// @type SEMAPHORE permits=3
// @role acquire TurnedAway.take
// @role release TurnedAway.give

/** Who waits may be turned away: that gives nobody anything. */
public final class TurnedAway {
    private int free = 3;
    private int generation;

    synchronized boolean take() throws InterruptedException {
        int before = generation;
        while (free == 0 && before == generation) {
            wait();
        }
        if (before != generation) {
            return false;
        }
        free--;
        return true;
    }

    synchronized void give() {
        free++;
        notify();
    }

    synchronized void turnAway() {
        generation++;
        notifyAll();
    }

    public static void main(String[] args) throws InterruptedException {
        TurnedAway door = new TurnedAway();
        if (door.take()) {
            door.give();
        }
        door.turnAway();
    }
}
