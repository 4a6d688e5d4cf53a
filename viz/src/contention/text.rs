//! Blocked time for people: a tree, the numbers before it.

use super::{DOUBT, inferred, is_doubtful, known_share, share};
use crate::report::{name as name_of, title};
use crate::text::{
    Paint, clean, clip, count, fitted, many, middle, percent, right, seconds, short_count,
    short_place, time, wrapped,
};
use crate::who::who;
use crate::{Look, cut};
use locklens_inference::contention::{Blame, Key, Row, Value};
use locklens_inference::model::{CallChain, LogicalLock, Model};
use locklens_trace::Nanos;
use std::io::{self, Write};

/// Rows of one level that are shown.
const ROWS: usize = 12;
/// Frames of a chain that are shown.
const FRAMES: usize = 8;
/// What is less than this share of everything, and of what is not idle, is shown only where there is nothing else.
const SMALL: f64 = 0.005;

/// Of so much of the time it is well enough known who held the lock.
const WELL: f64 = 0.8;
/// That so much of it was nobody's must be said.
const MUCH: f64 = 0.1;
/// Less of the time than this is little.
const HALF: f64 = 0.5;

/// Writes the tree.
///
/// # Errors
/// When `out` fails.
pub fn text(blame: &Blame, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let look = wide_enough(look);
    title(model, look, out)?;
    summary(blame, model, look, out)?;
    // Where little is known stay by stay, shares are what tells most.
    let looks_first = known_share(blame) < HALF;
    if looks_first {
        super::looks::text(blame, model, look, out)?;
    }
    if blame.total.count > 0 {
        header(blame, look, out)?;
        let page = Page { blame, model, look };
        page.tree(&blame.total, 0, out)?;
        writeln!(out)?;
    }
    if !looks_first {
        super::looks::text(blame, model, look, out)?;
    }
    for note in super::notes::notes(blame, model) {
        writeln!(out, "{}", wrapped(&note, look.width))?;
    }
    Ok(())
}

/// Where there is no room for names beside the numbers, lines are as long as in the report.
fn wide_enough(look: Look) -> Look {
    Look {
        width: if look.width < NARROW { 80 } else { look.width },
        ..look
    }
}

fn summary(blame: &Blame, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let total = &blame.total;
    if total.count == 0 {
        let nothing = match blame.waits {
            true => "No thread waited on a lock that is reported.",
            false => "No thread was blocked on a lock that is reported.",
        };
        writeln!(out, "{nothing}")?;
        return match waited(model, Nanos(0)).filter(|_| !blame.waits) {
            Some(waited) => writeln!(out, "{}", wrapped(&waited, look.width)),
            None => Ok(()),
        };
    }
    let (what, stays, who) = match blame.waits {
        false => ("Blocked", "stay", "who held the lock"),
        true => ("Waited", "wait", "who ended it"),
    };
    if total.unmeasured == total.count {
        let nothing = format!(
            "{what} ? in {} of a recording of {} s, {UNMEASURED}. The time lost to locks is not known, nor {who}.",
            many(total.count, stays),
            seconds(model.recording.duration),
        );
        writeln!(out, "{}", wrapped(&nothing, look.width))?;
        return writeln!(out);
    }
    let about = match total.estimated.0 > 0 && total.unmeasured == 0 {
        true => "about ",
        false => "",
    };
    let (bound, of_it, left_out) = match total.unmeasured {
        0 => ("", "it", String::new()),
        some => (
            "≥",
            "what was measured",
            format!(", {} of them {UNMEASURED}", count(some)),
        ),
    };
    let by_looks = super::looks::known(&blame.looks).filter(|_| known_where(blame) < WELL);
    let by_looks = by_looks.map_or(String::new(), |known| {
        format!(
            " Of {} of it, on monitors, looks at the owners tell it in shares: who of {}, and where of {} (estimates).",
            // What looks stand for is off by their distance.
            time(known.time.min(total.ns)),
            percent(known.who),
            percent(known.place)
        )
    });
    let stay_by_stay = if by_looks.is_empty() {
        ""
    } else {
        " stay by stay"
    };
    let least = if total.estimated.0 > 0 {
        "at least "
    } else {
        ""
    };
    let all = format!(
        "{what} {about}{bound}{} in {least}{} of a recording of {} s{left_out}; {who} is known{stay_by_stay} of {} of {of_it}{}{}.{by_looks}{}",
        time(total.ns),
        many(total.count, stays),
        seconds(model.recording.duration),
        known(blame),
        nobody(blame),
        inferred(total),
        idle(total),
    );
    writeln!(out, "{}", wrapped(&all, look.width))?;
    let much = Nanos(total.ns.0.saturating_mul(MUCH_MORE));
    if let Some(waited) = waited(model, much).filter(|_| !blame.waits) {
        writeln!(out, "{}", wrapped(&waited, look.width))?;
    }
    writeln!(out)
}

/// Waits that are so many times what was blocked are told of: what the program lacks may be what it waits for.
const MUCH_MORE: u64 = 10;

/// Where threads waited for what nobody owns, if they did for longer than that.
fn waited(model: &Model, than: Nanos) -> Option<String> {
    let waits = |lock: &LogicalLock| lock.waits.total.0;
    let all = model
        .locks
        .iter()
        .fold(0_u64, |sum, lock| sum.saturating_add(waits(lock)));
    let most = model.locks.iter().max_by_key(|lock| waits(lock))?;
    (all > than.0).then(|| {
        format!(
            "They waited {}, most at lock {}, {}: nobody owns what is waited for there. 'locklens report' and 'show' have that.",
            time(Nanos(all)),
            most.id,
            name_of(most)
        )
    })
}

/// Of how much it is known who, and, where that is asked for, where.
fn known_where(blame: &Blame) -> f64 {
    let who = known_share(blame);
    if !blame.keys.iter().any(|key| is_of_owner_chain(*key)) {
        return who;
    }
    let all = blame.total.ns.0;
    let nowhere = share(blame.unknown_total().0, all) + share(blame.without_chain.0, all);
    who.min(1.0 - nowhere).max(0.0)
}

/// The same in words.
fn known(blame: &Blame) -> String {
    let (who, where_) = (known_share(blame), known_where(blame));
    match where_ < who {
        true => format!("{}, and where, of {}", percent(who), percent(where_)),
        false => percent(who),
    }
}

/// Behind that: of how much nobody did.
fn nobody(blame: &Blame) -> String {
    let free = blame.nobody.0.saturating_sub(blame.total.idle.0);
    match share(free, blame.total.ns.0) {
        free if free >= MUCH && !blame.waits => format!(" (nobody, of {})", percent(free)),
        _ => String::new(),
    }
}

/// What of it was not idle.
fn busy(row: &Row) -> u64 {
    row.ns.0.saturating_sub(row.idle.0)
}

/// How much of it was no more than waiting for work.
fn idle(total: &Row) -> String {
    match share(total.idle.0, total.ns.0) {
        idle if idle >= MUCH => format!(
            " {} of it, {}, threads were idle: in take of a queue of the program's own, waiting for something to take.",
            time(total.idle),
            percent(idle)
        ),
        _ => String::new(),
    }
}

/// Why stays are in no time.
const UNMEASURED: &str = "of unknown length (an end is missing, or events between)";

/// All time of a row, and what it is worth.
fn measured(row: &Row) -> String {
    let about = if row.estimated.0 > 0 { "~" } else { "" };
    match row.unmeasured {
        0 => format!("{about}{}", time(row.ns)),
        _ if row.ns.0 == 0 => "?".to_owned(),
        _ => format!("≥{}", time(row.ns)),
    }
}

/// Looks miss stays between two of them.
fn least(row: &Row) -> &'static str {
    if row.estimated.0 > 0 { "≥" } else { "" }
}

fn header(blame: &Blame, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let keys: Vec<_> = blame.keys.iter().map(|key| key.name()).collect();
    let line = numbers(["TIME", "SHARE", "COUNT", "P50", "P99", "MAX"].map(str::to_owned));
    let keys = clip(&keys.join(" > "), look.width.saturating_sub(WIDTH));
    writeln!(out, "{}", Paint::Bold.on(&format!("{line}{keys}"), look))
}

/// Less columns leave no room for names.
const NARROW: usize = 70;
/// Columns of the numbers.
const WIDTH: usize = 45;

fn numbers(cells: [String; 6]) -> String {
    let widths = [7, 6, 7, 7, 7, 7];
    let cells = cells.iter().zip(widths);
    let cells: Vec<_> = cells.map(|(cell, width)| right(cell, width)).collect();
    format!("{}    ", cells.join(""))
}

/// What the lines of the tree are made of.
struct Page<'a> {
    blame: &'a Blame,
    model: &'a Model,
    look: Look,
}

impl Page<'_> {
    fn tree(&self, parent: &Row, depth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(&key) = self.blame.keys.get(depth) else {
            return Ok(());
        };
        let all = &self.blame.total;
        // What is small beside idleness may be most of the rest.
        let is_large =
            |row: &Row| share(row.ns.0, all.ns.0) >= SMALL || share(busy(row), busy(all)) >= SMALL;
        // Who waits for work is in nobody's way, and stands last.
        let is_busy = |row: &&Row| row.idle.0 <= row.ns.0 / 2;
        let (active, idle): (Vec<&Row>, Vec<&Row>) = parent.rows.iter().partition(is_busy);
        let first = active.first().or(idle.first()).copied();
        let mut rest = Vec::new();
        for (nth, &row) in { active.iter().enumerate() }.chain(idle.iter().enumerate()) {
            let is_first = first.is_some_and(|first| std::ptr::eq(first, row));
            if key == Key::Time || is_first || nth < ROWS && is_large(row) {
                self.line(key, row, depth, out)?;
                self.tree(row, depth + 1, out)?;
            } else {
                rest.push(row);
            }
        }
        match rest[..] {
            [] => Ok(()),
            _ => self.rest(&rest, depth, out),
        }
    }

    /// Rows that are not shown.
    fn rest(&self, rest: &[&Row], depth: usize, out: &mut dyn Write) -> io::Result<()> {
        let ns = rest.iter().map(|row| row.ns.0).fold(0, u64::saturating_add);
        let unmeasured = rest.iter().any(|row| row.unmeasured > 0);
        let part = percent(share(ns, self.blame.total.ns.0));
        let (ns, share) = match (unmeasured, ns) {
            (false, ns) => (time(Nanos(ns)), part),
            (true, 0) => ("?".to_owned(), "?".to_owned()),
            (true, ns) => (format!("≥{}", time(Nanos(ns))), part),
        };
        let empty = String::new;
        let line = numbers([ns, share, empty(), empty(), empty(), empty()]);
        let more = format!(
            "{}… {}",
            "  ".repeat(depth),
            many(rest.len() as u64, "more row")
        );
        writeln!(
            out,
            "{}",
            Paint::Dim.on(&format!("{line}{more}"), self.look)
        )
    }

    fn line(&self, key: Key, row: &Row, depth: usize, out: &mut dyn Write) -> io::Result<()> {
        let length = |time_: Option<Nanos>| time_.map_or("-".to_owned(), time);
        let all = self.blame.total.ns.0;
        let cells = numbers([
            measured(row),
            match all {
                0 => "?".to_owned(),
                all => percent(share(row.ns.0, all)),
            },
            // The rest of a stay that was counted under another owner is one here, too.
            format!(
                "{}{}",
                least(row),
                short_count(row.count.max(u64::from(row.ns.0 > 0)))
            ),
            length(row.p50),
            length(row.p99),
            length(row.max),
        ]);
        let indent = "  ".repeat(depth);
        let doubt = match key.is_of_owner() && is_doubtful(row) {
            true => DOUBT,
            false => "",
        };
        let taken = WIDTH + indent.len() + doubt.len();
        let room = self.look.width.saturating_sub(taken);
        let mut told = self.told(key, row.value.as_ref()).into_iter();
        let first = told.next().unwrap_or_default();
        let first = match row.value.as_ref() {
            Some(Value::Lock(id, name)) => lock_in(self.model, *id, name, room),
            Some(Value::Named(_)) if !is_place(key) => middle(&first, room),
            Some(Value::Unknown) => match nowhere_by(row) {
                Some(whose) => middle(&format!("{}{whose}", prefix(key)), room),
                None => fitted(&first, room),
            },
            _ => fitted(&first, room),
        };
        let first = match depth {
            0 => Paint::Bold.on(&first, self.look),
            _ => first,
        };
        writeln!(out, "{cells}{indent}{first}{doubt}")?;
        for frame in told {
            let margin = " ".repeat(WIDTH);
            let frame = fitted(&frame, room.saturating_sub(2));
            writeln!(out, "{margin}{indent}  {frame}")?;
        }
        Ok(())
    }

    /// What a row is called: one line, or of a chain several.
    fn told(&self, key: Key, value: Option<&Value>) -> Vec<String> {
        let prefix = prefix(key);
        let one = |text: String| vec![format!("{prefix}{text}")];
        match value.unwrap_or(&Value::Unknown) {
            Value::Named(name) if is_place(key) => one(clean(&short_site(name))),
            Value::Named(name) => one(who(name)),
            Value::Lock(id, name) => one(lock_in(self.model, *id, name, usize::MAX)),
            Value::Time(from, to) => one(format!("{}-{} s", from.0 / SECOND, to.0 / SECOND)),
            Value::Chain(chain) => chain_lines(prefix, chain),
            Value::Nobody if self.blame.waits => one("(nobody: timed out, or open)".to_owned()),
            Value::Nobody => one("(nobody held it)".to_owned()),
            Value::Empty => one("(nobody: nothing to take)".to_owned()),
            Value::Cycle => one("(deadlock)".to_owned()),
            Value::Unknown => one("(unknown)".to_owned()),
            Value::Rest => one("(other: cap reached)".to_owned()),
        }
    }
}

/// Whose place is not known, if they had most of the time of a row.
fn nowhere_by(row: &Row) -> Option<String> {
    let (first, _) = row.nowhere.first()?;
    let told: u64 = { row.nowhere.iter() }.fold(0, |sum, (_, ns)| sum.saturating_add(ns.0));
    let others = match row.nowhere.len() - 1 {
        0 => String::new(),
        others => format!(" +{others}"),
    };
    match share(told, row.ns.0) {
        all if all > 0.995 => Some(format!("{}{others}, place unknown", who(first))),
        some if some > 0.5 => Some(format!(
            "(place unknown; {} {}{others})",
            percent(some),
            who(first)
        )),
        _ => None,
    }
}

/// A lock by its number and its name, as the table of the report has it.
pub(super) fn lock_in(model: &Model, id: u32, name: &str, room: usize) -> String {
    let number = format!("{id} ");
    let lock = model.locks.iter().find(|lock| lock.id == id);
    let name = lock.map_or_else(|| clean(name), name_of);
    let left = room.saturating_sub(number.len());
    number + &cut::called(&name, left)
}

fn chain_lines(prefix: &str, chain: &CallChain) -> Vec<String> {
    let mut frames = super::frames(chain);
    let more = frames.len().saturating_sub(FRAMES);
    frames.truncate(FRAMES);
    let mut told: Vec<_> = frames.iter().map(|f| clean(&short_site(f))).collect();
    if let Some(first) = told.first_mut() {
        first.insert_str(0, prefix);
    }
    told.extend((more > 0).then(|| format!("… {}", many(more as u64, "more frame"))));
    told
}

const SECOND: u64 = 1_000_000_000;

/// What it is of the stay: `by` who held the lock, `in` which place who was blocked.
pub(super) fn prefix(key: Key) -> &'static str {
    match key {
        Key::OwnerThread
        | Key::OwnerGroup
        | Key::OwnerMethod
        | Key::OwnerSite
        | Key::OwnerStack => "by ",
        Key::WaiterMethod | Key::WaiterSite | Key::WaiterStack => "in ",
        Key::WaiterThread | Key::WaiterGroup => "of ",
        Key::Group | Key::LockClass | Key::Lock | Key::Type | Key::Time => "",
    }
}

fn is_place(key: Key) -> bool {
    matches!(
        key,
        Key::OwnerMethod | Key::OwnerSite | Key::WaiterMethod | Key::WaiterSite
    )
}

/// Without the package: a source file has dots, too.
pub(super) fn short_site(place: &str) -> String {
    match place.split_once('(') {
        Some((method, source)) => format!("{}({source}", short_place(method)),
        None => short_place(place),
    }
}

pub(super) fn is_of_owner_chain(key: Key) -> bool {
    matches!(key, Key::OwnerMethod | Key::OwnerSite | Key::OwnerStack)
}

pub(super) fn is_of_waiter_chain(key: Key) -> bool {
    matches!(key, Key::WaiterMethod | Key::WaiterSite | Key::WaiterStack)
}
