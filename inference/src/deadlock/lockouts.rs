//! A thread that waits, at the end of a recording, with a lock on which others are blocked: it may wait for one of them. Who was
//! to wake it nobody has seen yet, so that it is suspected only.

use super::finding::{
    Finding, Kind, Memory, Part, Report, Resource, Stands, Tier, Unserved, What, known_by,
    stable_id,
};
use super::watched::{in_program, wanted};
use crate::model::{Blockage, CallChain, Holder, KnownBy, Model, Stand};
use crate::nesting::graph::ThreadName;
use crate::sample::group::folded;
use crate::types::LockType;
use std::collections::BTreeSet;

/// Shorter than this everything waits now and then, ns.
pub(super) const LONG: u64 = 1_000_000_000;
/// So soon after another began to block on what it held it has hardly let go of that, ns.
pub(super) const SOON: u64 = 50_000_000;
/// So many who are blocked on nobody knows whom are named.
const NAMED: usize = 3;

impl Report {
    /// Adds what the end of a recording looked like.
    pub(super) fn add_lockouts(&mut self, model: &Model) {
        for blockage in &model.blockages {
            let finding = of_blockage(model, blockage, &self.ends);
            if let Some(finding) = finding {
                self.add(finding);
            }
        }
    }
}

/// Threads that were blocked for long when the recording ended.
pub(super) fn blocked_for_long(model: &Model) -> BTreeSet<(Option<u64>, &str)> {
    let all = model.blockages.iter().flat_map(|one| &one.threads);
    let long = all.filter(|stuck| model.recording.lasts_since(stuck.since).0 >= LONG);
    long.map(|stuck| (stuck.tid, stuck.thread.as_str()))
        .collect()
}

/// What says of threads that were blocked for long when the recording ended that nobody knows on whom. Who is in a deadlock that
/// happened (`findings`) is told there.
pub(super) fn unowned(model: &Model, findings: &[Finding]) -> Vec<String> {
    let happened = findings.iter().filter(|one| one.tier == Tier::T0);
    let stuck: BTreeSet<(Option<u64>, &str)> = happened
        .flat_map(|one| &one.edges)
        .map(|edge| (edge.thread.tid, edge.thread.name.as_str()))
        .collect();
    let is_long = |blockage: &&Blockage| {
        let first = blockage.first();
        let lasts = model.recording.lasts_since(first.since);
        let told = stuck.contains(&(first.tid, first.thread.as_str()));
        blockage.holder == Holder::Unknown && lasts.0 >= LONG && !told
    };
    let all = model.blockages.iter().filter(is_long);
    let named = all.clone().take(NAMED).map(|blockage| {
        let blocked = blockage.first();
        let on = wanted(model, blocked);
        let object = on
            .object
            .map_or_else(String::new, |object| format!(" ({object})"));
        format!("\"{}\" on {}{object}", blocked.thread, on.name)
    });
    let named: Vec<String> = named.collect();
    let more = match all.count() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let said = format!(
        "blocked for more than a second when the recording ended, and on whom is not known: {}{more}. So whether these are deadlocked is not, either: 'locklens report' has who is known to hold what, and 'locklens deadlocks PID' asks the JVM",
        named.join(", ")
    );
    (!named.is_empty()).then_some(said).into_iter().collect()
}

/// Workers of one kind wait for work in turns: none of them brings any.
fn is_crew(holder: &str, blockage: &Blockage) -> bool {
    let kind = folded(holder);
    // Which number the JVM gives to a thread without a name says nothing of what it is.
    let numbered = kind != holder && kind != "Thread-#";
    let mut others = blockage.threads.iter();
    numbered && others.all(|other| folded(&other.thread) == kind)
}

/// `ends`: what is known of them by their own steps.
fn of_blockage(model: &Model, blockage: &Blockage, ends: &Stands) -> Option<Finding> {
    let Holder::Thread {
        thread,
        tid,
        known,
        ended: false,
        stand: Some(stand),
        chain,
        ..
    } = &blockage.holder
    else {
        return None;
    };
    let blocked = blockage.first();
    let holder = ThreadName {
        name: thread.clone(),
        tid: *tid,
    };
    let wants = wanted(model, blocked);
    let holds = wants.object.as_ref();
    let holds = holds.and_then(|object| ends.held.get(object));
    let holds = holds.filter(|holds| holds.thread == holder);
    // Who came to stand there only later may have let go of it first, unless his own steps say that he has not.
    let late = stand.at.since.0.saturating_sub(blocked.since.0) > SOON;
    let perhaps = *known == KnownBy::Beginning && late && holds.is_none();
    if perhaps {
        return None;
    }
    let since = blocked.since.max(stand.at.since);
    if !blockage.may_be_lockout || stand.timed || model.recording.lasts_since(since).0 < LONG {
        return None;
    }
    let (kind, awaited) = awaited(model, stand, chain.as_ref());
    // What is counted down or ends is no work that comes again.
    if kind == Kind::NestedWait && is_crew(thread, blockage) {
        return None;
    }
    let frames = |chain: &CallChain| in_program(&chain.frames);
    let other = ThreadName {
        name: blocked.thread.clone(),
        tid: blocked.tid,
    };
    let stands = wants.object.as_ref();
    let stands = stands.and_then(|object| ends.wanted.get(object));
    let stands = stands.into_iter().flatten();
    let by_steps = || {
        let mut own = stands.filter(|stands| stands.thread == other);
        own.next().map(|stands| stands.at.clone())
    };
    let wants_at = blocked.chain.as_ref().map(frames).or_else(by_steps);
    let locks = vec![wants, awaited];
    let known = known_by(locks.iter().map(|lock| lock.name.clone()).collect());
    let others = blockage
        .threads
        .len()
        .checked_sub(2)
        .map(|more| match more {
            0 => "one more is blocked there".to_owned(),
            n => format!("{} more are blocked there", n + 1),
        });
    Some(Finding {
        id: stable_id(kind, &known),
        tier: Tier::T5,
        kind,
        stall: false,
        locks,
        edges: vec![
            Part {
                holds_at: holds.map_or_else(Vec::new, |holds| holds.at.clone()),
                ..Part::wanting(holder, chain.as_ref().map(frames).unwrap_or_default())
            },
            Part::wanting(other, wants_at.unwrap_or_default()),
        ],
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: Some(Unserved::KeptOut),
        memory: Memory::Unjudged,
        remarks: others.into_iter().collect(),
    })
}

/// What the holder waits for.
fn awaited(model: &Model, stand: &Stand, chain: Option<&CallChain>) -> (Kind, Resource) {
    let at = wanted(model, &stand.at);
    let lock = model
        .locks
        .iter()
        .find(|lock| Some(lock.id) == stand.at.lock);
    let types = lock.into_iter().flat_map(|lock| &lock.types);
    let first = types.map(|verdict| verdict.lock_type).next();
    let class = lock.and_then(|lock| lock.classes.first());
    let class = class.map_or(stand.at.class.as_str(), String::as_str);
    let words = words(first, class, chain);
    let kind = match words {
        "completion of" | "count-down of" => Kind::Latch,
        "end of" => Kind::Join,
        _ => Kind::NestedWait,
    };
    let name = format!("{words} {}", at.name);
    let resource = match kind {
        // Whose end it is that is waited for is not known.
        Kind::Join => Resource {
            name,
            id: String::new(),
            what: What::End,
            ..at
        },
        _ => Resource {
            name,
            what: What::Notify,
            ..at
        },
    };
    (kind, resource)
}

/// What that is called, of a lock of this type and class.
fn words(of_type: Option<LockType>, class: &str, chain: Option<&CallChain>) -> &'static str {
    let outer = class.strip_prefix("java.util.concurrent.");
    // That something else is typed so, because it is used so, makes it no thread.
    let is_thread = class == "java.lang.Thread" || chain.is_some_and(joins);
    match (of_type, outer) {
        (Some(LockType::Join), Some(_)) => "completion of",
        (Some(LockType::Join), None) if is_thread => "end of",
        (Some(LockType::Latch), Some(_)) => "count-down of",
        (_, Some("Exchanger" | "Phaser" | "CyclicBarrier")) => "meeting at",
        (_, Some(queue @ ("SynchronousQueue" | "LinkedTransferQueue"))) => by_method(queue, chain),
        _ => "notify of",
    }
}

/// Whether a thread waits there for the end of another one.
fn joins(chain: &CallChain) -> bool {
    let is_wait = |frame: &&String| frame.starts_with("java.lang.Object.wait");
    let mut frames = chain.frames.iter().skip_while(is_wait);
    let first = frames.next();
    first.is_some_and(|frame| frame.starts_with("java.lang.Thread.join"))
}

/// Whether it would take something out of a queue or has brought something.
fn by_method(queue: &str, chain: Option<&CallChain>) -> &'static str {
    let frames = chain.map_or(&[][..], |chain| &chain.frames);
    let of_queue = |method: &str| {
        let called = format!("java.util.concurrent.{queue}.{method}");
        frames.iter().any(|frame| frame.starts_with(&called))
    };
    match ["put", "transfer", "offer"].into_iter().any(of_queue) {
        true => "take from",
        false => "put into",
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Standing;
    use super::*;
    use crate::analysis::Analysis;
    use crate::collect::Collector;
    use crate::fixtures::{Build, event};
    use crate::model::Options;
    use locklens_trace::record::Owner;
    use locklens_trace::{Event, EventKind, Record};

    #[test]
    fn only_threads_are_said_to_end() {
        let at = |class: &str, frames: &[&str]| {
            let chain = CallChain {
                frames: frames.iter().map(|frame| (*frame).to_owned()).collect(),
                cut: false,
            };
            words(Some(LockType::Join), class, Some(&chain))
        };
        let waits = "java.lang.Object.wait";
        let joins = [waits, "java.lang.Thread.join:1313", "app.Shop.close:5"];
        assert_eq!(at("java.lang.Thread", &[]), "end of");
        assert_eq!(at("app.Painter", &joins), "end of");
        assert_eq!(at("app.Shed", &[waits, "app.Shed.close:5"]), "notify of");
        let future = "java.util.concurrent.FutureTask";
        assert_eq!(at(future, &[]), "completion of");
    }

    fn modelled<const N: usize>(build: Build, events: [Event; N]) -> Model {
        let mut collector = Collector::of_piece(Options::default(), build.catalog);
        for event in events {
            collector.push(Record::Event(event));
        }
        Analysis::of(&collector.finish(), &Options::default()).model
    }

    /// What is said of "two", who has been blocked from 100 ms on to the end at 2 s, or from 1.9 s on.
    fn unowned_since(since: u64) -> Vec<String> {
        let mut build = Build::default();
        let class = build.class("a.Desk", "java.lang.Object");
        let two = build.thread("two");
        let lock = build.lock(class);
        let three = build.thread("three");
        let events = [
            event(since, two, EventKind::Enter, lock),
            event(2_000_000, three, EventKind::ThreadEnd, lock),
        ];
        let model = modelled(build, events);
        assert_eq!(unowned(&model, &[happened("two")]), Vec::<String>::new());
        assert_eq!(unowned(&model, &[happened("three")]), unowned(&model, &[]));
        unowned(&model, &[])
    }

    /// A deadlock of this thread, the first of the recording, that happened.
    fn happened(name: &str) -> Finding {
        let thread = ThreadName {
            name: name.to_owned(),
            tid: Some(1),
        };
        Finding {
            id: String::new(),
            tier: Tier::T0,
            kind: Kind::Order,
            stall: false,
            locks: Vec::new(),
            edges: vec![Part::wanting(thread, Vec::new())],
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved: None,
            memory: Memory::Unjudged,
            remarks: Vec::new(),
        }
    }

    #[test]
    fn who_was_blocked_for_long_on_nobody_knows_whom_is_named() {
        let [said] = &unowned_since(100_000)[..] else {
            panic!()
        };
        assert!(said.contains("\"two\" on Desk"), "{said}");
        assert_eq!(unowned_since(1_900_000), Vec::<String>::new());
    }

    /// How many suspicions there are where "two" has been blocked since 100 ms on what "one" had, who waits on another object since
    /// 200 ms; `held`: by the steps of "one" he has it still.
    fn suspected(held: bool) -> usize {
        let mut build = Build::default();
        let class = build.class("a.Desk", "java.lang.Object");
        let [one, two, three] = ["one", "two", "three"].map(|name| build.thread(name));
        let [lock, other] = [build.lock(class), build.lock(class)];
        let enter = Event {
            owner: Owner::Thread(one),
            ..event(100_000, two, EventKind::Enter, lock)
        };
        let waits = EventKind::Wait { timeout: None };
        let tids = [one, two].map(|thread| Some(build.catalog.threads[&thread].tid));
        let events = [
            enter,
            event(200_000, one, waits, other),
            event(1_900_000, three, EventKind::ThreadEnd, lock),
        ];
        let model = modelled(build, events);
        let stands = |name: &str, tid, at: &str| Standing {
            thread: ThreadName {
                name: name.to_owned(),
                tid,
            },
            at: vec![at.to_owned()],
        };
        let object = format!("object {}", lock.0);
        let mut report = Report::default();
        if held {
            let holds = stands("one", tids[0], "Desk.open:5");
            report.ends.held.insert(object.clone(), holds);
        }
        let wants = vec![stands("two", tids[1], "Desk.close:9")];
        report.ends.wanted.insert(object, wants);
        report.add_lockouts(&model);
        for finding in &report.findings {
            assert_eq!(finding.edges[0].holds_at, ["Desk.open:5"]);
            assert_eq!(finding.edges[1].wants_at, ["Desk.close:9"]);
        }
        report.findings.len()
    }

    #[test]
    fn who_was_blocked_before_the_wait_began_is_kept_out_if_the_holder_has_not_let_go() {
        assert_eq!(suspected(true), 1);
        assert_eq!(suspected(false), 0);
    }
}
