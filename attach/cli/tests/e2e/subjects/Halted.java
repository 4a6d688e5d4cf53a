import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * At its first line of input it hangs on the way to a safepoint: one thread is in a compiled loop that asks for none while another
 * wants the heap collected. The file named as argument is the only way to reach it then: the loop says there that it
 * goes round, and ends when it is told to. Afterwards the program goes on until its input ends.
 */
public final class Halted {
    /** Where the file says that the loop is to end, that it goes round, and that the program has gone on. */
    private static final int END = 0;
    private static final int ROUND = 1;
    private static final int ON = 2;
    /** Enough for minutes, should nobody end it: then the program ends. */
    private static final int ROUNDS = Integer.MAX_VALUE;
    private static final int WARM_UP = 20_000;

    private static volatile double result;

    /** Whether it was told to end. A loop that counts to a known number asks for no safepoint; roots take their time. */
    private static boolean loop(MappedByteBuffer file, int rounds) {
        double x = 0;
        for (int i = 0; i < rounds; i++) {
            if (file.get(END) != 0) {
                result = x;
                return true;
            }
            // A write, so that the next read is not left out.
            file.put(ROUND, (byte) 1);
            x = Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(x + i))))))));
        }
        result = x;
        return false;
    }

    private static MappedByteBuffer map(String name, long from) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(name, "rw")) {
            return file.getChannel().map(FileChannel.MapMode.READ_WRITE, from, ON + 1);
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        MappedByteBuffer file = map(args[0], 0);
        MappedByteBuffer behind = map(args[0], ON + 1);
        System.out.println("READY");
        System.in.read();
        // Not before: an attach loads classes, for which the loop may be compiled anew.
        for (int i = 0; i < WARM_UP; i++) {
            loop(behind, 100);
        }
        Thread looper = new Thread(() -> {
            if (!loop(file, ROUNDS)) {
                Runtime.getRuntime().halt(1);
            }
        });
        looper.start();
        while (file.get(ROUND) == 0) {
            Thread.yield();
        }
        System.gc();
        looper.join();
        file.put(ON, (byte) 1);
        while (System.in.read() >= 0) {
            Thread.yield();
        }
    }
}
