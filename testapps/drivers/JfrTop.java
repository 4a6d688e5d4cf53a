import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints what a flight recording says of monitors: by class, how long and how often threads were
 * blocked on entry, how often they waited, and the method that was blocked longest. Then the same of what
 * threads parked on, where the recording has any.
 *
 * <p>{@code java JfrTop.java FILE.jfr [ROWS [BEGIN END]]} with JDK 11 or later. BEGIN and END, in
 * nanoseconds since 1970 as {@code date +%s%N} prints them, leave out events that end outside.
 */
public final class JfrTop {
    private static final String USAGE = "usage: java JfrTop.java FILE.jfr [ROWS [BEGIN END]]";

    private final Map<String, Monitors> classes = new HashMap<>();
    private final Map<String, Monitors> blockers = new HashMap<>();
    private final Instant begin;
    private final Instant end;

    private JfrTop(Instant begin, Instant end) {
        this.begin = begin;
        this.end = end;
    }

    /** All monitors, or all blockers, of one class. */
    private static final class Monitors {
        final String name;
        final Set<Long> addresses = new HashSet<>();
        final Map<String, Long> sites = new HashMap<>();
        long enters;
        long blockedNanos;
        long waits;
        long waitNanos;

        Monitors(String name) {
            this.name = name;
        }

        long blocked() {
            return blockedNanos;
        }

        String worstSite() {
            return sites.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey).orElse("-");
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0 || args.length == 3 || args.length > 4) {
            System.err.println(USAGE);
            System.exit(2);
        }
        boolean window = args.length == 4;
        JfrTop top = new JfrTop(window ? instant(args[2]) : Instant.MIN, window ? instant(args[3]) : Instant.MAX);
        top.read(Paths.get(args[0]));
        top.print(args.length > 1 ? Integer.parseInt(args[1]) : 10);
    }

    private static Instant instant(String nanos) {
        return Instant.ofEpochSecond(0, Long.parseLong(nanos));
    }

    private void read(Path file) throws Exception {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                if (!event.getEndTime().isBefore(begin) && event.getEndTime().isBefore(end)) {
                    count(event);
                }
            }
        }
    }

    private void count(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.JavaMonitorEnter":
                entered(monitors(event, classes, "monitorClass"), event);
                break;
            case "jdk.JavaMonitorWait":
                waited(monitors(event, classes, "monitorClass"), event);
                break;
            case "jdk.ThreadPark":
                entered(monitors(event, blockers, "parkedClass"), event);
                break;
            default:
        }
    }

    private static void entered(Monitors monitors, RecordedEvent event) {
        long nanos = event.getDuration().toNanos();
        monitors.enters++;
        monitors.blockedNanos += nanos;
        monitors.sites.merge(site(event.getStackTrace()), nanos, Long::sum);
    }

    private static void waited(Monitors monitors, RecordedEvent event) {
        monitors.waits++;
        monitors.waitNanos += event.getDuration().toNanos();
    }

    private static Monitors monitors(RecordedEvent event, Map<String, Monitors> all, String field) {
        RecordedClass type = event.getClass(field);
        Monitors monitors = all.computeIfAbsent(type == null ? "?" : type.getName(), Monitors::new);
        monitors.addresses.add(event.getLong("address"));
        return monitors;
    }

    private static String site(RecordedStackTrace stack) {
        List<RecordedFrame> frames = stack == null ? List.of() : stack.getFrames();
        // Where a thread parks is the same for all: the JDK's own code.
        for (RecordedFrame frame : frames) {
            String type = frame.getMethod().getType().getName();
            if (!type.startsWith("java.util.concurrent.") && !type.endsWith(".misc.Unsafe")) {
                return type + "." + frame.getMethod().getName() + ":" + frame.getLineNumber();
            }
        }
        return "?";
    }

    private void print(int rows) {
        print(classes, rows, "%8s %12s %6s %8s %12s %7s  %s%n", "entered", "blocked ms", "share", "waits", "wait ms", "objects", "class, and where it was blocked longest");
        if (!blockers.isEmpty()) {
            System.out.println();
            print(blockers, rows, "%8s %12s %6s %8s %12s %7s  %s%n", "parked", "parked ms", "share", "", "", "objects", "class, and where it was parked longest");
        }
    }

    private static void print(Map<String, Monitors> classes, int rows, String head, Object... words) {
        List<Monitors> sorted = new ArrayList<>(classes.values());
        sorted.sort(Comparator.comparingLong(Monitors::blocked).reversed().thenComparing(m -> -m.waitNanos).thenComparing(m -> m.name));
        long all = Math.max(1, sorted.stream().mapToLong(Monitors::blocked).sum());
        System.out.printf(head, words);
        for (Monitors m : sorted.subList(0, Math.min(rows, sorted.size()))) {
            System.out.printf("%8d %12.1f %5.1f%% %8d %12.1f %7d  %s  %s%n", m.enters, m.blockedNanos / 1e6,
                    100.0 * m.blockedNanos / all, m.waits, m.waitNanos / 1e6, m.addresses.size(), m.name, m.worstSite());
        }
        System.out.printf("%d classes; %.1f ms in all%n", sorted.size(), sorted.stream().mapToLong(Monitors::blocked).sum() / 1e6);
    }
}
