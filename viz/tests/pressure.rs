//! Pressure in its forms, as goldens.

use locklens_inference::model::{
    CallChain, EvidenceReport, LogicalLock, Model, Recording, RegionReport, Stays, Times, Verdict,
};
use locklens_inference::pressure::live::News;
use locklens_inference::pressure::model::{
    ChainShare, Known, LockPressure, Metrics, Phase, Pressure, Worst,
};
use locklens_inference::region::RegionId;
use locklens_inference::types::{Details, LockType, Role};
use locklens_trace::Nanos;
use locklens_viz::{Look, pressure};
use std::collections::BTreeMap;

fn s(seconds: f64) -> Nanos {
    Nanos((seconds * 1e9) as u64)
}

fn chain(share: f64, frames: &[&str]) -> ChainShare {
    ChainShare {
        share,
        chain: Some(CallChain {
            frames: frames.iter().map(|&frame| frame.to_owned()).collect(),
            cut: frames.len() > 5,
        }),
        estimated: false,
    }
}

fn hot() -> LockPressure {
    let mut series = vec![Some(0.0); 60];
    series[30..35].fill(Some(0.612));
    series[35] = Some(0.031);
    series[59] = None;
    let deep = [
        "shop.cache.Prices.refresh(Prices.java:71)",
        "shop.cache.Prices.get(Prices.java:40)",
        "shop.Cart.total(Cart.java:112)",
        "shop.Cart.show(Cart.java:96)",
        "shop.web.Page.render(Page.java:33)",
        "shop.web.Server.serve(Server.java:8)",
    ];
    let told = vec![
        chain(0.5, &deep),
        chain(0.25, &deep[1..]),
        ChainShare {
            share: 0.15,
            chain: None,
            estimated: false,
        },
        chain(0.10, &deep),
    ];
    LockPressure {
        id: 2,
        name: "shop.cache.Prices".to_owned(),
        called: "shop.cache.Prices".to_owned(),
        told_as: None,
        known: Known::AtLeast,
        acquiring: s(15.3),
        average: 0.051,
        peak: 0.612,
        series,
        objects: 2,
        worst: Some(Worst {
            object: 17,
            average: 0.043,
            peak: 0.55,
        }),
        phases: vec![Phase {
            start: s(30.0),
            end: s(35.0),
            peak: 0.612,
            average: 0.607,
            chains: told.clone(),
        }],
        more_phases: 0,
        chains: told,
        metrics: Metrics {
            slow: Some(12_345),
            failed_per_second: Some(205.75),
            of_elapsed: 0.255,
            of_acquiring: 0.981,
            ..Metrics::default()
        },
    }
}

fn cool() -> LockPressure {
    LockPressure {
        id: 1,
        name: "java.util.concurrent.locks.ReentrantLock at shop.a.very.long.package.Name.ofAMethod \u{1b}[31m"
            .to_owned(),
        called: "java.util.concurrent.locks.ReentrantLock at shop.a.very.long.package.Name.ofAMethod \u{1b}[31m"
            .to_owned(),
        told_as: None,
        known: Known::Estimate,
        acquiring: s(0.3),
        average: 0.0004,
        peak: 0.02,
        series: (0..60).map(|n| Some(f64::from(n % 7) / 300.0)).collect(),
        objects: 1,
        worst: None,
        phases: Vec::new(),
        more_phases: 0,
        chains: vec![ChainShare {
            estimated: true,
            ..chain(
                1.0,
                &[
                    "jdk.internal.misc.Unsafe.park",
                    "java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)",
                    "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)",
                    "shop.Stock.take(Stock.java:12)",
                ],
            )
        }],
        metrics: Metrics {
            gets: Some(1_000_000),
            slow: Some(20),
            miss: Some(0.00002),
            recursive: Some(0),
            utilisation: Some(0.12),
            mean_hold: Some(Nanos(1_250)),
            failed_per_second: Some(0.33),
            of_elapsed: 0.005,
            of_acquiring: 0.019,
        },
    }
}

fn quiet() -> LockPressure {
    LockPressure {
        id: 5,
        name: "shop.Log".to_owned(),
        peak: 0.001,
        average: 0.0001,
        series: vec![Some(0.0001); 60],
        known: Known::AtLeast,
        ..cool()
    }
}

fn sample(metrics: bool) -> Pressure {
    Pressure {
        interval: s(1.0),
        asked: s(1.0),
        threshold: 0.1,
        begin: s(0.0),
        end: s(60.0),
        threads: 5,
        service: 6,
        only: None,
        running: s(300.0),
        acquiring: s(15.7),
        unmeasured: 0,
        elsewhere: s(0.1),
        locks: vec![hot(), cool(), quiet()],
        metrics,
    }
}

fn model() -> Model {
    Model {
        recording: Recording {
            duration: s(60.0),
            events: 24_700,
            ended: true,
            virtual_threads: true,
            ..Recording::default()
        },
        ..Model::default()
    }
}

fn text(pressure: &Pressure, width: usize, colour: bool) -> String {
    let mut out = Vec::new();
    pressure::text(pressure, &model(), Look { width, colour }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn text_at_80_columns() {
    let text = text(&sample(false), 80, false);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn text_at_160_columns_with_metrics() {
    insta::assert_snapshot!(text(&sample(true), 160, false));
}

#[test]
fn colours_change_nothing_else() {
    let (plain, painted) = (
        text(&sample(true), 80, false),
        text(&sample(true), 80, true),
    );
    let mut bare = painted;
    for code in ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m"] {
        bare = bare.replace(code, "");
    }
    assert_eq!(plain, bare);
}

#[test]
fn where_there_is_nothing_it_says_so() {
    let nothing = Pressure {
        locks: Vec::new(),
        threads: 0,
        only: Some("http-*".to_owned()),
        asked: s(0.1),
        ..sample(false)
    };
    insta::assert_snapshot!(text(&nothing, 80, false));
}

#[test]
fn stays_of_unknown_length_are_not_nobody() {
    let left_out = Pressure {
        locks: Vec::new(),
        unmeasured: 518,
        ..sample(false)
    };
    let text = text(&left_out, 200, false);
    assert!(!text.contains("No thread was blocked"), "{text}");
    assert!(text.contains("Pressure is not known"), "{text}");
    assert!(text.contains("518 stays of unknown length"), "{text}");
}

#[test]
fn threads_that_found_no_room_are_no_lower_bound() {
    let mut model = model();
    model.recording.no_room = 1_197;
    let mut out = Vec::new();
    let look = Look {
        width: 200,
        colour: false,
    };
    pressure::text(&sample(false), &model, look, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("at least 5 threads"), "{text}");
    assert!(text.contains("Of 1,197 lost events the thread"), "{text}");
}

/// A lock that the program has built, in which threads waited for so long to get it.
fn built(id: u32, waited: Nanos) -> LogicalLock {
    let waits = Times {
        count: 5,
        total: waited,
        ..Times::default()
    };
    LogicalLock {
        id,
        name: format!("Hand.gate{id}"),
        classes: vec!["Hand$Gate".to_owned()],
        concrete: Vec::new(),
        types: vec![Verdict {
            lock_type: LockType::Lock,
            confidence: 0.95,
            details: Details::new(),
            roles: BTreeMap::new(),
            evidence: EvidenceReport::default(),
        }],
        runners_up: Vec::new(),
        contradictions: Vec::new(),
        regions: vec![RegionReport {
            id: RegionId(1),
            class: "Hand$Gate".to_owned(),
            method: "lock".to_owned(),
            descriptor: "()V".to_owned(),
            ordinal: None,
            synchronized: true,
            source: None,
            line: None,
            roles: [Role::Lock].into(),
            seen: true,
            blocked: Times::default(),
            waits,
            timed_out: 0,
            supposed: 0,
        }],
        unplaced: Stays::default(),
        instances: 1,
        threads: 8,
        locked: None,
        blocked: Times::default(),
        waits,
        timed_out: 0,
        still_waiting: 0,
        still_blocked: 0,
        sampled: None,
        parks: None,
        uses: None,
    }
}

#[test]
fn waits_inside_locks_that_the_program_has_built_are_told() {
    let nothing = Pressure {
        locks: Vec::new(),
        ..sample(false)
    };
    let model = Model {
        locks: vec![built(1, s(2.0)), built(2, s(42.9))],
        ..model()
    };
    let mut out = Vec::new();
    pressure::text(
        &nothing,
        &model,
        Look {
            width: 200,
            colour: false,
        },
        &mut out,
    )
    .unwrap();
    let text = String::from_utf8(out).unwrap();
    let told = "\nNo thread was blocked on a monitor, or parked to own a lock. Waits for permits, latches and queues are not counted: 'locklens report' has them.\n\n\
                44.9s of waits inside 2 locks that the program has built (most: #2 Hand.gate2, LOCK) are not counted here: 'locklens contention' has them, and who kept threads out.\n";
    assert!(text.contains(told), "{text}");
    let mut out = Vec::new();
    pressure::json(&nothing, &model, &mut out).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(document["waits_inside"][0]["wait_ns"], 42_900_000_000_u64);
    assert_eq!(document["waits_inside"][1]["name"], "Hand.gate1");
}

#[test]
fn json() {
    let mut out = Vec::new();
    let one = Pressure {
        locks: vec![LockPressure {
            series: vec![Some(0.5), None, Some(1.0 / 3.0)],
            ..hot()
        }],
        ..sample(true)
    };
    pressure::json(&one, &model(), &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}

#[test]
fn what_lines_called_otherwise_is_told_beside_the_name() {
    let told = |class: &str| {
        let told_as = Some(class.to_owned());
        let locks = vec![LockPressure { told_as, ..hot() }];
        let pressure = Pressure {
            locks,
            ..sample(false)
        };
        text(&pressure, 100, false)
    };
    let line = "in the lines above by its object's class: RemotePrices";
    assert!(told("shop.remote.RemotePrices").contains(line));
    assert!(!told("shop.cache.Prices").contains("in the lines above"));
}

#[test]
fn lines_of_a_recording_under_way() {
    let begins = News {
        over: false,
        lock: "shop.cache.Prices".to_owned(),
        place: Some("shop.cache.Prices.get(Prices.java:40)".to_owned()),
        start: s(30.0),
        end: s(31.0),
        peak: 0.6,
        average: 0.6,
    };
    let ends = News {
        over: true,
        end: s(35.0),
        ..begins.clone()
    };
    let lines = [begins, ends].map(|news| pressure::line(&news, Look::default()));
    insta::assert_snapshot!(lines.join("\n"));
}
