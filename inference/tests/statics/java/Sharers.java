import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

// @lock Sharers$A
// @type READ-WRITE reentrant=false
// @role write-lock Sharers$A.a
// @role read-lock Sharers$A.b
// @role read-unlock Sharers$A.c
// @role write-unlock Sharers$A.c
//
// @lock Sharers$B
// @type READ-WRITE
// @role read-lock Sharers$C.a
// @role write-lock Sharers$C.a
// @role read-unlock Sharers$C.b
// @role write-unlock Sharers$C.b
//
// @lock Sharers$D
// @type READ-WRITE
// @role read-lock Sharers$D.a
// @role read-unlock Sharers$D.b
// @role write-lock Sharers$D.c
// @role write-lock Sharers$D.d
// @role write-unlock Sharers$D.e
// @role write-unlock Sharers$D.f
//
// @lock Sharers$E
// @type LOCK
// @role lock Sharers$E.c
// @role unlock Sharers$E.f

/** Shared and exclusive use that is not two numbers with two ways out. */
public class Sharers {
    /** One number: how often it was written, whether somebody writes, how many read; what was got is given back. */
    static class A {
        private long x = 1024;
        synchronized long a() throws InterruptedException {
            while ((x & 511) != 0) wait();
            return x += 256;
        }
        synchronized long b() throws InterruptedException {
            while ((x & 256) != 0 || (x & 255) == 255) wait();
            return ++x;
        }
        synchronized void c(long y) {
            if ((x & 256) != 0) {
                if (x != y) throw new IllegalMonitorStateException();
                x += 256;
                notifyAll();
            } else if (((--x) & 255) == 0) {
                notifyAll();
            }
        }
    }

    static final class B {
        final Set<C> x = new HashSet<>();
        C y;
        int z;
    }

    /** Takes rows for itself or with others, keeps them, and gives all back at its end. */
    static final class C {
        final List<B> x = new ArrayList<>();
        void a(B r, boolean w) throws InterruptedException {
            synchronized (r) {
                r.z++;
                if (w) {
                    while ((r.y != null && r.y != this) || r.x.size() > (r.x.contains(this) ? 1 : 0)) r.wait();
                    r.y = this;
                } else {
                    while (r.y != null && r.y != this) r.wait();
                    r.x.add(this);
                }
                r.z--;
            }
            x.add(r);
        }
        void b() {
            for (B r : x) {
                synchronized (r) {
                    r.x.remove(this);
                    if (r.y == this) r.y = null;
                    if (r.z > 0) r.notifyAll();
                }
            }
            x.clear();
        }
    }

    /** One is beside the others, and may come to be alone for a while. */
    static class D {
        private int x;
        private Thread y;
        private boolean z;
        synchronized void a() throws InterruptedException {
            while (z) wait();
            x++;
        }
        synchronized void b() {
            if (--x == 0) notifyAll();
        }
        synchronized void c() throws InterruptedException {
            while (y != null) wait();
            y = Thread.currentThread();
        }
        synchronized void d() throws InterruptedException {
            z = true;
            while (x > 0) wait();
        }
        synchronized void e() {
            z = false;
            notifyAll();
        }
        synchronized void f() {
            y = null;
            notifyAll();
        }
    }

    /** The same steps, but who comes to be alone need not be the one. */
    static class E {
        private int x;
        private Thread y;
        private boolean z;
        synchronized void a() throws InterruptedException {
            while (z) wait();
            x++;
        }
        synchronized void b() {
            if (--x == 0) notifyAll();
        }
        synchronized void c() throws InterruptedException {
            while (y != null) wait();
            y = Thread.currentThread();
        }
        synchronized void d() throws InterruptedException {
            z = true;
            while (x > 0) wait();
        }
        synchronized void e() {
            z = false;
            notifyAll();
        }
        synchronized void f() {
            y = null;
            notifyAll();
        }
    }

    static void use(A a, B b, D d, E e) throws InterruptedException {
        long s = a.a();
        a.c(s);
        s = a.b();
        a.c(s);
        C c = new C();
        c.a(b, s > 3);
        c.a(b, true);
        c.b();
        d.a();
        d.b();
        d.c();
        if (s > 7) {
            d.d();
            d.e();
        }
        d.f();
        e.a();
        e.b();
        e.c();
        e.f();
        e.d();
        e.e();
    }
}
