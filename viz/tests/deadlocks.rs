//! Potential deadlocks in every form: what people grep for, what programs read, and names that mean harm.

use locklens_inference::deadlock::confirm::{Verdict, confirm};
use locklens_inference::deadlock::finding::{
    Excluded, Facts, Finding, Hang, Kind, Memory, Part, Report, Resource, Tier, Unserved, What,
};
use locklens_inference::hang::{Behind, Holder, Queue};
use locklens_inference::nesting::graph::ThreadName;
use locklens_inference::sample::State;
use locklens_viz::{Look, deadlocks};
use std::io;

fn lock(name: &str) -> Resource {
    Resource {
        name: name.to_owned(),
        id: "3".to_owned(),
        types: "MUTEX".to_owned(),
        mode: "exclusive",
        what: What::Lock,
        object: Some("object 7".to_owned()),
    }
}

fn part(thread: &str, frames: &[&str]) -> Part {
    Part {
        thread: ThreadName {
            name: thread.to_owned(),
            tid: Some(12),
        },
        holds_at: vec!["shop.Pool.take:4".to_owned()],
        wants_at: frames.iter().map(|&f| f.to_owned()).collect(),
        wants_object: None,
        mode: "exclusive",
        count: 1_234,
        timed: false,
        also_at: Vec::new(),
        also_holds: vec!["Log".to_owned()],
    }
}

fn report() -> Report {
    let order = Finding {
        id: "D0000000a".to_owned(),
        tier: Tier::T3,
        kind: Kind::Order,
        stall: false,
        locks: vec![lock("Pool"), lock("Queue\u{1b}[31m\"")],
        edges: vec![
            part("one", &["shop.Pool.move:12", "shop.Main.run:3"]),
            part("two", &["shop.Queue.move:7"]),
        ],
        patterns: 3,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: None,
        memory: Memory::Unjudged,
        remarks: vec!["said".to_owned()],
    };
    let waits = Finding {
        id: "D0000000b".to_owned(),
        tier: Tier::T0,
        kind: Kind::UnservedWaiter,
        locks: vec![Resource {
            what: What::Notify,
            ..lock("notify of Pool")
        }],
        edges: vec![part("one", &["shop.Pool.await:9"])],
        unserved: Some(Unserved::Lost),
        memory: Memory::Unjudged,
        ..order.clone()
    };
    Report {
        findings: vec![waits, order],
        excluded: vec![Excluded {
            id: "D0000000c".to_owned(),
            locks: vec!["a".to_owned(), "b".to_owned()],
            reasons: vec!["held around all of it: g".to_owned()],
        }],
        stopped_after: vec!["the search stopped".to_owned()],
        notes: Vec::new(),
        facts: Facts {
            steps: 5_000,
            threads: 2,
            locks: 2,
            dependencies: 1,
            reads: false,
        },
        doubt: None,
        hang: None,
        ..Report::default()
    }
}

fn thread(name: &str) -> ThreadName {
    ThreadName {
        name: name.to_owned(),
        tid: Some(9),
    }
}

/// Of a JVM that hangs: somebody behind a ring, and somebody behind a thread that runs.
fn standing() -> Report {
    let at = || vec!["shop.Pool.take:4".to_owned()];
    let hang = Hang {
        subject: "JVM 4242 (shop.Main)".to_owned(),
        dumps: 2,
        is_cut: false,
        threads: 1_200,
        virtual_threads: Some(3),
        untold: 0,
        blocked: 4,
        waiting: 1_000,
        moved: 2,
        behind: vec![(
            "D0000000b".to_owned(),
            vec![Behind {
                thread: thread("late\u{1b}[31m"),
                wants: lock("Pool"),
                wants_at: at(),
                by: thread("one"),
            }],
        )],
        queues: vec![Queue {
            lock: lock("Log"),
            threads: vec![thread("three"), thread("four")],
            holder: Some(Holder {
                thread: thread("five"),
                state: State::Runnable,
                at: at(),
                idle: false,
                native: None,
                read: false,
            }),
            held_last: None,
            anonymous: false,
        }],
        standing: Vec::new(),
        still: false,
        starved: Vec::new(),
        carriers: Default::default(),
    };
    Report {
        notes: vec!["virtual threads are unknown".to_owned()],
        hang: Some(hang),
        ..report()
    }
}

#[test]
fn people_read_who_hangs_behind_whom() {
    for width in [40, 80, 160] {
        let look = Look {
            width,
            colour: false,
        };
        let text = written(|out| deadlocks::text(&standing(), look, out));
        assert!(!text.contains('\u{1b}'), "{text}");
        let mut sentences = text.lines().filter(|line| !line.contains("DEADLOCK"));
        assert!(
            sentences.all(|line| line.chars().count() <= width),
            "{text}"
        );
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in [
            "T0: it happened: these threads are stuck",
            "behind it 1 thread hangs",
            "is blocked on Pool (MUTEX, object 7), which \"one\" #9 holds, at Pool.take:4",
            "2 dumps of JVM 4242 (shop.Main): 1,200 threads (3 virtual), 4 blocked, 1,000 waiting, 2 moved",
            "2 threads are blocked on Log (MUTEX, object 7); \"five\" #9 holds it and runs at Pool.take:4",
        ] {
            assert!(words.contains(said), "{said}: {text}");
        }
    }
    let json: serde_json::Value =
        serde_json::from_str(&written(|out| deadlocks::json(&standing(), out))).unwrap();
    assert_eq!(json["deadlocks"][0]["behind"][0]["by"], "one");
    assert_eq!(json["deadlocks"][1]["behind"], serde_json::json!([]));
    assert_eq!(json["hang"]["queues"][0]["holder"]["state"], "runnable");
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn people_read_who_would_wait_for_whom() {
    for width in [40, 80, 160] {
        let look = Look {
            width,
            colour: false,
        };
        let text = written(|out| deadlocks::text(&report(), look, out));
        assert!(
            text.starts_with("DEADLOCK D0000000b T0 unserved-waiter: notify of Pool\n"),
            "{text}"
        );
        assert!(
            text.contains("\nPOTENTIAL DEADLOCK D0000000a T3 order: Pool → "),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "{text}");
        let sentences = text.lines().filter(|line| !line.contains("DEADLOCK"));
        assert!(
            sentences
                .into_iter()
                .all(|line| line.chars().count() <= width),
            "{text}"
        );
    }
    let text = written(|out| deadlocks::text(&report(), Look::default(), out));
    for words in [
        "holds Pool (MUTEX, object 7), taken at Pool.take:4",
        "1,234 times",
        "D0000000c  a → b",
        "2 findings (1 T0, 1 T3)",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn an_object_that_nobody_was_seen_to_hold_is_told_where_it_is_wanted() {
    let mut report = report();
    report.findings[1].edges[1].wants_object = Some("object 5".to_owned());
    let text = written(|out| deadlocks::text(&report, Look::default(), out));
    for words in [
        "holds Pool (MUTEX, object 7)",
        "wants Pool (MUTEX, object 5) at",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&written(|out| deadlocks::json(&report, out))).unwrap();
    let edges = &json["deadlocks"][1]["edges"];
    assert_eq!(edges[1]["wants_object"], "object 5");
    assert_eq!(edges[0]["wants_object"], "object 7");
}

#[test]
fn programs_read_it() {
    let json: serde_json::Value =
        serde_json::from_str(&written(|out| deadlocks::json(&report(), out))).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["stopped_after"], "the search stopped");
    assert_eq!(json["deadlocks"][0]["unserved"], "lost-notification");
    assert_eq!(json["deadlocks"][1]["edges"][1]["wants"], "Pool");
    assert_eq!(json["excluded"][0]["locks"][1], "b");
    let empty = written(|out| deadlocks::json(&Report::default(), out));
    assert!(empty.contains("\"stopped_after\": null"), "{empty}");
}

#[test]
fn where_a_bound_was_met_nothing_found_is_no_word_about_all() {
    let mut none = Report::default();
    let text = |report: &Report| written(|out| deadlocks::text(report, Look::default(), out));
    assert!(text(&none).starts_with("no potential deadlock, 0 excluded"));
    none.stopped_after = vec!["the search stopped".to_owned()];
    let cut = text(&none);
    assert!(
        cut.starts_with("no potential deadlock in what was looked at, "),
        "{cut}"
    );
    assert!(
        cut.contains("\n  not complete: the search stopped\n"),
        "{cut}"
    );
}

/// The order finding judged again by a run that shows it in this way.
fn again(tier: Tier, memory: Memory) -> Report {
    let mut second = report();
    second.findings.truncate(2);
    let order = &mut second.findings[1];
    (order.tier, order.memory) = (tier, memory);
    order.remarks =
        vec!["ordered in this run by A.flag, written at A.a:1, read at A.b:2".to_owned()];
    second
}

#[test]
fn what_is_judged_again_says_what_became_of_it() {
    let first = &report().findings[1];
    let cases = [
        (Tier::T0, Memory::Unjudged, Verdict::Happened),
        (Tier::T3, Memory::Permits, Verdict::ProvedAsRecorded),
        (Tier::T3, Memory::Unjudged, Verdict::Stands),
        (Tier::T3, Memory::Orders, Verdict::OrderedInThisRun),
    ];
    for (tier, memory, verdict) in cases {
        let judged = confirm(first, &again(tier, memory));
        assert_eq!(judged.verdict, verdict);
        let json = written(|out| deadlocks::confirmed_json(&judged, out));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["verdict"], verdict.name());
        assert_eq!(
            (&json["before"], &json["after"]),
            (&"T3".into(), &tier.name().into())
        );
        for width in [40, 80, 160] {
            let look = Look {
                width,
                colour: false,
            };
            let text = written(|out| deadlocks::confirmed(&judged, look, out));
            assert!(text.starts_with("D0000000a: T3 → "), "{text}");
            assert_eq!(text.matches("A.flag").count(), 1, "{text}");
            let mut sentences = text
                .lines()
                .skip(1)
                .filter(|line| !line.contains("DEADLOCK"));
            assert!(
                sentences.all(|line| line.chars().count() <= width),
                "{text}"
            );
        }
    }
}

#[test]
fn what_did_not_come_again_is_as_it_was() {
    let first = &report().findings[1];
    let unseen = confirm(first, &Report::default());
    assert_eq!(unseen.verdict, Verdict::NotSeen);
    assert_eq!(&unseen.finding, first);
    let json = written(|out| deadlocks::confirmed_json(&unseen, out));
    assert!(json.contains("\"seen_again\": false"), "{json}");
    let mut gone = Report::default();
    gone.excluded.push(Excluded {
        id: first.id.clone(),
        ..report().excluded[0].clone()
    });
    let gone = confirm(first, &gone);
    assert_eq!(gone.verdict, Verdict::ExcludedInThisRun);
    let json = written(|out| deadlocks::confirmed_json(&gone, out));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["after"], &json["seen_again"]),
        (&"T3".into(), &true.into())
    );
    assert!(
        json["why"][0]
            .as_str()
            .unwrap()
            .contains("held around all of it: g")
    );
}

#[test]
fn sites_that_show_code_find_the_line() {
    let sarif: serde_json::Value =
        serde_json::from_str(&written(|out| deadlocks::sarif(&report(), out))).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][1];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "shop/Pool.java");
    assert_eq!(place["region"]["startLine"], 12);
    assert_eq!(result["partialFingerprints"]["deadlock/v1"], "D0000000a");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
}

#[test]
fn the_picture_keeps_its_quotes() {
    let dot = written(|out| deadlocks::dot(&report(), out));
    assert!(
        dot.starts_with("digraph locks {\n") && dot.ends_with("}\n"),
        "{dot}"
    );
    assert!(dot.contains("Queue\u{fffd}[31m\\\""), "{dot}");
    assert!(
        dot.contains("n1_0 -> n1_1") && dot.contains("n1_1 -> n1_0"),
        "{dot}"
    );
}
