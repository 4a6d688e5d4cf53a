import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.Random;

/**
 * A JDBC client that moves money between accounts of one database. Every client books on a few shared branches too,
 * so transactions do conflict; one that the database gives up for that is begun anew.
 */
final class Bank {
    private static final int ACCOUNTS = 2000;
    private static final int BRANCHES = 4;

    private final Connection connection;
    private final PreparedStatement book;
    private final PreparedStatement total;
    private final PreparedStatement note;
    private final PreparedStatement forget;
    private final PreparedStatement read;
    private final Random random;

    private Bank(String url, int thread) throws SQLException {
        connection = DriverManager.getConnection(url);
        book = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
        total = connection.prepareStatement("UPDATE branch SET balance = balance + ? WHERE id = ?");
        note = connection.prepareStatement("INSERT INTO history(account, amount) VALUES(?, ?)");
        forget = connection.prepareStatement("DELETE FROM history WHERE account = ?");
        read = connection.prepareStatement("SELECT SUM(balance) FROM account WHERE id BETWEEN ? AND ?");
        connection.setAutoCommit(false);
        random = new Random(thread);
    }

    /** Eight clients of the database at that URL, which has no tables yet. */
    static void run(String[] args, String url) throws Exception {
        createSchema(url);
        Load.run(args, 8, thread -> new Bank(url, thread)::transaction);
    }

    private static void createSchema(String url) throws SQLException {
        try (Connection c = DriverManager.getConnection(url); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE account(id INT PRIMARY KEY, balance BIGINT)");
            s.execute("CREATE TABLE branch(id INT PRIMARY KEY, balance BIGINT)");
            s.execute("CREATE TABLE history(account INT, amount INT)");
            s.execute("CREATE INDEX history_account ON history(account)");
            fill(c, "INSERT INTO account VALUES(?, 1000)", ACCOUNTS);
            fill(c, "INSERT INTO branch VALUES(?, 0)", BRANCHES);
        }
    }

    private static void fill(Connection connection, String insert, int rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            for (int i = 0; i < rows; i++) {
                statement.setInt(1, i);
                statement.executeUpdate();
            }
        }
    }

    private void transaction() throws SQLException {
        int account = random.nextInt(ACCOUNTS);
        int amount = random.nextInt(100);
        boolean forgets = random.nextInt(4) == 0;
        while (!tried(account, amount, forgets)) {
            connection.rollback();
        }
    }

    private boolean tried(int account, int amount, boolean forgets) throws SQLException {
        try {
            update(book, amount, account);
            query(account);
            update(note, account, amount);
            if (forgets) {
                forget.setInt(1, account);
                forget.executeUpdate();
            }
            update(total, amount, account % BRANCHES);
            connection.commit();
            return true;
        } catch (SQLTransactionRollbackException conflict) {
            return false;
        }
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
