import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops threads that park as fast as they can, one after the other, and says of how many the stop was not heard.
 * Written for JDK 8; from JDK 20 on no thread can be stopped, and 26 has no such method.
 */
public final class StoppedParks {
    static final int THREADS = 300;
    static volatile boolean goesOn;
    static volatile boolean parking;

    static final class Stopped extends Thread {
        volatile boolean heard;

        @Override
        public void run() {
            try {
                while (goesOn) {
                    LockSupport.unpark(this);
                    LockSupport.park(this);
                    parking = true;
                }
            } catch (ThreadDeath death) {
                heard = true;
            }
        }
    }

    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Exception {
        Method stop = Thread.class.getMethod("stop");
        int unheard = 0;
        for (int n = 0; n < THREADS; n++) {
            goesOn = true;
            parking = false;
            Stopped thread = new Stopped();
            thread.start();
            while (!parking) {
                Thread.yield();
            }
            stop.invoke(thread);
            thread.join(500);
            goesOn = false;
            thread.join();
            unheard += thread.heard ? 0 : 1;
        }
        System.out.println("UNHEARD " + unheard);
    }
}
