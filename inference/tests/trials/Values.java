import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Methods under a monitor whose result depends on constants, texts, numbers of floating point and functions. */
public final class Values {
    enum Mode { OPEN, SHUT }

    static final class Texts {
        private final Map<String, Integer> owners = new HashMap<>();

        synchronized int equal() {
            String made = new StringBuilder("lo").append("ck").append(1).append('-').append(2L).toString();
            int same = made.equals("lock1-2") ? 1 : 0;
            same += made != "lock1-2" ? 2 : 0;
            same += made.intern() == "lock1-2" ? 4 : 0;
            return same + ("lock" == "lock" ? 8 : 0);
        }

        synchronized int put() {
            String key = "a" + owners.size() + ':' + true;
            owners.put(key, 7);
            return owners.getOrDefault("a0:true", 1) * 10 + key.length();
        }

        synchronized int hash() {
            return "acquire".hashCode() % 1000 + "".hashCode();
        }

        synchronized int choose() {
            int sum = 0;
            for (String word : new String[] {"take", "give", "Aa", "BB", "other"}) {
                switch (word) {
                    case "take": sum += 1; break;
                    case "give": sum += 10; break;
                    case "Aa": sum += 100; break;
                    case "BB": sum += 1000; break;
                    default: sum += 10000;
                }
            }
            return sum;
        }

        synchronized int parts() {
            String text = " read-lock ".trim();
            int found = text.startsWith("read") ? 1 : 0;
            found += text.endsWith("lock") ? 2 : 0;
            found += text.indexOf('-') * 10;
            found += text.substring(5).compareTo("lose") * 100;
            return found + (text.isEmpty() ? 5000 : 0) + text.charAt(0);
        }

        synchronized int names() {
            String text = "is " + Mode.SHUT + ' ' + Mode.valueOf("OPEN").ordinal() + ' ' + 2.0;
            return text.equals("is SHUT 0 2.0") ? Mode.SHUT.name().length() : 0;
        }
    }

    static final class Reals {
        private double level = 0.5;
        private float part;

        synchronized int drip() {
            level = Math.min(4, level + 7 / 2e0 * 0.25);
            return (int) (level * 1000);
        }

        synchronized long nothing() {
            double none = 0.0 / (level - level);
            return (none < 1 ? 1 : 0) + (none > 1 ? 2 : 0) + (none != none ? 4 : 0) + (long) none;
        }

        synchronized int rounded() {
            part += 0.1f;
            double wide = part;
            return (wide == 0.1 ? 1 : 2) + (int) Math.ceil(2.1) * 10 + (int) Math.floor(-2.1) * 100
                + (int) Math.round(2.5) * 1000 + Double.compare(-0.0, 0.0) * 10000;
        }

        synchronized int sums() {
            double[] moved = new double[3];
            moved[1] += 1.5;
            double sum = 0;
            for (double one : moved) {
                sum += Math.abs(one);
            }
            return sum > 1.4999 ? (int) (sum / 3 * 10) : -1;
        }
    }

    static final class Functions {
        private final AtomicInteger next = new AtomicInteger(5);
        private int base = 3;

        private int twice(int n) {
            return base + 2 * n;
        }

        private static long half(long n) {
            return n / 2;
        }

        synchronized int lambdas() throws Exception {
            int captured = base;
            // Two of one shape in one method: only their call sites tell them apart.
            Callable<Integer> plus = () -> captured + 1;
            Callable<Integer> minus = () -> captured - 1;
            return minus.call() * 10 + plus.call();
        }

        synchronized int references() {
            IntFunction<Integer> twice = this::twice;
            Supplier<List<Integer>> fresh = ArrayList::new;
            BinaryOperator<Integer> larger = Math::max;
            Supplier<Integer> counter = next::incrementAndGet;
            List<Integer> list = fresh.get();
            list.add(twice.apply(4));
            list.add(larger.apply(8, 9));
            list.add(counter.get());
            Runnable forgets = list::clear;
            int sum = list.get(0) + 100 * list.get(1) + 1000 * list.get(2);
            forgets.run();
            return sum + list.size();
        }

        synchronized long adapted() {
            Function<Long, Long> half = Functions::half;
            LongSupplier count = next::get;
            ToDoubleFunction<String> length = String::length;
            return half.apply(20L) + 100 * count.getAsLong() + (long) (length.applyAsDouble("four") * 2.5);
        }

        synchronized int composed() {
            Function<Integer, Integer> same = Function.identity();
            return base;
        }
    }
}
