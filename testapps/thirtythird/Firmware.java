// @lock Firmware$EventGroup
// @type CONDITION
// @role wait Firmware$EventGroup.waitBits
// @role notify Firmware$EventGroup.setBits

// @lock Firmware$MsgQ
// @type PRODUCER-CONSUMER capacity=4
// @role put Firmware$MsgQ.send
// @role take Firmware$MsgQ.recv

// @lock Firmware$RecMutex
// @type LOCK reentrant=true
// @role lock Firmware$RecMutex.take
// @role unlock Firmware$RecMutex.give

// @lock Firmware$Tick
// @type DELAY
// @role delay Firmware$Tick.vTaskDelay

import java.util.concurrent.atomic.AtomicInteger;

/** The primitives of a small real-time kernel, in the manner of its C sources: bit groups, queues with ticks, a recursive mutex. */
public class Firmware {
    static final int BIT_RX = 1, BIT_TX = 1 << 1, BIT_ADC = 1 << 2;
    static final int FOREVER = Integer.MAX_VALUE;

    static class EventGroup {
        int bits;

        /* all bits of the mask; they are cleared on the way out */
        synchronized int waitBits(int mask) throws InterruptedException {
            while ((bits & mask) != mask)
                wait();
            int seen = bits;
            bits &= ~mask;
            return seen;
        }

        synchronized void setBits(int mask) {
            bits |= mask;
            notifyAll();
        }
    }

    static class MsgQ {
        final int[] mem = new int[4];
        int rd, wr, used;

        synchronized boolean send(int msg, int ticks) throws InterruptedException {
            while (used == mem.length) {
                if (ticks == 0)
                    return false;
                if (ticks == FOREVER) {
                    wait();
                } else {
                    wait(1);
                    ticks--;
                }
            }
            mem[wr] = msg;
            wr = (wr + 1) & 3;
            used++;
            notifyAll();
            return true;
        }

        synchronized int recv(int ticks) throws InterruptedException {
            while (used == 0) {
                if (ticks == 0)
                    return -1;
                if (ticks == FOREVER) {
                    wait();
                } else {
                    wait(1);
                    ticks--;
                }
            }
            int msg = mem[rd];
            rd = (rd + 1) & 3;
            used--;
            notifyAll();
            return msg;
        }
    }

    static class RecMutex {
        Thread owner;
        int nest;

        void take() throws InterruptedException {
            Thread me = Thread.currentThread();
            synchronized (this) {
                if (owner == me) {
                    nest++;
                    return;
                }
                while (owner != null)
                    wait();
                owner = me;
                nest = 1;
            }
        }

        void give() {
            synchronized (this) {
                if (owner != Thread.currentThread())
                    throw new IllegalMonitorStateException();
                if (--nest == 0) {
                    owner = null;
                    notify();
                }
            }
        }
    }

    /* one per task */
    static class Tick {
        synchronized void vTaskDelay(int ms) throws InterruptedException {
            long until = System.nanoTime() + ms * 1000000L;
            long left;
            while ((left = until - System.nanoTime()) > 0)
                wait(left / 1000000L + 1);
        }
    }

    static final EventGroup events = new EventGroup();
    static final MsgQ queue = new MsgQ();
    static final RecMutex spi = new RecMutex();
    static final AtomicInteger onBus = new AtomicInteger();
    static final AtomicInteger sent = new AtomicInteger();
    static final AtomicInteger got = new AtomicInteger();
    static volatile String panic;

    static void transfer(int depth) throws InterruptedException {
        spi.take();
        try {
            if (depth == 0) {
                if (onBus.incrementAndGet() != 1)
                    panic = "two on the bus";
                Thread.sleep(1);
                onBus.decrementAndGet();
            } else {
                transfer(depth - 1);
            }
        } finally {
            spi.give();
        }
    }

    interface Task {
        void loop(Tick tick, int n) throws InterruptedException;
    }

    static void xTaskCreate(String name, Task task) {
        Thread t = new Thread(() -> {
            Tick tick = new Tick();
            try {
                for (int n = 0; panic == null; n++)
                    task.loop(tick, n);
            } catch (InterruptedException e) {
                panic = name;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        xTaskCreate("isr-rx", (k, n) -> { k.vTaskDelay(3); events.setBits(BIT_RX); });
        xTaskCreate("isr-tx", (k, n) -> { k.vTaskDelay(5); events.setBits(BIT_TX); });
        xTaskCreate("isr-adc", (k, n) -> { k.vTaskDelay(7); events.setBits(BIT_ADC); });
        xTaskCreate("net", (k, n) -> {
            if ((events.waitBits(BIT_RX | BIT_TX) & (BIT_RX | BIT_TX)) != (BIT_RX | BIT_TX))
                panic = "woken without the bits";
            for (int i = 0; i < 6; i++)
                if (queue.send(i, FOREVER))
                    sent.incrementAndGet();
            transfer(n % 3);
        });
        xTaskCreate("analog", (k, n) -> {
            events.waitBits(BIT_ADC);
            if (queue.send(100 + n, 3))
                sent.incrementAndGet();
            transfer(1);
        });
        for (int i = 0; i < 2; i++)
            xTaskCreate("log-" + i, (k, n) -> {
                if (queue.recv(n % 4 == 3 ? 4 : FOREVER) >= 0)
                    got.incrementAndGet();
                transfer(n % 2);
            });
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        int lead = sent.get() - got.get();
        if (panic == null && (lead < -8 || lead > 12))
            panic = "messages lost: " + lead;
        if (panic != null) {
            System.out.println(panic);
            System.exit(1);
        }
        System.out.println("DONE " + got);
    }
}
