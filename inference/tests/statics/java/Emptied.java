// @lock Emptied$Behind
// @type PRODUCER-CONSUMER capacity=10
// @role put Emptied$Behind.a
// @role take Emptied$Behind.b
//
// @lock Emptied$Copied
// @type PRODUCER-CONSUMER capacity=7
// @role put Emptied$Copied.a
// @role take Emptied$Copied.b
//
// @lock Emptied$Turn
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Emptied$Turn.a
// @role take Emptied$Turn.b
//
// @lock Emptied$Idle
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Emptied$Idle.a
// @role take Emptied$Idle.b
//
// @lock Emptied$Members
// @type LATCH
// @role count-down Emptied$Members.a
// @role await Emptied$Members.b

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collections that are emptied in other ways than by a method of their own. */
public class Emptied {
    /** Numbers are put in and told to who puts them; another list takes the place of the full one. */
    static class Behind {
        private List<Long> l = new ArrayList<>();
        private long n;

        synchronized long a() throws InterruptedException {
            while (l.size() >= 10) wait();
            l.add(++n);
            notifyAll();
            return n;
        }

        synchronized List<Long> b() throws InterruptedException {
            while (l.isEmpty()) wait();
            List<Long> out = l;
            l = new ArrayList<>();
            notifyAll();
            return out;
        }
    }

    /** The same; a copy is taken. */
    static class Copied {
        private final List<Long> l = new ArrayList<>();
        private long n;

        synchronized long a() throws InterruptedException {
            while (l.size() >= 7) wait();
            l.add(++n);
            notifyAll();
            return n;
        }

        synchronized List<Long> b() throws InterruptedException {
            while (l.isEmpty()) wait();
            List<Long> out = new ArrayList<>(l);
            l.clear();
            notifyAll();
            return out;
        }
    }

    /** Whoever is in already is not put in again; the first is taken by an iterator. */
    static class Turn {
        private final Set<Object> s = new LinkedHashSet<>();

        synchronized void a(Object o) {
            if (s.add(o)) notify();
        }

        synchronized Object b() throws InterruptedException {
            while (s.isEmpty()) wait();
            Iterator<Object> i = s.iterator();
            Object o = i.next();
            i.remove();
            return o;
        }
    }

    /** The same with the values of a map. */
    static class Idle {
        private final Map<String, Object> m = new LinkedHashMap<>();

        synchronized void a(String k, Object o) {
            m.put(k, o);
            notify();
        }

        synchronized Object b() throws InterruptedException {
            while (m.isEmpty()) wait();
            Iterator<Object> i = m.values().iterator();
            Object o = i.next();
            i.remove();
            return o;
        }
    }

    /** They are only looked at. */
    static class Members {
        private final Set<Object> s = new LinkedHashSet<>();

        synchronized void a(Object o) {
            s.add(o);
            notifyAll();
        }

        synchronized int b() throws InterruptedException {
            while (s.isEmpty()) wait();
            int n = 0;
            for (Object o : s) n += o.hashCode();
            return n;
        }
    }

    static void put() throws InterruptedException {
        new Behind().a();
        new Copied().a();
        new Turn().a("x");
        new Idle().a("x", "y");
        new Members().a("x");
    }

    static void take() throws InterruptedException {
        new Behind().b();
        new Copied().b();
        new Turn().b();
        new Idle().b();
        new Members().b();
    }

    public static void main(String[] args) throws InterruptedException {
        put();
        take();
    }
}
