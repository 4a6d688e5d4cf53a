//! What people and programs are shown, as goldens: change the code, look at the difference.

use locklens_inference::contention::{Blame, Key, LookedAt, Place, Row, Value};
use locklens_inference::model::{
    Bare, Blockage, CallChain, Deadlock, Doubt, EvidenceReport, HistoryRow, Holder, KnownBy,
    LogicalLock, Looks, Model, Parks, ParksSeen, Recording, RegionReport, Release, Sampled,
    SampledChain, Stand, Standstill, Stays, Stuck, Times, Verdict, Wants,
};
use locklens_inference::region::RegionId;
use locklens_inference::types::{Detail, LockType, Role};
use locklens_inference::volume::Composition;
use locklens_trace::juc::Act;
use locklens_trace::record::{End, EndReason, Event, EventKind, Owner, StandingStill, target_key};
use locklens_trace::{Nanos, Record, ThreadId};
use locklens_viz::contention::OF_LOCK;
use locklens_viz::report::SortKey;
use locklens_viz::{Look, Unclear, contention, events, find, info, report, show};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

fn times(count: u64, total: u64) -> Times {
    let each = Nanos(total / count.max(1));
    Times {
        count,
        unknown: 0,
        total: Nanos(total),
        p50: each,
        p99: each,
        max: each,
    }
}

fn region(id: u32, class: &str, method: &str, role: Role) -> RegionReport {
    RegionReport {
        id: RegionId(id),
        class: class.to_owned(),
        method: method.to_owned(),
        descriptor: "()V".to_owned(),
        ordinal: None,
        synchronized: true,
        source: Some("Gate.java".to_owned()),
        line: Some(10 + id),
        roles: BTreeSet::from([role]),
        seen: true,
        blocked: Times::default(),
        waits: Times::default(),
        timed_out: 0,
        supposed: 0,
    }
}

fn verdict(lock_type: LockType, confidence: f64, roles: &[(Role, u32)]) -> Verdict {
    Verdict {
        lock_type,
        confidence,
        details: BTreeMap::from([("permits", Detail::Count(3))]),
        roles: roles
            .iter()
            .map(|&(role, id)| (role, BTreeSet::from([RegionId(id)])))
            .collect(),
        evidence: EvidenceReport {
            static_log_odds: 5.0,
            dynamic_log_odds: 1.25,
            confirmed: 7,
            contradicted: 0,
            pro: vec!["waits while count < 1".to_owned()],
            contra: vec![],
        },
    }
}

fn lock(id: u32, class: &str, types: Vec<Verdict>) -> LogicalLock {
    LogicalLock {
        id,
        name: format!("{class}.enter"),
        classes: vec![class.to_owned()],
        concrete: Vec::new(),
        types,
        runners_up: vec![verdict(LockType::Condition, 0.02, &[])],
        contradictions: vec![],
        regions: vec![
            region(id * 10, class, "enter", Role::Acquire),
            region(id * 10 + 1, class, "leave", Role::Release),
        ],
        unplaced: Stays::default(),
        instances: 2,
        threads: 8,
        locked: None,
        blocked: times(12, 34_000_000),
        waits: times(34_554, 5_678_000_000),
        timed_out: 1,
        still_waiting: 1,
        still_blocked: 0,
        sampled: None,
        parks: None,
        uses: None,
    }
}

fn model() -> Model {
    let semaphore = verdict(
        LockType::Semaphore,
        0.97,
        &[(Role::Acquire, 10), (Role::Release, 11)],
    );
    let queue = vec![
        verdict(LockType::ProducerConsumer, 0.72, &[(Role::Put, 20)]),
        verdict(LockType::Mutex, 0.6, &[(Role::Enter, 21)]),
    ];
    Model {
        target: BTreeMap::from([
            (
                target_key::MAIN.to_owned(),
                "shop.Main\u{1b}[31m".to_owned(),
            ),
            (target_key::JAVA_VERSION.to_owned(), "17.0.15".to_owned()),
            (target_key::PID.to_owned(), "4711".to_owned()),
        ]),
        recording: Recording {
            duration: Nanos(30_000_000_000),
            events: 69_132,
            lost: 0,
            ended: true,
            inferred_share: Some(0.31),
            hidden: BTreeMap::from([("class initialisation".to_owned(), 12)]),
            hidden_blocked: Nanos(488_000_000),
            ..Recording::default()
        },
        locks: vec![
            lock(1, "shop.pool.Gate", vec![semaphore]),
            lock(2, "shop.orders.BoundedOrderQueue", queue),
        ],
        deadlocks: Vec::new(),
        blockages: Vec::new(),
        standstills: Vec::new(),
    }
}

fn rendered(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes);
    String::from_utf8(bytes).expect("renderers write UTF-8")
}

/// The same words, however their lines are folded.
fn unfolded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table(width: usize) -> String {
    let look = Look {
        width,
        colour: false,
    };
    rendered(|out| report::table(&model(), SortKey::Hurt, false, look, out).expect("memory"))
}

#[test]
fn the_table_fits_80_columns() {
    let text = table(80);
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn the_table_uses_160_columns() {
    let text = table(160);
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 160));
    assert!(text.lines().any(|line| line.chars().count() > 140));
}

#[test]
fn nothing_seen_is_said() {
    let mut empty = Model::default();
    empty.recording.ended = true;
    let look = Look::default();
    let text =
        rendered(|out| report::table(&empty, SortKey::Hurt, false, look, out).expect("memory"));
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn an_empty_exact_recording_does_not_speak_for_the_program() {
    let mut empty = Model::default();
    empty.recording.exact = true;
    let others = (target_key::EXACT_OTHERS.to_owned(), "35019".to_owned());
    empty.target.extend([others]);
    let look = Look::default();
    let text =
        rendered(|out| report::table(&empty, SortKey::Hurt, false, look, out).expect("memory"));
    assert!(
        text.contains("used no lock") && text.contains("35,019 events"),
        "{text}"
    );
    assert!(!text.contains("No thread blocked"), "{text}");
}

#[test]
fn json_has_the_documented_shape() {
    let text = rendered(|out| report::json(&model(), SortKey::Hurt, out).expect("memory"));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["schema"], 1);
    let lock = &document["locks"][0];
    assert_eq!(lock["types"][0]["type"], "SEMAPHORE");
    assert_eq!(lock["types"][0]["detail"]["permits"], 3);
    assert_eq!(lock["types"][0]["roles"]["acquire"][0], 10);
    assert_eq!(lock["locked"], serde_json::Value::Null);
    assert_eq!(lock["regions"][0]["roles"][0], "acquire");
    insta::assert_snapshot!(text);
}

#[test]
fn csv_has_one_row_a_lock() {
    let text = rendered(|out| report::csv(&model(), SortKey::Type, out).expect("memory"));
    insta::assert_snapshot!(text);
}

/// The ids of a report in the order that a key of the command line gives them.
fn ids(model: &Model, key: &str) -> Vec<String> {
    let key = SortKey::parse(key).expect("a key");
    let text = rendered(|out| report::csv(model, key, out).expect("memory"));
    let rows = text.lines().skip(1).filter_map(|row| row.split(',').next());
    rows.map(str::to_owned).collect()
}

#[test]
fn locks_are_sorted_by_id_and_by_acquisitions_those_not_known_last() {
    let mut model = model();
    model.locks.push(lock(3, "shop.Till", Vec::new()));
    model.locks.push(lock(4, "shop.Safe", Vec::new()));
    model.recording.exact = true;
    for (lock, locked) in model
        .locks
        .iter_mut()
        .zip([None, Some(7), Some(0), Some(9_000)])
    {
        lock.locked = locked;
    }
    assert_eq!(ids(&model, "locked"), ["4", "2", "3", "1"]);
    model.locks.reverse();
    assert_eq!(ids(&model, "id"), ["1", "2", "3", "4"]);
    // Without acquisitions, all are equal.
    model.locks.iter_mut().for_each(|lock| lock.locked = None);
    assert_eq!(ids(&model, "locked"), ["4", "3", "2", "1"]);
}

fn shown(model: &Model, lock: usize) -> String {
    let lock = &model.locks[lock];
    rendered(|out| {
        show::text(model, lock, None, Look::default(), out).expect("memory");
    })
}

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

/// A model whose first lock is known from looks at parked threads.
fn sampled_model() -> Model {
    let mut model = model();
    model.recording.looks = Some(Looks {
        samples: 100,
        span: Nanos::from_millis(4_000),
        wish: Nanos::from_millis(20),
        cpu: Nanos::from_millis(12),
        share: 50,
        threads: 2_000,
        untold: 3,
        has_virtual: true,
    });
    let chain = SampledChain {
        samples: 170,
        chain: CallChain {
            frames: vec!["shop.Till.pay(Till.java:\u{1b}7)".to_owned()],
            cut: true,
        },
    };
    let lock = &mut model.locks[0];
    (lock.blocked, lock.waits) = (Times::default(), times(12, 3_400_000_000));
    lock.sampled = Some(Sampled {
        stays: 12,
        samples: 170,
        time: Nanos(3_400_000_000),
        error: Nanos(130_000_000),
        most: 3,
        waiters: vec![chain.clone()],
        owners: vec![chain],
        owner_threads: vec![("till-1".to_owned(), 40)],
        shared: false,
    });
    model
}

#[test]
fn what_was_sampled_is_marked_and_has_its_error() {
    let model = sampled_model();
    let table = rendered(|out| {
        report::table(&model, SortKey::Hurt, false, Look::default(), out).expect("memory");
    });
    for words in [
        "≈12 3.40s",
        "sampled every 40.0ms for 0.30% of a core",
        "Sampled less often than every 20.0ms, to stay within 0.5% of a core (2,000 threads).",
        "3 findings of parked threads could not be told",
        "Virtual threads that park are not sampled",
    ] {
        assert!(unfolded(&table).contains(words), "{words}: {table}");
    }
    assert!(
        table.lines().all(|line| line.chars().count() <= 80),
        "{table}"
    );
    let mut idle = model.clone();
    let looks = idle.recording.looks.as_mut().expect("there were looks");
    looks.cpu = Nanos(600_000);
    let table_of_idle = rendered(|out| {
        report::table(&idle, SortKey::Hurt, false, Look::default(), out).expect("memory");
    });
    let said = unfolded(&table_of_idle);
    let why = "Sampled less often than every 20.0ms, though not for what it costs: the agent's thread had other work or got no processor";
    assert!(said.contains(why), "{said}");
    assert!(!said.contains("to stay within"), "{said}");
    let shown = shown(&model, 0);
    for words in [
        "± 130ms at most",
        "acquisitions not known from sampling",
        "40 × \"till-1\"",
        "shop.Till.pay(Till.java:\u{fffd}7)",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// Only where waits in operations of a lock are blocked time is it said that they are.
#[test]
fn waits_that_are_in_no_time_are_not_said_to_be() {
    let mut model = model();
    let queue = model.locks[1].id;
    let on_queue = Row {
        value: Some(Value::Lock(queue, "shop.Queue".to_owned())),
        ns: Nanos::from_millis(5),
        count: 1,
        ..Row::default()
    };
    let blame = Blame {
        keys: vec![Key::Lock],
        total: Row {
            value: None,
            rows: vec![on_queue.clone()],
            ..on_queue
        },
        ..Blame::default()
    };
    let says = |model: &Model| {
        let text = rendered(|out| contention::text(&blame, model, Look::default(), out).unwrap());
        unfolded(&text).contains("Waits in put, take or await")
    };
    model.locks[1].regions[0].roles = [Role::Put].into();
    model.locks[1].regions[0].waits = times(3, 9_000_000);
    assert!(says(&model));
    model.locks[1].types[0].confidence = 0.5;
    assert!(!says(&model), "what it is is hardly likely");
    model.locks[1].types[0].confidence = 0.9;
    model.locks[1].regions[0].waits = Times::default();
    assert!(!says(&model), "nobody waited");
}

#[test]
fn threads_parked_on_nothing_are_told_where_they_are_many() {
    let mut model = sampled_model();
    model.recording.bare = Some(Bare {
        time: Nanos(80_000_000_000),
        threads: 8,
        place: Some("app.Future\u{1b}[31m.get(Future.java:7)".to_owned()),
        chain: None,
    });
    let said = |model: &Model| {
        let table = rendered(|out| {
            report::table(model, SortKey::Hurt, false, Look::default(), out).expect("memory");
        });
        unfolded(&table)
    };
    let words = "Up to 8 threads parked without saying on what (no blocker), for about 80.0s in all, most in app.Future";
    assert!(said(&model).contains(words), "{}", said(&model));
    assert!(!said(&model).contains('\u{1b}'));
    model.recording.parks = Some(ParksSeen::default());
    assert!(
        !said(&model).contains("no blocker"),
        "they are in its figures"
    );
    model.recording.parks = None;
    model.recording.bare.as_mut().unwrap().time = Nanos(1_000_000_000);
    assert!(!said(&model).contains("no blocker"), "not worth a word");
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

fn incomplete() -> Model {
    let mut model = model();
    model.recording.exact = true;
    model.recording.lost = 1_000_000;
    model.recording.incomplete = vec![Doubt::Lost(1_000_000), Doubt::OldCode("1: main".into())];
    model.locks[0].locked = Some(10);
    model.locks[0].blocked.unknown = 2;
    model.locks[0].unplaced = Stays {
        blocked: times(3, 7_000_000),
        ..Stays::default()
    };
    model
}

#[test]
fn classes_that_another_agent_replaced_are_named_and_since_when() {
    let said = |classes: &[&str]| {
        let mut model = model();
        model.recording.exact = true;
        model.recording.incomplete = vec![Doubt::Replaced {
            classes: classes.iter().map(|&name| name.to_owned()).collect(),
            since: Nanos(1_200_000_000),
        }];
        let text = json_of(&model)["recording"]["incomplete"][0].to_string();
        let look = Look::default();
        let table =
            rendered(|out| report::table(&model, SortKey::Hurt, true, look, out).expect("memory"));
        assert!(table.contains("exact, incomplete"), "{table}");
        text
    };
    let one = said(&["shop.Till"]);
    assert!(one.contains("had shop.Till replaced after 1.20s"), "{one}");
    let many = said(&["a.A", "a.B", "a.C", "a.D"]);
    assert!(many.contains("a.A, a.B, a.C and others replaced"), "{many}");
}

fn json_of(model: &Model) -> serde_json::Value {
    let text = rendered(|out| report::json(model, SortKey::Hurt, out).expect("memory"));
    serde_json::from_str(&text).expect("JSON")
}

fn table_of(model: &Model, width: usize) -> String {
    let look = Look {
        width,
        colour: false,
    };
    rendered(|out| report::table(model, SortKey::Hurt, true, look, out).expect("memory"))
}

#[test]
fn what_may_be_missing_is_said_with_the_figures() {
    let model = incomplete();
    let lock = &json_of(&model)["locks"][0];
    assert_eq!(
        (&lock["locked"], &lock["locked_at_least"]),
        (&json!(null), &json!(10))
    );
    assert_eq!(lock["blocked_times"]["unknown"], 2);
    assert_eq!(lock["unplaced"]["blocked_ns"], 7_000_000);
    let table = table_of(&model, 80);
    assert!(table.contains("exact, incomplete"), "{table}");
    let lost = "1,000,000 events were lost; threads inside code from before: 1: main";
    assert!(unfolded(&table).contains(lost), "{table}");
    assert!(table.contains("lower bounds"), "also where it is exact");
    assert!(table.contains("12 ≥34.0ms"), "{table}");
    let text = shown(&model, 0);
    assert!(text.contains("≥ 10 acquisitions"), "{text}");
    assert!(text.contains("no call chain"), "{text}");
    let mut whole = model;
    whole.recording.incomplete.clear();
    assert_eq!(json_of(&whole)["locks"][0]["locked"], 10);
    assert!(shown(&whole, 0).contains(", 10 acquisitions"));
}

#[test]
fn what_was_recorded_in_slices_of_time_is_a_lower_bound() {
    let mut model = model();
    assert!(!table_of(&model, 80).contains("slices"));
    model.recording.paused = Nanos(model.recording.duration.0 / 10 * 9);
    let facts = [
        (
            target_key::OVERHEAD_COST,
            "span=1000 program=2000 events=12 chains=4 thread=2",
        ),
        (target_key::OVERHEAD_MOST, "10000"),
        (
            target_key::OVERHEAD_STEPS,
            "at=300000000 slices=1 frames=4 begun=100 chained=5",
        ),
    ];
    let facts = facts.map(|(key, said)| (key.to_owned(), said.to_owned()));
    model.target.extend(facts);
    let table = unfolded(&table_of(&model, 80));
    for said in [
        "≥",
        "watched in slices",
        "SAMPLED: monitors were recorded in slices of time, 10% of it",
        "Cost: about 0.90% of what the program took of the processors",
        "1.00% was the most.",
        "from 300ms on events outside of time slices, frames beyond 4",
    ] {
        assert!(table.contains(said), "{said}: {table}");
    }
    assert!(shown(&model, 0).contains("SAMPLED: "));
    let json = json_of(&model);
    assert_eq!(json["recording"]["cost"]["given_up"][0]["step"], "time");
    assert!(json["recording"]["paused_ns"].as_u64() > Some(0));
}

#[test]
fn without_a_clock_nothing_claims_a_time() {
    let mut model = model();
    model.recording.clockless = true;
    model.locks[0].blocked = Times::default();
    model.locks[0].waits = Times {
        count: 5,
        unknown: 5,
        ..Times::default()
    };
    let lock = &json_of(&model)["locks"][0];
    for key in ["blocked", "blocked_ns", "wait_ns"] {
        assert_eq!(lock[key], json!(null), "{key}");
    }
    assert_eq!(lock["waits"], 5);
    assert_eq!(lock["wait_times"]["p99_ns"], json!(null));
    let text = shown(&model, 0);
    assert!(text.contains("blocked  not recorded"), "{text}");
    let table = table_of(&model, 80);
    assert!(
        table.contains("not recorded") && table.contains("without a clock"),
        "{table}"
    );
    assert!(!table.contains("lower bounds"));
}

#[test]
fn long_ids_and_many_threads_have_their_columns() {
    let mut model = model();
    model.locks[1].id = 1_500;
    model.locks[1].threads = 23_456;
    let table = table_of(&model, 80);
    assert!(
        table.contains("\n1500 ") && table.contains(" 23.5k\n"),
        "{table}"
    );
    assert!(table.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn a_type_comes_with_its_parameter_where_there_is_room() {
    let mut model = model();
    let capacity = Detail::Word("unbounded".to_owned());
    let details = [
        ("capacity", capacity),
        ("fair", Detail::Flag(true)),
        ("form", Detail::Word("long words".to_owned())),
    ];
    model.locks[1].types.truncate(1);
    model.locks[1].types[0].details = BTreeMap::from(details);
    let wide = table_of(&model, 160);
    assert!(wide.contains(" SEMAPHORE permits=3 "), "{wide}");
    assert!(wide.contains(" PRODUCER-CONSUMER unbounded "), "{wide}");
    assert!(table_of(&model, 80).contains(" SEMAPHORE permits=3 "));
}

#[test]
fn names_cannot_work_on_a_terminal() {
    let mut model = model();
    let evil = "a.B\u{1b}[2J\u{9b}31m\n\u{2028}\u{200b}";
    model.locks[0].name = evil.to_owned();
    model.locks[0].classes = vec![evil.to_owned()];
    model.locks[0].regions[0].class = evil.to_owned();
    let csv = rendered(|out| report::csv(&model, SortKey::Hurt, out).expect("memory"));
    let look = Look::default();
    let table =
        rendered(|out| report::table(&model, SortKey::Hurt, true, look, out).expect("memory"));
    for text in [csv, table, shown(&model, 0)] {
        let harmful = |c: char| c.is_control() && c != '\n' || c == '\u{2028}' || c == '\u{200b}';
        assert!(!text.contains(harmful), "{text:?}");
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

#[test]
fn a_deadlock_stands_at_the_top_and_who_is_stuck_at_the_foot() {
    let stuck = |thread: &str, object| Stuck {
        thread: thread.to_owned(),
        tid: Some(u64::from(object)),
        since: Nanos(0),
        object,
        class: "shop.Desk".to_owned(),
        lock: Some(object),
        known: Some(KnownBy::End),
        chain: None,
    };
    let mut model = model();
    model.deadlocks = vec![Deadlock {
        threads: vec![stuck("one", 1), stuck("two", 2)],
    }];
    model.recording.still_blocked = 7;
    model.recording.from_before = 3;
    let look = Look {
        width: 80,
        colour: false,
    };
    let text =
        rendered(|out| report::table(&model, SortKey::Hurt, false, look, out).expect("memory"));
    let line = |words: &str| text.lines().position(|line| line.contains(words));
    assert!(line("DEADLOCK of 2 threads").expect("said") < line("SURE").expect("a table"));
    assert!(text.contains("\"one\" #1 wants shop.pool.Gate.enter (lock 1, object 1), since"));
    assert!(text.contains("7 threads still blocked at the end"));
    assert!(text.contains("3 threads blocked or waiting since before the recording"));
    let json = rendered(|out| report::json(&model, SortKey::Hurt, out).expect("memory"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["deadlocks"][0]["threads"][1]["thread"], "two");
    assert_eq!(json["recording"]["still_blocked"], 7);
}

#[test]
fn the_graph_is_named_only_for_deadlocks_it_shows() {
    let hints = |sampled: bool| {
        let mut model = model();
        model.locks[0].sampled = sampled.then(Sampled::default);
        let threads = vec![blocked("one", 1, 0, 1), blocked("two", 2, 0, 2)];
        model.deadlocks = vec![Deadlock { threads }];
        let table =
            |out: &mut Vec<u8>| report::table(&model, SortKey::Hurt, false, Look::default(), out);
        let text = rendered(|out| table(out).expect("memory"));
        [
            "`locklens graph FILE --cycles`",
            "`locklens show FILE LOCK` has",
        ]
        .map(|hint| text.contains(hint))
    };
    assert_eq!(hints(false), [true, false]);
    assert_eq!(
        hints(true),
        [false, true],
        "monitors and others: no cycle of the graph"
    );
}

fn blocked(thread: &str, tid: u64, since: u64, lock: u32) -> Stuck {
    Stuck {
        thread: thread.to_owned(),
        tid: Some(tid),
        since: Nanos(since),
        object: lock + 40,
        class: "shop.Desk".to_owned(),
        lock: Some(lock),
        known: None,
        chain: None,
    }
}

#[test]
fn who_holds_what_others_are_stuck_on_is_said_everywhere() {
    let mut model = model();
    let stuck = Blockage {
        threads: vec![
            blocked("client-1", 21, 2_000_000_000, 1),
            blocked("client-2", 22, 29_999_000_000, 1),
        ],
        holder: Holder::Thread {
            thread: "worker-7".to_owned(),
            tid: Some(7),
            known: KnownBy::End,
            since: None,
            ended: false,
            stand: Some(Box::new(Stand {
                waits: true,
                timed: false,
                at: blocked("worker-7", 7, 0, 2),
            })),
            chain: Some(CallChain {
                frames: (1..=14)
                    .map(|nth| format!("shop.Desk.frame{nth}(Desk.java:{nth})"))
                    .collect(),
                cut: false,
            }),
        },
        may_be_lockout: true,
    };
    let usual = Blockage {
        threads: vec![blocked("passer-by", 30, 29_999_000_000, 2)],
        holder: Holder::Unknown,
        may_be_lockout: false,
    };
    model.blockages = vec![stuck, usual];
    let text = rendered(|out| {
        report::table(&model, SortKey::Hurt, false, Look::default(), out).expect("memory");
    });
    let head: Vec<_> = text
        .lines()
        .take_while(|line| !line.contains("SURE"))
        .collect();
    insta::assert_snapshot!(head.join("\n"));
    let one = shown(&model, 0);
    assert!(one.contains("held by \"worker-7\" #7, which waits on"));
    assert!(one.contains("frame12(Desk.java:12)\n      …\n"), "{one}");
    // A moment must not read as a length of time.
    assert!(text.contains("the\n    first for 28.0s (since second 2.00)\n"));
    assert!(
        shown(&model, 1).contains("held by: unknown"),
        "however short"
    );
    let json = rendered(|out| report::json(&model, SortKey::Hurt, out).expect("memory"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let all = &json["blockages"];
    assert_eq!(all[0]["holder"]["waits_on"]["timed"], false);
    assert_eq!(all[0]["holder"]["known_by"], "end");
    assert_eq!(
        all[0]["holder"]["chain"]["frames"][13],
        "shop.Desk.frame14(Desk.java:14)"
    );
    assert_eq!(all[0]["blocked"][1]["thread"], "client-2");
    assert_eq!(
        (&all[0]["held"], &all[1]["held"]),
        (&json!(true), &json!(null))
    );
    assert_eq!(all[1]["holder"], json!(null));
}

/// What stands above the table.
fn head(model: &Model, width: usize) -> String {
    let look = Look {
        width,
        colour: false,
    };
    let text =
        rendered(|out| report::table(model, SortKey::Hurt, false, look, out).expect("memory"));
    let head = text.lines().take_while(|line| !line.contains("SURE"));
    head.collect::<Vec<_>>().join("\n")
}

fn frames(methods: &[&str]) -> Option<CallChain> {
    Some(CallChain {
        frames: methods.iter().map(|&method| method.to_owned()).collect(),
        cut: false,
    })
}

/// Threads that own what others want in each way that looks at parked threads find, and a deadlock.
fn stuck_in_concurrent() -> Model {
    let mut model = model();
    let at = |thread: &str, lock: u32| blocked(thread, u64::from(lock), 0, lock);
    let in_lock = |thread: &str, lock, method| Stuck {
        chain: frames(&[
            "java.util.concurrent.locks.LockSupport.park(LockSupport.java:211)",
            "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)",
            method,
            "java.lang.Thread.run(Thread.java:840)",
        ]),
        ..at(thread, lock)
    };
    model.deadlocks = vec![Deadlock {
        threads: vec![
            in_lock("one", 1, "shop.Till.pay(Till.java:7)"),
            in_lock("two", 2, "shop.Till.refund(Till.java:19)"),
        ],
    }];
    let owner = |thread: &str, ended| Holder::Thread {
        thread: thread.to_owned(),
        tid: Some(31),
        known: KnownBy::End,
        since: Some(Nanos(0)),
        ended,
        stand: None,
        chain: frames(&[
            "java.lang.Thread.sleep(Native Method)",
            "shop.Miner.dig(Miner.java:3)",
        ])
        .filter(|_| !ended),
    };
    let held = |thread: &str, lock, holder| Blockage {
        threads: vec![at(thread, lock)],
        holder,
        may_be_lockout: false,
    };
    model.blockages = vec![
        held("guest", 7, owner("miner", false)),
        held("orphan", 8, owner("gone", true)),
        held("scribe", 9, Holder::Readers),
    ];
    let parked = |wants, lock, proven| Standstill {
        threads: vec![at("parked", lock)],
        wants,
        proven,
        state: Some((0, 0)),
        shared: false,
        chain: frames(&["shop.Feeder.feed(Feeder.java:12)"]),
    };
    model.standstills = vec![
        parked(Wants::Room, 10, true),
        parked(Wants::Permit, 11, true),
        parked(Wants::Elements, 12, true),
        Standstill {
            shared: true,
            ..parked(Wants::Result, 13, true)
        },
    ];
    model
}

#[test]
fn who_is_stuck_in_java_util_concurrent_is_said_and_who_may_only_be_idle() {
    let mut model = stuck_in_concurrent();
    insta::assert_snapshot!(head(&model, 80));
    assert!(
        head(&model, 160).contains("(at every look, since before the recording), which sleeps")
    );
    let text = rendered(|out| {
        report::table(&model, SortKey::Hurt, false, Look::default(), out).expect("memory");
    });
    assert!(
        text.contains("1 thread parked or waiting all along on 1 empty queue: idle"),
        "{text}"
    );
    let json = rendered(|out| report::json(&model, SortKey::Hurt, out).expect("memory"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let ring = &json["deadlocks"][0]["threads"];
    assert_eq!(
        ring[1]["chain"]["frames"][2],
        "shop.Till.refund(Till.java:19)"
    );
    let holder = |nth: usize| &json["blockages"][nth]["holder"];
    assert_eq!(
        (&holder(0)["held_since_ns"], &holder(1)["ended"]),
        (&json!(0), &json!(true))
    );
    let read = &json["blockages"][2];
    assert_eq!(
        (&read["held"], &read["held_by_readers"]),
        (&json!(true), &json!(true))
    );
    let stuck = |nth: usize| &json["standstills"][nth]["stuck"];
    assert_eq!((stuck(0), stuck(1)), (&json!(true), &json!(false)));
    // Looks alone may have missed that it ran.
    for at in &mut model.standstills {
        at.proven = false;
    }
    let said = head(&model, 80);
    assert!(
        said.contains("Parked at every look") && said.contains("no room in it"),
        "{said}"
    );
}

#[test]
fn acceptors_that_take_turns_are_idle_and_not_stuck() {
    let head = |frames: &[&str]| {
        let mut model = stuck_in_concurrent();
        model.blockages.truncate(1);
        if let Holder::Thread { chain, .. } = &mut model.blockages[0].holder {
            *chain = Some(CallChain {
                frames: frames.iter().map(|&frame| frame.to_owned()).collect(),
                cut: false,
            });
        }
        head(&model, 80)
    };
    let own = "shop.Server.accept(Server.java:3)";
    for accepts in [
        ["sun.nio.ch.Net.accept(Native Method)", own],
        ["java.net.PlainSocketImpl.socketAccept(Native Method)", own],
    ] {
        let said = head(&accepts);
        assert!(
            said.contains("BLOCKED: 1 thread is blocked on Desk"),
            "{said}"
        );
        assert!(said.contains("Idle: it waits for a connection"), "{said}");
    }
    for works in [
        ["sun.nio.ch.Net.read(Native Method)", own],
        ["java.lang.Thread.sleep(Native Method)", own],
    ] {
        let said = head(&works);
        assert!(
            said.contains("STUCK: 1 thread is blocked on Desk"),
            "{said}"
        );
    }
}

#[test]
fn locks_are_called_as_the_table_calls_them_and_no_line_is_too_long() {
    let mut model = model();
    let stuck = Blockage {
        threads: vec![blocked("client", 21, 0, 1)],
        holder: Holder::Unknown,
        may_be_lockout: false,
    };
    model.blockages = vec![stuck];
    model.locks[0].name = "Object in shop.pool.Gate.lambda$enter(Ljava/util/List;)V#1".to_owned();
    model.recording.from_before = 3;
    model.recording.ended = false;
    let look = Look {
        width: 80,
        colour: false,
    };
    let text =
        rendered(|out| report::table(&model, SortKey::Hurt, false, look, out).expect("memory"));
    assert!(
        text.contains("blocked on Gate.enter (lock 1, object 41)"),
        "{text}"
    );
    assert!(
        text.contains("unknown, as the recording was cut off"),
        "{text}"
    );
    let long: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > 80)
        .collect();
    assert!(long.is_empty(), "{long:?}");
    assert!(shown(&model, 0).contains("PARTIAL: the recording was cut off"));
}

#[test]
fn what_is_not_seen_of_virtual_threads_is_said_where_there_is_little_else() {
    let note = |version: &str, locks: usize, seen: bool, mode: &str| {
        let mut model = model();
        let keys = [target_key::JAVA_VERSION, target_key::MODE];
        for (key, value) in keys.into_iter().zip([version, mode]) {
            model.target.insert(key.to_owned(), value.to_owned());
        }
        let third = model.locks[0].clone();
        model.locks.push(third);
        model.locks.truncate(locks);
        model.recording.virtual_threads = seen;
        let look = Look::default();
        rendered(|out| report::table(&model, SortKey::Hurt, false, look, out).expect("memory"))
            .contains("that were blocked or waiting")
    };
    assert!(note("21.0.2", 0, false, "live") && note("25-ea", 1, false, "live"));
    assert!(!note("17.0.15", 0, false, "live") && !note("1.8.0_402", 0, false, "live"));
    assert!(!note("25", 0, false, "launch"), "nothing was before");
    assert!(!note("25", 3, false, "live") && note("25", 3, true, "live"));
}

#[test]
fn an_empty_report_says_what_is_not_seen_and_whether_it_is_whole() {
    let table = |recording| {
        let model = Model {
            recording,
            ..Model::default()
        };
        let look = Look {
            width: 80,
            colour: false,
        };
        rendered(|out| report::table(&model, SortKey::Hurt, false, look, out).expect("memory"))
    };
    let parked = StandingStill {
        parked: 6,
        ..StandingStill::default()
    };
    let whole = Recording {
        ended: true,
        at_start: Some(parked),
        ..Recording::default()
    };
    let text = table(whole.clone());
    assert!(text.contains("No thread blocked on a monitor"), "{text}");
    assert!(text.contains("6 threads parked when it began"), "{text}");
    assert!(text.contains("threaddump"), "{text}");
    let unread = Recording {
        at_end: Some(StandingStill {
            blocked: 7,
            unread: 7,
            ..StandingStill::default()
        }),
        ..whole.clone()
    };
    let text = table(unread);
    assert!(!text.contains("No thread blocked on a monitor"), "{text}");
    assert!(
        text.contains("7 threads blocked on a monitor or waiting"),
        "{text}"
    );
    let cut = Recording {
        ended: false,
        ..whole
    };
    let text = table(cut);
    assert!(!text.contains("No thread blocked on a monitor"), "{text}");
    assert!(text.contains("part of it is missing"), "{text}");
}

#[test]
fn parks_that_may_be_missing_are_not_called_exact() {
    let said = |change: fn(&mut Recording)| {
        let mut model = sampled_model();
        model.recording.parks = Some(ParksSeen::default());
        change(&mut model.recording);
        let look = Look::default();
        rendered(|out| report::table(&model, SortKey::Hurt, true, look, out).expect("memory"))
    };
    assert!(!said(|_| ()).contains("incomplete"));
    let lacking: [fn(&mut Recording); 4] = [
        |recording| recording.ended = false,
        |recording| recording.gaps = 1,
        |recording| recording.lost = 1,
        |recording| {
            recording.parks = Some(ParksSeen {
                replaced: Some(Nanos(3_000_000_000)),
                ..ParksSeen::default()
            });
        },
    ];
    for change in lacking {
        let table = said(change);
        assert!(table.contains("parks exact, incomplete"), "{table}");
    }
    let table = said(lacking[3]);
    assert!(table.contains("replaced after 3.00s"), "{table}");
}

#[test]
fn where_every_park_was_recorded_nothing_is_marked_as_an_estimate() {
    let mut model = sampled_model();
    model.recording.parks = Some(ParksSeen {
        parks: 12,
        unparks: 11,
        ..ParksSeen::default()
    });
    let lock = &mut model.locks[0];
    lock.waits.p99 = Nanos(7_000_000);
    lock.parks = Some(Parks {
        count: 12,
        unparked: 9,
        at_once: 2,
        timed_out: 3,
        by: vec![("filler".to_owned(), 9)],
        unparkers: 1,
        releases: vec![
            Release {
                thread: "filler".to_owned(),
                act: Some(Act::Unlock),
                chain: Some(CallChain {
                    frames: vec!["app.Pool.fill(Pool.java:7)".to_owned()],
                    cut: false,
                }),
                times: 8,
            },
            Release {
                thread: "filler".to_owned(),
                act: None,
                chain: None,
                times: 1,
            },
        ],
        ..Parks::default()
    });
    let look = Look::default();
    let table =
        rendered(|out| report::table(&model, SortKey::Hurt, true, look, out).expect("memory"));
    assert!(table.contains("parks exact"), "{table}");
    assert!(!table.contains('≈'), "{table}");
    let shown = shown(&model, 0);
    for words in [
        "12 parks: 9 unparked (2 of them before they parked), 3 timed out",
        "Unparked by",
        "filler",
        "8 × \"filler\" by unlock in",
        "app.Pool.fill(Pool.java:7)",
        "1 × \"filler\" by what is not known",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let text = rendered(|out| report::json(&model, SortKey::Hurt, out).expect("memory"));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let locks = document["locks"].as_array().expect("locks");
    let lock = locks.iter().find(|lock| !lock["parks"].is_null());
    let lock = lock.expect("a lock with parks");
    assert_eq!(lock["parks"]["unparkers"][0]["unparks"], 9);
    assert_eq!(lock["wait_times"]["p99_ns"], 7_000_000);
    assert_eq!(document["recording"]["parks"]["parks"], 12);
}
