// @lock DispatchDesk$RadioChannel
// @type LOCK reentrant=false
// @role lock DispatchDesk$RadioChannel.key
// @role unlock DispatchDesk$RadioChannel.unkey
//
// @lock DispatchDesk$CallLog
// @type MUTEX
// @role enter DispatchDesk$CallLog.open
// @role enter DispatchDesk$CallLog.close
// @role enter DispatchDesk$CallLog.check

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An ambulance dispatch: one radio channel; emergencies are let on the air before routine traffic. */
public class DispatchDesk {

    /** Those who wait for the channel stand in one of two lines, each with a monitor of its own. */
    static class RadioChannel {
        private static class Line {
            int standing; // guarded by the channel
            int called;   // guarded by the line
        }

        private final Line urgent = new Line();
        private final Line routine = new Line();
        private boolean onAir;

        void key(boolean emergency) throws InterruptedException {
            Line line;
            synchronized (this) {
                if (!onAir) {
                    onAir = true;
                    return;
                }
                line = emergency ? urgent : routine;
                line.standing++;
            }
            synchronized (line) {
                while (line.called == 0)
                    line.wait();
                line.called--;
            }
        }

        void unkey() {
            Line next;
            synchronized (this) {
                next = urgent.standing > 0 ? urgent : routine;
                if (next.standing == 0) {
                    onAir = false;
                    return;
                }
                next.standing--; // the channel stays taken and goes to that line
            }
            synchronized (next) {
                next.called++;
                next.notify();
            }
        }
    }

    static class CallLog {
        private final List<String> openCalls = new ArrayList<>();
        private int count;

        synchronized void open(String call) throws InterruptedException {
            openCalls.add(call);
            flush();
            count++;
        }

        synchronized void close(String call) throws InterruptedException {
            if (!openCalls.remove(call))
                alarm = "unknown call " + call;
            flush();
            count--;
        }

        synchronized void check() {
            if (count != openCalls.size())
                alarm = "log says " + count + " calls, there are " + openCalls.size();
        }

        private void flush() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final RadioChannel channel = new RadioChannel();
    static final CallLog log = new CallLog();
    static final AtomicInteger speaking = new AtomicInteger();
    static final AtomicLong calls = new AtomicLong();
    static volatile String alarm;

    static class Crew extends Thread {
        private final Random random;

        Crew(int n) {
            super("crew-" + n);
            random = new Random(n * 31);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int n = 0; alarm == null; n++) {
                    String call = getName() + "/" + n;
                    log.open(call);
                    channel.key(random.nextInt(5) == 0);
                    try {
                        if (speaking.incrementAndGet() != 1)
                            alarm = "two crews on the air";
                        Thread.sleep(1 + random.nextInt(4));
                        speaking.decrementAndGet();
                    } finally {
                        channel.unkey();
                    }
                    log.close(call);
                    log.check();
                    calls.incrementAndGet();
                    Thread.sleep(2 + random.nextInt(9));
                }
            } catch (InterruptedException e) {
                alarm = getName() + " interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 1; i <= 5; i++)
            new Crew(i).start();
        System.out.println("READY");
        for (int i = 0; i < seconds * 20 && alarm == null; i++)
            Thread.sleep(50);
        if (alarm != null) {
            System.out.println("ALARM " + alarm);
            System.exit(1);
        }
        System.out.println("DONE " + calls.get());
        System.exit(0);
    }
}
