// @lock Rates$Budget
// @type SEMAPHORE permits=1000 form=-
// @role acquire Rates$Budget.take
// @role release Rates$Budget.give
//
// @lock Rates$Bucket
// @type SEMAPHORE permits=10 form=rate-limiter
// @role acquire Rates$Bucket.take
// @role release Rates$Bucket.refill
//
// @lock Rates$Capped
// @type SEMAPHORE permits=10 form=rate-limiter
// @role acquire Rates$Capped.take
// @role release Rates$Capped.refill
//
// @lock Rates$Changed
// @type SEMAPHORE permits=10 form=rate-limiter
// @role acquire Rates$Changed.take
// @role release Rates$Changed.refill
//
// @lock Rates$Spent
// @type SEMAPHORE permits=10 form=rate-limiter
// @role acquire Rates$Spent.take
// @role release Rates$Spent.refill
//
// @lock Rates$Twice
// @type SEMAPHORE permits=10 form=-
// @role acquire Rates$Twice.take
// @role release Rates$Twice.give
//
// @lock Rates$Clamped
// @type SEMAPHORE permits=4 form=-
// @role acquire Rates$Clamped.in
// @role release Rates$Clamped.out
//
// @lock Rates$Rounds
// @type CONDITION
// @role wait Rates$Rounds.await
// @role notify Rates$Rounds.done
//
// @lock Rates$Flag
// @type SEMAPHORE
// @role acquire Rates$Flag.take
// @role release Rates$Flag.give
/** Permits that come again with time, and such that are given back. */
public class Rates {
    /** Each takes as much as he needs and gives it back. */
    static class Budget {
        private int used;

        synchronized void take(int n) throws InterruptedException {
            while (used + n > 1000) {
                wait();
            }
            used += n;
        }

        synchronized void give(int n) {
            used -= n;
            notifyAll();
        }
    }

    static class Bucket {
        private int tokens = 10;

        synchronized void take() throws InterruptedException {
            while (tokens == 0) {
                wait();
            }
            tokens--;
        }

        synchronized void refill() {
            tokens = Math.min(10, tokens + 2);
            notifyAll();
        }
    }

    /** Too many for a moment. */
    static class Capped {
        private int tokens = 10;

        synchronized void take() throws InterruptedException {
            while (tokens <= 0) {
                wait();
            }
            --tokens;
        }

        synchronized void refill() {
            tokens += 2;
            if (tokens > 10) {
                tokens = 10;
            }
            notifyAll();
        }
    }

    /** Tells only of what has come. */
    static class Changed {
        private int tokens = 10;

        synchronized void take() throws InterruptedException {
            while (tokens <= 0) {
                wait();
            }
            --tokens;
        }

        synchronized void refill() {
            int before = tokens;
            tokens = Math.min(10, tokens + 3);
            if (tokens != before) {
                notifyAll();
            }
        }
    }

    /** What is counted is gone. */
    static class Spent {
        private int spent;

        synchronized void take() throws InterruptedException {
            while (spent >= 10) {
                wait();
            }
            spent++;
        }

        synchronized void refill() {
            spent = Math.max(0, spent - 2);
            notifyAll();
        }
    }

    /** Two for one, without end. */
    static class Twice {
        private int left = 10;

        synchronized void take() throws InterruptedException {
            while (left == 0) {
                wait();
            }
            left--;
        }

        synchronized void give() {
            left += 2;
            notifyAll();
        }
    }

    /** Who gives back more than he has taken gives in vain. */
    static class Clamped {
        private int left = 4;

        synchronized void in() throws InterruptedException {
            while (left == 0) {
                wait();
            }
            left--;
        }

        synchronized void out() {
            left = Math.min(4, left + 1);
            notifyAll();
        }
    }

    static void work(Clamped clamped) throws InterruptedException {
        clamped.in();
        try {
            Thread.sleep(1);
        } finally {
            clamped.out();
        }
    }

    static void spend(Bucket bucket, Capped capped, Changed changed, Spent spent) throws InterruptedException {
        bucket.take();
        capped.take();
        changed.take();
        spent.take();
    }

    static void tick(Bucket bucket, Capped capped, Changed changed, Spent spent) {
        bucket.refill();
        capped.refill();
        changed.refill();
        spent.refill();
    }

    /** Who has waited for three begins to count anew. */
    static class Rounds {
        private int left = 3;

        synchronized void done() {
            if (left > 0 && --left == 0) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (left > 0) {
                wait();
            }
            left = 3;
        }
    }

    /** Set back by the one step by which others count. */
    static class Flag {
        private int there;

        synchronized void take() throws InterruptedException {
            while (there == 0) {
                wait();
            }
            there = 0;
        }

        synchronized void give() {
            if (there == 0) {
                there++;
                notify();
            }
        }
    }
}
