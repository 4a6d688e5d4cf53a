//! Traces in the shapes that papers on the prediction of deadlocks argue about, each with what can be said of it.

use super::finding::{Kind, Tier};
use super::tests::{of_text, summary};

/// Steps in short: thread, sign, name. `+` takes, `-` releases, `?` asks for, `r` and `w` read and write, `f` starts, `j` joins,
/// `z` waits, `n` notifies all, `e` ends.
fn in_std(text: &str) -> String {
    let line = |(at, word): (usize, &str)| {
        let (thread, rest) = word.split_at(1);
        let (sign, name) = rest.split_at(1);
        let operation = match sign {
            "+" => "acq",
            "-" => "rel",
            "?" => "req",
            "r" | "w" => sign,
            "f" => "fork",
            "j" => "join",
            "z" => "wait",
            "n" => "notifyAll",
            _ => "end",
        };
        let name = match sign {
            "f" | "j" => format!("T{name}"),
            _ => name.to_owned(),
        };
        format!("T{thread}|{operation}({name})|{at}\n")
    };
    text.split_whitespace().enumerate().map(line).collect()
}

/// What is found: `T3 order a b`, one after the other.
fn found(text: &str) -> Vec<String> {
    let report = of_text(&in_std(text));
    let one = |(tier, kind, locks): (Tier, Kind, Vec<&str>)| {
        format!("{} {} {}", tier.name(), kind.name(), locks.join(" "))
    };
    let mut all: Vec<String> = summary(&report).into_iter().map(one).collect();
    all.sort();
    all
}

/// Checks rows of a name, a trace, and what is found.
fn holds(rows: &[(&str, &str, &[&str])]) {
    for (name, trace, expected) in rows {
        assert_eq!(found(trace), *expected, "{name}: {trace}");
    }
}

#[test]
fn gates_keep_threads_apart_only_where_all_have_them() {
    holds(&[
        (
            "no gate",
            "1+a 1+b 1-b 1-a 2+b 2+a 2-a 2-b",
            &["T3 order a b"],
        ),
        (
            "a gate of both",
            "1+g 1+a 1+b 1-b 1-a 1-g 2+g 2+b 2+a 2-a 2-b 2-g",
            &[],
        ),
        (
            "a gate of one",
            "1+g 1+a 1+b 1-b 1-a 1-g 2+b 2+a 2-a 2-b",
            &["T3 order a b"],
        ),
        (
            "a gate left too early",
            "1+g 1+a 1+b 1-b 1-a 1-g 2+g 2+b 2-g 2+a 2-a 2-b",
            &["T4 order a b"],
        ),
        (
            "a ring of three, of which two have a gate",
            "1+g 1+a 1+b 1-b 1-a 1-g 2+g 2+b 2+c 2-c 2-b 2-g 3+c 3+a 3-a 3-c",
            &[],
        ),
        (
            "a gate that is on the ring",
            "1+a 1+b 1+c 1-c 1-b 1-a 2+a 2+c 2+b 2-b 2-c 2-a",
            &[],
        ),
    ]);
}

#[test]
fn starts_and_joins_order_what_came_before_and_after() {
    holds(&[
        (
            "started after it",
            "0+a 0+b 0-b 0-a 0f1 1+b 1+a 1-a 1-b",
            &[],
        ),
        (
            "started before it",
            "0f1 0+a 0+b 0-b 0-a 1+b 1+a 1-a 1-b",
            &["T3 order a b"],
        ),
        (
            "one after the other",
            "0f1 1+a 1+b 1-b 1-a 1e 0j1 0f2 2+b 2+a 2-a 2-b",
            &[],
        ),
        (
            "both at once",
            "0f1 0f2 1+a 1+b 1-b 1-a 1e 2+b 2+a 2-a 2-b 2e 0j1 0j2",
            &["T3 order a b"],
        ),
        (
            "once too early, once not",
            "0+a 0+b 0-b 0-a 0f1 1+b 1+a 1-a 1-b 0+a 0+b 0-b 0-a",
            &["T3 order a b"],
        ),
        (
            "joined under a lock that the other takes",
            "0f1 1+a 1-a 1e 0+a 0j1 0-a",
            &["T3 join a end of T1"],
        ),
    ]);
}

#[test]
fn what_was_read_orders_and_what_was_written_in_time_does_not() {
    holds(&[
        (
            "a flag raised afterwards",
            "1+a 1+b 1-b 1-a 1wx 2rx 2+b 2+a 2-a 2-b",
            &["T5 order a b"],
        ),
        (
            "a flag raised before",
            "1wx 1+a 1+b 1-b 1-a 2rx 2+b 2+a 2-a 2-b",
            &["T1 order a b"],
        ),
        (
            "read by nobody who matters",
            "1+a 1+b 1-b 1-a 1wx 3rx 2+b 2+a 2-a 2-b",
            &["T1 order a b"],
        ),
        (
            "handed on by a third",
            "1+a 1+b 1-b 1-a 1wx 3rx 3wy 2ry 2+b 2+a 2-a 2-b",
            &["T5 order a b"],
        ),
        (
            "written under a lock and read under it",
            "1+a 1+b 1-b 1-a 1+m 1wx 1-m 2+m 2rx 2-m 2+b 2+a 2-a 2-b",
            &["T5 order a b"],
        ),
        (
            "joined under a lock that the other has taken, and read nothing of his",
            "0f1 0rx 1+a 1wx 1-a 1e 0+a 0j1 0-a",
            &["T1 join a end of T1"],
        ),
        (
            "the same, told of it by a flag",
            "0f1 1+a 1-a 1wx 1e 0rx 0+a 0j1 0-a",
            &["T5 join a end of T1"],
        ),
    ]);
}

#[test]
fn sections_of_other_locks_are_no_order_but_may_need_another_one() {
    holds(&[
        (
            "one after the other in the same lock",
            "1+a 1+b 1-b 1-a 1+m 1-m 2+m 2-m 2+b 2+a 2-a 2-b",
            &["T3 order a b"],
        ),
        (
            "only if the other lock is taken the other way round",
            "1+m 1+a 1+b 1-b 1-a 1-m 2+m 2-m 2+b 2+a 2-a 2-b",
            &["T4 order a b"],
        ),
        (
            "the same once more, without that lock",
            "1+m 1+a 1+b 1-b 1-a 1-m 2+m 2-m 2+b 2+a 2-a 2-b 1+a 1+b 1-b 1-a",
            &["T3 order a b"],
        ),
    ]);
}

#[test]
fn rings_need_as_many_threads_as_locks() {
    let five = "0+a 0+b 0-b 0-a 1+b 1+c 1-c 1-b 2+c 2+d 2-d 2-c 3+d 3+e 3-e 3-d 4+e 4+a 4-a 4-e";
    let one_turned = five.replace("4+e 4+a 4-a 4-e", "4+a 4+e 4-e 4-a");
    holds(&[
        (
            "three",
            "1+a 1+b 1-b 1-a 2+b 2+c 2-c 2-b 3+c 3+a 3-a 3-c",
            &["T3 order a b c"],
        ),
        (
            "three, by two",
            "1+a 1+b 1-b 1-a 2+b 2+c 2-c 2-b 2+c 2+a 2-a 2-c",
            &[],
        ),
        ("five at a table", five, &["T3 order a b c d e"]),
        ("one of whom begins at the other side", &one_turned, &[]),
        (
            "hand over hand, from both ends",
            "1+a 1+b 1-a 1+c 1-b 1-c 2+c 2+b 2-c 2+a 2-b 2-a",
            &["T3 order a b", "T3 order b c"],
        ),
        (
            "taken again",
            "1+a 1+b 1+a 1-a 1-b 1-a 2+a 2+b 2+b 2+a 2-a 2-b 2-b 2-a",
            &[],
        ),
        (
            "kept by a level that is left",
            "1+a 1+a 1-a 1+b 1-b 1-a 2+b 2+a 2-a 2-b",
            &["T3 order a b"],
        ),
        ("stuck at the end", "1+a 2+b 1?b 2?a", &["T0 order a b"]),
    ]);
}

#[test]
fn a_notify_orders_what_came_before_it_before_what_comes_after_the_wait() {
    holds(&[
        (
            "before the notify, after the wait",
            "2+m 2zm 1+a 1+b 1-b 1-a 1+m 1nm 1-m 2-m 2+b 2+a 2-a 2-b",
            &[],
        ),
        (
            "after the notify, before the wait",
            "2+b 2+a 2-a 2-b 2+m 2zm 1+m 1nm 1-m 2-m 1+a 1+b 1-b 1-a",
            &["T3 order a b"],
        ),
        (
            "after the notify, after the wait",
            "2+m 2zm 1+m 1nm 1-m 2-m 1+a 1+b 1-b 1-a 2+b 2+a 2-a 2-b",
            &["T3 order a b"],
        ),
        (
            "waits with the lock that the notifier needs",
            "2+o 2-o 1+o 1+m 1zm 2+m 2nm 2-m 1-m 1-o",
            &["T3 nested-wait notify of m o"],
        ),
        (
            "and with one that it does not need",
            "2+p 2-p 1+o 1+m 1zm 2+m 2nm 2-m 1-m 1-o",
            &[],
        ),
    ]);
}

#[test]
fn who_can_notify_only_before_or_afterwards_lets_nobody_go() {
    const WAITS: &str = "2+o 2-o 1+o 1+m 1zm 2+m 2nm 2-m 1-m 1-o";
    const NOTIFIES: &str = "3+m 3nm 3-m";
    const SERVES: &str = "1+o 1+m 1zm 3+m 3nm 3-m 1-m 1-o";
    const STARTS: &str = "3f1 3f2";
    const JOINS: &str = "1e 2e 3j1 3j2";
    let nested: &[&str] = &["T3 nested-wait notify of m o"];
    // Nobody went on by what it gives: it may be for something else.
    let perhaps: &[&str] = &["T5 nested-wait notify of m o"];
    let rows: [(&str, &[&str], &[&str]); 6] = [
        ("nobody else", &[STARTS, WAITS, JOINS], nested),
        ("whenever it likes", &[NOTIFIES, WAITS], perhaps),
        ("and it has", &[NOTIFIES, WAITS, SERVES], &[]),
        ("before they begin", &[NOTIFIES, STARTS, WAITS], nested),
        ("after their end", &[STARTS, WAITS, JOINS, NOTIFIES], nested),
        (
            "before they begin, and when they have begun",
            &[NOTIFIES, STARTS, NOTIFIES, WAITS],
            perhaps,
        ),
    ];
    for (name, parts, expected) in rows {
        assert_eq!(found(&parts.join(" ")), expected, "{name}");
    }
}

/// Nobody can begin to wait as long as somebody else has the monitor.
#[test]
fn who_has_notified_since_he_took_the_monitor_keeps_nobody_in_a_wait_there() {
    let three = |third: &str| {
        let waits = "1+o 1+m 1zm 2+m 2nm 2-m 1-m 1-o";
        let all = found(&format!("{waits} {third}"));
        all.iter().any(|one| one.contains("nested-wait"))
    };
    assert!(three("3+m 3+o 3-o 3-m"));
    assert!(three("3+m 3nm 3-m 3+m 3+o 3-o 3-m"));
    assert!(!three("3+m 3nm 3+o 3-o 3-m"));
    // Not each time.
    assert!(three("3+m 3nm 3+o 3-o 3-m 3+m 3+o 3-o 3-m"));
}

/// What is not remembered of a thread's ways may have been one that helps.
#[test]
fn who_came_too_many_ways_may_help() {
    let each = |at: usize| {
        let name = format!("x{at}");
        format!("3+{name} 3-{name} 3+m 3nm 3-m")
    };
    let many: Vec<String> = (0..100).map(each).collect();
    let waits = "2+o 2-o 1+o 1+m 1zm 2+m 2nm 2-m 1-m 1-o";
    let (before, after) = many.split_at(80);
    let all = [
        before.join(" "),
        "3f1 3f2".to_owned(),
        waits.to_owned(),
        after.join(" "),
    ];
    assert_eq!(found(&all.join(" ")), ["T5 nested-wait notify of m o"]);
    let few = [
        before[..10].join(" "),
        "3f1 3f2".to_owned(),
        waits.to_owned(),
    ];
    assert_eq!(found(&few.join(" ")), ["T3 nested-wait notify of m o"]);
}
