//! The report as a table for people: fits 80 columns, uses 160.

use super::notes::{facts, notes};
use super::stood::stood;
use super::stopped::stopped;
use super::{SortKey, sorted, standstill, stuck};
use crate::text::{
    Paint, clean, count, details, fitted, left, many, middle, parameter, percent, place, right,
    short_class, short_count, time, types, wrapped,
};
use crate::{Look, cut};
use locklens_inference::model::{LogicalLock, Model, Recording, Times, Verdict};
use locklens_trace::Nanos;
use locklens_trace::record::{StandingStill, target_key};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Rows shown unless all are asked for.
const ROWS: usize = 40;

/// Writes the table and its footer. Without `all`, quiet locks beyond the first forty are summed up.
///
/// # Errors
/// When `out` fails.
pub fn table(
    model: &Model,
    sort: SortKey,
    all: bool,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    title(model, look, out)?;
    if let Some(stopped) = stopped(&model.recording) {
        writeln!(out, "{}\n", wrapped(&stopped, look.width))?;
    }
    stuck::deadlocks(model, look, out)?;
    stood(model, look, out)?;
    stuck::blockages(model, look, out)?;
    standstill::parked(model, look, out)?;
    if model.locks.is_empty() {
        return empty(model, look, out).and_then(|()| footer(model, look, out));
    }
    let locks = sorted(model, sort);
    let shown = if all {
        locks.len()
    } else {
        locks.len().min(ROWS)
    };
    let layout = Layout::of(&locks[..shown], &model.recording, look);
    writeln!(out, "{}", Paint::Bold.on(&layout.header(), look))?;
    for lock in &locks[..shown] {
        writeln!(out, "{}", layout.row(lock, look))?;
    }
    if shown < locks.len() {
        writeln!(out, "… and {} more: --all shows them", locks.len() - shown)?;
    }
    footer(model, look, out)
}

pub(crate) fn title(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let get = |key: &str| model.target.get(key).map(|v| clean(v));
    let main = get(target_key::MAIN).unwrap_or_else(|| "unknown program".to_owned());
    let java = get(target_key::JAVA_VERSION).map_or(String::new(), |v| format!(", Java {v}"));
    let pid = get(target_key::PID).map_or(String::new(), |p| format!(", pid {p}"));
    let line = left(&format!("{main}{pid}{java}"), look.width);
    writeln!(out, "{}\n", line.trim_end())
}

pub(super) fn empty(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let recording = &model.recording;
    if recording.exact {
        return empty_exact(model, look, out);
    }
    let whole = recording.is_whole();
    let unread = |at: Option<StandingStill>| at.map_or(0, |counts| counts.unread);
    let unread = unread(recording.at_start).max(unread(recording.at_end));
    let found = match (recording.events, whole, unread) {
        (_, _, 1..) => format!(
            "{} blocked on a monitor or waiting, on which could not be told: see the thread dump.",
            many(unread, "thread")
        ),
        (1.., ..) if !recording.hidden.is_empty() => {
            "No lock to report besides the known-safe ones.".to_owned()
        }
        (_, true, 0) => "No thread blocked on a monitor or waited during the recording.".to_owned(),
        (_, false, 0) => {
            "What there is of this recording tells of no thread that blocked on a monitor or \
             waited. That says little: part of it is missing (see below)."
                .to_owned()
        }
    };
    writeln!(out, "{}", wrapped(&found, look.width))?;
    let pid = model
        .target
        .get(target_key::PID)
        .map_or_else(|| "PID".to_owned(), |v| clean(v));
    let looked = match &recording.looks {
        Some(looks) if looks.untold > 0 => {
            "Threads were found parked that the agent had no memory for (--buffer)"
        }
        // What goes on is told now and then only.
        Some(_) if !recording.ended => {
            "What there is tells of no thread parked on a lock of java.util.concurrent"
        }
        Some(_) => "No thread was found parked on a lock of java.util.concurrent",
        None if !recording.ended => {
            "Whether threads were parked on locks of java.util.concurrent is not known: the recording was cut off"
        }
        None => "Locks of java.util.concurrent (LockSupport.park) were not looked at",
    };
    let said = [
        "Monitors that are free whenever asked for make no event: record longer, or under load."
            .to_owned(),
        format!("{looked}."),
        parked(recording),
        // Where that was asked it stands above.
        match model.stood {
            Some(_) => String::new(),
            None => format!(
                "If the program hangs, `locklens deadlocks {pid}` says why (a class whose initialisation never ends makes no event either)."
            ),
        },
        format!("`locklens attach {pid} threaddump` shows who is parked, and where."),
    ];
    for line in said.iter().filter(|line| !line.is_empty()) {
        writeln!(out, "{}", wrapped(line, look.width))?;
    }
    writeln!(out)
}

fn parked(recording: &Recording) -> String {
    let parked = |at: Option<StandingStill>| at.map(|counts| counts.parked);
    match (parked(recording.at_start), parked(recording.at_end)) {
        (Some(start), Some(end)) => format!(
            "{} parked when it began, {} when it ended.",
            many(start, "thread"),
            count(end)
        ),
        (Some(n), None) => format!("{} parked when it began.", many(n, "thread")),
        (None, Some(n)) => format!("{} parked when it ended.", many(n, "thread")),
        (None, None) => String::new(),
    }
}

/// Of an exact recording it says nothing of the program that the chosen code did nothing.
fn empty_exact(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if model.recording.parks.is_some_and(|parks| parks.alone) {
        return writeln!(out, "No thread parked.");
    }
    let said = "The rewritten code used no lock. What was running when it was rewritten goes on as it was until it returns, \
        an endless loop for ever: choose the methods that it calls.";
    writeln!(out, "{}\n", wrapped(said, look.width))
}

/// Which columns there is room for: each is as wide as what stands in it, and names and places are cut last. Widths are in
/// terminal columns; gaps are one space.
struct Layout {
    id: usize,
    types: usize,
    lock: usize,
    /// Where it is locked, and the classes of its objects.
    more: Option<[usize; 2]>,
    blocked: usize,
    waits: usize,
    threads: usize,
    objects: Option<usize>,
    cells: Cells,
}

/// What stands in cells of numbers.
#[derive(Clone, Copy)]
struct Cells {
    clockless: bool,
    /// Recorded in slices of time: there was more of everything.
    sliced: bool,
}

/// Columns of the ids at least.
const ID: usize = 2;
const CONFIDENCE: usize = 4;
/// Room for every type with its parameter, and a short one beside it:
/// `PRODUCER-CONSUMER capacity=128+MUTEX`.
const TYPES: usize = 36;
/// From so many columns on places, classes and objects have theirs.
const WIDE: usize = 133;

impl Layout {
    fn of(locks: &[&LogicalLock], recording: &Recording, look: Look) -> Self {
        let width = look.width.max(80);
        let wide = width >= WIDE;
        let cells = Cells {
            clockless: recording.clockless,
            sliced: recording.paused > Nanos(0),
        };
        let widest = |head: &str, cell: &dyn Fn(&LogicalLock) -> String| {
            let cells = locks.iter().map(|lock| cell(lock).width().min(width));
            cells.max().unwrap_or(0).max(head.len())
        };
        let id = widest("", &|lock| lock.id.to_string()).max(ID);
        let blocked = widest(BLOCKED, &|lock| cells.blocked(lock));
        let waits = widest(WAITS, &|lock| cells.waits(lock));
        let threads = widest(THREADS, &|lock| short_count(lock.threads));
        let objects = wide.then(|| widest(OBJECTS, &|lock| short_count(lock.instances)));
        let numbers = blocked + waits + threads + objects.map_or(0, |objects| objects + 1);
        let room = width.saturating_sub(id + CONFIDENCE + numbers + 6);
        let whole = widest(TYPE, &|lock| type_cell(lock, TYPES)).min(TYPES);
        let lock = widest(LOCK, &name);
        let narrow = || {
            let short = |lock: &LogicalLock| match lock.types.first() {
                Some(first) => short_form(first),
                None => types(&[]),
            };
            let lock = lock.min(room.saturating_sub(widest(TYPE, &short)));
            (whole.min(room.saturating_sub(lock)), lock, None)
        };
        let (types, lock, more) = match wide {
            true => {
                let place = widest(LOCATIONS, &|lock| first_place(lock, width));
                let class = widest(CLASSES, &classes);
                let room = room.saturating_sub(whole + 2);
                let [lock, place, class] = shares([lock, place, class], room);
                (whole, lock, Some([place, class]))
            }
            false => narrow(),
        };
        Self {
            id,
            types,
            lock,
            more,
            blocked,
            waits,
            threads,
            objects,
            cells,
        }
    }

    fn header(&self) -> String {
        let mut cells = vec![
            right("ID", self.id),
            left(TYPE, self.types),
            right("SURE", CONFIDENCE),
            left(LOCK, self.lock),
        ];
        let more = self.more.into_iter().flatten();
        cells.extend(
            { more }
                .zip([LOCATIONS, CLASSES])
                .map(|(w, head)| left(head, w)),
        );
        cells.push(right(BLOCKED, self.blocked));
        cells.push(right(WAITS, self.waits));
        cells.push(right(THREADS, self.threads));
        cells.extend(self.objects.map(|w| right(OBJECTS, w)));
        cells.join(" ")
    }

    fn row(&self, lock: &LogicalLock, look: Look) -> String {
        let sure = lock.types.first().map_or(0.0, |v| v.confidence);
        let paint = Paint::of_confidence(sure);
        let mut cells = vec![
            right(&lock.id.to_string(), self.id),
            paint.on(&left(&type_cell(lock, self.types), self.types), look),
            paint.on(&right(&percent(sure), CONFIDENCE), look),
            left(&cut::called(&name(lock), self.lock), self.lock),
        ];
        if let Some([place, class]) = self.more {
            cells.push(left(&first_place(lock, place), place));
            cells.push(left(&middle(&classes(lock), class), class));
        }
        cells.push(right(&self.cells.blocked(lock), self.blocked));
        cells.push(right(&self.cells.waits(lock), self.waits));
        cells.push(right(&short_count(lock.threads), self.threads));
        cells.extend(self.objects.map(|w| right(&short_count(lock.instances), w)));
        cells.join(" ")
    }
}

/// What columns get that want so much: the widest ones give in until all fit.
fn shares(mut wanted: [usize; 3], room: usize) -> [usize; 3] {
    while wanted.iter().sum::<usize>() > room {
        match wanted.iter_mut().max() {
            Some(widest) if *widest > 0 => *widest -= 1,
            _ => break,
        }
    }
    wanted
}

const TYPE: &str = "TYPE";
const LOCK: &str = "LOCK";
const LOCATIONS: &str = "LOCATIONS";
const CLASSES: &str = "CLASSES";
const BLOCKED: &str = "BLOCKED";
const WAITS: &str = "WAITS";
const THREADS: &str = "THR";
const OBJECTS: &str = "OBJECTS";

impl Cells {
    fn blocked(self, lock: &LogicalLock) -> String {
        match self.clockless {
            true => "not recorded".to_owned(),
            false => self.tally(&lock.blocked, lock),
        }
    }

    fn waits(self, lock: &LogicalLock) -> String {
        self.tally(&lock.waits, lock)
    }

    /// `1234 5.67ms`, or a dash; both lower bounds where it was recorded in slices of time.
    fn tally(self, times: &Times, lock: &LogicalLock) -> String {
        match self.sliced && !lock.is_estimated() && times.count > 0 {
            true => format!("≥{}", tally(times, lock).replace('≥', "")),
            false => tally(times, lock),
        }
    }
}

/// As much as fits of: all types with their parameters, with the main one of each, with that of the
/// first, without any; the first one with its own and a plus.
fn type_cell(lock: &LogicalLock, width: usize) -> String {
    let Some((first, others)) = lock.types.split_first() else {
        return types(&lock.types);
    };
    let with = |words: fn(&Verdict) -> String| {
        move |verdict: &Verdict| {
            let cell = format!("{} {}", verdict.lock_type, words(verdict));
            cell.trim_end().to_owned()
        }
    };
    let joined = |name: &dyn Fn(&Verdict) -> String| {
        let names: Vec<_> = lock.types.iter().map(name).collect();
        names.join("+")
    };
    let more = if others.is_empty() { "" } else { "+" };
    let names = |verdicts: &[Verdict]| match verdicts {
        [] => String::new(),
        some => types(some),
    };
    let forms = [
        joined(&with(details)),
        joined(&with(parameter)),
        with(parameter)(first) + more + &names(others),
        types(&lock.types),
        with(parameter)(first) + more,
        short_form(first) + more,
        short_form(first),
    ];
    let fits = forms.into_iter().find(|form| form.width() <= width);
    fits.unwrap_or_else(|| format!("{}{more}", first.lock_type))
}

/// A type with the bare value of its parameter, `PRODUCER-CONSUMER 16`.
fn short_form(verdict: &Verdict) -> String {
    let value = parameter(verdict);
    let value = value.rsplit('=').next().unwrap_or_default();
    let value = if value == "unbounded" { "∞" } else { value };
    format!("{} {value}", verdict.lock_type)
        .trim_end()
        .to_owned()
}

/// The place where it is locked most.
pub(crate) fn location(lock: &LogicalLock) -> Option<String> {
    lock.regions.first().map(place)
}

/// What a lock is called everywhere: by its name; where only a method's descriptor makes it one, by the place.
pub(crate) fn name(lock: &LogicalLock) -> String {
    let rest = lock.name.split_once(')').map(|(_, rest)| rest);
    let described = rest.is_some_and(|returned| !returned.is_empty());
    match location(lock).filter(|_| described) {
        Some(place) => place,
        None => clean(&lock.called()),
    }
}

/// The first region, and how many more there are.
fn first_place(lock: &LogicalLock, width: usize) -> String {
    let seen = lock.regions.iter().filter(|r| r.seen).count();
    let more = match seen {
        0 | 1 => String::new(),
        more => format!(" +{}", more - 1),
    };
    let room = width.saturating_sub(more.width());
    location(lock).map_or_else(String::new, |place| fitted(&place, room) + &more)
}

fn classes(lock: &LogicalLock) -> String {
    let more = match lock.classes.len() {
        0 | 1 => String::new(),
        n => format!(" +{}", n - 1),
    };
    lock.classes
        .first()
        .map_or(String::new(), |c| clean(&short_class(c)) + &more)
}

/// `1234 5.67ms`, or a dash. A total that lacks something is a lower bound; what was sampled is marked.
fn tally(times: &Times, lock: &LogicalLock) -> String {
    if lock.is_estimated() {
        return match times.total {
            Nanos(0) => "-".to_owned(),
            total => format!("≈{} {:>6}", short_count(times.count), time(total)),
        };
    }
    let total = match times.known_total() {
        None => "?".to_owned(),
        Some(total) if times.unknown > 0 => format!("≥{}", time(total)),
        Some(total) => time(total),
    };
    match times.count {
        0 => "-".to_owned(),
        n => format!("{} {total:>6}", short_count(n)),
    }
}

fn footer(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let facts = facts(&model.recording);
    let text = format!("\n{}", facts.join(" · "));
    for line in textwrap(&text, look.width.max(80)) {
        writeln!(out, "{}", Paint::Dim.on(&line, look))?;
    }
    for note in notes(model) {
        writeln!(out, "{}", wrapped(&note, look.width.max(80)))?;
    }
    Ok(())
}

/// Breaks at ` · ` so that no line is longer than `width`.
fn textwrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for fact in text.split(" · ") {
        if !line.is_empty() && line.chars().count() + 3 + fact.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push_str(" · ");
        }
        line.push_str(fact);
    }
    lines.push(line);
    lines
}
