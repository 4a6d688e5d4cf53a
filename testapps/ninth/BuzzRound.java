// @lock BuzzRound
// @type CONDITION
// @role wait BuzzRound.say
// @role notify BuzzRound.say

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/** Fizz buzz with four threads, an interview question: each number is said by the one thread that it belongs to. */
public class BuzzRound {
    private int current = 1;
    private final int last;
    private final StringBuffer said = new StringBuffer();

    BuzzRound(int last) {
        this.last = last;
    }

    /** Says the numbers that are ours, until the round is over. */
    private boolean say(IntPredicate ours, String word) throws InterruptedException {
        synchronized (this) {
            while (current <= last && !ours.test(current)) {
                this.wait();
            }
            if (current > last) {
                return false;
            }
            said.append(word == null ? String.valueOf(current) : word).append(' ');
            current++;
            this.notifyAll();
            return true;
        }
    }

    static final AtomicLong rounds = new AtomicLong();
    static volatile BuzzRound round = new BuzzRound(60);
    static volatile String failed;

    static void player(IntPredicate ours, String word, int ms) {
        try {
            BuzzRound previous = null;
            while (failed == null) {
                BuzzRound r = round;
                if (r == previous) {
                    Thread.sleep(1);
                    continue;
                }
                int n = 0;
                while (r.say(ours, word)) {
                    if (n++ % 3 == 0) {
                        Thread.sleep(ms);
                    }
                }
                previous = r;
            }
        } catch (InterruptedException e) {
            failed = "interrupted";
        }
    }

    static String expected(int last) {
        StringBuilder b = new StringBuilder();
        for (int i = 1; i <= last; i++) {
            b.append(i % 15 == 0 ? "FizzBuzz" : i % 5 == 0 ? "Buzz" : i % 3 == 0 ? "Fizz" : String.valueOf(i)).append(' ');
        }
        return b.toString();
    }

    static void start(IntPredicate ours, String word, int ms) {
        Thread t = new Thread(() -> player(ours, word, ms), word == null ? "number" : word);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        start(i -> i % 3 == 0 && i % 5 != 0, "Fizz", 1);
        start(i -> i % 5 == 0 && i % 3 != 0, "Buzz", 2);
        start(i -> i % 15 == 0, "FizzBuzz", 3);
        start(i -> i % 3 != 0 && i % 5 != 0, null, 1);
        System.out.println("READY");
        String song = expected(60);
        while (System.currentTimeMillis() < end) {
            Thread.sleep(4);
            String heard = round.said.toString();
            if (!song.startsWith(heard)) {
                failed = heard;
            } else if (song.equals(heard)) {
                rounds.incrementAndGet();
                round = new BuzzRound(60);
            }
        }
        if (failed != null) {
            System.out.println("not fizz buzz: " + failed);
            System.exit(1);
        }
        System.out.println("DONE " + rounds);
    }
}
