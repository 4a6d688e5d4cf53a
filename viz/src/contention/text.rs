//! Blocked time for people: a tree, the numbers before it.

use super::{DOUBT, inferred, is_doubtful, known_share, share};
use crate::report::{bare, damage, name as name_of, slices, stopped, title, unsampled};
use crate::text::{
    Paint, clean, clip, count, fitted, many, middle, percent, right, seconds, short_count,
    short_place, time, wrapped,
};
use crate::who::who;
use crate::{Look, cut};
use locklens_inference::contention::{Blame, Key, Row, Value, Why};
use locklens_inference::model::{CallChain, LogicalLock, Model};
use locklens_trace::Nanos;
use std::io::{self, Write};

/// Rows of one level that are shown.
const ROWS: usize = 12;
/// Frames of a chain that are shown.
const FRAMES: usize = 8;
/// What is less than this share of everything is shown only where there is nothing else.
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
    for note in notes(blame, model) {
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
        return match waited(model).filter(|_| !blame.waits) {
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
    let by_looks = super::looks::known(&blame.looks).filter(|_| known_share(blame) < WELL);
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
        "{what} {about}{bound}{} in {least}{} of a recording of {} s{left_out}; {who} is known{stay_by_stay} of {} of {of_it}{}{}.{by_looks}",
        time(total.ns),
        many(total.count, stays),
        seconds(model.recording.duration),
        known(blame),
        nobody(blame),
        inferred(total),
    );
    writeln!(out, "{}", wrapped(&all, look.width))?;
    writeln!(out)
}

/// Where threads waited for what nobody owns, if they did.
fn waited(model: &Model) -> Option<String> {
    let waits = |lock: &LogicalLock| lock.waits.total.0;
    let all = model
        .locks
        .iter()
        .fold(0_u64, |sum, lock| sum.saturating_add(waits(lock)));
    let most = model.locks.iter().max_by_key(|lock| waits(lock))?;
    (all > 0).then(|| {
        format!(
            "They waited {}, most at lock {}, {}: nobody owns what is waited for there. 'locklens report' and 'show' have that.",
            time(Nanos(all)),
            most.id,
            name_of(most)
        )
    })
}

/// Of how much it is known: who, and where that is asked for, where.
fn known(blame: &Blame) -> String {
    let who = known_share(blame);
    let all = blame.total.ns.0;
    let nowhere = share(blame.unknown_total().0, all) + share(blame.without_chain.0, all);
    let where_ = who.min(1.0 - nowhere);
    match blame.keys.iter().any(|key| is_of_owner_chain(*key)) && where_ < who {
        true => format!(
            "{}, and where, of {}",
            percent(who),
            percent(where_.max(0.0))
        ),
        false => percent(who),
    }
}

/// Behind that: of how much nobody did.
fn nobody(blame: &Blame) -> String {
    match share(blame.nobody.0, blame.total.ns.0) {
        free if free >= MUCH && !blame.waits => format!(" (nobody, of {})", percent(free)),
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
        let all = self.blame.total.ns.0;
        let is_large = |row: &&Row| share(row.ns.0, all) >= SMALL;
        let large = parent.rows.iter().take(ROWS).take_while(is_large).count();
        let shown = match key {
            Key::Time => parent.rows.len(),
            _ => large.max(1).min(parent.rows.len()),
        };
        for row in &parent.rows[..shown] {
            self.line(key, row, depth, out)?;
            self.tree(row, depth + 1, out)?;
        }
        match &parent.rows[shown..] {
            [] => Ok(()),
            rest => self.rest(rest, depth, out),
        }
    }

    /// Rows that are too small to be shown.
    fn rest(&self, rest: &[Row], depth: usize, out: &mut dyn Write) -> io::Result<()> {
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
fn prefix(key: Key) -> &'static str {
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

fn notes(blame: &Blame, model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    if blame.keys.iter().any(|key| !prefix(*key).is_empty()) && blame.total.count > 0 {
        notes.push(match blame.waits {
            false => "by = held the lock meanwhile; in, of = was blocked. Shares are of all time above; a stay counts in each row that it lost time to.".to_owned(),
            true => "by = notified; in, of = waited.".to_owned(),
        });
    }
    let unknown = blame.unknown.iter().map(|(&why, &time_)| {
        let part = percent(share(time_.0, blame.total.ns.0));
        format!("Unknown {part}, {}: {}", time(time_), reason(why, model))
    });
    notes.extend(unknown);
    if blame.total.untested.0 > 0 {
        let part = percent(share(blame.total.untested.0, blame.total.ns.0));
        notes.push(format!(
            "Inferred {part}, {}{}: from contention alone, which takes threads to come whoever holds the lock. Looks at the owner would test that; there were less than 32 of each such lock, and none of them contradicts.",
            time(blame.total.untested),
            match blame.keys.iter().any(|key| key.is_of_owner()) {
                true => " (?)",
                false => "",
            }
        ));
    }
    if blame.without_chain.0 > 0 && blame.keys.iter().any(|key| is_of_owner_chain(*key)) {
        let part = percent(share(blame.without_chain.0, blame.total.ns.0));
        notes.push(format!(
            "Of {part}, {}, it is told who (--by owner-thread), and not where that thread was.",
            time(blame.without_chain)
        ));
    }
    notes.extend(nowhere(blame, model));
    if blame.total.estimated.0 > 0 {
        let otherwise = match model.recording.parks {
            None => "'locklens trace --juc' records every park.",
            Some(_) => {
                "Parks in LockSupport are recorded: these threads parked before that, or otherwise, as in StampedLock of JDK 8."
            }
        };
        notes.push(format!("~ = an estimate, from looks at parked threads now and then: no lengths of single stays. ≥ = at least so many stays, as those between two looks are missed. {otherwise}"));
    }
    if blame.unjoined > 0 {
        notes.push(format!(
            "Of {} it is not known whether several were for one acquisition: each is a single park, or a single wait in a lock of the program's own, and what one stay lost may have been more.",
            many(blame.unjoined, "stay")
        ));
    }
    if blame.total.unmeasured > 0 {
        notes.push(format!(
            "{} of unknown length, counted and in no time (≥, ?).",
            many(blame.total.unmeasured, "stay")
        ));
    }
    if blame.inferred > 0 {
        notes.push(format!(
            "Of {} it is inferred who ended it: several waited when one was notified, and the JVM takes the one that waited longest.",
            many(blame.inferred, "wait")
        ));
    }
    let (unplaced, length) = blame.unplaced;
    if unplaced > 0 {
        notes.push(format!(
            "{}, {}, on locks that the program has built are not in it: without call chains it is not known whether they were in an operation that acquires.",
            many(unplaced, "wait"),
            time(length)
        ));
    }
    notes.extend(renamed(blame));
    notes.extend(by_design(blame, model));
    notes.extend(hidden(blame, model));
    notes.extend(not_recorded(blame, model).map(str::to_owned));
    notes.extend(bare(&model.recording).filter(|_| !blame.waits));
    notes.extend(unsampled(&model.recording).filter(|_| !blame.waits));
    notes.extend(stopped(&model.recording));
    notes.extend(slices(&model.recording));
    notes.extend(damage(&model.recording));
    notes
}

/// That a thread has one name in all rows, where it had several.
fn renamed(blame: &Blame) -> Option<String> {
    use Key::{OwnerGroup, OwnerThread, WaiterGroup, WaiterThread};
    let by_name = [OwnerGroup, OwnerThread, WaiterGroup, WaiterThread];
    let is_by_name = blame.keys.iter().any(|key| by_name.contains(key));
    let renamed = many(blame.renamed as u64, "thread");
    (is_by_name && blame.renamed > 0).then(|| {
        format!("Names changed, of {renamed}: all of a thread's time stands under its last name.")
    })
}

/// Why it is not known where threads were blocked.
fn nowhere(blame: &Blame, model: &Model) -> Vec<String> {
    if !blame.keys.iter().any(|key| is_of_waiter_chain(*key)) {
        return Vec::new();
    }
    let left_out = match model.recording.stacks_lost {
        0 => "the recording has no call chain of it.",
        _ => "its call chain was left out, as they have a budget.",
    };
    let all = [
        (
            blame.parked_without_chain,
            "looks found it parked and took no call chain, as these have a budget.",
        ),
        (blame.waiter_without_chain, left_out),
    ];
    let told = all.iter().filter(|(time_, _)| time_.0 > 0);
    let told = told.map(|&(time_, why)| {
        let part = percent(share(time_.0, blame.total.ns.0));
        let who = if blame.waits { "waited" } else { "was blocked" };
        format!(
            "Of {part}, {}, it is not known where the thread was that {who}: {why}",
            time(time_)
        )
    });
    told.collect()
}

/// Time of which nobody need be alarmed.
fn by_design(blame: &Blame, model: &Model) -> Option<String> {
    let awaits = |id: u32| {
        let mut locks = model.locks.iter();
        locks.any(|lock| lock.id == id && lock.awaits_inside())
    };
    let rows = blame.total.rows.iter().filter(|row| row.ns.0 > 0);
    let mut locks = rows.filter_map(|row| match row.value {
        Some(Value::Lock(id, _)) => Some(id),
        _ => None,
    });
    (!blame.waits && locks.any(awaits)).then(|| {
        "Waits in put, take or await of locks that the program has built are in it, too, and nobody's: at a queue that is empty \
         that is idleness; at one that is full those keep others out who take too little of it. '--by group,lock' tells them apart."
            .to_owned()
    })
}

/// Blocked time of known-safe locks, which are left out, where it is a twentieth of what is told and more.
fn hidden(blame: &Blame, model: &Model) -> Option<String> {
    let hidden = model.recording.hidden_blocked;
    (!blame.waits && hidden.0 > 0 && hidden.0 >= blame.total.ns.0 / 20).then(|| {
        format!(
            "{} blocked on known-safe locks (class loading and the like) is not in it: '--show-safe-locks' shows them.",
            time(hidden)
        )
    })
}

/// What the recording has nothing of, where that may be why there is nothing to show.
fn not_recorded(blame: &Blame, model: &Model) -> Option<&'static str> {
    let recording = &model.recording;
    if blame.total.count > 0 {
        return None;
    }
    match (recording.parks, recording.looks) {
        (Some(parks), _) if parks.alone => {
            Some("Only parks were recorded: 'locklens record' has monitors as well.")
        }
        (None, None) => Some(
            "Parked threads were not looked at: 'locklens record' without --no-juc does so, 'locklens trace --juc' records every park.",
        ),
        _ => None,
    }
}

fn is_of_owner_chain(key: Key) -> bool {
    matches!(key, Key::OwnerMethod | Key::OwnerSite | Key::OwnerStack)
}

fn is_of_waiter_chain(key: Key) -> bool {
    matches!(key, Key::WaiterMethod | Key::WaiterSite | Key::WaiterStack)
}

fn reason(why: Why, model: &Model) -> &'static str {
    let exact = model.recording.exact;
    match why {
        Why::NoNotify if exact => {
            "no notify was seen: the JVM itself ends joins, and code that was not rewritten reports none."
        }
        Why::Unseen if exact => {
            "no probe told of it, or not yet; from contention alone it is not certain who held the lock then."
        }
        Why::Unseen => {
            "from contention alone it is not certain who held the lock then. 'locklens trace' records every enter and exit."
        }
        Why::Before => "the recording had only begun, or the lock was in use before.",
        Why::Elsewhere => "the lock was entered or left in code that reports nothing.",
        Why::Lost => "events are missing.",
        Why::Shared => "several may have held it together, and who is not recorded.",
        Why::NotLooked => "no look was taken at who held it, or it found nobody.",
        Why::Forgotten => {
            "stays so long, or so many since, that there was no room to remember who it was."
        }
        Why::Uncounted => {
            "on locks that the program has built itself; who has passed through them is known from exact recordings, best from the start of the program."
        }
        Why::NoNotify => "no notify was seen. 'locklens trace' records them.",
    }
}
