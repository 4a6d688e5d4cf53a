import java.util.concurrent.CyclicBarrier;

/** Two classes whose initialisers need each other, first used by two threads at the same time. */
public final class InitRing {
    static final CyclicBarrier BOTH = new CyclicBarrier(2);

    static final class Menu {
        static final int DISHES;

        static {
            Meeting.of(BOTH);
            DISHES = Kitchen.COOKS + 1;
        }
    }

    static final class Kitchen {
        static final int COOKS;

        static {
            Meeting.of(BOTH);
            COOKS = Menu.DISHES + 1;
        }
    }

    public static void main(String[] args) {
        Stage stage = new Stage();
        stage.start("waiter", () -> System.out.println(Menu.DISHES));
        stage.start("cook", () -> System.out.println(Kitchen.COOKS));
        Stage.ready();
    }
}
