//! A small model, and what is written of it.

use locklens_inference::model::{
    CallChain, EvidenceReport, LogicalLock, Model, Recording, RegionReport, Stays, Stuck, Times,
    Verdict,
};
use locklens_inference::region::RegionId;
use locklens_inference::types::{Detail, LockType, Role};
use locklens_trace::Nanos;
use locklens_trace::record::target_key;
use locklens_viz::report::SortKey;
use locklens_viz::{Look, report, show};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn times(count: u64, total: u64) -> Times {
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

pub(crate) fn region(id: u32, class: &str, method: &str, role: Role) -> RegionReport {
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

pub(crate) fn verdict(lock_type: LockType, confidence: f64, roles: &[(Role, u32)]) -> Verdict {
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

pub(crate) fn lock(id: u32, class: &str, types: Vec<Verdict>) -> LogicalLock {
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

pub(crate) fn model() -> Model {
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
        stood: None,
    }
}

pub(crate) fn rendered(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes);
    String::from_utf8(bytes).expect("renderers write UTF-8")
}

/// The same words, however their lines are folded.
pub(crate) fn unfolded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn table(width: usize) -> String {
    let look = Look {
        width,
        colour: false,
    };
    rendered(|out| report::table(&model(), SortKey::Hurt, false, look, out).expect("memory"))
}

pub(crate) fn table_of(model: &Model, width: usize) -> String {
    let look = Look {
        width,
        colour: false,
    };
    rendered(|out| report::table(model, SortKey::Hurt, true, look, out).expect("memory"))
}

pub(crate) fn json_of(model: &Model) -> serde_json::Value {
    let text = rendered(|out| report::json(model, SortKey::Hurt, out).expect("memory"));
    serde_json::from_str(&text).expect("JSON")
}

pub(crate) fn blocked(thread: &str, tid: u64, since: u64, lock: u32) -> Stuck {
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

pub(crate) fn frames(methods: &[&str]) -> Option<CallChain> {
    Some(CallChain {
        frames: methods.iter().map(|&method| method.to_owned()).collect(),
        cut: false,
    })
}

pub(crate) fn shown(model: &Model, lock: usize) -> String {
    let lock = &model.locks[lock];
    rendered(|out| {
        show::text(model, lock, None, Look::default(), out).expect("memory");
    })
}
