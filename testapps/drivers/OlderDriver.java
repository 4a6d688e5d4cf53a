import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.MessageDispatchChannel;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.thread.Valve;
import org.apache.avalon.excalibur.concurrent.ConditionalEvent;
import org.apache.avalon.excalibur.concurrent.DijkstraSemaphore;
import org.apache.avalon.excalibur.concurrent.Lock;
import org.apache.avalon.excalibur.concurrent.Semaphore;
import org.apache.avalon.excalibur.concurrent.ThreadBarrier;
import org.apache.commons.collections.Buffer;
import org.apache.commons.collections.buffer.BlockingBuffer;
import org.apache.commons.collections.buffer.BoundedBuffer;
import org.apache.commons.collections.buffer.UnboundedFifoBuffer;
import org.apache.commons.transaction.locking.ReadWriteLock;
import org.apache.commons.transaction.util.PrintWriterLogger;
import org.apache.tomcat.util.threads.ThreadPool;
import org.apache.tomcat.util.threads.ThreadPoolRunnable;
import org.jgroups.util.Promise;
import org.jgroups.util.Queue;
import org.mortbay.thread.QueuedThreadPool;

/**
 * Libraries that wrote their own synchronisers when there was nothing else: Avalon Excalibur, commons-collections and
 * commons-transaction, JGroups, ActiveMQ, Tomcat 5.5, Jetty 6. What their locks are stands in {@code OlderDriver.locks};
 * needs the jars of {@code fetch older}.
 */
public final class OlderDriver {
    private static final int PERMITS = 3;
    private static final int CAPACITY = 3;
    private static final int PARTIES = 3;

    private final List<Load.Task> threads = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        OlderDriver driver = new OlderDriver();
        driver.excalibur();
        driver.buffers();
        driver.transactions();
        driver.groups();
        driver.messages();
        driver.pools();
        Load.run(args, driver.threads.size(), driver.threads::get);
    }

    private void start(int count, Load.Task task) {
        for (int i = 0; i < count; i++) {
            threads.add(task);
        }
    }

    private void held(int count, Load.Task take, Load.Task give) {
        start(count, () -> {
            take.run();
            Pause.work();
            give.run();
            Pause.rest();
        });
    }

    private void passed(Load.Task put, Load.Task take) {
        start(2, () -> {
            put.run();
            Pause.rest();
        });
        start(2, () -> {
            take.run();
            Pause.rest();
        });
    }

    private void excalibur() {
        Lock lock = new Lock();
        held(4, lock::lock, lock::unlock);
        Semaphore semaphore = new Semaphore(PERMITS);
        held(5, semaphore::acquire, semaphore::release);
        DijkstraSemaphore capped = new DijkstraSemaphore(PERMITS);
        held(5, capped::acquire, capped::release);
        org.apache.avalon.excalibur.concurrent.ReadWriteLock shared =
                new org.apache.avalon.excalibur.concurrent.ReadWriteLock();
        held(3, shared::acquireRead, shared::release);
        held(2, shared::acquireWrite, shared::release);
        ThreadBarrier barrier = new ThreadBarrier(PARTIES);
        start(PARTIES, () -> {
            Pause.rest();
            barrier.barrierSynchronize();
        });
        ConditionalEvent event = new ConditionalEvent(false);
        start(3, () -> {
            event.waitForSignal();
            Pause.rest();
        });
        start(1, () -> {
            event.signalAll();
            Pause.work();
            event.reset();
            Pause.rest();
        });
    }

    private void buffers() {
        Buffer blocking = BlockingBuffer.decorate(new UnboundedFifoBuffer());
        passed(() -> blocking.add("thing"), blocking::remove);
        Buffer bounded = BoundedBuffer.decorate(new UnboundedFifoBuffer(), CAPACITY, 60_000);
        start(3, () -> {
            bounded.add("thing");
            Pause.work();
        });
        start(1, () -> {
            while (bounded.isEmpty()) {
                Pause.work();
            }
            bounded.remove();
            Pause.work();
        });
    }

    private void transactions() {
        ReadWriteLock lock = new ReadWriteLock("table", new PrintWriterLogger(new PrintWriter(System.err), "locks", false));
        start(3, () -> {
            lock.acquireRead(Thread.currentThread(), 60_000);
            Pause.work();
            lock.release(Thread.currentThread());
            Pause.rest();
        });
        start(2, () -> {
            lock.acquireWrite(Thread.currentThread(), 60_000);
            Pause.work();
            lock.release(Thread.currentThread());
            Pause.rest();
        });
    }

    private void groups() {
        Queue queue = new Queue();
        passed(() -> queue.add("message"), queue::remove);
        Promise promise = new Promise();
        start(1, () -> {
            promise.getResult(0);
            Pause.work();
        });
        start(1, () -> {
            Pause.rest();
            promise.setResult("done");
        });
    }

    private void messages() {
        MessageDispatchChannel channel = new MessageDispatchChannel();
        channel.start();
        passed(() -> channel.enqueue(new MessageDispatch()), () -> channel.dequeue(-1));
        Valve valve = new Valve(true);
        held(3, valve::increment, valve::decrement);
        held(1, valve::turnOff, valve::turnOn);
    }

    private void pools() throws Exception {
        ThreadPool tomcat = new ThreadPool();
        tomcat.setMaxThreads(10);
        tomcat.start();
        ThreadPoolRunnable job = new ThreadPoolRunnable() {
            @Override
            public Object[] getInitData() {
                return null;
            }

            @Override
            public void runIt(Object[] data) {
                Pause.rest();
                Pause.rest();
            }
        };
        start(8, () -> {
            tomcat.runIt(job);
            Pause.work();
        });
        QueuedThreadPool jetty = new QueuedThreadPool(3);
        jetty.setMinThreads(3);
        jetty.start();
        start(3, () -> {
            jetty.dispatch(Pause::work);
            Pause.rest();
        });
    }
}
