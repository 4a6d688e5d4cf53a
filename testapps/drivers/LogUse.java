import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.AsyncAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** log4j 1.2: loggers that share an asynchronous appender with a small buffer and a slow file behind it, and one that does not. */
final class LogUse {
    private static final int BUFFER = 16;

    private LogUse() {}

    private static final class Slow extends AppenderSkeleton {
        @Override
        protected void append(LoggingEvent event) {
            LibrariesDriver.work();
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }

        @Override
        public void close() {}
    }

    static void addTo(List<Load.Task> threads) {
        AsyncAppender behind = new AsyncAppender();
        behind.setBufferSize(BUFFER);
        behind.addAppender(new Slow());
        Logger asynchronous = logger("asynchronous");
        asynchronous.addAppender(behind);
        Logger direct = logger("direct");
        direct.addAppender(new Slow());
        for (int i = 0; i < 4; i++) {
            threads.add(() -> log(asynchronous));
            threads.add(() -> log(direct));
        }
    }

    private static Logger logger(String name) {
        Logger logger = Logger.getLogger(name);
        logger.setLevel(Level.INFO);
        logger.setAdditivity(false);
        return logger;
    }

    private static void log(Logger logger) {
        logger.info("a line");
        LibrariesDriver.rest();
    }
}
