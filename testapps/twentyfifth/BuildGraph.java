// A build tool: goals are split into targets, workers build whatever is ready, each target has a result to wait for.
// @lock BuildGraph$Result
// @type LATCH count=1 form=future
// @role count-down BuildGraph$Result.settle
// @role await BuildGraph$Result.get
//
// @lock java.util.ArrayDeque
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put BuildGraph$Ready.submit
// @role take BuildGraph$Ready.next
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class BuildGraph {
    static final AtomicLong built = new AtomicLong();

    static final class Result<T> {
        private enum State { OPEN, OK, FAILED }

        private State state = State.OPEN;
        private T value;
        private Exception why;

        void settle(T v, Exception e) {
            synchronized (this) {
                if (state != State.OPEN) return;
                value = v;
                why = e;
                state = e == null ? State.OK : State.FAILED;
                notifyAll();
            }
        }

        T get() throws Exception {
            synchronized (this) {
                while (state == State.OPEN) wait();
                if (state == State.FAILED) throw why;
                return value;
            }
        }
    }

    static final class Target {
        final String path;
        final int weight;
        final Result<Integer> result = new Result<>();
        Target(String path, int weight) { this.path = path; this.weight = weight; }
    }

    static final class Ready {
        private final ArrayDeque<Target> line = new ArrayDeque<>();

        void submit(Target t) {
            synchronized (line) {
                if (t.weight > 4) line.addFirst(t); else line.addLast(t);
                line.notify();
            }
        }

        Target next() throws InterruptedException {
            synchronized (line) {
                Target t;
                while ((t = line.poll()) == null) line.wait();
                return t;
            }
        }
    }

    static final class BuildException extends Exception {
        private static final long serialVersionUID = 1L;
        BuildException(String m) { super(m); }
    }

    static void stop(String m) { System.out.println(m); System.exit(1); }

    static void worker(Ready r) {
        try {
            for (;;) {
                Target t = r.next();
                Thread.sleep(1 + t.weight / 2);
                if (t.weight == 5) t.result.settle(null, new BuildException(t.path));
                else t.result.settle(t.path.length(), null);
                built.incrementAndGet();
            }
        } catch (InterruptedException e) { stop("worker interrupted"); }
    }

    static void goal(Ready r, String name) {
        for (int n = 0; ; n++) {
            List<Target> ts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Target t = new Target(name + "/m" + n + "/" + i, ThreadLocalRandom.current().nextInt(6));
                ts.add(t);
                r.submit(t);
            }
            for (Target t : ts) {
                try {
                    if (t.result.get() != t.path.length()) stop("wrong artefact");
                    if (t.weight == 5) stop("failure not seen");
                } catch (BuildException e) {
                    if (t.weight != 5 || !e.getMessage().equals(t.path)) stop("failed without a reason");
                } catch (Exception e) { stop("goal " + e); }
            }
            try { Thread.sleep(6); } catch (InterruptedException e) { stop("goal interrupted"); }
        }
    }

    static void start(String n, Runnable r) {
        Thread t = new Thread(r, n);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Ready r = new Ready();
        for (int i = 0; i < 4; i++) start("worker-" + i, () -> worker(r));
        for (String g : new String[] {"core", "web", "docs"}) start("goal-" + g, () -> goal(r, g));
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + built.get());
    }
}
