package sun.hotspot;

/** HotSpot's test interface, by the name under which JDK 8 to 25 look for it. */
public final class WhiteBox {
    private WhiteBox() {}
    private static native void registerNatives();
    private native boolean enqueueMethodForCompilation0(java.lang.reflect.Executable method, int level, int bci);
    private static WhiteBox instance;

    public static boolean enqueue(java.lang.reflect.Executable method, int level) {
        if (instance == null) {
            registerNatives();
            instance = new WhiteBox();
        }
        return instance.enqueueMethodForCompilation0(method, level, -1);
    }
}
