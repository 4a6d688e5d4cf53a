import java.lang.annotation.Annotation;

/** Says of its methods which annotations they have. */
public final class Marked {
    static int calls;

    @Deprecated
    public static void annotated() { calls++; calls--; }

    public static void plain() { calls++; calls--; }

    public static void large() {
        int sum = calls;
        sum = sum * 31 + calls;
        sum = sum * 31 + calls;
        sum = sum * 31 + calls;
        sum = sum * 31 + calls;
        calls = sum;
    }

    public static void other() { }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] { "annotated", "plain", "large", "other" }) {
            StringBuilder said = new StringBuilder(name);
            for (Annotation one : Marked.class.getMethod(name).getAnnotations()) {
                said.append(' ').append(one.annotationType().getSimpleName());
            }
            System.out.println(said);
        }
        annotated();
        plain();
    }
}
