//! Programs of the Java library put together at random: the sandbox says of them what a JVM does, or nothing.

use crate::library::{bench_of, executed, expected};
use crate::subjects::compile;
use crate::trials::Numbers;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Programs, and statements of each.
const PROGRAMS: usize = 150;
const STATEMENTS: u64 = 9;
/// Programs of a class: what one lock has more of is not run.
const OF_A_CLASS: usize = 10;

fn one_of<'a>(chance: &mut Numbers, all: &[&'a str]) -> &'a str {
    all[chance.below(all.len())]
}

/// What a program begins with.
const GIVEN: &str = "\
            List<Integer> l = new LIST<>();
            ArrayDeque<Integer> d = new ArrayDeque<>();
            SET<Integer> s = new SET<>();
            MAP<Integer, Integer> m = new MAP<>();
            PriorityQueue<Integer> p = new PriorityQueue<>();
            StringBuilder b = new StringBuilder();
            String t = \"ab,c\";
            BitSet bits = new BitSet();
            AtomicInteger n = new AtomicInteger();
            int r = 0;
";

/// Statements; # is a small number.
const STATEMENTS_OF: [&str; 112] = [
    "l.add(#);",
    "l.add(#);",
    "l.add(#); l.add(#); l.add(#);",
    "if (l.size() > 1) l.add(1, #);",
    "if (l.size() > #) r = r * 31 + l.remove(#);",
    "r = r * 31 + (l.remove(Integer.valueOf(#)) ? 1 : 0);",
    "if (l.size() > #) r = r * 31 + l.set(#, #);",
    "if (!l.isEmpty()) r = r * 31 + l.get(l.size() - 1);",
    "r = r * 31 + l.indexOf(#) + l.lastIndexOf(#);",
    "r = r * 31 + (l.contains(#) ? 1 : 0);",
    "l.addAll(s);",
    "l.addAll(0, d);",
    "r = r * 31 + (l.removeAll(s) ? 1 : 0);",
    "r = r * 31 + (l.retainAll(s) ? 1 : 0);",
    "r = r * 31 + (l.containsAll(d) ? 1 : 0);",
    "l.removeIf(x -> x > #);",
    "l.replaceAll(x -> x + #);",
    "Collections.sort(l);",
    "l.sort(Comparator.reverseOrder());",
    "Collections.reverse(l);",
    "Collections.rotate(l, #);",
    "if (l.size() > 2) Collections.swap(l, 0, 2);",
    "if (!l.isEmpty()) r = r * 31 + Collections.max(l) - Collections.min(l);",
    "r = r * 31 + Collections.frequency(l, #);",
    "if (l.size() > 2) l.subList(1, 2).clear();",
    "if (l.size() > 2) r = r * 31 + l.subList(1, l.size()).indexOf(#);",
    "r = r * 31 + (l.equals(new ArrayList<>(s)) ? 1 : 0);",
    "r = r * 31 + l.toArray().length;",
    "r = r * 31 + l.stream().filter(x -> x > #).mapToInt(x -> x).sum();",
    "r = r * 31 + l.stream().map(x -> x * 2).collect(Collectors.toList()).size();",
    "r = r * 31 + (l.stream().anyMatch(x -> x == #) ? 1 : 0);",
    "r = r * 31 + (int) l.stream().distinct().skip(1).limit(3).count();",
    "r = r * 31 + l.stream().sorted().findFirst().orElse(#);",
    "r = r * 31 + l.stream().reduce(0, Integer::sum);",
    "for (int x : l) r = r * 3 + x;",
    "for (Iterator<Integer> i = l.iterator(); i.hasNext();) if (i.next() > #) i.remove();",
    "for (ListIterator<Integer> i = l.listIterator(); i.hasNext();) if (i.next() == #) i.set(7);",
    "for (ListIterator<Integer> i = l.listIterator(); i.hasNext();) if (i.next() == #) i.add(8);",
    "for (ListIterator<Integer> i = l.listIterator(l.size()); i.hasPrevious();) r = r * 3 + i.previous();",
    "l.clear();",
    "r = r * 31 + l.size() * 7 + d.size();",
    "l.forEach(x -> n.addAndGet(x));",
    "d.push(#);",
    "d.addLast(#);",
    "d.offerFirst(#);",
    "if (!d.isEmpty()) r = r * 31 + d.pop();",
    "Integer x0 = d.poll(); r = r * 31 + (x0 == null ? 9 : x0);",
    "Integer x1 = d.peekLast(); r = r * 31 + (x1 == null ? 9 : x1);",
    "Integer x2 = d.pollLast(); r = r * 31 + (x2 == null ? 9 : x2);",
    "r = r * 31 + (d.removeFirstOccurrence(#) ? 1 : 0);",
    "d.addAll(l);",
    "for (Iterator<Integer> i = d.descendingIterator(); i.hasNext();) r = r * 3 + i.next();",
    "for (int x : d) r = r * 3 + x;",
    "r = r * 31 + (d.contains(#) ? 1 : 0);",
    "s.add(#);",
    "s.add(#); s.add(#);",
    "r = r * 31 + (s.add(#) ? 1 : 0);",
    "r = r * 31 + (s.remove(#) ? 1 : 0);",
    "r = r * 31 + (s.contains(#) ? 1 : 0) + s.size();",
    "s.addAll(l);",
    "s.removeIf(x -> x % 2 == 0);",
    "for (int x : s) r = r * 3 + x;",
    "for (Iterator<Integer> i = s.iterator(); i.hasNext();) if (i.next() == #) i.remove();",
    "r = r * 31 + new TreeSet<>(s).headSet(#).size();",
    "TreeSet<Integer> t1 = new TreeSet<>(l); Integer f1 = t1.floor(#), c1 = t1.ceiling(#); r = r * 31 + (f1 == null ? 9 : f1) + (c1 == null ? 7 : c1);",
    "TreeSet<Integer> t2 = new TreeSet<>(l); Integer q2 = t2.pollFirst(); r = r * 31 + (q2 == null ? 9 : q2) + t2.size();",
    "m.put(#, #);",
    "m.put(#, #); m.put(#, #);",
    "Integer o1 = m.put(#, #); r = r * 31 + (o1 == null ? 9 : o1);",
    "Integer o2 = m.remove(#); r = r * 31 + (o2 == null ? 9 : o2);",
    "r = r * 31 + m.getOrDefault(#, 8);",
    "Integer o3 = m.putIfAbsent(#, #); r = r * 31 + (o3 == null ? 9 : o3);",
    "r = r * 31 + m.computeIfAbsent(#, k -> k + 1);",
    "Integer o4 = m.computeIfPresent(#, (k, v) -> v > 2 ? null : v + k); r = r * 31 + (o4 == null ? 9 : o4);",
    "Integer o5 = m.compute(#, (k, v) -> v == null ? k : null); r = r * 31 + (o5 == null ? 9 : o5);",
    "Integer o6 = m.merge(#, 1, Integer::sum); r = r * 31 + o6;",
    "r = r * 31 + (m.containsKey(#) ? 1 : 0) + (m.containsValue(#) ? 2 : 0);",
    "r = r * 31 + (m.keySet().remove(#) ? 1 : 0);",
    "r = r * 31 + (m.values().remove(#) ? 1 : 0);",
    "for (Map.Entry<Integer, Integer> e : m.entrySet()) { r = r * 3 + e.getKey() + e.getValue(); e.setValue(e.getValue() + 1); }",
    "for (int k : m.keySet()) r = r * 3 + k;",
    "for (int v : m.values()) r = r * 3 + v;",
    "m.replaceAll((k, v) -> v + k);",
    "m.entrySet().removeIf(e -> e.getValue() > 4);",
    "r = r * 31 + (m.replace(#, 5) == null ? 0 : 1) + m.size();",
    "r = r * 31 + (m.remove(#, #) ? 1 : 0);",
    "TreeMap<Integer, Integer> tm = new TreeMap<>(m); Integer fk = tm.floorKey(#); r = r * 31 + (fk == null ? 9 : fk) + tm.headMap(#).size();",
    "l.addAll(m.values());",
    "r = r * 31 + m.values().stream().mapToInt(Integer::intValue).max().orElse(3);",
    "p.add(#);",
    "p.add(#); p.add(#);",
    "Integer h1 = p.poll(); r = r * 31 + (h1 == null ? 9 : h1);",
    "Integer h2 = p.peek(); r = r * 31 + (h2 == null ? 9 : h2) + p.size();",
    "r = r * 31 + (p.remove(Integer.valueOf(#)) ? 1 : 0) + (p.contains(#) ? 1 : 0);",
    "b.append(#);",
    "b.append(\"x\").append(#).append(',');",
    "if (b.length() > 1) b.deleteCharAt(1);",
    "b.insert(0, #);",
    "b.reverse();",
    "if (b.length() > 2) b.setLength(2);",
    "r = r * 31 + b.toString().hashCode();",
    "t = t + #; r = r * 31 + t.length();",
    "t = t.replace(\"a\", \"bb\").concat(\"a\");",
    "r = r * 31 + t.indexOf('b') + t.lastIndexOf(\"a\");",
    "if (t.length() > 1) t = t.substring(1);",
    "r = r * 31 + t.split(\",\").length + t.toUpperCase().hashCode();",
    "bits.set(#); bits.flip(#);",
    "bits.set(#); r = r * 31 + bits.nextClearBit(0) + bits.nextSetBit(#);",
    "bits.clear(#); r = r * 31 + bits.cardinality() * 3 + bits.length();",
    "r = r * 31 + n.incrementAndGet();",
    "r = r * 31 + (n.compareAndSet(#, 4) ? 1 : 0) + n.get();",
    "r = r * 31 + n.getAndUpdate(x -> x + #) + n.accumulateAndGet(#, Math::max);",
];

/// The source of a class with classes of programs in it.
fn source(chance: &mut Numbers) -> String {
    let mut all = String::from(
        "import java.util.*;\nimport java.util.concurrent.atomic.*;\nimport java.util.stream.*;\n\npublic final class Random {\n",
    );
    for class in 0..PROGRAMS / OF_A_CLASS {
        writeln!(
            all,
            "    static final class P{class} {{\n        synchronized int plain() {{ return 7; }}"
        )
        .expect("a text");
        for method in 0..OF_A_CLASS {
            let given = GIVEN
                .replace("LIST", one_of(chance, &["ArrayList", "LinkedList"]))
                .replace("SET", one_of(chance, &["LinkedHashSet", "TreeSet"]))
                .replace("MAP", one_of(chance, &["LinkedHashMap", "TreeMap"]));
            write!(all, "        synchronized int m{method}() {{\n{given}").expect("a text");
            for _ in 0..STATEMENTS {
                let mut statement = one_of(chance, &STATEMENTS_OF).to_owned();
                while let Some(at) = statement.find('#') {
                    statement.replace_range(at..=at, &chance.below(5).to_string());
                }
                writeln!(all, "            {{ {statement} }}").expect("a text");
            }
            all += END;
        }
        all += "    }\n";
    }
    all + MAIN
}

/// And what it ends with.
const END: &str = "\
            for (Map.Entry<Integer, Integer> e : m.entrySet()) r = r * 3 + e.getKey() * 7 + e.getValue();
            for (int x : l) r = r * 3 + x;
            for (int x : s) r = r * 3 + x;
            return r + b.toString().hashCode() + n.get();
        }
";

/// Prints what each of them returns, or that it throws.
const MAIN: &str = "\
    public static void main(String[] args) throws Exception {
        for (Class<?> c : Random.class.getDeclaredClasses()) {
            var made = c.getDeclaredConstructor();
            made.setAccessible(true);
            for (var m : c.getDeclaredMethods()) {
                if (!java.lang.reflect.Modifier.isSynchronized(m.getModifiers())) continue;
                m.setAccessible(true);
                Object result;
                try {
                    result = m.invoke(made.newInstance());
                } catch (java.lang.reflect.InvocationTargetException e) {
                    result = e.getCause();
                }
                System.out.println(c.getName() + \" \" + m.getName() + \" \" + result);
            }
        }
    }
}
";

/// Another seed each time that it is said: `LOCKLENS_SEED=7`.
fn seed() -> u64 {
    let said = std::env::var("LOCKLENS_SEED").ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(1)
}

#[test]
fn programs_of_the_library_do_what_they_do_in_a_jvm_or_nothing_is_said() {
    let seed = seed();
    let folder =
        std::env::temp_dir().join(format!("locklens-random-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a scratch directory");
    let file: PathBuf = folder.join("Random.java");
    let mut chance = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    std::fs::write(&file, source(&mut chance)).expect("a scratch file");
    let program = compile(std::slice::from_ref(&file));
    let expected = expected(&file);
    let mut benches = BTreeMap::new();
    let (mut right, mut wrong) = (0, String::new());
    for ((class, method), expected) in &expected {
        let bench = benches
            .entry(class.clone())
            .or_insert_with(|| bench_of(&program, class));
        let Some(bench) = bench else { continue };
        match executed(bench, class, method) {
            Ok(result) if Some(result) == *expected => right += 1,
            Ok(result) => wrong += &format!("{class}.{method}: {result} instead of {expected:?}\n"),
            Err(why) if std::env::var_os("LOCKLENS_SEED").is_some() => {
                eprintln!("{class}.{method}: {why}")
            }
            Err(_) => {}
        }
    }
    let plain = PROGRAMS / OF_A_CLASS;
    assert_eq!(expected.len(), PROGRAMS + plain);
    assert!(
        wrong.is_empty(),
        "seed {seed}, {}:\n{wrong}",
        file.display()
    );
    assert!((right - plain) * 2 > PROGRAMS, "{right} of {PROGRAMS}");
    let _ = std::fs::remove_dir_all(&folder);
}
