/** Waits inside to be notified and keeps the door locked that the notifier goes through: a nested monitor lockout. */
public final class Lockout {
    static final class Door { }

    static final class Bell { }

    private static void sit(Door door, Bell bell) {
        synchronized (door) {
            synchronized (bell) {
                try {
                    bell.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    private static void ring(Door door, Bell bell) {
        synchronized (door) {
            synchronized (bell) {
                bell.notifyAll();
            }
        }
    }

    public static void main(String[] args) {
        Door door = new Door();
        Bell bell = new Bell();
        Stage stage = new Stage();
        stage.start("sitter", () -> sit(door, bell));
        stage.standStill();
        stage.start("ringer", () -> ring(door, bell));
        stage.standStill();
        Stage.ready();
    }
}
