/**
 * The clients of {@link Bank} on one in-memory HSQLDB database; needs the jar of {@code fetch hsqldb}. The system property
 * {@code tx} is its transaction model: {@code locks} (its default, two-phase locking of tables), {@code mvcc} or
 * {@code mvlocks}.
 */
public final class HsqldbDriver {
    private HsqldbDriver() {}

    public static void main(String[] args) throws Exception {
        String model = System.getProperty("tx", "locks");
        // Its log goes over java.util.logging and to the console.
        System.setProperty("hsqldb.reconfig_logging", "false");
        Bank.run(args, "jdbc:hsqldb:mem:bank;user=SA;hsqldb.tx=" + model);
    }
}
