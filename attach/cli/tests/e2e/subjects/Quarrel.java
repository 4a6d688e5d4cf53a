/** Threads that quarrel over one lock for ever. With an argument: until that many milliseconds are over. */
public final class Quarrel {
    private static final Object BONE = new Object();

    private static void quarrel() {
        while (true) {
            synchronized (BONE) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(Quarrel::quarrel, "dog-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        Thread.sleep(args.length == 0 ? 600_000 : Long.parseLong(args[0]));
        System.exit(args.length < 2 ? 0 : Integer.parseInt(args[1]));
    }
}
