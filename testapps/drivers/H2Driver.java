import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * Eight JDBC clients move money between accounts of one in-memory H2 database; needs the jar of
 * {@code fetch h2}. Every client books on a few shared branches too, so transactions do conflict.
 */
public final class H2Driver {
    private static final String URL = "jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000;DB_CLOSE_ON_EXIT=FALSE";
    private static final int ACCOUNTS = 2000;
    private static final int BRANCHES = 4;

    private final Connection connection = DriverManager.getConnection(URL);
    private final PreparedStatement book = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
    private final PreparedStatement total = connection.prepareStatement("UPDATE branch SET balance = balance + ? WHERE id = ?");
    private final PreparedStatement note = connection.prepareStatement("INSERT INTO history(account, amount) VALUES(?, ?)");
    private final PreparedStatement forget = connection.prepareStatement("DELETE FROM history WHERE account = ?");
    private final PreparedStatement read = connection.prepareStatement("SELECT SUM(balance) FROM account WHERE id BETWEEN ? AND ?");
    private final Random random;

    private H2Driver(int thread) throws SQLException {
        connection.setAutoCommit(false);
        random = new Random(thread);
    }

    public static void main(String[] args) throws Exception {
        createSchema();
        Load.run(args, 8, thread -> new H2Driver(thread)::transaction);
    }

    private static void createSchema() throws SQLException {
        try (Connection c = DriverManager.getConnection(URL); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE account(id INT PRIMARY KEY, balance BIGINT)");
            s.execute("CREATE TABLE branch(id INT PRIMARY KEY, balance BIGINT)");
            s.execute("CREATE TABLE history(account INT, amount INT)");
            s.execute("CREATE INDEX history_account ON history(account)");
            s.execute("INSERT INTO account SELECT x, 1000 FROM SYSTEM_RANGE(0, " + (ACCOUNTS - 1) + ")");
            s.execute("INSERT INTO branch SELECT x, 0 FROM SYSTEM_RANGE(0, " + (BRANCHES - 1) + ")");
        }
    }

    private void transaction() throws SQLException {
        int account = random.nextInt(ACCOUNTS);
        int amount = random.nextInt(100);
        update(book, amount, account);
        query(account);
        update(note, account, amount);
        if (random.nextInt(4) == 0) {
            forget.setInt(1, account);
            forget.executeUpdate();
        }
        update(total, amount, account % BRANCHES);
        connection.commit();
    }

    private static void update(PreparedStatement statement, int first, int second) throws SQLException {
        statement.setInt(1, first);
        statement.setInt(2, second);
        statement.executeUpdate();
    }

    private void query(int account) throws SQLException {
        read.setInt(1, account);
        read.setInt(2, account + 20);
        try (ResultSet rows = read.executeQuery()) {
            rows.next();
        }
    }
}
