// @finds nothing

/** As {@code OneBell}, with one cook and one waiter: never do both wait. */
public final class LoneBell {
    public static void main(String[] args) throws InterruptedException {
        OneBell.run(new OneBell.Bell(), 1, true);
    }
}
