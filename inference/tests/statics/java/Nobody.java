// @lock Nobody$Floor
// @type LOCK
// @role lock Nobody$Floor.a
// @role unlock Nobody$Floor.b
//
// @lock Nobody$Rack
// @type PRODUCER-CONSUMER capacity=1
// @role put Nobody$Rack.a
// @role take Nobody$Rack.b

/** An object stands for nobody, or for nothing. */
public class Nobody {
    static class Who {
        final String n;

        Who(String n) {
            this.n = n;
        }
    }

    /** One at a time has it. */
    static class Floor {
        private static final Who NONE = new Who("-");
        private Who w = NONE;
        private int n;

        synchronized void a(Who s) throws InterruptedException {
            while (w != NONE) {
                n++;
                wait();
            }
            w = s;
        }

        synchronized void b(Who s) {
            if (w != s) throw new IllegalArgumentException(s.n);
            w = NONE;
            notifyAll();
        }
    }

    /** What is put there by one is taken by another. */
    static class Rack {
        private static final Who NONE = new Who("-");
        private Who w = NONE;

        synchronized void a(Who s) throws InterruptedException {
            while (w != NONE) wait();
            w = s;
            notifyAll();
        }

        synchronized Who b() throws InterruptedException {
            while (w == NONE) wait();
            Who s = w;
            w = NONE;
            notifyAll();
            return s;
        }
    }

    static void speak(Floor floor, Who who) throws InterruptedException {
        floor.a(who);
        try {
            System.out.println(who.n);
        } finally {
            floor.b(who);
        }
    }

    static void put(Rack rack) throws InterruptedException {
        rack.a(new Who("x"));
    }

    static void take(Rack rack) throws InterruptedException {
        System.out.println(rack.b().n);
    }

    public static void main(String[] args) throws InterruptedException {
        speak(new Floor(), new Who("y"));
        Rack rack = new Rack();
        put(rack);
        take(rack);
    }
}
