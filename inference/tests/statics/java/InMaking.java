// @lock InMaking$Store
// @type LATCH count=1
// @role count-down InMaking$Store.c
// @role await InMaking$Store.d
// @role await InMaking$Store.e
//
// @lock InMaking$Alarm
// @type CONDITION
// @role wait InMaking$Alarm.f
// @role notify InMaking$Alarm.h

import java.util.HashMap;
import java.util.Map;

/** A flag that only the constructor sets back, and one that is set back come what may. */
public final class InMaking {
    private InMaking() {}

    /** Loaded once. */
    static final class Store {
        private boolean loaded;
        private Map<String, Object> all;

        Store() {
            b();
        }

        private void b() {
            synchronized (this) {
                loaded = false;
            }
            new Thread(() -> {
                c();
                rests();
            }, "store").start();
        }

        private static void rests() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void c() {
            synchronized (this) {
                if (loaded) {
                    return;
                }
                all = new HashMap<>();
                loaded = true;
                notifyAll();
            }
        }

        private void awaits() {
            while (!loaded) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        String d(String key, String other) {
            synchronized (this) {
                awaits();
                Object value = all.get(key);
                return value == null ? other : (String) value;
            }
        }

        int e(String key) {
            synchronized (this) {
                awaits();
                Integer value = (Integer) all.get(key);
                return value == null ? 0 : value;
            }
        }
    }

    /** Who waits goes on after a while, called or not. */
    static final class Alarm {
        private boolean called;
        private boolean held;
        private long next;

        synchronized void f(long millis) throws InterruptedException {
            while (held) {
                wait(1000);
            }
            if (!called) {
                wait(millis);
            }
            called = false;
        }

        synchronized void g(long at) {
            called = true;
            next = at;
            notifyAll();
        }

        synchronized void h(boolean holds) {
            held = holds;
            if (!holds) {
                notifyAll();
            }
        }
    }
}
