//! What pressure was computed from, and what is missing from it.

use super::percent;
use crate::report::{damage, slices, stopped};
use crate::text::{clean, count, many, time};
use locklens_inference::model::{Model, Recording};
use locklens_inference::pressure::model::{Known, Pressure};
use locklens_trace::Nanos;
use locklens_trace::record::target_key;

/// The line below everything.
pub(super) fn footer(pressure: &Pressure, model: &Model) -> String {
    let length = Nanos(pressure.end.0.saturating_sub(pressure.begin.0));
    let whom = match &pressure.only {
        Some(only) => format!(" like {}", clean(only)),
        None => String::new(),
    };
    let recording = &model.recording;
    let facts = [
        format!(
            "{} in intervals of {}",
            time(length),
            time(pressure.interval)
        ),
        format!("phases from {} on", percent(pressure.threshold)),
        format!(
            "{}{}{whom}, running {}",
            if has_unknown_threads(model) && pressure.threads > 0 {
                "at least "
            } else {
                ""
            },
            many(pressure.threads, "thread"),
            time(pressure.running)
        ),
        format!(
            "{} of the JVM's left out",
            many(pressure.service, "service thread")
        ),
        format!(
            "{}, {} lost",
            many(recording.events, "event"),
            count(recording.lost)
        ),
        kind(recording).to_owned(),
    ];
    facts.join("; ")
}

fn kind(recording: &Recording) -> &'static str {
    match (recording.exact, recording.incomplete.is_empty()) {
        _ if recording.parks.is_some_and(|parks| parks.alone) => "monitors not recorded",
        (false, _) => "from contended events",
        (true, true) => "from every event",
        (true, false) => "from every event, incomplete",
    }
}

/// The sentences below it.
pub(super) fn notes(pressure: &Pressure, model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let mut notes = worth(pressure, model);
    notes.extend(unmeasured(pressure));
    notes.extend(nobody(pressure));
    notes.extend(longer(pressure));
    notes.extend(running(model));
    notes.extend(elsewhere(pressure));
    notes.extend(stopped(recording));
    notes.extend(slices(recording));
    notes.extend(damage(recording));
    notes
}

/// What the marks mean.
fn worth(pressure: &Pressure, model: &Model) -> Vec<String> {
    let has = |known| pressure.locks.iter().any(|lock| lock.known == known);
    let mut notes = Vec::new();
    if has(Known::AtLeast) {
        notes.push(
            "≥: at least so much. The JVM tells of a block only after spinning, and not of threads on their way back \
             from a wait; 'locklens trace' sees these."
                .to_owned(),
        );
    }
    if has(Known::Estimate) {
        notes.push(match has_unknown_threads(model) {
            true => "≈: an estimate, from threads that are known (below), and for locks of java.util.concurrent from looks.",
            false => "≈: estimated from looks at parked threads.",
        }
        .to_owned());
    }
    notes
}

/// Stays that are in no time.
fn unmeasured(pressure: &Pressure) -> Option<String> {
    (pressure.unmeasured > 0).then(|| {
        format!(
            "Left out: {} of unknown length (an end is missing, or events between), blocked or waiting; these threads count as running.",
            many(pressure.unmeasured, "stay")
        )
    })
}

fn nobody(pressure: &Pressure) -> Option<String> {
    let only = pressure.only.as_ref().filter(|_| pressure.threads == 0)?;
    Some(format!("No thread is called like {}.", clean(only)))
}

fn longer(pressure: &Pressure) -> Option<String> {
    (pressure.interval != pressure.asked).then(|| {
        format!(
            "Intervals are longer than the {} asked for: there would be too many.",
            time(pressure.asked)
        )
    })
}

/// Threads may have run that are not in the running time.
fn has_unknown_threads(model: &Model) -> bool {
    has_unlisted(model) || model.recording.no_room > 0
}

/// The recording began in a running JVM, which lists no virtual threads.
fn has_unlisted(model: &Model) -> bool {
    let mode = model.target.get(target_key::MODE);
    model.recording.virtual_threads && mode.is_none_or(|mode| mode != "launch")
}

/// What makes running time look longer than it was, or shorter.
fn running(model: &Model) -> Vec<String> {
    let recording = &model.recording;
    let mut notes = Vec::new();
    if recording.looks.is_none() && recording.parks.is_none() {
        notes.push("Parked threads count as running: nobody looked at them.".to_owned());
    }
    if recording.no_room > 0 {
        notes.push(format!(
            "Of {} the thread or the lock found no room in the agent's tables (--buffer). How long such threads ran or were blocked is in no figure: \
             shares may be too high as well as too low.",
            many(recording.no_room, "lost event")
        ));
    }
    if has_unlisted(model) {
        notes.push(
            "Virtual threads that have met no lock since the recording began are not known, running or parked: the running time may be far \
             more, and all shares less. 'locklens record -- java …' knows them from their start."
                .to_owned(),
        );
    }
    if recording.virtual_threads && recording.parks.is_none() {
        notes.push("Virtual threads count as running while they are parked.".to_owned());
    }
    if recording.exact {
        notes.push(
            "Threads that waited already when the exact recording began count as running until they are heard of."
                .to_owned(),
        );
    }
    let others = model.target.get(target_key::EXACT_OTHERS);
    if others.is_some_and(|others| others != "0") {
        notes.push("Waits on locks that were not chosen count as running.".to_owned());
    }
    notes
}

fn elsewhere(pressure: &Pressure) -> Option<String> {
    let share = pressure.elsewhere.0 as f64 / pressure.running.0.max(1) as f64;
    (pressure.elsewhere > Nanos(0)).then(|| {
        format!(
            "{} of the running time was spent acquiring locks that are not shown: known-safe ones (--show-safe-locks).",
            percent(share)
        )
    })
}
