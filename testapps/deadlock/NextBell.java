// @finds nothing

/** As {@code OneBell}, but each comes only when the one before has gone home. */
public final class NextBell {
    public static void main(String[] args) throws InterruptedException {
        OneBell.run(new OneBell.Bell(), 2, false);
    }
}
