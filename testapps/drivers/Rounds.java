import java.util.List;
import java.util.function.Supplier;

/** One thread makes an opening, lets three others come to it, opens it when some are there, and makes the next. */
final class Rounds<T> {
    /** What one does to an opening. */
    interface Act<T> {
        void to(T opening) throws Exception;
    }

    private final T opening;
    private volatile Rounds<T> next;

    private Rounds(T opening) {
        this.opening = opening;
    }

    static <T> void of(Supplier<T> make, int openings, Act<T> await, Act<T> open, List<Load.Task> threads) {
        Rounds<T> first = new Rounds<>(make.get());
        threads.add(new Load.Task() {
            private Rounds<T> now = first;

            @Override
            public void run() throws Exception {
                for (int i = 0; i < openings; i++) {
                    Pause.work();
                    open.to(now.opening);
                }
                now.next = new Rounds<>(make.get());
                now = now.next;
                Pause.work();
            }
        });
        for (int i = 0; i < 3; i++) {
            threads.add(new Load.Task() {
                private Rounds<T> now = first;

                @Override
                public void run() throws Exception {
                    await.to(now.opening);
                    while (now.next == null) {
                        Pause.rest();
                    }
                    now = now.next;
                }
            });
        }
    }
}
