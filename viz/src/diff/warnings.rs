//! Why two recordings may differ for other reasons than the program.

use super::Side;
use crate::pressure::inside;
use crate::report::kind;
use crate::text::{clean, count, time};
use locklens_inference::diff::model::{Diff, OfLock, SameBy, Status};
use locklens_inference::model::Recording;
use locklens_trace::Nanos;
use locklens_trace::record::target_key as key;

/// Shorter recordings have nothing but the moment in them.
const SHORT: Nanos = Nanos(5_000_000_000);

/// A part of a recording in which the process stood still, so much of it that it shows.
const STILL: u64 = 20;

/// Facts of the target that ought to be the same, with what they are called.
const SAME: [(&str, &str); 6] = [
    (key::MAIN, "programs"),
    (key::JAVA_VERSION, "Java versions"),
    (key::VM_NAME, "JVMs"),
    (key::CPUS, "numbers of processors"),
    (key::STACK_DEPTH, "depths of call chains"),
    (key::MODE, "ways of recording"),
];

/// In a sentence each.
pub(super) fn warnings(diff: &Diff, sides: [Side<'_>; 2]) -> Vec<String> {
    let mut all: Vec<String> = SAME
        .iter()
        .filter_map(|(key, what)| other(sides, key, what))
        .collect();
    all.extend(kinds(sides));
    all.extend(redacted(diff, sides));
    all.extend(by_class(diff));
    all.extend(waits_inside(sides));
    for (side, name) in sides.iter().zip(["A", "B"]) {
        all.extend(missing(name, &side.model.recording));
    }
    all
}

fn other([a, b]: [Side<'_>; 2], key: &str, what: &str) -> Option<String> {
    let (a, b) = (a.model.target.get(key)?, b.model.target.get(key)?);
    (a != b).then(|| format!("Different {what}: {} and {}.", clean(a), clean(b)))
}

/// One tells of what the other can't.
fn kinds([a, b]: [Side<'_>; 2]) -> Vec<String> {
    let (a, b) = (&a.model.recording, &b.model.recording);
    let mut all = Vec::new();
    if kind(a) != kind(b) {
        all.push(format!(
            "Recordings of different kinds, A {} and B {}: what one has more may be what the other does not tell. New and \
             gone locks say little.",
            kind(a),
            kind(b)
        ));
    }
    if a.parks.is_some() != b.parks.is_some() || a.looks.is_some() != b.looks.is_some() {
        let how = |of: &Recording| match (of.parks.is_some(), of.looks.is_some()) {
            (true, _) => "every park",
            (false, true) => "looks at parked threads",
            (false, false) => "nothing",
        };
        all.push(format!(
            "Locks of java.util.concurrent are known from {} in A and {} in B.",
            how(a),
            how(b)
        ));
    }
    all
}

fn redacted(diff: &Diff, [a, b]: [Side<'_>; 2]) -> Option<String> {
    let [a, b] = [a, b].map(|side| side.model.target.contains_key(key::REDACTED));
    let common = diff.locks.iter().any(|lock| lock.status() == Status::Both);
    match (a, b) {
        (true, true) if !common => Some(
            "Both are redacted, with different keys: names can't be compared. LOCKLENS_REDACT_KEY gives both the same.".to_owned(),
        ),
        (true, false) | (false, true) => {
            Some("One of them is redacted: its names are no names of the other.".to_owned())
        }
        _ => None,
    }
}

/// Locks of `java.util.concurrent` of which one recording took no call chain.
fn by_class(diff: &Diff) -> Vec<String> {
    let locks = diff
        .locks
        .iter()
        .filter(|lock| lock.same_by == SameBy::Class);
    let name = |of: &Option<OfLock>| of.as_ref().map_or_else(String::new, |of| clean(&of.name));
    let matched = locks.map(|lock| {
        format!(
            "'{}' in A and '{}' in B are taken for one lock, as no other of the class is left: of one of them no call chain was taken.",
            name(&lock.a),
            name(&lock.b)
        )
    });
    let unclear = diff.unclear.iter().map(|classes| {
        format!(
            "Locks of {} that are new or gone may be the same: of some no call chain was taken.",
            clean(classes)
        )
    });
    matched.chain(unclear).collect()
}

/// What the figures do not have.
fn waits_inside(sides: [Side<'_>; 2]) -> Option<String> {
    let told = sides.iter().zip(["A", "B"]).filter_map(|(side, name)| {
        let waits = inside(side.model)?;
        Some(format!("{name} has {waits}"))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        format!(
            "{}: they are not counted here, 'locklens contention' has them.",
            told.join(", ")
        )
    })
}

fn missing(name: &str, recording: &Recording) -> Vec<String> {
    let mut all = Vec::new();
    let length = time(recording.duration);
    let mut say = |is_so: bool, what: String| all.extend(is_so.then_some(what));
    say(
        recording.duration < SHORT,
        format!("{name} has {length} only: how much comes and goes in a longer time is not in it."),
    );
    say(
        recording.lost > 0,
        format!(
            "{name} lost {} events: its figures are too low.",
            count(recording.lost)
        ),
    );
    say(
        recording.paused > Nanos(0),
        format!(
            "{name} was recorded in slices, with events switched off for {}: its figures are too low.",
            time(recording.paused)
        ),
    );
    let still = recording.stood_still();
    say(
        still.0 > recording.duration.0 / STILL,
        format!(
            "In {name} the process stood still for {}: stays that reach over that are longer by it, and no lock need be to blame.",
            time(still)
        ),
    );
    say(
        recording.gaps > 0,
        format!("{name} has parts that can't be read: its figures are too low."),
    );
    say(
        !recording.ended,
        format!("{name} was cut off before its end."),
    );
    all
}
