import java.time.Duration;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** What programs do with the Java library under a monitor. `main` prints what each method returns on a new object. */
public final class Library {
    static final class Lists {
        private final List<Integer> list = new ArrayList<>();

        private void fill(int... numbers) {
            for (int n : numbers) {
                list.add(n);
            }
        }

        private int digits(Iterable<Integer> numbers) {
            int all = 0;
            for (int n : numbers) {
                all = all * 10 + n;
            }
            return all;
        }

        synchronized int part() {
            fill(1, 2, 3, 4, 5, 6);
            List<Integer> head = list.subList(0, 2);
            int sum = digits(new ArrayList<>(head)) * 10 + head.size();
            head.clear();
            list.subList(list.size() - 2, list.size()).clear();
            return sum * 100 + digits(list);
        }

        synchronized int partOfPart() {
            fill(1, 2, 3, 4, 5, 6, 7);
            List<Integer> inner = list.subList(1, 6).subList(1, 4);
            inner.set(0, 9);
            inner.remove(1);
            inner.add(8);
            return digits(inner) * 10_000 + digits(list) % 10_000 + (inner.contains(8) ? 1 : 0);
        }

        synchronized int doubles() {
            fill(1, 2, 1, 3, 1);
            int seen = 0;
            for (Iterator<Integer> i = list.iterator(); i.hasNext();) {
                if (i.next() == 1 && ++seen == 2) {
                    i.remove();
                }
            }
            return digits(list);
        }

        synchronized int both() {
            fill(1, 2, 3);
            ListIterator<Integer> i = list.listIterator();
            while (i.hasNext()) {
                int at = i.nextIndex();
                int n = i.next();
                if (n == 2) {
                    i.set(7);
                    i.add(5);
                } else if (at == 0) {
                    i.remove();
                }
            }
            int back = 0;
            while (i.hasPrevious()) {
                back = back * 10 + i.previous();
            }
            return digits(list) * 1000 + back;
        }

        synchronized int changed() {
            fill(3, 1, 2);
            Collections.sort(list);
            Collections.reverse(list);
            Collections.swap(list, 0, 2);
            list.replaceAll(n -> n + 1);
            list.addAll(1, Arrays.asList(8, 9));
            Collections.rotate(list, 1);
            return digits(list);
        }

        synchronized int wrapped() {
            fill(1, 2);
            List<Integer> view = Collections.synchronizedList(Collections.unmodifiableList(list));
            list.add(3);
            return digits(view) + Collections.max(list) * 10_000 + Collections.frequency(list, 2) * 1000
                + List.of(4, 5).get(1) * 100_000 + Collections.<Integer>emptyList().size();
        }

        synchronized int equal() {
            fill(1, 2);
            return (list.equals(Arrays.asList(1, 2)) ? 1 : 0) + (list.equals(List.of(2, 1)) ? 2 : 0)
                + (new HashSet<>(list).equals(Set.of(2, 1)) ? 4 : 0) + list.indexOf(2) * 10 + list.lastIndexOf(5);
        }

        synchronized int moved() {
            LinkedList<Integer> linked = new LinkedList<>(Arrays.asList(1, 2, 3, 4));
            linked.addFirst(linked.removeLast());
            linked.add(2, 9);
            linked.removeFirstOccurrence(3);
            linked.push(6);
            int sum = linked.pop() * 10 + linked.peekLast();
            linked.offerFirst(5);
            linked.removeLastOccurrence(2);
            return sum * 10_000 + digits(linked);
        }

        synchronized int ends() {
            ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3, 4, 5));
            int sum = deque.pollFirst() * 10 + deque.pollLast();
            deque.removeIf(n -> n == 3);
            Iterator<Integer> back = deque.descendingIterator();
            sum = sum * 100 + back.next() * 10 + back.next();
            return sum * 100 + deque.size() * 10 + (deque.poll() == 2 && deque.poll() == 4 && deque.poll() == null ? 1 : 0);
        }
    }

    static final class Sorted {
        record Job(String name, int urgency, long time) implements Comparable<Job> {
            @Override
            public int compareTo(Job other) {
                return urgency != other.urgency ? Integer.compare(other.urgency, urgency) : Long.compare(time, other.time);
            }
        }

        synchronized String names(Queue<Job> queue) {
            StringBuilder names = new StringBuilder();
            while (!queue.isEmpty()) {
                names.append(queue.remove().name());
            }
            return names.toString();
        }

        synchronized int jobs() {
            PriorityQueue<Job> queue = new PriorityQueue<>();
            queue.add(new Job("a", 1, 5));
            queue.add(new Job("b", 2, 9));
            queue.offer(new Job("c", 2, 3));
            return names(queue).equals("cba") ? queue.size() + 1 : 0;
        }

        synchronized int compared() {
            PriorityQueue<Job> queue = new PriorityQueue<>(4, Comparator.comparingLong(Job::time).reversed());
            queue.addAll(List.of(new Job("a", 1, 5), new Job("b", 2, 9), new Job("c", 2, 3)));
            queue.removeIf(job -> job.urgency() == 1);
            return names(queue).equals("bc") ? 1 : 0;
        }

        synchronized int set() {
            TreeSet<Integer> set = new TreeSet<>(Arrays.asList(5, 1, 9, 5, 3));
            int n = set.first() + 10 * set.last() + 100 * set.size() + 1000 * set.ceiling(4);
            n += 10_000 * set.headSet(4).size() + 100_000 * set.tailSet(3).size();
            return n + 1_000_000 * set.pollFirst() + (set.descendingSet().iterator().next() == 9 ? 1 : 0) + set.subSet(3, 9).size();
        }

        synchronized int map() {
            TreeMap<Integer, String> map = new TreeMap<>();
            map.put(5, "e");
            map.put(1, "a");
            map.put(3, "c");
            int n = map.firstKey() + 10 * map.lastEntry().getKey() + 100 * map.floorKey(4);
            n += 1000 * map.headMap(3).size() + 10_000 * map.headMap(3, true).size() + 100_000 * map.tailMap(3).size();
            n += map.higherKey(5) == null ? 1_000_000 : 0;
            map.headMap(4).clear();
            return n * 10 + map.size() + (map.ceilingEntry(2).getValue().equals("e") ? 5 : 0);
        }

        synchronized int backward() {
            TreeMap<Integer, Integer> map = new TreeMap<>(Comparator.reverseOrder());
            for (int i = 1; i < 5; i++) {
                map.merge(i % 3, i, Integer::sum);
            }
            int all = 0;
            for (Map.Entry<Integer, Integer> e : map.entrySet()) {
                all = all * 100 + e.getKey() * 10 + e.getValue();
            }
            return all * 10 + map.descendingMap().firstKey();
        }

        synchronized int array() {
            int[] numbers = {5, 3, 9, 1};
            Arrays.sort(numbers);
            int at = Arrays.binarySearch(numbers, 5);
            int[] copy = Arrays.copyOfRange(numbers, 1, 3);
            return at * 1000 + copy[0] * 100 + copy[1] * 10 + Arrays.stream(numbers).sum() + (Arrays.equals(copy, new int[] {3, 5}) ? 10_000 : 0);
        }
    }

    static final class Settings {
        private final Properties all = new Properties();

        synchronized int named() {
            all.setProperty("pool.a", "1");
            all.setProperty("pool.b", "2");
            all.setProperty("limit", "300");
            all.setProperty("pool.b", "4");
            int pools = 0;
            for (Enumeration<?> e = all.propertyNames(); e.hasMoreElements();) {
                if (String.valueOf(e.nextElement()).startsWith("pool.")) {
                    pools++;
                }
            }
            int limit = Integer.parseInt(all.getProperty("limit", "0"));
            return pools + 10 * Integer.parseInt(all.getProperty("pool.b")) + limit;
        }

        synchronized int missing() {
            int fallback = Integer.parseInt(all.getProperty("limit", "7"));
            return fallback + (all.getProperty("limit") == null ? 10 : 0) + all.stringPropertyNames().size();
        }
    }

    static final class Maps {
        private final Map<Integer, Integer> map = new HashMap<>();

        private int sum() {
            int sum = 0;
            for (int n : map.values()) {
                sum += n;
            }
            return sum;
        }

        synchronized int removed() {
            for (int i = 1; i < 6; i++) {
                map.put(i, 6 - i);
            }
            int gone = 0;
            for (Iterator<Map.Entry<Integer, Integer>> i = map.entrySet().iterator(); i.hasNext();) {
                Map.Entry<Integer, Integer> e = i.next();
                if (e.getKey() % 2 == 0) {
                    i.remove();
                    gone += e.getValue();
                }
            }
            map.keySet().removeIf(k -> k == 5);
            map.values().remove(5);
            return gone * 100 + sum();
        }

        synchronized int same() {
            // A key that is also a value elsewhere.
            map.put(1, 2);
            map.put(2, 1);
            for (Iterator<Integer> i = map.keySet().iterator(); i.hasNext();) {
                if (i.next() == 2) {
                    i.remove();
                }
            }
            return map.getOrDefault(1, 0) * 10 + map.size();
        }

        synchronized int computed() {
            map.merge(1, 5, Integer::sum);
            map.merge(1, 6, Integer::sum);
            map.computeIfAbsent(2, k -> k * 4);
            map.computeIfPresent(2, (k, v) -> v > 5 ? null : v);
            map.compute(3, (k, v) -> v == null ? 1 : v + 1);
            map.putIfAbsent(3, 9);
            map.replace(3, 4);
            map.replaceAll((k, v) -> v + k);
            return sum() * 100 + map.size() * 10 + (map.remove(9, 9) ? 1 : 0);
        }

        synchronized int copied() {
            map.put(1, 1);
            Map<Integer, Integer> more = new LinkedHashMap<>(Map.of(2, 2));
            more.put(1, 7);
            map.putAll(more);
            more.clear();
            return sum() * 10 + map.size() + (map.equals(Map.of(1, 7, 2, 2)) ? 100 : 0);
        }

        synchronized int nothing() {
            map.put(1, null);
            return map.size() + (map.containsKey(1) ? 10 : 0) + (map.get(1) == null ? 100 : 0) + (map.remove(1) == null ? 1000 : 0) + map.size() * 10_000;
        }

        synchronized int least() {
            Map<String, Integer> cache = new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                    return size() > 2;
                }
            };
            cache.put("a", 1);
            cache.put("b", 2);
            cache.get("a");
            cache.put("c", 3);
            return (cache.containsKey("a") ? 1 : 0) + (cache.containsKey("b") ? 2 : 0) + (cache.containsKey("c") ? 4 : 0);
        }

        enum Level { LOW, MIDDLE, HIGH }

        synchronized int levels() {
            EnumMap<Level, Integer> counts = new EnumMap<>(Level.class);
            counts.put(Level.HIGH, 3);
            counts.put(Level.LOW, 1);
            int all = 0;
            for (Map.Entry<Level, Integer> e : counts.entrySet()) {
                all = all * 10 + e.getValue() + e.getKey().ordinal();
            }
            EnumSet<Level> rest = EnumSet.complementOf(EnumSet.of(Level.MIDDLE));
            rest.remove(Level.LOW);
            return all * 100 + rest.size() * 10 + Level.values().length + (EnumSet.allOf(Level.class).containsAll(rest) ? 1000 : 0);
        }

        synchronized int level() {
            int n = 0;
            for (Level level : Level.values()) {
                switch (level) {
                    case LOW: n += 1; break;
                    case HIGH: n += 10; break;
                    default: n += 100;
                }
                n += level.compareTo(Level.MIDDLE) < 0 ? 1000 : 0;
            }
            return n;
        }

        synchronized int entries() {
            map.put(1, 8);
            map.put(2, 3);
            Map.Entry<Integer, Integer> least = Collections.min(map.entrySet(), Map.Entry.comparingByValue());
            least.setValue(5);
            return least.getKey() * 100 + sum() + Map.entry(3, 4).getValue() * 1000;
        }
    }

    static final class Cells {
        private final AtomicInteger n = new AtomicInteger(5);
        private final AtomicReference<String> text = new AtomicReference<>("a");
        private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 2);
        private final BitSet bits = new BitSet();

        synchronized int number() {
            int all = n.getAndIncrement() + n.addAndGet(4) * 10;
            n.accumulateAndGet(3, Math::max);
            n.updateAndGet(i -> i * 2);
            return all * 100 + n.get() + (n.compareAndSet(20, 1) ? 1000 : 0) + (n.compareAndExchange(1, 6) == 1 ? 5000 : 0);
        }

        synchronized int others() {
            LongAdder adder = new LongAdder();
            adder.add(5);
            adder.increment();
            AtomicBoolean open = new AtomicBoolean();
            AtomicLong high = new AtomicLong(7);
            int all = open.getAndSet(true) ? 1 : 2;
            AtomicIntegerArray array = new AtomicIntegerArray(3);
            array.incrementAndGet(1);
            array.getAndAdd(1, 4);
            return all + (open.get() ? 10 : 0) + adder.intValue() * 100 + (int) high.getAndAccumulate(2, (a, b) -> a * b) * 1000 + array.get(1) * 10_000
                + (text.compareAndSet("a", "b") && text.get().equals("b") ? 100_000 : 0);
        }

        synchronized int local() {
            depth.set(depth.get() + 5);
            int deep = depth.get();
            depth.remove();
            return deep * 10 + depth.get();
        }

        synchronized int bits() {
            bits.set(1, 4);
            bits.clear(2);
            bits.flip(6);
            BitSet other = new BitSet();
            other.set(3);
            other.set(8);
            int all = bits.cardinality() * 10 + bits.nextClearBit(1) + (bits.intersects(other) ? 100 : 0) + bits.previousSetBit(5) * 1000;
            bits.or(other);
            bits.andNot(new BitSet());
            all += bits.length() * 10_000;
            bits.and(other);
            int sum = 0;
            for (int b = bits.nextSetBit(0); b >= 0; b = bits.nextSetBit(b + 1)) {
                sum += b;
            }
            return all + sum * 1_000_000;
        }

        synchronized int boxes() {
            Integer small = 100;
            Integer same = 100;
            Long wide = 3L;
            return (small == same ? 1 : 0) + (small.equals(same) ? 2 : 0) + (wide.equals(3L) ? 4 : 0) + Integer.parseInt("-12") + Integer.toString(77).length() * 100
                + Character.getNumericValue('7') * 1000 + (Character.isDigit('x') ? 1 : 0) + Integer.hashCode(5) * 10_000 + Boolean.compare(true, false) * 100_000;
        }

        synchronized long sums() {
            long packed = 3L << 32 | 7;
            return (packed >>> 32) + (int) packed + Math.floorMod(-3, 5) * 100 + Math.abs(-4) + Integer.bitCount(0xF0) * 1000 + Long.numberOfTrailingZeros(8) * 10_000
                + Integer.highestOneBit(9) * 100_000 + (5 & ~1) + Integer.rotateLeft(1, 3);
        }
    }

    static final class Words {
        private int yes(boolean... all) {
            int sum = 0;
            for (int i = 0; i < all.length; i++) {
                sum |= all[i] ? 1 << i : 0;
            }
            return sum;
        }

        synchronized int parts() {
            String[] parts = "a,bc,,d,,".split(",");
            String joined = String.join("-", parts) + String.join("+", List.of("x", "y"));
            return parts.length * 100 + joined.length() * 10 + yes(joined.equals("a-bc--dx+y"), "p.q".split("\\.").length == 2);
        }

        synchronized int changed() {
            return yes("Lock".toLowerCase().equals("lock"), "lock".toUpperCase().equals("LOCK"), "a-b-a".replace('a', 'c').equals("c-b-c"),
                "a-b".replace("-", "::").equals("a::b"), "ab".repeat(3).equals("ababab"), "  ".isBlank(), " x ".strip().equals("x"),
                "abcab".lastIndexOf("ab") == 3, "abcab".indexOf("ab", 1) == 3, "abc".startsWith("bc", 1), "Abc".equalsIgnoreCase("aBC"),
                "b".compareToIgnoreCase("A") > 0, String.valueOf(new char[] {'o', 'k'}).equals("ok"), "abc".chars().filter(c -> c > 'a').count() == 2);
        }

        synchronized int built() {
            StringBuilder b = new StringBuilder("lock");
            b.insert(0, "un").append(true).append(2.0f).append('x').append(3L).append((Object) null);
            b.replace(0, 2, "re").setLength(12);
            b.append("abcdef", 2, 4);
            return yes(b.indexOf("lock") == 2, b.toString().equals("relocktrue2.cd"), b.charAt(2) == 'l', b.substring(2, 6).equals("lock"), b.lastIndexOf("c") == 12);
        }

        synchronized int kinds() {
            int all = 0;
            for (String kind : List.of("read", "write", "none")) {
                all = all * 10 + switch (kind) {
                    case "read" -> 1;
                    case "write" -> 2;
                    default -> 3;
                };
            }
            return all;
        }

        synchronized int shapes() {
            int all = 0;
            for (Object o : new Object[] {"four", null, List.of(1), Map.of()}) {
                if (o instanceof String s) {
                    all += s.length() * 10;
                } else if (o instanceof Collection<?> c) {
                    all += c.size() * 100;
                } else if (o == null) {
                    all += 1000;
                }
            }
            return all;
        }

        synchronized int objects() {
            Object one = new Object();
            return yes(Objects.equals(null, null), Objects.equals("a", "b"), Objects.hash(1, 2) == Objects.hash(1, 2), Objects.requireNonNullElse(null, one) == one,
                Objects.isNull(one), Objects.toString(null).equals("null"), one.equals(one), Objects.requireNonNullElseGet(null, () -> one) == one,
                Objects.compare(1, 2, Comparator.naturalOrder()) < 0, Objects.hashCode(null) == 0);
        }
    }

    static final class Flows {
        private final List<Integer> list = List.of(4, 1, 3, 2);

        synchronized int numbers() {
            int all = list.stream().filter(n -> n > 1).mapToInt(Integer::intValue).sum();
            all += list.stream().mapToInt(n -> n).max().getAsInt() * 10;
            all += list.stream().sorted(Comparator.reverseOrder()).findFirst().get() * 100;
            all += IntStream.rangeClosed(1, 4).map(n -> n * n).skip(1).limit(2).sum() * 1000;
            return all + (int) list.stream().takeWhile(n -> n != 3).count() * 100_000 + (list.stream().allMatch(n -> n < 9) ? 1 : 0);
        }

        synchronized int collected() {
            Map<Boolean, List<Integer>> halves = list.stream().collect(Collectors.partitioningBy(n -> n > 2));
            Map<Integer, Long> counts = list.stream().collect(Collectors.groupingBy(n -> n % 2, Collectors.counting()));
            Map<Integer, Integer> squares = list.stream().collect(Collectors.toMap(n -> n, n -> n * n));
            String text = list.stream().map(n -> "" + n).collect(Collectors.joining(","));
            int sum = list.stream().collect(Collectors.summingInt(n -> n)) + Stream.of(1, 2).flatMap(n -> Stream.of(n, n)).reduce(0, Integer::sum);
            return halves.get(true).size() + counts.get(0).intValue() * 10 + squares.get(3) * 100 + text.length() * 1000 + sum * 10_000;
        }

        synchronized int optional() {
            Optional<Integer> some = Optional.of(5);
            Optional<Integer> none = Optional.empty();
            return some.map(n -> n + 1).orElse(0) + none.or(() -> Optional.of(7)).get() * 10 + none.map(n -> n * 2).orElseGet(() -> 3) * 100
                + (some.filter(n -> n > 9).isPresent() ? 1000 : 2000) + (none.isEmpty() ? 10_000 : 0) + some.stream().mapToInt(n -> n).sum() * 100_000;
        }

        synchronized int functions() {
            Predicate<Integer> even = n -> n % 2 == 0;
            Function<Integer, Integer> next = n -> n + 1;
            IntPredicate big = n -> n > 2;
            BinaryOperator<Integer> least = BinaryOperator.minBy(Comparator.naturalOrder());
            Supplier<Predicate<Integer>> odd = even::negate;
            return (even.and(n -> n > 2).test(4) ? 1 : 0) + (even.or(n -> n == 3).test(5) ? 10 : 0) + next.andThen(n -> n * 10).apply(2)
                + next.compose((Integer n) -> n * 10).apply(2) * 100 + (odd.get().test(3) ? 10_000 : 0) + (big.negate().test(2) ? 100_000 : 0) + least.apply(4, 3) * 1_000_000
                + UnaryOperator.<Integer>identity().apply(1) * 10_000_000;
        }
    }

    static final class Times {
        synchronized int durations() {
            Duration one = Duration.ofMillis(1_500);
            Duration two = one.plusSeconds(1).minus(Duration.ofMillis(500));
            return (int) two.toMillis() + (one.compareTo(two) < 0 ? 10_000 : 0) + (two.isNegative() ? 1 : 0) + (Duration.ZERO.isZero() ? 20_000 : 0) + (int) one.getSeconds() * 100_000
                + (one.multipliedBy(2).equals(Duration.ofSeconds(3)) ? 1_000_000 : 0);
        }

        synchronized int instants() {
            Instant now = Instant.now();
            Instant then = now.plus(Duration.ofSeconds(2));
            return (now.isBefore(then) ? 1 : 0) + (int) Duration.between(now, then).toMillis() + (then.isAfter(now.plusMillis(3_000)) ? 5 : 0);
        }

        synchronized int units() {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            long left = TimeUnit.NANOSECONDS.toSeconds(until - System.nanoTime() + 500_000_000);
            return (int) left + (int) TimeUnit.MINUTES.toSeconds(2) * 10 + (int) TimeUnit.MILLISECONDS.convert(3, TimeUnit.SECONDS) * 10_000;
        }

        synchronized int deadline() {
            long end = System.currentTimeMillis() + 5_000;
            return end - System.currentTimeMillis() > 0 ? 3 : 4;
        }
    }

    static final class Rest {
        interface Visitor {
            default int twice(int n) {
                return 2 * n;
            }
        }

        private int state;

        synchronized int asserted() {
            assert state >= 0 : "never";
            return new Visitor() { }.twice(4);
        }

        synchronized int closed() throws Exception {
            try (AutoCloseable one = () -> state++; AutoCloseable two = () -> state *= 10) {
                state = 4;
            }
            return state;
        }

        synchronized int self() {
            Thread me = Thread.currentThread();
            return (me == Thread.currentThread() ? 1 : 0) + (Thread.holdsLock(this) ? 2 : 0) + (me.isInterrupted() ? 4 : 0) + (Thread.interrupted() ? 8 : 0) + (me.isAlive() ? 16 : 0);
        }

        synchronized int interrupted() {
            Thread.currentThread().interrupt();
            int n = Thread.currentThread().isInterrupted() ? 1 : 0;
            n += Thread.interrupted() ? 2 : 0;
            return n + (Thread.interrupted() ? 4 : 0);
        }

        synchronized int grids() {
            int[][] grid = new int[3][4];
            grid[1][2] = 5;
            int[] row = grid[1].clone();
            row[2] = 7;
            long[] longs = {1, 2, 3};
            System.arraycopy(longs, 0, longs, 1, 2);
            char[] letters = "abc".toCharArray();
            letters[0]++;
            return grid[1][2] + row[2] * 10 + (int) longs[2] * 100 + (letters[0] == 'b' ? 1000 : 0) + Arrays.stream(new boolean[3][2]).mapToInt(b -> b.length).sum() * 10_000;
        }

        synchronized int queues() {
            LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(2);
            boolean all = queue.offer(1) & queue.offer(2) & queue.offer(3);
            List<Integer> out = new ArrayList<>();
            int moved = queue.drainTo(out, 1);
            ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>(out);
            ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
            map.put("a", 1);
            map.merge("a", 4, Integer::sum);
            return (all ? 1 : 0) + moved * 10 + queue.peek() * 100 + free.poll() * 1000 + queue.remainingCapacity() * 10_000 + map.get("a") * 100_000;
        }
    }

    static final class Within {
        synchronized int lists() {
            List<Object> a = new ArrayList<>(), b = new ArrayList<>();
            a.add(List.of(1, 2));
            b.add(List.of(1, 2));
            boolean same = a.equals(b);
            b.add(a);
            return (same ? 1 : 0) + (a.equals(b) ? 10 : 0);
        }

        synchronized int functions() {
            Function<Integer, Integer> f = n -> n + 1;
            for (int i = 0; i < 4; i++) {
                f = f.andThen(f);
            }
            return f.apply(0);
        }

        synchronized int behind() {
            List<Integer> list = new ArrayList<>(List.of(1, 2));
            ListIterator<Integer> i = list.listIterator();
            i.forEachRemaining(n -> {});
            i.set(7);
            i.add(3);
            int before = i.previous();
            return before * 1000 + list.get(0) * 100 + list.get(1) * 10 + list.get(2);
        }

        synchronized int none() {
            List<Integer> list = new ArrayList<>();
            boolean any = Collections.addAll(list) | Collections.addAll(list, 4);
            return list.size() + (any ? 10 : 0);
        }
    }

    /** What no JVM comes to the end of, or each in its own way: nothing may be said of it. */
    static final class Odd {
        private final Map<String, Integer> map = new HashMap<>();

        synchronized int plain() {
            return 7;
        }

        synchronized int ring() {
            List<Object> a = new ArrayList<>(), b = new ArrayList<>();
            a.add(a);
            b.add(b);
            return a.equals(b) ? 1 : 0;
        }

        synchronized int doubled() {
            Function<Integer, Integer> f = Function.identity();
            for (int i = 0; i < 60; i++) {
                f = f.andThen(f);
            }
            return f.apply(0);
        }

        synchronized int deep() {
            List<Object> outer = new ArrayList<>(), other = new ArrayList<>();
            for (int i = 0; i < 1500; i++) {
                outer = new ArrayList<>(List.of(outer));
                other = new ArrayList<>(List.of(other));
            }
            return outer.equals(other) ? 1 : 0;
        }

        synchronized int parts() {
            List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
            for (int i = 0; i < 1500; i++) {
                list = list.subList(0, list.size());
            }
            return list.size();
        }

        synchronized int removes() {
            map.put("k", 1);
            map.computeIfPresent("k", (k, n) -> {
                map.remove("k");
                return null;
            });
            return map.size();
        }

        synchronized int grows() {
            List<Integer> list = new ArrayList<>(List.of(1));
            for (int i = 0; i < 40; i++) {
                list.addAll(new ArrayList<>(list));
            }
            return list.size();
        }

        synchronized int lengthens() {
            String text = "a";
            for (int i = 0; i < 40; i++) {
                text = text.replace("a", "aa").concat(text);
            }
            return text.length();
        }

        synchronized int arrays() {
            return new int[60_000][60_000].length;
        }
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> c : Library.class.getDeclaredClasses()) {
            for (var m : c.getDeclaredMethods()) {
                boolean called = !c.getSimpleName().equals("Odd") && m.getParameterCount() == 0 && java.lang.reflect.Modifier.isSynchronized(m.getModifiers());
                if (called) {
                    var made = c.getDeclaredConstructor();
                    made.setAccessible(true);
                    m.setAccessible(true);
                    System.out.println(c.getName() + " " + m.getName() + " " + m.invoke(made.newInstance()));
                }
            }
        }
    }
}
