//! The report as a table for people: fits 80 columns, uses 160.

use super::notes::{facts, notes};
use super::stopped::stopped;
use super::{SortKey, sorted, standstill, stuck};
use crate::Look;
use crate::text::{
    Paint, clean, count, details, fitted, left, many, middle, parameter, percent, place, right,
    short_class, short_count, time, types, wrapped,
};
use locklens_inference::model::{LogicalLock, Model, Recording, Times, Verdict};
use locklens_trace::Nanos;
use locklens_trace::record::{StandingStill, target_key};
use std::collections::{BTreeSet, HashMap};
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
    let layout = Layout::of(model, look);
    writeln!(out, "{}", Paint::Bold.on(&layout.header(), look))?;
    let places = places(&locks[..shown], layout.lock);
    for (lock, place) in locks[..shown].iter().zip(&places) {
        writeln!(out, "{}", layout.row(lock, place, look))?;
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

/// Which columns there is room for. Widths are in terminal columns; gaps are one space.
struct Layout {
    id: usize,
    types: usize,
    lock: usize,
    class: Option<usize>,
    objects: bool,
    clockless: bool,
    /// Recorded in slices of time: there was more of everything.
    sliced: bool,
}

/// Columns of the ids at least.
const ID: usize = 2;
const CONFIDENCE: usize = 4;
const TALLY: usize = 13;
const THREADS: usize = 5;
/// Room for a short type with its parameter, `SEMAPHORE permits=3`.
const NARROW_TYPES: usize = 19;
/// The same where a type needs more for the bare value of its parameter: `PRODUCER-CONSUMER 1024`.
const NARROWEST: usize = 22;
/// Room for every type with its parameter, and a short one beside it:
/// `PRODUCER-CONSUMER capacity=128+MUTEX`.
const TYPES: usize = 36;
impl Layout {
    fn of(model: &Model, look: Look) -> Self {
        let highest = model.locks.iter().map(|lock| lock.id).max().unwrap_or(0);
        let id = highest.to_string().len().max(ID);
        let fixed = id + CONFIDENCE + 2 * TALLY + THREADS + 6;
        let room = look.width.max(80) - fixed;
        let wide = room >= 90;
        let short = model.locks.iter().filter_map(|lock| lock.types.first());
        let short = short.map(|first| short_form(first).width()).max();
        let types = if wide {
            TYPES
        } else {
            let least = short.unwrap_or(0).clamp(NARROW_TYPES, NARROWEST);
            least.max(room / 2 - 4).min(TYPES)
        };
        let rest = room.saturating_sub(types + usize::from(wide) * 9);
        Self {
            id,
            types,
            lock: if wide { rest * 11 / 20 } else { rest },
            class: wide.then(|| rest - rest * 11 / 20 - 1),
            objects: wide,
            clockless: model.recording.clockless,
            sliced: model.recording.paused > Nanos(0),
        }
    }

    /// `1234 5.67ms`, or a dash; both lower bounds where it was recorded in slices of time.
    fn tally(&self, times: &Times, lock: &LogicalLock) -> String {
        match self.sliced && !lock.is_estimated() && times.count > 0 {
            true => format!("≥{}", tally(times, lock).replace('≥', "")),
            false => tally(times, lock),
        }
    }

    fn header(&self) -> String {
        let mut cells = vec![
            right("ID", self.id),
            left("TYPE", self.types),
            right("SURE", CONFIDENCE),
            left(
                if self.class.is_some() {
                    "LOCATIONS"
                } else {
                    "LOCK"
                },
                self.lock,
            ),
        ];
        cells.extend(self.class.map(|w| left("CLASSES", w)));
        cells.push(right("BLOCKED", TALLY));
        cells.push(right("WAITS", TALLY));
        cells.push(right("THR", THREADS));
        if self.objects {
            cells.push(right("OBJECTS", 8));
        }
        cells.join(" ")
    }

    fn row(&self, lock: &LogicalLock, place: &str, look: Look) -> String {
        let sure = lock.types.first().map_or(0.0, |v| v.confidence);
        let paint = Paint::of_confidence(sure);
        let mut cells = vec![
            right(&lock.id.to_string(), self.id),
            paint.on(&left(&type_cell(lock, self.types), self.types), look),
            paint.on(&right(&percent(sure), CONFIDENCE), look),
        ];
        cells.push(left(place, self.lock));
        cells.extend(
            self.class
                .map(|width| left(&middle(&classes(lock), width), width)),
        );
        let blocked = match self.clockless {
            true => "not recorded".to_owned(),
            false => self.tally(&lock.blocked, lock),
        };
        cells.push(right(&blocked, TALLY));
        cells.push(right(&self.tally(&lock.waits, lock), TALLY));
        cells.push(right(&short_count(lock.threads), THREADS));
        if self.objects {
            cells.push(right(&short_count(lock.instances), 8));
        }
        cells.join(" ")
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

/// The place that the table names a lock by, in full.
pub(crate) fn location(lock: &LogicalLock) -> String {
    match lock.regions.first() {
        None => clean(&lock.name),
        Some(first) => place(first),
    }
}

/// What locks are told apart by, in columns of this width: by the place they are locked at, where that looks alike by its line
/// too, and where that does as well by their names.
fn places(locks: &[&LogicalLock], width: usize) -> Vec<String> {
    let forms: [fn(&LogicalLock, usize) -> String; 3] = [
        |lock, width| first_place(lock, "", width),
        |lock, width| {
            let line = lock.regions.first().and_then(|first| first.line);
            let line = line.map_or(String::new(), |line| format!(":{line}"));
            first_place(lock, &line, width)
        },
        |lock, width| middle(&clean(&lock.name), width),
    ];
    let cells =
        forms.map(|form| -> Vec<String> { locks.iter().map(|lock| form(lock, width)).collect() });
    // By each cell the locks that it could mean.
    let mut meant: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for (lock, cell) in cells.iter().flat_map(|of_form| of_form.iter().enumerate()) {
        meant.entry(cell).or_default().insert(lock);
    }
    let chosen = (0..locks.len()).map(|lock| {
        let mut forms = cells.iter().map(|of_form| &of_form[lock]);
        let unlike = forms.find(|cell| meant[cell.as_str()].len() == 1);
        unlike.unwrap_or(&cells[0][lock]).clone()
    });
    chosen.collect()
}

/// The first region, its line if that is given, and how many more there are.
fn first_place(lock: &LogicalLock, line: &str, width: usize) -> String {
    let seen = lock.regions.iter().filter(|r| r.seen).count();
    let Some(first) = lock.regions.first() else {
        return middle(&clean(&lock.name), width);
    };
    let more = if seen > 1 {
        format!(" +{}", seen - 1)
    } else {
        String::new()
    };
    let room = width.saturating_sub(more.width());
    fitted(&format!("{}{line}", place(first)), room) + &more
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
