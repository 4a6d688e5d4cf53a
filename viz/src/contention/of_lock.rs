//! Who held one lock while others were blocked on it: the part of `show`.

use super::looks::{FEWEST, large, numbers as numbers_of, told};
use super::{frames, inferred, is_doubtful, json, looks, share};
use crate::text::{Paint, folded, many, middle, percent, right, time, wrapped};
use crate::who::who as called;
use crate::{Look, cut};
use locklens_inference::contention::{Blame, Key, LookedAt, Place, Row, Value};
use locklens_inference::model::CallChain;
use locklens_trace::Nanos;
use serde_json::{Value as Json, json as value};
use std::io::{self, Write};

/// What blocked time has to be told apart by: the lock, who held it, where, and where the blocked ones were.
pub const KEYS: [Key; 4] = [
    Key::Lock,
    Key::OwnerGroup,
    Key::OwnerStack,
    Key::WaiterStack,
];
/// Places of owners that are shown,
const OWNERS: usize = 5;
/// call chains of each,
const CHAINS: usize = 3;
/// of the blocked of each,
const WAITERS: usize = 2;
/// and frames of a chain.
const FRAMES: usize = 6;
/// Of less of the time than this it is hardly known who held it.
const LITTLE: f64 = 0.5;
/// What is less than this share of the lock's time is summed up.
const SMALL: f64 = 0.01;

/// Writes what is known of one lock's owners; `blame` is of that lock alone. Nothing if nobody was blocked. `named` says that who held it
/// when the recording ended is told above.
///
/// # Errors
/// When `out` fails.
pub(crate) fn text(blame: &Blame, named: bool, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let total = &blame.total;
    if total.ns == Nanos(0) {
        return Ok(());
    }
    let title = "Who held it while others were blocked";
    writeln!(out, "\n{}", Paint::Bold.on(title, look))?;
    let about = if total.estimated.0 > 0 { "about " } else { "" };
    let least = if total.estimated.0 > 0 {
        "at least "
    } else {
        ""
    };
    let known = 1.0 - share(unknown(blame) + total.untested.0, total.ns.0);
    let last = match named && known < LITTLE {
        true => {
            " (above stands who held it when the recording ended, which says little of the time before)"
        }
        false => "",
    };
    let all = format!(
        "{about}{} in {least}{}; who held it is known of {} of that time{}{last}",
        time(total.ns),
        many(total.count, "stay"),
        percent(known),
        match total.untested.0 {
            0 => String::new(),
            _ => format!("{} (?)", inferred(total)),
        }
    );
    writeln!(out, "  {}", folded(&all, 2, look.width))?;
    let holders = holders(blame);
    let is_large = |holder: &&Holder<'_>| share(holder.row.ns.0, total.ns.0) >= SMALL;
    let shown = holders.iter().take(OWNERS).take_while(is_large).count();
    let (shown, rest) = holders.split_at(shown.max(1).min(holders.len()));
    for holder in shown {
        one(holder, total, look, out)?;
    }
    if !rest.is_empty() {
        let ns = rest.iter().map(|holder| holder.row.ns.0).sum();
        let more = many(rest.len() as u64, "more row");
        writeln!(out, "{}… {more}", numbers(Nanos(ns), total))?;
    }
    let seen = blame.looks.locks.iter().chain(&blame.parked_looks.locks);
    { seen }.try_for_each(|lock| seen_by_looks(lock, look, out))
}

/// Who held it, and where.
struct Holder<'a> {
    who: &'a Value,
    row: &'a Row,
}

/// All of them, most time first.
fn holders(blame: &Blame) -> Vec<Holder<'_>> {
    let mut all = Vec::new();
    for group in &blame.total.rows {
        let who = group.value.as_ref().unwrap_or(&Value::Unknown);
        all.extend(group.rows.iter().map(|row| Holder { who, row }));
    }
    all.sort_by_key(|b| std::cmp::Reverse(b.row.ns));
    all
}

/// Time of which it is not known who held the lock.
fn unknown(blame: &Blame) -> u64 {
    let rows = blame.total.rows.iter();
    let of_nobody_known = rows.filter(|row| matches!(row.value, Some(Value::Unknown) | None));
    of_nobody_known.map(|row| row.ns.0).sum()
}

fn numbers(ns: Nanos, total: &Row) -> String {
    format!(
        "{} {}  ",
        right(&percent(share(ns.0, total.ns.0)), 6),
        right(&time(ns), 7)
    )
}

fn one(holder: &Holder<'_>, total: &Row, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let numbers = numbers(holder.row.ns, total);
    let place = holder.row.value.as_ref();
    let (who, chain) = match (holder.who, place) {
        (Value::Nobody, _) => ("(nobody held it)".to_owned(), None),
        (Value::Empty, _) => ("(nobody: nothing to take)".to_owned(), None),
        (Value::Cycle, _) => ("(deadlock)".to_owned(), None),
        (Value::Rest, _) => ("(other: cap reached)".to_owned(), None),
        (Value::Unknown, _) => ("(unknown)".to_owned(), None),
        (who, Some(Value::Chain(chain))) => (format!("{}, in", name(who)), Some(chain)),
        (who, _) => (format!("{}, where is not known", name(who)), None),
    };
    let doubt = if is_doubtful(holder.row) { "? " } else { "" };
    let who = format!("{doubt}{who}");
    let who = middle(&who, look.width.saturating_sub(numbers.len()));
    writeln!(out, "{numbers}{}", Paint::Bold.on(&who, look))?;
    if let Some(chain) = chain {
        self::chain(chain, look, out)?;
    }
    for waiter in holder.row.rows.iter().take(WAITERS) {
        kept_out(waiter, look, out)?;
    }
    match holder.row.rows.len().saturating_sub(WAITERS) {
        0 => Ok(()),
        more => writeln!(out, "    and from {}", many(more as u64, "more place")),
    }
}

fn name(who: &Value) -> String {
    called(&super::plain(who).unwrap_or_default())
}

/// Whom it kept out, and where they came from.
fn kept_out(waiter: &Row, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let most = waiter
        .max
        .map_or(String::new(), |max| format!(", {} at most", time(max)));
    let times = many(waiter.count, "time");
    match &waiter.value {
        Some(Value::Chain(chain)) => {
            writeln!(out, "    kept out {times}{most}, in")?;
            self::chain(chain, look, out)
        }
        _ => writeln!(out, "    kept out {times}{most}, where is not known"),
    }
}

fn chain(chain: &CallChain, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let frames = frames(chain);
    for frame in frames.iter().take(FRAMES) {
        let frame = cut::frame(frame, look.width.saturating_sub(6));
        writeln!(out, "      {frame}")?;
    }
    match frames.len().saturating_sub(FRAMES) {
        0 => Ok(()),
        more => writeln!(out, "      … {}", many(more as u64, "more frame")),
    }
}

/// Where owners were at looks: what contention alone can't tell.
fn seen_by_looks(lock: &LookedAt, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let what = match lock.worth >= FEWEST {
        true => "estimates of the same time",
        false => "it was held too few times meanwhile for shares",
    };
    let head = format!(
        "  Where its owners were, by {} ({what}):",
        many(lock.looks, "look")
    );
    writeln!(out, "{}", wrapped(&head, look.width))?;
    for place in large(lock).take(OWNERS) {
        let share = numbers_of(lock, place, 6) + "  ";
        let room = look.width.saturating_sub(share.chars().count());
        writeln!(out, "{share}{}", told(place, room))?;
        chains(place, look, out)?;
    }
    Ok(())
}

/// From where the owners came to a place, each with its share if there are several.
pub(super) fn chains(place: &Place, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let several = place.chains.len() > 1;
    let large = place.chains.iter().filter(|(_, share)| *share >= SMALL);
    for (chain, share) in large.take(CHAINS) {
        if several {
            writeln!(out, "    {} from", percent(*share))?;
        }
        self::chain(chain, look, out)?;
    }
    Ok(())
}

/// The same for programs.
pub(crate) fn of_lock(blame: &Blame) -> Json {
    value!({
        "blocked_ns": blame.total.ns.0,
        "unknown_owner_ns": unknown(blame),
        "untested_owner_ns": blame.total.untested.0,
        "estimated_ns": blame.total.estimated.0,
        "count": blame.total.count,
        "rows": json::rows(&blame.total, &blame.keys, &serde_json::Map::new()),
        "looks": looks::json(&blame.looks),
        "parked_looks": looks::json(&blame.parked_looks),
    })
}
