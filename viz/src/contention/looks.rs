//! Looks at the owners of monitors: shares of the blocked time, with what they may be off by.

use super::of_lock::chains;
use super::text::{lock_in, short_site};
use super::{fate, plain};
use crate::Look;
use crate::text::{Paint, clean, clip, count, fitted, many, percent, right, wrapped};
use crate::who::who;
use locklens_inference::contention::{Blame, LookedAt, Looks, Place, Value};
use locklens_inference::model::Model;
use locklens_trace::Nanos;
use serde_json::{Value as Json, json as value};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Locks that are shown,
const LOCKS: usize = 6;
/// and places of each.
const PLACES: usize = 6;
/// Fewer independent looks tell no shares: what they found is counted.
pub(super) const FEWEST: f64 = 6.0;
/// A lock of which there are fewer must have this share of what all looks stand for to be told.
const WORTH_TELLING: f64 = 0.05;
/// What is less than this share of a lock is left out,
const SMALL: f64 = 0.01;
/// and with more than this it has its call chains.
const MUCH: f64 = 0.2;
/// Columns of the numbers.
const WIDTH: usize = 16;

/// Writes the locks that were looked at often enough; nothing if there is none.
///
/// # Errors
/// When `out` fails.
pub(super) fn text(
    blame: &Blame,
    model: &Model,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of_monitors = format!(
        "Where the owners of monitors were while others were blocked, from {} (estimates: of 20 such shares one is off by more than its ±):",
        many(blame.looks.total, "look")
    );
    let of_parked = format!(
        "Where the owners of locks of java.util.concurrent were while others were parked there, from {} that took an owner's call chain (estimates: of 20 such shares one is off by more than its ±):",
        many(blame.parked_looks.total, "look")
    );
    section(&of_monitors, &blame.looks, model, look, out)?;
    section(&of_parked, &blame.parked_looks, model, look, out)
}

fn section(
    head: &str,
    looks: &Looks,
    model: &Model,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (told, few): (Vec<_>, Vec<_>) = looks.locks.iter().partition(|lock| lock.worth >= FEWEST);
    let all: u64 = looks.locks.iter().map(|lock| lock.time.0).sum();
    let much = |lock: &&LookedAt| lock.time.0 as f64 >= WORTH_TELLING * all as f64;
    let few: Vec<_> = few.into_iter().filter(much).take(LOCKS).collect();
    if !told.is_empty() {
        writeln!(out, "{}\n", wrapped(head, look.width))?;
    }
    for lock in told.into_iter().take(LOCKS) {
        one(lock, model, look, out)?;
    }
    if !few.is_empty() {
        writeln!(out, "{}\n", wrapped(FEW, look.width))?;
    }
    for lock in &few {
        one(lock, model, look, out)?;
    }
    match looks.locks.is_empty() {
        true => Ok(()),
        false => writeln!(out),
    }
}

/// Before locks that were held too seldom for shares.
const FEW: &str =
    "Where owners were at looks, of locks that were held too few times meanwhile for shares:";

/// What is said of a place, with what it may be off by: a share, or how many of the looks found it. The share has so many columns.
pub(super) fn numbers(lock: &LookedAt, place: &Place, columns: usize) -> String {
    match lock.worth >= FEWEST {
        true => format!(
            "{} ±{}",
            right(&percent(place.share), columns),
            right(&percent(error(place)), 4)
        ),
        false => {
            let looks = format!("{} of {}", count(place.looks), count(lock.looks));
            right(&looks, columns + 6)
        }
    }
}

/// Of how much of the blocked time that looks stand for they tell who held the lock, and where; at least.
pub(super) struct Known {
    /// The time that they stand for.
    pub(super) time: Nanos,
    pub(super) who: f64,
    pub(super) place: f64,
}

/// What all looks tell; none if they are too few.
pub(super) fn known(looks: &Looks) -> Option<Known> {
    let told = || looks.locks.iter().filter(|lock| lock.worth >= FEWEST);
    let all: f64 = told().map(|lock| lock.time.0 as f64).sum();
    let sum = |of: fn(&Place) -> f64| -> f64 {
        let of_lock =
            |lock: &LookedAt| lock.places.iter().map(of).sum::<f64>() * lock.time.0 as f64;
        told().map(of_lock).sum::<f64>() / all
    };
    let place = |place: &Place| match place.method {
        Value::Unknown => 0.0,
        _ => place.share,
    };
    let who = |place: &Place| match place.method {
        Value::Unknown => place.threads.iter().map(|(_, share)| share).sum(),
        _ => place.share,
    };
    (all > 0.0).then(|| Known {
        time: Nanos(all as u64),
        who: sum(who).min(1.0),
        place: sum(place).min(1.0),
    })
}

fn one(lock: &LookedAt, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let head = format!("  {}, ", many(lock.looks, "look"));
    let name = match &lock.lock {
        Value::Lock(id, name) => {
            let room = look.width.saturating_sub(head.len());
            head + &lock_in(model, *id, name, room)
        }
        _ => head + "(unknown)",
    };
    writeln!(out, "{}", Paint::Bold.on(&name, look))?;
    for place in large(lock).take(PLACES) {
        let numbers = numbers(lock, place, 8);
        let numbers = format!("{numbers:<WIDTH$}");
        let room = look.width.saturating_sub(WIDTH);
        writeln!(out, "{numbers}{}", told(place, room))?;
        if place.share >= MUCH {
            chains(place, look, out)?;
        }
    }
    Ok(())
}

/// Places with a share that is worth telling.
pub(super) fn large(lock: &LookedAt) -> impl Iterator<Item = &Place> {
    lock.places.iter().filter(|place| place.share >= SMALL)
}

/// How far off a share may be, at most.
pub(super) fn error(place: &Place) -> f64 {
    let (low, high) = place.interval;
    (place.share - low).max(high - place.share)
}

/// What a place is called, in so many columns.
pub(super) fn told(place: &Place, room: usize) -> String {
    let threads: Vec<_> = place
        .threads
        .iter()
        .filter_map(|(name, _)| plain(name))
        .collect();
    let by = match &threads[..] {
        [] => String::new(),
        [one] => format!(" by {}", who(one)),
        [first, ..] => format!(" by {} and others", who(first)),
    };
    let told = match &place.method {
        Value::Named(method) => {
            let left = room.saturating_sub(by.width() + 3).max(room / 2);
            format!("in {}{by}", fitted(&clean(&short_site(method)), left))
        }
        Value::Nobody => "(nobody held it)".to_owned(),
        _ => format!("(not known where){by}"),
    };
    clip(&told, room)
}

/// The same for programs.
pub(super) fn json(looks: &Looks) -> Json {
    let locks: Vec<_> = looks.locks.iter().map(of_lock).collect();
    value!({ "total": looks.total, "locks": locks })
}

fn of_lock(lock: &LookedAt) -> Json {
    let id = match &lock.lock {
        Value::Lock(id, _) => Some(id),
        _ => None,
    };
    let places: Vec<_> = lock.places.iter().map(of_place).collect();
    value!({
        "id": id,
        "name": plain(&lock.lock),
        "looks": lock.looks,
        "independent": lock.worth,
        "blocked_ns": lock.time.0,
        "places": places,
    })
}

fn of_place(place: &Place) -> Json {
    let threads = place.threads.iter();
    let threads: Vec<_> = threads
        .map(|(name, share)| value!({ "thread": plain(name), "percent": share * 100.0 }))
        .collect();
    let stacks = place.chains.iter();
    let stacks: Vec<_> = stacks
        .map(|(chain, share)| {
            let frames = super::frames(chain);
            value!({ "frames": frames, "percent": share * 100.0 })
        })
        .collect();
    let (low, high) = place.interval;
    value!({
        "method": plain(&place.method),
        "is": fate(&place.method),
        "looks": place.looks,
        "percent": place.share * 100.0,
        "low_percent": low * 100.0,
        "high_percent": high * 100.0,
        "threads": threads,
        "stacks": stacks,
    })
}
