// What hands out nothing before it is started.
//
// @lock java.lang.Object
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Started$Channel.a
// @role take Started$Channel.b

import java.util.LinkedList;

/** What is started. */
public class Started {
    static class Channel {
        private final Object m = new Object();
        private final LinkedList<String> l = new LinkedList<>();
        private boolean c;
        private boolean r;

        void a(String s) {
            synchronized (m) {
                l.addLast(s);
                m.notify();
            }
        }

        String b(long t) throws InterruptedException {
            synchronized (m) {
                while (t != 0 && !c && (l.isEmpty() || !r)) {
                    if (t == -1) {
                        m.wait();
                    } else {
                        m.wait(t);
                        break;
                    }
                }
                if (c || !r || l.isEmpty()) {
                    return null;
                }
                return l.removeFirst();
            }
        }

        void d() {
            synchronized (m) {
                r = true;
                m.notifyAll();
            }
        }

        void e() {
            synchronized (m) {
                r = false;
                m.notifyAll();
            }
        }

        void f() {
            synchronized (m) {
                c = true;
                r = false;
                m.notifyAll();
            }
        }
    }

    static final Channel CHANNEL = new Channel();

    static void put(String s) {
        CHANNEL.a(s);
    }

    static String take(long t) throws InterruptedException {
        return CHANNEL.b(t);
    }

    public static void main(String[] args) throws InterruptedException {
        CHANNEL.d();
        Thread t = new Thread(() -> put(args[0]));
        t.start();
        take(args.length);
        CHANNEL.e();
        CHANNEL.f();
    }
}
