// Locks by names that are kept in a set; and a flag, which is no number of those who share.
//
// @lock Named$Names
// @type LOCK reentrant=true
// @role lock Named$Names.a
// @role unlock Named$Names.b
//
// @lock Named$Page
// @type LOCK
// @role lock Named$Page.a
// @role unlock Named$Page.b

import java.util.HashSet;

/** Names and pages. */
public class Named {
    /** Locks by their names; whoever has one already goes on. */
    static class Names {
        private final ThreadLocal<HashSet<String>> own = new ThreadLocal<>();
        private final HashSet<String> held = new HashSet<>();

        private HashSet<String> own() {
            HashSet<String> mine = own.get();
            if (mine == null) {
                mine = new HashSet<>();
                own.set(mine);
            }
            return mine;
        }

        synchronized void a(String name) throws InterruptedException {
            name = name.intern();
            if (!own().contains(name)) {
                while (held.contains(name)) {
                    wait();
                }
                own().add(name);
                held.add(name);
            }
        }

        synchronized void b(String name) {
            name = name.intern();
            if (own().remove(name)) {
                held.remove(name);
                notifyAll();
            }
        }
    }

    /** A page with an owner, which one who cleans keeps out of while he writes it. */
    static class Page {
        private Object owner;
        private boolean cleaning;

        synchronized void a(Object me) throws InterruptedException {
            while (owner != null) {
                wait();
            }
            owner = me;
            while (cleaning) {
                wait();
            }
        }

        synchronized void b() {
            owner = null;
            notifyAll();
        }

        void c() throws InterruptedException {
            synchronized (this) {
                cleaning = true;
                while (owner != null) {
                    wait();
                }
            }
            synchronized (this) {
                cleaning = false;
                notifyAll();
            }
        }
    }

    static void use(Names n, Page p) throws InterruptedException {
        n.a("x");
        p.a(n);
        n.b("x");
        p.b();
    }
}
