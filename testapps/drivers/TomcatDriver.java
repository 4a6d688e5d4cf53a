import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Session;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;
import org.apache.catalina.valves.ValveBase;

/**
 * Embedded Tomcat with sessions and an access log, and eight loopback clients in the same JVM; needs
 * the jars of {@code fetch tomcat}. The page is a valve and not a servlet, so that one source compiles
 * against both servlet packages (javax in Tomcat 9, jakarta in 10.1).
 */
public final class TomcatDriver {
    private static final int REQUESTS_PER_SESSION = 20;

    private TomcatDriver() {}

    public static void main(String[] args) throws Exception {
        Path base = Files.createTempDirectory("tomcat-driver");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(base)));
        int port = serve(base);
        Load.run(args, 8, thread -> new Browser(port)::request);
    }

    private static int serve(Path base) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        tomcat.setSilent(true);
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("maxThreads", "16");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", base.toString());
        context.setSessionTimeout(1);
        context.getPipeline().addValve(new Counter());
        tomcat.getHost().getPipeline().addValve(accessLog(base));
        tomcat.start();
        return connector.getLocalPort();
    }

    private static AccessLogValve accessLog(Path base) {
        AccessLogValve log = new AccessLogValve();
        log.setDirectory(base.toString());
        log.setPattern("combined");
        return log;
    }

    private static void delete(Path base) {
        try (java.util.stream.Stream<Path> files = Files.walk(base)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | java.io.UncheckedIOException gone) {
            System.err.println("left behind: " + base + ": " + gone);
        }
    }

    /** Answers every request with the number of requests its session has made. */
    private static final class Counter extends ValveBase {
        private static final String VISITS = "visits";

        Counter() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) throws IOException {
            Session session = request.getSessionInternal(true);
            int visits = visits(session);
            response.setContentType("text/plain");
            byte[] body = ("visit " + visits + "\n").getBytes(StandardCharsets.US_ASCII);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }

        private static int visits(Session session) {
            Integer before = (Integer) session.getNote(VISITS);
            int visits = before == null ? 1 : before + 1;
            session.setNote(VISITS, visits);
            return visits;
        }
    }

    /** A client with one kept-alive connection that begins a new session every few requests. */
    private static final class Browser {
        private final Socket socket;
        private final InputStream in;
        private String cookie;
        private int visits;

        Browser(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        void request() throws IOException {
            if (visits == REQUESTS_PER_SESSION) {
                cookie = null;
                visits = 0;
            }
            send();
            String body = receive();
            visits++;
            if (!body.equals("visit " + visits + "\n")) {
                throw new IOException("expected visit " + visits + ", got " + body);
            }
        }

        private void send() throws IOException {
            String sent = "GET /page HTTP/1.1\r\nHost: localhost\r\nUser-Agent: driver\r\n"
                    + (cookie == null ? "" : "Cookie: " + cookie + "\r\n") + "\r\n";
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
        }

        private String receive() throws IOException {
            int length = 0;
            for (String line = line(); !line.isEmpty(); line = line()) {
                if (line.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(line.substring(16));
                } else if (line.startsWith("Set-Cookie: ")) {
                    cookie = line.substring(12, line.indexOf(';'));
                }
            }
            StringBuilder body = new StringBuilder();
            while (body.length() < length) {
                body.append(next());
            }
            return body.toString();
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (char c = next(); c != '\n'; c = next()) {
                if (c != '\r') {
                    line.append(c);
                }
            }
            return line.toString();
        }

        private char next() throws IOException {
            int c = in.read();
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            return (char) c;
        }
    }
}
