//! Locks that an idle thread of a pool still holds: a task has taken it and ended without giving it back.

use super::idle::{TOMCATS, waits_for_task};
use super::name::{chain, object_name, resource, taken};
use super::pools::{is_scheduled, pool};
use super::scene::Scene;
use super::standing::beside;
use super::tell::{READ, add};
use super::want::Want;
use super::{Evidence, called};
use crate::deadlock::finding::{Finding, Kind, Memory, Part, Report, Tier, stable_id};
use crate::deadlock::waits::Unserved;
use crate::effects::is_platform_name;
use crate::sample::State;
use crate::sample::dump::Thread;
use crate::stable_name::short;
use std::collections::BTreeMap;

const LEFT: &str = "a task that it ran has taken it and ended without giving it back";
const OR_AROUND: &str = "a task that it ran has taken it and ended without giving it back, or it is held around all of its tasks";
const DUE: &str =
    "a task lies in the queue of its pool that is due at a time: that one may give it back";
const RELEASED: &str =
    "it is a synchronizer of the program's own, which others than its owner may be able to release";

/// Adds them: of each lock who waits for it, and who has it.
pub(super) fn findings(
    scene: &Scene,
    wants: &[Option<Want>],
    evidence: &Evidence<'_>,
    report: &mut Report,
) {
    let mut found: BTreeMap<(usize, &str), Vec<(usize, &Want)>> = BTreeMap::new();
    for (ix, want) in wants.iter().enumerate() {
        let is_blocked = |want: &&Want| want.is_lock() && !want.moved && !scene.seats[ix].of_jvm;
        let Some(want) = want.as_ref().filter(is_blocked) else {
            continue;
        };
        let Some(object) = &want.object else { continue };
        let holder = scene.holder(object).filter(|&holder| holder != ix);
        if let Some(holder) = holder {
            let of = found.entry((holder, &object.id)).or_default();
            of.push((ix, want));
        }
    }
    let lasts = evidence.dumps.len() > 1;
    for ((holder, _), waiters) in found {
        let seat = &scene.seats[holder];
        if let Some(at) = waits_for_task(&seat.thread, wants[holder].as_ref()) {
            let steady = lasts && seat.steady && !seat.loose;
            add(report, kept(scene, (&seat.thread, at), steady, &waiters));
        }
    }
}

fn kept(
    scene: &Scene,
    (holder, at): (&Thread, usize),
    steady: bool,
    waiters: &[(usize, &Want)],
) -> Finding {
    // Who waits without end before those who give up.
    let mut waiters = waiters.to_vec();
    waiters.sort_by_key(|(ix, want)| (want.timed, *ix));
    let (first, want) = waiters[0];
    let thread = &scene.seats[first].thread;
    let object = want.object.as_ref();
    let chains: Vec<Vec<String>> = waiters
        .iter()
        .map(|&(ix, _)| chain(&scene.seats[ix].thread.frames))
        .collect();
    let named: Vec<&[String]> = chains.iter().map(Vec::as_slice).collect();
    let mut lock = resource(want, &named, None);
    lock.name = object.map_or_else(|| lock.name.clone(), |object| object_name(object, &named));
    let others = waiters.iter().skip(1);
    let others: Vec<&str> = others
        .map(|&(ix, _)| scene.seats[ix].thread.name.as_str())
        .collect();
    let taken = object.map_or_else(Vec::new, |object| taken(holder, &object.id));
    let due = is_due(scene, holder).then_some(DUE);
    let remarks = [
        beside(&others),
        Some(held(holder, at, &taken)),
        want.of_anybody.then(|| RELEASED.to_owned()),
        want.read.then(|| READ.to_owned()),
        due.map(str::to_owned),
    ];
    Finding {
        id: stable_id(Kind::UnservedWaiter, std::slice::from_ref(&lock.name)),
        // Who keeps one around all tasks may mean to: others stand by until he ends.
        tier: match steady
            && !want.of_anybody
            && taken.is_empty()
            && !is_around(holder, at)
            && due.is_none()
        {
            true => Tier::T4,
            false => Tier::T5,
        },
        kind: Kind::UnservedWaiter,
        stall: want.timed,
        edges: vec![Part {
            mode: lock.mode,
            timed: want.timed,
            ..Part::wanting(called(thread), chains[0].clone())
        }],
        locks: vec![lock],
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: Some(Unserved::OwnerIdle),
        memory: Memory::Unjudged,
        remarks: remarks.into_iter().flatten().collect(),
    }
}

/// Who has it, what he waits for, and how that came about as far as his chain tells.
fn held(holder: &Thread, at: usize, taken: &[String]) -> String {
    let tid = holder
        .tid
        .map_or_else(String::new, |tid| format!(" #{tid}"));
    let asks = holder.frames.get(at).map_or("", |frame| &frame.method);
    let (class, method) = asks.rsplit_once('.').unwrap_or(("", asks));
    let who = format!(
        "\"{}\"{tid} holds it and waits for a task in {}.{method}",
        holder.name,
        short(class)
    );
    match taken.first() {
        // A monitor belongs to a frame.
        Some(frame) => format!("{who}: it is held around all of its tasks, since {frame}"),
        None if is_around(holder, at) => format!("{who}: {OR_AROUND}"),
        None => format!("{who}: {LEFT}"),
    }
}

/// A thread of its pool waits for the time of a task that lies in the queue.
fn is_due(scene: &Scene, holder: &Thread) -> bool {
    let of = pool(&holder.name);
    let waits = |thread: &Thread| {
        let timed = matches!(thread.state, State::ParkedTimed | State::WaitingTimed);
        timed && is_scheduled(thread) && pool(&thread.name) == of
    };
    scene.seats.iter().any(|seat| waits(&seat.thread))
}

/// The program has called the loop in which it asks for tasks.
fn is_around(holder: &Thread, at: usize) -> bool {
    let mut around = holder.frames[at..].iter();
    around.any(|frame| !is_platform_name(&frame.method) && !frame.method.starts_with(TOMCATS))
}
