// Flags that are set where nobody has the lock.
//
// @lock Outside$Pause
// @type CONDITION form=resettable-event
// @role wait Outside$Pause.a
// @role notify Outside$Pause.c
//
// @lock Outside$Stop
// @type LATCH count=1
// @role await Outside$Stop.a
// @role count-down Outside$Stop.b

/** Flags that are set where nobody has the lock. */
public class Outside {
    /** Who makes a pause needs no lock for that, who ends it tells. */
    static class Pause {
        private volatile boolean paused;

        synchronized void a() throws InterruptedException {
            while (paused) {
                wait();
            }
        }

        void b() {
            paused = true;
        }

        synchronized void c() {
            paused = false;
            notifyAll();
        }
    }

    /** What is set without the lock is what is waited for. */
    static class Stop {
        private volatile boolean done;

        synchronized void a() throws InterruptedException {
            while (!done) {
                wait();
            }
        }

        synchronized void b() {
            done = true;
            notifyAll();
        }

        void c() {
            done = true;
        }
    }

    static void use(Pause pause, Stop stop) throws InterruptedException {
        pause.b();
        pause.c();
        stop.c();
        stop.b();
        pause.a();
        stop.a();
    }
}
