//! One lock in full, its history, what a trace consists of, and how locks are found.

use crate::fixtures::{lock, model, rendered, shown};
use locklens_inference::contention::{Blame, LookedAt, Place, Row, Value};
use locklens_inference::model::{CallChain, HistoryRow, LogicalLock};
use locklens_inference::volume::Composition;
use locklens_trace::record::{End, EndReason, Event, EventKind, Owner, target_key};
use locklens_trace::{Nanos, Record, ThreadId};
use locklens_viz::contention::OF_LOCK;
use locklens_viz::report::SortKey;
use locklens_viz::{Look, Unclear, events, find, info, report, show};

#[test]
fn show_tells_all_of_a_lock() {
    insta::assert_snapshot!(shown(&model(), 1));
}

#[test]
fn a_place_that_is_no_block_and_no_synchronized_method_is_called_neither() {
    let mut model = model();
    for region in &mut model.locks[1].regions {
        region.synchronized = false;
    }
    let text = shown(&model, 1);
    assert!(text.contains("Gate.java:30") && !text.contains("synchronized"));
}

/// Blocked time of two locks, by who held them where, and where others were blocked.
fn blame() -> Blame {
    let row = |value, ms, rows| Row {
        value: Some(value),
        ns: Nanos::from_millis(ms),
        count: 10,
        max: Some(Nanos::from_millis(ms / 2)),
        rows,
        ..Row::default()
    };
    let at = |frames: &[&str]| {
        let frames = frames.iter().map(|&frame| frame.to_owned()).collect();
        Value::Chain(CallChain { frames, cut: false })
    };
    let waiters = |ms| vec![row(at(&["shop.Cart.add(Cart.java:9)"]), ms, Vec::new())];
    let pool = Value::Named("pool-#-thread-#".to_owned());
    let load = [
        "shop.orders.BoundedOrderQueue.load(BoundedOrderQueue.java:31)",
        "shop.orders.BoundedOrderQueue.get\u{1b}[31m(BoundedOrderQueue.java:12)",
    ];
    let owners = vec![
        row(
            pool,
            900,
            vec![
                row(at(&load), 600, waiters(600)),
                row(Value::Unknown, 300, waiters(300)),
            ],
        ),
        row(
            Value::Unknown,
            100,
            vec![row(Value::Unknown, 100, waiters(100))],
        ),
    ];
    let of = |id, rows| row(Value::Lock(id, format!("lock {id}")), 1_000, rows);
    let place = Place {
        method: Value::Named("shop.orders.BoundedOrderQueue.load".to_owned()),
        looks: 90,
        share: 0.6,
        interval: (0.5, 0.7),
        threads: vec![(Value::Named("pool-1-thread-1".to_owned()), 0.6)],
        chains: Vec::new(),
    };
    let looked_at = |id| LookedAt {
        lock: Value::Lock(id, format!("lock {id}")),
        looks: 120,
        worth: 80.0,
        time: Nanos::from_millis(1_000),
        places: vec![place.clone()],
    };
    Blame {
        keys: OF_LOCK.to_vec(),
        total: row(
            Value::Unknown,
            2_000,
            vec![of(1, Vec::new()), of(2, owners)],
        ),
        looks: locklens_inference::contention::Looks {
            total: 240,
            locks: vec![looked_at(1), looked_at(2)],
        },
        ..Blame::default()
    }
}

#[test]
fn show_tells_who_held_a_lock_while_others_were_blocked() {
    let model = model();
    let blame = blame().of_lock(2).expect("it is there");
    assert!(self::blame().of_lock(3).is_none());
    let lock = &model.locks[1];
    let text = rendered(|out| {
        show::text(&model, lock, Some(&blame), Look::default(), out).expect("memory");
    });
    let (_, part) = text.split_once("Who held it").expect("the section");
    insta::assert_snapshot!(part.split("\nTypes").next().unwrap_or_default());
    let json = rendered(|out| show::json(&model, lock, Some(&blame), out).expect("memory"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["blame"]["unknown_owner_ns"], 100_000_000);
    assert_eq!(json["blame"]["looks"]["locks"][0]["id"], 2);
    assert_eq!(
        json["blame"]["rows"][0]["children"][0]["keys"]["owner-stack"][0],
        "shop.orders.BoundedOrderQueue.load(BoundedOrderQueue.java:31)"
    );
}

#[test]
fn locks_are_told_apart_by_their_names_and_by_the_classes_of_their_objects() {
    let mut model = model();
    let class = "shop.orders.AbstractOrderQueueOfEverything";
    let mut locks = [1, 2, 3].map(|id| lock(id, class, vec![]));
    for lock in &mut locks {
        lock.name = format!("AbstractOrderQueueOfEverything.LOCK{}", lock.id);
    }
    locks[2].name = "AbstractOrderQueueOfEverything".to_owned();
    locks[2].concrete = ["Depot", "Till", "Shelf"].map(str::to_owned).into();
    model.locks = locks.into();
    for width in [80, 160] {
        let look = Look {
            width,
            colour: false,
        };
        let text =
            rendered(|out| report::table(&model, SortKey::Hurt, false, look, out).expect("memory"));
        for words in ["LOCK1", "LOCK2", " [Depot, Till +1]"] {
            assert!(text.contains(words), "{width}: {words} in {text}");
        }
        assert!(
            text.lines().all(|line| line.chars().count() <= width),
            "{text}"
        );
    }
    let model = &model;
    let found = ["3", "AbstractOrderQueueOfEverything [Depot, Till +1]"];
    assert!(found.iter().all(|name| find(model, name) == Ok(2)));
}

#[test]
fn a_lock_is_found_by_whatever_a_report_calls_it() {
    let mut model = model();
    model.locks[0].name = "2".to_owned();
    model.locks[1].regions[0].class = "shop.pool.Gate$Inner".to_owned();
    for (wanted, index) in [
        ("1", 0),
        ("#2", 1),
        ("2", 1),
        ("shop.orders.BoundedOrderQueue.enter", 1),
        ("Gate$Inner.enter", 1),
        ("Gate$Inner.enter +1", 1),
        ("shop.pool.Gate$Inner.enter", 1),
        ("BoundedOrderQueue.leave", 1),
        ("Gate.enter", 0),
        ("shop.pool.Gate", 0),
        ("Gate", 0),
        ("OrderQ", 1),
    ] {
        assert_eq!(find(&model, wanted), Ok(index), "{wanted}");
    }
    for nothing in ["", " ", "3", "+2", "##2", "nowhere"] {
        assert_eq!(find(&model, nothing), Err(Unclear::Nothing), "{nothing:?}");
    }
    model.locks[1] = LogicalLock {
        id: 2,
        ..model.locks[0].clone()
    };
    let both = Unclear::Several(vec![0, 1]);
    assert_eq!(find(&model, "Gate.enter"), Err(both));
    model.locks[1].classes = vec!["shop.Bank$Account".to_owned()];
    for class in ["Account", "Bank$Account", "Bank.Account"] {
        assert_eq!(find(&model, class), Ok(1), "{class}");
    }
}

#[test]
fn info_tells_what_a_trace_consists_of() {
    let mut composition = Composition::default();
    let event = Event {
        at: Nanos(2_000_000_000),
        thread: ThreadId(1),
        kind: EventKind::Enter,
        lock: None,
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    };
    composition.add(&Record::Event(event), 6);
    composition.add(
        &Record::End(End {
            at: Nanos(3_000_000_000),
            reason: EndReason::Stopped,
        }),
        4,
    );
    composition.volume.stored = 40;
    composition.volume.raw = 10;
    let facts = [
        (target_key::PID, "4711"),
        (target_key::PARKED_CPU, "6941795"),
        (target_key::PARKED_SPAN, "6042209017"),
        (
            target_key::OVERHEAD_COST,
            "span=6000000000 program=3000000000 events=3000000 chains=12000000 thread=75000000",
        ),
    ];
    composition.target = facts
        .map(|(key, text)| (key.to_owned(), text.to_owned()))
        .into();
    let text = rendered(|out| info::text(&composition, Look::default(), out).expect("memory"));
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    insta::assert_snapshot!(text);
    let json = rendered(|out| info::json(&composition, out).expect("memory"));
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(document["event_kinds"]["ENTER"]["records"], 1);
    assert_eq!(document["target"]["parked.cpu"], "6941795");
}

#[test]
fn a_history_is_shown_in_three_forms() {
    let seen = HistoryRow {
        not_before: Nanos(1_000_500_000),
        not_after: Nanos(1_000_500_000),
        event: "WAIT",
        note: "timeout 100ms".to_owned(),
        tid: Some(12),
        thread: "worker \"1\"".to_owned(),
        object: 7,
        lock: Some(2),
        region: "Gate.enter:12".to_owned(),
        inferred: false,
    };
    let guessed = HistoryRow {
        not_before: Nanos(900_000_000),
        event: "NOTIFY",
        note: String::new(),
        inferred: true,
        ..seen.clone()
    };
    let form = |form| {
        rendered(|out| {
            let mut writer = events::Writer::begin(form, out).expect("memory");
            writer.row(&seen).expect("memory");
            writer.row(&guessed).expect("memory");
            writer.end().expect("memory");
        })
    };
    insta::assert_snapshot!(form(events::Form::Text(Look::default())));
    insta::assert_snapshot!(form(events::Form::Csv));
    let document: serde_json::Value =
        serde_json::from_str(&form(events::Form::Json)).expect("JSON");
    assert_eq!(document["events"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["events"][1]["inferred"], true);
}
