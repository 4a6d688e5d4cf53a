// @lock ServiceLifecycle$StateMachine
// @type CONDITION
// @role wait ServiceLifecycle$StateMachine.awaitState
// @role notify ServiceLifecycle$StateMachine.transition
//
// @lock ServiceLifecycle$Acceptor
// @type JOIN
// @role join ServiceLifecycle$Service.doStop

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Services that are restarted all day: clients wait for the state they need, and stopping waits for the end of the acceptor thread. */
public final class ServiceLifecycle {
    enum State { NEW, STARTING, RUNNING, STOPPING }

    static final class StateMachine {
        private static final Map<State, Set<State>> ALLOWED = new EnumMap<>(State.class);

        static {
            ALLOWED.put(State.NEW, EnumSet.of(State.STARTING));
            ALLOWED.put(State.STARTING, EnumSet.of(State.RUNNING, State.STOPPING));
            ALLOWED.put(State.RUNNING, EnumSet.of(State.STOPPING));
            ALLOWED.put(State.STOPPING, EnumSet.of(State.NEW));
        }

        private final Object monitor = this;
        private State current = State.NEW;
        private int starts;

        boolean awaitState(State wanted, long millis) throws InterruptedException {
            final long deadline = System.nanoTime() + millis * 1_000_000;
            synchronized (monitor) {
                while (current != wanted) {
                    long remaining = (deadline - System.nanoTime()) / 1_000_000;
                    if (remaining <= 0) {
                        return false;
                    }
                    monitor.wait(remaining);
                }
                return true;
            }
        }

        void transition(State next) {
            synchronized (monitor) {
                if (!ALLOWED.get(current).contains(next)) {
                    throw new IllegalStateException(current + " -> " + next);
                }
                current = next;
                if (next == State.STARTING) {
                    starts++;
                }
                monitor.notifyAll();
            }
        }

        int starts() {
            synchronized (monitor) {
                return starts;
            }
        }
    }

    static final class Acceptor extends Thread {
        private volatile boolean stopping;
        private long accepted;

        @Override
        public void run() {
            try {
                do {
                    accepted++;
                    sleep(1);
                } while (!stopping);
                sleep(ThreadLocalRandom.current().nextInt(3));
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    abstract static class Service {
        final StateMachine state = new StateMachine();

        final void start() throws InterruptedException {
            state.transition(State.STARTING);
            doStart();
            state.transition(State.RUNNING);
        }

        final void stop() throws InterruptedException {
            state.transition(State.STOPPING);
            doStop();
            state.transition(State.NEW);
        }

        private Acceptor acceptor;

        protected void doStart() throws InterruptedException {
            acceptor = new Acceptor();
            acceptor.setDaemon(true);
            acceptor.start();
        }

        protected void doStop() throws InterruptedException {
            Acceptor ending = acceptor;
            ending.stopping = true;
            synchronized (ending) {
                while (ending.isAlive()) {
                    ending.wait();
                }
            }
            if (ending.accepted == 0) {
                failure = "an acceptor was not waited for";
            }
            acceptor = null;
        }
    }

    static final class HttpService extends Service {
        @Override
        protected void doStart() throws InterruptedException {
            super.doStart();
            Thread.sleep(1);
        }
    }

    static final class MailService extends Service {
    }

    private static final AtomicLong served = new AtomicLong();
    private static volatile String failure;

    private static void operate(Service service) {
        try {
            while (failure == null) {
                service.start();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
                service.stop();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            failure = e.getMessage();
        }
    }

    private static void use(Service service, State wanted) {
        try {
            while (failure == null) {
                if (service.state.awaitState(wanted, 2000)) {
                    served.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Service[] services = {new HttpService(), new MailService(), new HttpService()};
        for (Service s : services) {
            run(() -> operate(s), "operator");
            run(() -> use(s, State.RUNNING), "client");
            run(() -> use(s, State.RUNNING), "client");
            run(() -> use(s, State.NEW), "upgrader");
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (Service s : services) {
            if (s.state.starts() == 0) {
                failure = "a service was never started";
            }
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + served);
    }

    private static void run(Runnable body, String name) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }
}
