//! A gate over deadlocks of locks that a method is handed: programs in two versions, of which the second one has a cycle more, by callers
//! that the first one has, too.

use crate::rig::{Jdk, compile, jdks, run, scratch};
use std::fs;
use std::path::PathBuf;

/// A program of which two threads do these one after the other.
fn program(first: &str, second: &str, more: &str) -> String {
    format!(
        r#"
public final class App {{
    static final Object a = new Object(), b = new Object(), c = new Object(), d = new Object(), e = new Object();

    /// Until the other one is through.
    static void rest() {{
        try {{
            while (System.getProperty("through") == null) {{
                Thread.sleep(1);
            }}
        }} catch (InterruptedException stop) {{
            throw new IllegalStateException(stop);
        }}
    }}

    public static void main(String[] args) throws InterruptedException {{
        Thread first = new Thread(() -> {{ {first} System.setProperty("through", "yes"); }}, "first");
        Thread second = new Thread(() -> {{ rest(); {second} }}, "second");
        first.start();
        second.start();
        first.join();
        second.join();
    }}
}}

class Store {{
    static int moved;

    static void move(Object from, Object to) {{
        synchronized (from) {{
            put(to);
        }}
    }}

    static void put(Object to) {{
        synchronized (to) {{
            moved++;
        }}
    }}

    static void both(Object from, Object to) {{
        synchronized (from) {{
            synchronized (to) {{
                moved++;
            }}
        }}
    }}
}}

{more}
"#
    )
}

/// Fields of one object, in a class that locks nothing itself.
fn desks(sell: &str, buy: &str) -> String {
    let desk = format!(
        "class Desk {{ static final Desk it = new Desk(); final Object in = new Object(), out = new Object(), old = new Object(); void sell() {{ {sell} }} void buy() {{ {buy} }} }}"
    );
    program("Desk.it.sell();", "Desk.it.buy();", &desk)
}

/// Locks that objects keep, and a lambda that makes them captures.
fn clerks(first: &str, second: &str) -> String {
    let clerk = "class Clerk { private final Object one, other; Clerk(Object one, Object other) { this.one = one; this.other = other; } void work() { Store.both(one, other); } }";
    program(first, second, clerk)
}

/// Records a program and, of the JDK's, vectors; and gives the file.
fn recorded(jdk: &Jdk, name: &str, source: &str) -> PathBuf {
    let out = scratch(&format!("gate-{name}"));
    fs::create_dir_all(&out).unwrap();
    let file = out.join("App.java");
    fs::write(&file, source).unwrap();
    compile(&[file], &out);
    let trace = out.join("app.llt");
    let (java, written) = (jdk.java(), trace.to_string_lossy());
    let (java, classes) = (java.to_string_lossy(), out.to_string_lossy());
    run(&[
        "trace",
        "--all-app",
        "--class",
        "java.util.Vector",
        "-o",
        &written,
        "--",
        &java,
        "-cp",
        &classes,
        "App",
    ])
    .ended_with(0);
    trace
}

/// Whether the gate lets the second program pass whose first one it knows.
fn passes(jdk: &Jdk, name: &str, known: &str, now: &str) -> bool {
    let known = recorded(jdk, &format!("{name}-known"), known);
    let now = recorded(jdk, &format!("{name}-now"), now);
    let baseline = scratch(&format!("gate-{name}.json"));
    let words = [&known, &baseline, &now].map(|path| path.to_string_lossy().into_owned());
    let [file, baseline_word, now] = &words;
    run(&[
        "check",
        file,
        "--baseline",
        baseline_word,
        "--update-baseline",
    ])
    .ended_with(0);
    run(&["check", file, "--baseline", baseline_word]).ended_with(0);
    let ran = run(&["check", now, "--baseline", baseline_word]);
    let _ = fs::remove_file(baseline);
    // Shown where a test fails: what was new.
    eprintln!("{name}: {}", ran.stdout);
    ran.status == Some(0)
}

#[test]
fn a_second_cycle_through_a_method_by_callers_that_are_known_is_new() {
    let jdk = &jdks()[0];
    let desk = desks("Store.both(in, out);", "Store.both(out, in);");
    let more = desks(
        "Store.both(in, out); Store.both(out, old);",
        "Store.both(out, in); Store.both(old, out);",
    );
    assert!(!passes(jdk, "desk", &desk, &more));
    let clerk = clerks(
        "new Clerk(App.a, App.b).work();",
        "new Clerk(App.b, App.a).work();",
    );
    let more = clerks(
        "new Clerk(App.a, App.b).work(); new Clerk(App.c, App.d).work();",
        "new Clerk(App.b, App.a).work(); new Clerk(App.d, App.c).work();",
    );
    assert!(!passes(jdk, "clerk", &clerk, &more));
    let ring = "Store.move(b, a); Store.move(d, e); Store.move(e, c);";
    let move_on = |last: &str| {
        let main = format!(
            "class Main {{ static final Object a = App.a, b = App.b, c = App.c, d = App.d, e = App.e; static void sell() {{ Store.move(a, b); Store.move(c, d); }} static void buy() {{ {ring} {last} }} }}"
        );
        program("Main.sell();", "Main.buy();", &main)
    };
    assert!(!passes(
        jdk,
        "moves",
        &move_on(""),
        &move_on("Store.move(d, c);")
    ));
}

#[test]
fn a_second_cycle_of_vectors_by_another_method_is_new() {
    let jdk = &jdks()[0];
    let of = |name: &str, method: &str| {
        format!(
            "class {name} {{ static final java.util.Vector<Object> one = new java.util.Vector<>(java.util.Arrays.asList(1)), other = new java.util.Vector<>(one); static void go() {{ one.{method}(other); }} static void back() {{ other.{method}(one); }} }}"
        )
    };
    let both = of("Desk", "addAll") + &of("Shop", "removeAll");
    let desk = program("Desk.go();", "Desk.back();", &both);
    let more = program("Desk.go(); Shop.go();", "Desk.back(); Shop.back();", &both);
    assert!(!passes(jdk, "vectors", &desk, &more));
    assert!(passes(jdk, "fewer-vectors", &more, &desk));
    let again = program("Desk.back(); Desk.go();", "Desk.back();", &both);
    assert!(passes(jdk, "vectors-again", &desk, &again));
}

#[test]
fn another_build_and_a_call_that_makes_no_cycle_are_nothing_new() {
    let jdk = &jdks()[0];
    let desk = desks("Store.both(in, out);", "Store.both(out, in);");
    let shifted = desk.replace("void sell()", "\n\n\nvoid other() { sell(); } void sell()");
    assert!(passes(jdk, "shifted", &desk, &shifted));
    let clerk = clerks(
        "new Clerk(App.a, App.b).work();",
        "new Clerk(App.b, App.a).work();",
    );
    let harmless = clerk.replace(
        "new Clerk(App.b",
        "new Clerk(App.c, App.d).work(); new Clerk(App.b",
    );
    assert!(passes(jdk, "harmless", &clerk, &harmless));
}
