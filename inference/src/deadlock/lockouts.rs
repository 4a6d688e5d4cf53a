//! A thread that waits, at the end of a recording, with a lock on which others are blocked: it may wait for one of them. Who was
//! to wake it nobody has seen yet, so that it is suspected only.

use super::finding::{
    Finding, Kind, Memory, Part, Report, Resource, Tier, Unserved, What, known_by, stable_id,
};
use super::watched::{in_program, wanted};
use crate::model::{Blockage, CallChain, Holder, KnownBy, Model, Stand};
use crate::nesting::graph::ThreadName;
use crate::sample::group::folded;
use crate::types::LockType;

/// Shorter than this everything waits now and then, ns.
const LONG: u64 = 1_000_000_000;
/// So soon after another began to block on what it held it has hardly let go of that, ns.
const SOON: u64 = 50_000_000;

impl Report {
    /// Adds what the end of a recording looked like.
    pub(super) fn add_lockouts(&mut self, model: &Model) {
        for blockage in &model.blockages {
            if let Some(finding) = of_blockage(model, blockage) {
                self.add(finding);
            }
        }
    }
}

/// Workers of one kind wait for work in turns: none of them brings any.
fn is_crew(holder: &str, blockage: &Blockage) -> bool {
    let kind = folded(holder);
    // Which number the JVM gives to a thread without a name says nothing of what it is.
    let numbered = kind != holder && kind != "Thread-#";
    let mut others = blockage.threads.iter();
    numbered && others.all(|other| folded(&other.thread) == kind)
}

fn of_blockage(model: &Model, blockage: &Blockage) -> Option<Finding> {
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
    // Who came to stand there only later may have let go of it first.
    let late = stand.at.since.0.saturating_sub(blocked.since.0) > SOON;
    if *known == KnownBy::Beginning && late || is_crew(thread, blockage) {
        return None;
    }
    let since = blocked.since.max(stand.at.since);
    if !blockage.may_be_lockout || stand.timed || model.recording.lasts_since(since).0 < LONG {
        return None;
    }
    let (kind, awaited) = awaited(model, stand, chain.as_ref());
    let locks = vec![wanted(model, blocked), awaited];
    let known = known_by(locks.iter().map(|lock| lock.name.clone()).collect());
    let frames = |chain: &CallChain| in_program(&chain.frames);
    let holder = ThreadName {
        name: thread.clone(),
        tid: *tid,
    };
    let other = ThreadName {
        name: blocked.thread.clone(),
        tid: blocked.tid,
    };
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
            Part::wanting(holder, chain.as_ref().map(frames).unwrap_or_default()),
            Part::wanting(
                other,
                blocked.chain.as_ref().map(frames).unwrap_or_default(),
            ),
        ],
        patterns: 1,
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
    use super::*;

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
}
