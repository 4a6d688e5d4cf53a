//! Blocked time in its forms, as goldens.

use locklens_inference::contention::{Blame, Key, LookedAt, Looks, Place, Row, Value, Why};
use locklens_inference::model::{CallChain, LogicalLock, Model, Stays, Times};
use locklens_trace::Nanos;
use locklens_trace::record::target_key;
use locklens_viz::{Look, contention};

fn row(value: Value, ms: u64, count: u64, rows: Vec<Row>) -> Row {
    Row {
        value: Some(value),
        ns: Nanos::from_millis(ms),
        count,
        unmeasured: 0,
        estimated: Nanos(0),
        untested: Nanos(0),
        idle: Nanos(0),
        nowhere: Vec::new(),
        p50: Some(Nanos::from_millis(ms / count)),
        p99: Some(Nanos::from_millis(ms / count * 2)),
        max: Some(Nanos::from_millis(ms / count * 3)),
        rows,
    }
}

fn named(name: &str) -> Value {
    Value::Named(name.to_owned())
}

fn chain(frames: &[&str]) -> Value {
    Value::Chain(CallChain {
        frames: frames.iter().map(|&frame| frame.to_owned()).collect(),
        cut: true,
    })
}

fn blame() -> Blame {
    let waiters = |ms, count| {
        let place = named("shop.Store.read(Store.java:40)");
        vec![row(place, ms, count, Vec::new())]
    };
    let owners = vec![
        row(
            chain(&[
                "shop.Store.write(Store.java:12)",
                "shop.Main.run(Main.java:3)",
            ]),
            600,
            50,
            waiters(600, 50),
        ),
        row(Value::Unknown, 150, 30, waiters(150, 30)),
        row(Value::Nobody, 50, 40, waiters(50, 40)),
    ];
    let locks = vec![
        row(Value::Lock(1, "shop.Store".to_owned()), 800, 80, owners),
        Row {
            estimated: Nanos::from_millis(200),
            p50: None,
            p99: None,
            max: None,
            ..row(
                Value::Lock(2, "evil \u{1b}[31m; \"lock\"".to_owned()),
                200,
                10,
                vec![row(Value::Cycle, 200, 10, waiters(200, 10))],
            )
        },
        row(Value::Lock(3, "shop.Tiny".to_owned()), 1, 1, Vec::new()),
    ];
    Blame {
        keys: vec![Key::Lock, Key::OwnerStack, Key::WaiterSite],
        total: Row {
            value: None,
            unmeasured: 2,
            estimated: Nanos::from_millis(200),
            ..row(Value::Unknown, 1001, 91, locks)
        },
        unknown: [(Why::Unseen, Nanos::from_millis(150))].into(),
        nobody: Nanos::from_millis(50),
        cycle: Nanos::from_millis(200),
        without_chain: Nanos::from_millis(30),
        parked_without_chain: Nanos::from_millis(120),
        unjoined: 3,
        looks: looks(),
        ..Blame::default()
    }
}

fn looks() -> Looks {
    let at = |method, looks, share: f64, threads| Place {
        method,
        looks,
        share,
        interval: ((share - 0.04).max(0.0), share + 0.06),
        threads,
        chains: vec![(
            CallChain {
                frames: vec!["shop.Disk.flush(Disk.java:7)".to_owned()],
                cut: false,
            },
            share,
        )],
    };
    let others = vec![(named("pool-1"), 0.4), (named("evil \u{1b}[31m"), 0.2)];
    let lock = |id, name: &str, worth, places| LookedAt {
        lock: Value::Lock(id, name.to_owned()),
        looks: 100,
        worth,
        time: Nanos::from_millis(1_000),
        places,
    };
    Looks {
        total: 203,
        locks: vec![
            lock(
                1,
                "shop.Store",
                80.0,
                vec![
                    at(named("shop.Store.write"), 60, 0.6, others),
                    at(Value::Unknown, 30, 0.3, vec![(named("main"), 0.3)]),
                    at(Value::Nobody, 9, 0.095, Vec::new()),
                    at(named("shop.Store.seldom"), 1, 0.005, Vec::new()),
                ],
            ),
            // Too few that are independent of each other to be printed.
            lock(
                2,
                "shop.Tiny",
                2.5,
                vec![at(Value::Nobody, 3, 1.0, Vec::new())],
            ),
        ],
    }
}

fn model() -> Model {
    let facts = [
        (target_key::MAIN, "shop.Main"),
        (target_key::JAVA_VERSION, "17.0.15"),
    ];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut model = Model {
        target: facts.into(),
        ..Model::default()
    };
    model.recording.duration = Nanos::from_millis(5_000);
    model.recording.ended = true;
    model
}

fn text(blame: &Blame, width: usize) -> String {
    let look = Look {
        width,
        colour: false,
    };
    let mut out = Vec::new();
    contention::text(blame, &model(), look, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_tree_fits_80_columns() {
    let text = text(&blame(), 80);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn where_no_length_is_known_neither_nothing_nor_everything_is() {
    let mut lock = row(Value::Lock(1, "shop.Store".to_owned()), 0, 518, Vec::new());
    (lock.unmeasured, lock.p50, lock.p99, lock.max) = (518, None, None, None);
    let none = Blame {
        keys: vec![Key::Lock],
        total: Row {
            rows: vec![lock.clone()],
            value: None,
            ..lock
        },
        ..Blame::default()
    };
    let told = text(&none, 200);
    assert!(
        told.contains("Blocked ? in 518 stays of a recording"),
        "{told}"
    );
    assert!(
        told.contains("of unknown length (an end is missing"),
        "{told}"
    );
    for wrong in ["0ns", "100%", "0%"] {
        assert!(!told.contains(wrong), "{wrong}: {told}");
    }
    let some = text(&blame(), 200);
    assert!(some.contains("Blocked ≥1.00s in"), "{some}");
    assert!(some.contains("2 of them of unknown length"), "{some}");
}

#[test]
fn a_trace_of_every_park_is_not_advised_to_record_them() {
    let mut model = model();
    let mut out = Vec::new();
    let look = Look {
        width: 200,
        colour: false,
    };
    model.recording.parks = Some(Default::default());
    contention::text(&blame(), &model, look, &mut out).unwrap();
    let told = String::from_utf8(out).unwrap();
    assert!(told.contains("~ = an estimate"), "{told}");
    assert!(!told.contains("trace --juc"), "{told}");
}

/// A pool that is too small blocks nobody.
#[test]
fn who_waits_much_longer_than_he_is_blocked_is_told_at_once() {
    let head = |waits| {
        let mut model = model();
        model.locks.push(waited_on(waits));
        let look = Look {
            width: 200,
            colour: false,
        };
        written(|out| contention::text(&blame(), &model, look, out))
    };
    let blocked = blame().total.ns.0;
    assert!(head(Nanos(11 * blocked)).contains("They waited"));
    assert!(!head(Nanos(9 * blocked)).contains("They waited"));
}

/// A lock on which threads waited for so long, and nothing else.
fn waited_on(total: Nanos) -> LogicalLock {
    LogicalLock {
        id: 9,
        name: "shop.Pool".to_owned(),
        classes: Vec::new(),
        concrete: Vec::new(),
        types: Vec::new(),
        runners_up: Vec::new(),
        contradictions: Vec::new(),
        regions: Vec::new(),
        unplaced: Stays::default(),
        instances: 1,
        threads: 8,
        locked: None,
        blocked: Times::default(),
        waits: Times {
            count: 1,
            total,
            ..Times::default()
        },
        timed_out: 0,
        still_waiting: 0,
        still_blocked: 0,
        sampled: None,
        parks: None,
        uses: None,
    }
}

#[test]
fn it_uses_160_columns() {
    insta::assert_snapshot!(text(&blame(), 160));
}

#[test]
fn where_there_is_no_room_for_names_lines_are_longer() {
    assert_eq!(text(&blame(), 40), text(&blame(), 80));
}

#[test]
fn who_was_somewhere_is_named() {
    let ms = Nanos::from_millis;
    let named = |nowhere: &[(&str, u64)]| {
        let nowhere = nowhere.iter().map(|&(name, of)| (name.to_owned(), ms(of)));
        let by = Row {
            nowhere: nowhere.collect(),
            ..row(Value::Unknown, 100, 4, Vec::new())
        };
        let blame = Blame {
            keys: vec![Key::OwnerMethod],
            total: Row {
                value: None,
                ..row(Value::Unknown, 100, 4, vec![by])
            },
            ..Blame::default()
        };
        let text = text(&blame, 120);
        let line = text.lines().find_map(|line| line.split_once("by "));
        line.map(|(_, told)| told.to_owned()).unwrap()
    };
    assert_eq!(named(&[("villain", 100)]), "villain, place unknown");
    let two = named(&[("villain", 90), ("clerk", 10)]);
    assert_eq!(two, "villain +1, place unknown");
    let most = named(&[("villain", 70)]);
    assert_eq!(most, "(place unknown; 70% villain)");
    assert_eq!(named(&[("villain", 40)]), "(unknown)");
}

#[test]
fn waits_have_words_of_their_own() {
    let waits = Blame {
        looks: Looks::default(),
        waits: true,
        inferred: 2,
        ..blame()
    };
    insta::assert_snapshot!(text(&waits, 80));
}

#[test]
fn nothing_is_said_in_a_line() {
    let nothing = Blame {
        keys: vec![Key::Lock],
        ..Blame::default()
    };
    insta::assert_snapshot!(text(&nothing, 80));
}

#[test]
fn what_is_left_out_is_told_if_it_is_much() {
    let mut model = model();
    let said = |model: &Model| {
        let text = written(|out| contention::text(&blame(), model, Look::default(), out));
        text.contains("known-safe locks")
    };
    for (ms, told) in [(0, false), (40, false), (3_300, true)] {
        model.recording.hidden_blocked = Nanos::from_millis(ms);
        assert_eq!(said(&model), told, "{ms} ms of 1,001");
    }
}

#[test]
fn programs_read_it() {
    let model = model();
    let json = written(|out| contention::json(&blame(), &model, out));
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["unknown_owner_ns"], 150_000_000);
    assert_eq!(read["rows"][0]["children"][0]["keys"]["lock"], "shop.Store");
    insta::assert_snapshot!(json);
}

#[test]
fn spreadsheets_read_it() {
    let csv = written(|out| contention::csv(&blame(), out));
    insta::assert_snapshot!(csv);
}

#[test]
fn chains_are_drawn_and_told_one_a_line() {
    let chains = Blame {
        keys: vec![Key::OwnerStack],
        total: Row {
            rows: blame().total.rows[0].rows.clone(),
            ..blame().total
        },
        ..blame()
    };
    let lines = written(|out| contention::collapsed(&chains, out));
    insta::assert_snapshot!(lines);
    let draw = || written(|out| contention::flame(&chains, contention::Side::Owner, out));
    assert!(draw().contains("shop.Store.write(Store.java:12)"));
    assert_eq!(draw(), draw(), "the same bytes");
    let nothing = Blame::default();
    assert!(
        written(|out| contention::flame(&nothing, contention::Side::Waiter, out)).contains("<svg")
    );
}

#[test]
fn what_is_inferred_and_not_tested_is_not_called_known() {
    let inferred = Row {
        untested: Nanos::from_millis(90),
        ..row(named("main"), 90, 9, Vec::new())
    };
    let rows = vec![inferred, row(named("other"), 10, 2, Vec::new())];
    let blame = Blame {
        keys: vec![Key::OwnerThread],
        total: Row {
            value: None,
            untested: Nanos::from_millis(90),
            ..row(Value::Unknown, 100, 10, rows)
        },
        ..Blame::default()
    };
    let text = text(&blame, 120);
    let known = "who held the lock is known of 10% of it, inferred of 90%.";
    assert!(text.contains(known), "{text}");
    assert!(text.contains("Inferred 90%, 90.0ms (?): "), "{text}");
    let by = |line: &str| line.split_once(" by ").map(|(_, name)| name.to_owned());
    let shown: Vec<_> = text.lines().filter_map(by).take(2).collect();
    assert_eq!(shown, ["main ?", "other"]);
    let json = written(|out| contention::json(&blame, &model(), out));
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["untested_owner_ns"], 90_000_000);
    assert_eq!(read["rows"][0]["untested_ns"], 90_000_000);
}

#[test]
fn what_is_no_more_than_waiting_for_work_is_said_at_once() {
    let idle = |ms| {
        let empty = Row {
            idle: Nanos::from_millis(ms),
            ..row(Value::Empty, 995, 2, Vec::new())
        };
        let rows = [empty, row(named("miser"), 3, 1, Vec::new())];
        let blame = Blame {
            keys: vec![Key::OwnerThread],
            total: Row {
                value: None,
                idle: Nanos::from_millis(ms),
                ..row(Value::Unknown, 1_000, 3, rows.to_vec())
            },
            nobody: Nanos::from_millis(995),
            ..Blame::default()
        };
        let json = written(|out| contention::json(&blame, &model(), out));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["idle_ns"], ms * 1_000_000);
        assert_eq!(json["rows"][0]["is"], "empty");
        text(&blame, 200)
    };
    let all = idle(995);
    assert!(all.contains("995ms of it, 99%, threads were idle"), "{all}");
    assert!(!all.contains("(nobody, of"), "{all}");
    // Last, and not left out; the other one is little of all, and much of what is not idle.
    let (_, below) = all.split_once("by miser").expect("a row");
    assert!(below.contains("by (nobody: nothing to take)"), "{all}");
    let little = idle(5);
    assert!(!little.contains("idle:"), "{little}");
    assert!(little.contains("(nobody, of 99%)"), "{little}");
}

#[test]
fn a_thread_called_like_a_word_is_told_apart_in_a_table() {
    let rows = [named("<nobody>"), Value::Nobody, named("<other>")];
    let rows = rows.map(|value| row(value, 10, 1, Vec::new()));
    let blame = Blame {
        keys: vec![Key::OwnerThread],
        total: Row {
            value: None,
            ..row(Value::Unknown, 30, 3, rows.to_vec())
        },
        ..Blame::default()
    };
    let csv = written(|out| contention::csv(&blame, out));
    let names: Vec<_> = csv
        .lines()
        .filter_map(|line| line.split(',').next())
        .collect();
    let apart = [
        "owner-thread",
        "\"\"\"<nobody>\"\"\"",
        "<nobody>",
        "\"\"\"<other>\"\"\"",
    ];
    assert_eq!(names, apart);
}

#[test]
fn names_that_could_be_words_are_told_apart_and_changed_ones_are_told_of() {
    let names = ["(unknown)", "nobody", "<unnamed 26>", "main"];
    let rows = names.map(|name| row(named(name), 10, 2, Vec::new()));
    let unknown = row(Value::Unknown, 10, 2, Vec::new());
    let rows = rows.into_iter().chain([unknown]).collect();
    let mut blame = Blame {
        keys: vec![Key::OwnerThread],
        total: Row {
            value: None,
            ..row(Value::Unknown, 50, 10, rows)
        },
        renamed: 2,
        ..Blame::default()
    };
    let told = |blame: &Blame| self::text(blame, 80);
    let text = told(&blame);
    let by = |line: &str| line.split_once(" by ").map(|(_, name)| name.to_owned());
    let shown: Vec<_> = text.lines().filter_map(by).take(5).collect();
    let apart = [
        "\"(unknown)\"",
        "\"nobody\"",
        "<unnamed 26>",
        "main",
        "(unknown)",
    ];
    assert_eq!(shown, apart);
    let changed = "Names changed, of 2 threads: all of a thread's time stands under its last name.";
    assert!(text.contains(changed), "{text}");
    blame.keys = vec![Key::Lock];
    assert!(!told(&blame).contains("Names changed"));
}
