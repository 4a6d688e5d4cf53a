/** The clients of {@link Bank} on one in-memory H2 database; needs the jar of {@code fetch h2}. */
public final class H2Driver {
    private H2Driver() {}

    public static void main(String[] args) throws Exception {
        Bank.run(args, "jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000;DB_CLOSE_ON_EXIT=FALSE");
    }
}
