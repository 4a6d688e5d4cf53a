//! Two recordings held against each other: for people ([`text`], [`html`]) and for programs ([`json`]).

mod html;
mod json;
mod text;
mod warnings;

pub use html::html;
pub use json::{SCHEMA, json};
pub use text::text;

use crate::report::kind;
use crate::text::{clean, clip, count, percent, time};
use locklens_inference::diff::model::{Estimate, LockDiff, OfLock, Status, Verdict};
use locklens_inference::model::Model;
use locklens_inference::pressure::model::Known;
use locklens_trace::Nanos;
use locklens_trace::record::target_key;

/// Columns of a name, at most.
const LONGEST: usize = 300;

/// One of the two recordings.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What the user calls it.
    pub name: &'a str,
    /// What it says of its locks.
    pub model: &'a Model,
}

/// A figure of a lock, in words.
struct Row {
    what: &'static str,
    a: String,
    b: String,
    difference: String,
}

/// What a recording is, in a line.
fn told(side: &Side<'_>) -> String {
    let get = |key: &str| side.model.target.get(key).map(|value| clean(value));
    let main = get(target_key::MAIN).unwrap_or_else(|| "unknown program".to_owned());
    let java = get(target_key::JAVA_VERSION).map_or(String::new(), |java| format!(", Java {java}"));
    let recording = &side.model.recording;
    format!(
        "{}: {main}{java}; {}, {} events, {}",
        clean(side.name),
        time(recording.duration),
        count(recording.events),
        kind(recording)
    )
}

/// Both figures of a lock.
fn rows(lock: &LockDiff) -> [Row; 2] {
    let (blocked, pressure) = (&lock.blocked, &lock.pressure);
    let [in_a, in_b] = [&lock.a, &lock.b].map(mark);
    [
        Row {
            what: "blocked a second",
            a: with_interval(blocked.a, in_a, length),
            b: with_interval(blocked.b, in_b, length),
            difference: signed(blocked.difference.value, length),
        },
        Row {
            what: "pressure",
            a: with_interval(pressure.a, in_a, share),
            b: with_interval(pressure.b, in_b, share),
            difference: signed(pressure.difference.value, points),
        },
    ]
}

/// Stands before a figure that is not exact.
fn mark(lock: &Option<OfLock>) -> &'static str {
    match lock.as_ref().and_then(|lock| lock.known) {
        Some(Known::AtLeast) => "≥",
        Some(Known::Estimate) => "≈",
        Some(Known::Exact) | None => "",
    }
}

/// `12.1ms (10.2ms to 14.0ms)`.
fn with_interval(of: Estimate, mark: &str, unit: fn(f64) -> String) -> String {
    match (of.low, of.high) {
        (Some(low), Some(high)) => {
            format!("{mark}{} ({} to {})", unit(of.value), unit(low), unit(high))
        }
        _ => format!("{mark}{}", unit(of.value)),
    }
}

fn signed(value: f64, unit: fn(f64) -> String) -> String {
    match value {
        0.0 => "the same".to_owned(),
        more if more > 0.0 => format!("+{}", unit(more)),
        less => format!("-{}", unit(-less)),
    }
}

fn length(ns: f64) -> String {
    match ns {
        ns if ns > 0.0 && ns < 0.5 => "<1ns".to_owned(),
        ns => time(Nanos(ns.round() as u64)),
    }
}

fn share(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.005 => "<0.01%".to_owned(),
        p if p < 9.995 => format!("{p:.2}%"),
        p => format!("{p:.1}%"),
    }
}

/// A difference of two shares.
fn points(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.005 => "<0.01 points".to_owned(),
        p if p < 9.995 => format!("{p:.2} points"),
        p => format!("{p:.1} points"),
    }
}

/// What it is in both, once if it is the same.
fn kinds(lock: &LockDiff) -> String {
    let told = |of: &OfLock| {
        let types = of.types.iter();
        let types: Vec<String> = types
            .map(|(kind, sure)| format!("{} {}", kind.name(), percent(*sure)))
            .collect();
        types.join("+")
    };
    match (&lock.a, &lock.b) {
        (Some(a), Some(b)) if lock.is_of_other_type() => format!("{} → {}", told(a), told(b)),
        (Some(one), None) | (_, Some(one)) => told(one),
        (None, None) => String::new(),
    }
}

/// In which it is, if not in both.
fn where_seen(lock: &LockDiff) -> &'static str {
    match lock.status() {
        Status::Both => "",
        Status::New => "new: in B only",
        Status::Gone => "gone: in A only",
    }
}

/// Both its names, if they differ.
fn names(lock: &LockDiff) -> String {
    let short = |name: &str| clip(&clean(name), LONGEST);
    match (&lock.a, &lock.b) {
        (Some(a), Some(b)) if a.name != b.name => {
            format!("{} (in A: {})", short(&b.name), short(&a.name))
        }
        _ => short(lock.name()),
    }
}

/// A word for what may be said of it.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::More => "MORE",
        Verdict::Less => "LESS",
        Verdict::Both => "BOTH",
        Verdict::NotShown => "-",
    }
}

/// It is told even if nobody asks for all.
fn matters(lock: &LockDiff) -> bool {
    lock.verdict() != Verdict::NotShown || lock.is_of_other_type() || lock.status() != Status::Both
}

/// What the figures are worth, in sentences.
const WORTH: [&str; 3] = [
    "In brackets: where the true figure is in 95 cases of 100, as far as the ups and downs within the recording tell \
     (batch means). MORE, LESS: chance makes any lock of all look so in at most 5 comparisons of 100 (Holm); \
     all else: no difference shown, which is not the same as none.",
    "What is not the same in two runs of one program anyway (placement of threads, the JIT, other load on the machine) \
     is not in it: compare two recordings of the same build first.",
    "Blocked: time spent acquiring the lock, of all threads together. Pressure: that by the running time of all threads.",
];
