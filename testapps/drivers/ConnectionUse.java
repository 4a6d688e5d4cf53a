import com.mchange.v2.c3p0.ComboPooledDataSource;
import java.sql.Connection;
import java.util.List;
import org.apache.commons.httpclient.HostConfiguration;
import org.apache.commons.httpclient.HttpConnection;
import org.apache.commons.httpclient.MultiThreadedHttpConnectionManager;

/** HttpClient 3.1's and c3p0's pools of connections; those of the first are never opened. */
final class ConnectionUse {
    private static final int CONNECTIONS = 3;

    private ConnectionUse() {}

    static void addTo(List<Load.Task> threads) throws Exception {
        MultiThreadedHttpConnectionManager http = new MultiThreadedHttpConnectionManager();
        http.getParams().setDefaultMaxConnectionsPerHost(CONNECTIONS);
        HostConfiguration host = new HostConfiguration();
        host.setHost("localhost");
        ComboPooledDataSource sql = dataSource();
        for (int i = 0; i < 5; i++) {
            threads.add(() -> request(http, host));
            threads.add(() -> query(sql));
        }
    }

    private static void request(MultiThreadedHttpConnectionManager manager, HostConfiguration host) {
        HttpConnection connection = manager.getConnection(host);
        LibrariesDriver.work();
        connection.releaseConnection();
        LibrariesDriver.rest();
    }

    private static ComboPooledDataSource dataSource() throws Exception {
        System.setProperty("com.mchange.v2.log.MLog", "com.mchange.v2.log.FallbackMLog");
        System.setProperty("com.mchange.v2.log.FallbackMLog.DEFAULT_CUTOFF_LEVEL", "OFF");
        ComboPooledDataSource pool = new ComboPooledDataSource();
        pool.setDriverClass("org.h2.Driver");
        pool.setJdbcUrl("jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1");
        pool.setMinPoolSize(CONNECTIONS);
        pool.setMaxPoolSize(CONNECTIONS);
        return pool;
    }

    private static void query(ComboPooledDataSource pool) throws Exception {
        try (Connection connection = pool.getConnection()) {
            LibrariesDriver.work();
        }
        LibrariesDriver.rest();
    }
}
