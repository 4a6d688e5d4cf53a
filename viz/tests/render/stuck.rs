//! Deadlocks, and who is stuck on what.

use crate::fixtures::{blocked, frames, model, rendered, shown};
use locklens_inference::model::{
    Blockage, CallChain, Deadlock, Holder, KnownBy, Model, Sampled, Stand, Standstill, Stuck, Wants,
};
use locklens_trace::Nanos;
use locklens_viz::report::SortKey;
use locklens_viz::{Look, report};
use serde_json::json;

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

/// A lock that goes from hand to hand, and one thread that is passed over again and again.
#[test]
fn who_is_only_passed_over_is_not_stuck() {
    let head = |handed_on| {
        let mut model = model();
        model.blockages = vec![Blockage {
            threads: vec![blocked("client-1", 21, 2_000_000_000, 1)],
            holder: Holder::Unknown,
            may_be_lockout: false,
            handed_on,
        }];
        head(&model, 80)
    };
    assert!(head(Nanos(3_000_000_000)).contains("\nSTUCK"));
    let now = head(Nanos(29_900_000_000));
    assert!(!now.contains("STUCK"), "{now}");
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
        handed_on: Nanos(0),
    };
    let usual = Blockage {
        threads: vec![blocked("passer-by", 30, 29_999_000_000, 2)],
        holder: Holder::Unknown,
        may_be_lockout: false,
        handed_on: Nanos(0),
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
        handed_on: Nanos(0),
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
        handed_on: Nanos(0),
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
