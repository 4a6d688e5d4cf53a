//! What may be missing, what was only sampled, and what is not seen at all.

use crate::fixtures::{json_of, model, rendered, shown, table_of, times, unfolded};
use locklens_inference::contention::{Blame, Key, Row, Value};
use locklens_inference::model::{
    Bare, CallChain, Doubt, Looks, Model, Parks, ParksSeen, Recording, Release, Sampled,
    SampledChain, Stays, Times,
};
use locklens_inference::types::Role;
use locklens_trace::Nanos;
use locklens_trace::juc::Act;
use locklens_trace::record::{StandingStill, target_key};
use locklens_viz::report::SortKey;
use locklens_viz::{Look, contention, report};
use serde_json::json;

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
