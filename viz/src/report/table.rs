//! The report as a table for people: fits 80 columns, uses 160.

use super::{SortKey, sorted};
use crate::Look;
use crate::text::{
    Paint, clean, clip, count, details, left, many, percent, right, short_class, short_count, time,
    types,
};
use locklens_inference::model::{LogicalLock, Model, Recording, Stuck, Times};
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
    deadlocks(model, look, out)?;
    if model.locks.is_empty() {
        return empty(model, out).and_then(|()| footer(model, look, out));
    }
    let locks = sorted(model, sort);
    let shown = if all {
        locks.len()
    } else {
        locks.len().min(ROWS)
    };
    let layout = Layout::of(look);
    writeln!(out, "{}", Paint::Bold.on(&layout.header(), look))?;
    for lock in &locks[..shown] {
        writeln!(out, "{}", layout.row(lock, look))?;
    }
    if shown < locks.len() {
        writeln!(out, "… and {} more: --all shows them", locks.len() - shown)?;
    }
    footer(model, look, out)
}

fn title(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let get = |key: &str| model.target.get(key).map(|v| clean(v));
    let main = get(target_key::MAIN).unwrap_or_else(|| "unknown program".to_owned());
    let java = get(target_key::JAVA_VERSION).map_or(String::new(), |v| format!(", Java {v}"));
    let pid = get(target_key::PID).map_or(String::new(), |p| format!(", pid {p}"));
    let line = left(&format!("{main}{pid}{java}"), look.width);
    writeln!(out, "{}\n", line.trim_end())
}

/// Longest ring that is told thread by thread.
const RING: usize = 8;

fn deadlocks(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for deadlock in &model.deadlocks {
        let title = format!(
            "DEADLOCK of {}, each blocked on what the next one holds:",
            many(deadlock.threads.len() as u64, "thread")
        );
        writeln!(out, "{}", Paint::Bold.on(&title, look))?;
        for stuck in deadlock.threads.iter().take(RING) {
            writeln!(out, "  {}", self::stuck(stuck))?;
        }
        if deadlock.threads.len() > RING {
            writeln!(out, "  … and {} more", deadlock.threads.len() - RING)?;
        }
    }
    match model.deadlocks.is_empty() {
        true => Ok(()),
        false => writeln!(out, "`locklens graph FILE --cycles` shows where.\n"),
    }
}

fn stuck(stuck: &Stuck) -> String {
    let tid = stuck.tid.map_or(String::new(), |tid| format!(" #{tid}"));
    let lock = stuck
        .lock
        .map_or(String::new(), |id| format!(", lock {id}"));
    let since = match stuck.since {
        Nanos(0) => "since before the recording".to_owned(),
        at => format!("since {}", time(at)),
    };
    format!(
        "\"{}\"{tid} wants {} (object {}{lock}), {since}",
        clean(&stuck.thread),
        clean(&short_class(&stuck.class)),
        stuck.object
    )
}

fn empty(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let recording = &model.recording;
    let whole = recording.ended && recording.gaps == 0 && recording.lost == 0;
    let unread = |at: Option<StandingStill>| at.map_or(0, |counts| counts.unread);
    let unread = unread(recording.at_start).max(unread(recording.at_end));
    let found = match (recording.events, whole, unread) {
        (_, _, 1..) => format!(
            "{} blocked on a monitor or waiting, on which could not be told: see\nthe thread dump.",
            many(unread, "thread")
        ),
        (1.., ..) if !recording.hidden.is_empty() => {
            "No lock to report besides the known-safe ones.".to_owned()
        }
        (_, true, 0) => "No thread blocked on a monitor or waited during the recording.".to_owned(),
        (_, false, 0) => {
            "What there is of this recording tells of no thread that blocked on a monitor or\n\
             waited. That says little: part of it is missing (see below)."
                .to_owned()
        }
    };
    writeln!(out, "{found}")?;
    let pid = model
        .target
        .get(target_key::PID)
        .map_or_else(|| "PID".to_owned(), |v| clean(v));
    writeln!(
        out,
        "Monitors that are free whenever asked for make no event: record longer, or under load.\n\
         Locks of java.util.concurrent (LockSupport.park) are not seen by this version{}.\n\
         `locklens attach {pid} threaddump` shows who is parked, and where.\n",
        parked(recording)
    )
}

fn parked(recording: &Recording) -> String {
    let parked = |at: Option<StandingStill>| at.map(|counts| counts.parked);
    match (parked(recording.at_start), parked(recording.at_end)) {
        (Some(start), Some(end)) => format!(
            ";\n{} parked when it began, {} when it ended",
            many(start, "thread"),
            count(end)
        ),
        (Some(n), None) => format!(";\n{} parked when it began", many(n, "thread")),
        (None, Some(n)) => format!(";\n{} parked when it ended", many(n, "thread")),
        (None, None) => String::new(),
    }
}

/// Which columns there is room for. Widths are in terminal columns; gaps are one space.
struct Layout {
    types: usize,
    lock: usize,
    class: Option<usize>,
    objects: bool,
}

const ID: usize = 3;
const CONFIDENCE: usize = 4;
const TALLY: usize = 13;
const THREADS: usize = 4;
/// What is left of a class name at least.
const CLASS: usize = 4;

impl Layout {
    fn of(look: Look) -> Self {
        let fixed = ID + CONFIDENCE + 2 * TALLY + THREADS + 6;
        let room = look.width.max(80) - fixed;
        let wide = room >= 90;
        let types = if wide {
            26
        } else {
            18.max(room / 2 - 4).min(26)
        };
        let rest = room - types - usize::from(wide) * 9;
        Self {
            types,
            lock: if wide { rest * 11 / 20 } else { rest },
            class: wide.then(|| rest - rest * 11 / 20 - 1),
            objects: wide,
        }
    }

    fn header(&self) -> String {
        let mut cells = vec![
            right("ID", ID),
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

    fn row(&self, lock: &LogicalLock, look: Look) -> String {
        let sure = lock.types.first().map_or(0.0, |v| v.confidence);
        let paint = Paint::of_confidence(sure);
        let mut cells = vec![
            right(&lock.id.to_string(), ID),
            paint.on(&left(&type_cell(lock, self.types), self.types), look),
            paint.on(&right(&percent(sure), CONFIDENCE), look),
        ];
        match self.class {
            Some(width) => {
                cells.push(left(&locations(lock, self.lock), self.lock));
                cells.push(left(&classes(lock), width));
            }
            None => cells.push(left(&locations(lock, self.lock), self.lock)),
        }
        cells.push(right(&tally(&lock.blocked), TALLY));
        cells.push(right(&tally(&lock.waits), TALLY));
        cells.push(right(&short_count(lock.threads), THREADS));
        if self.objects {
            cells.push(right(&short_count(lock.instances), 8));
        }
        cells.join(" ")
    }
}

/// All types with their parameters if they fit, or without; else the first and a plus.
fn type_cell(lock: &LogicalLock, width: usize) -> String {
    let all = types(&lock.types);
    let with_details = match &lock.types[..] {
        [only] => format!("{all} {}", details(only)),
        _ => all.clone(),
    };
    match lock.types.first() {
        Some(_) if with_details.width() <= width => with_details,
        Some(first) if all.width() > width => format!("{}+", first.lock_type.name()),
        _ => all,
    }
}

/// The first region and how many more; a class too long gives way to the method, and both to the number.
fn locations(lock: &LogicalLock, width: usize) -> String {
    let seen = lock.regions.iter().filter(|r| r.seen).count();
    let Some(first) = lock.regions.first() else {
        return clean(&lock.name);
    };
    let more = if seen > 1 {
        format!(" +{}", seen - 1)
    } else {
        String::new()
    };
    let room = width.saturating_sub(more.width());
    let method = format!(".{}", clean(&first.method));
    let class = clean(&short_class(&first.class));
    let class = clip(&class, room.saturating_sub(method.width()).max(CLASS));
    let method = clip(&method, room.saturating_sub(class.width()));
    class + &method + &more
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

/// `1234 5.67ms`, or a dash.
fn tally(times: &Times) -> String {
    match times.count {
        0 => "-".to_owned(),
        n => format!("{} {:>6}", short_count(n), time(times.total)),
    }
}

fn footer(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let facts = footer_facts(&model.recording);
    let text = format!("\n{}", facts.join(" · "));
    for line in textwrap(&text, look.width.max(80)) {
        writeln!(out, "{}", Paint::Dim.on(&line, look))?;
    }
    for note in notes(&model.recording) {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn footer_facts(recording: &Recording) -> Vec<String> {
    let options = &recording.options;
    let mut facts = vec![
        time(recording.duration),
        format!("{} events", count(recording.events)),
        format!("{} lost", count(recording.lost)),
        match hidden_total(recording) {
            0 => "no safe lock hidden".to_owned(),
            n => format!("{} events of known-safe locks hidden", count(n)),
        },
    ];
    facts.extend(
        recording
            .inferred_share
            .map(|share| format!("{} of the history inferred", percent(share))),
    );
    facts.push(if recording.exact {
        "exact".to_owned()
    } else {
        "watched only".to_owned()
    });
    facts.push(format!(
        "reset after {}",
        time(Nanos(options.reset_after.0))
    ));
    facts.push(format!("call depth {}", options.call_depth));
    facts
}

fn hidden_total(recording: &Recording) -> u64 {
    recording.hidden.values().sum()
}

fn notes(recording: &Recording) -> Vec<String> {
    let mut notes = Vec::new();
    if !recording.exact {
        notes.push(
            "Blocked times are lower bounds: the JVM reports a block only after spinning."
                .to_owned(),
        );
    }
    notes.extend(still(recording));
    if recording.stacks_lost > 0 {
        notes.push(format!(
            "{} call chains were left out under their budget; the events are counted.",
            count(recording.stacks_lost)
        ));
    }
    if recording.gaps > 0 {
        notes.push(format!(
            "{} parts of the trace could not be read: `locklens info` lists them.",
            recording.gaps
        ));
    }
    if !recording.ended {
        notes.push("PARTIAL: the recording was cut off before its end.".to_owned());
    }
    notes
}

/// Threads that did not come back, and those whose lock is not known.
fn still(recording: &Recording) -> Vec<String> {
    let mut notes = Vec::new();
    let (blocked, waiting) = (recording.still_blocked, recording.still_waiting);
    let still = match (blocked, waiting) {
        (0, 0) => None,
        (0, n) => Some(format!("{} still waiting at the end", many(n, "thread"))),
        (n, 0) => Some(format!("{} still blocked at the end", many(n, "thread"))),
        (n, waiting) => Some(format!(
            "{} still blocked at the end, {} still waiting",
            many(n, "thread"),
            count(waiting)
        )),
    };
    notes.extend(still.map(|still| format!("{still}: counted up to then.")));
    if recording.from_before > 0 {
        notes.push(format!(
            "{} blocked or waiting since before the recording: counted from its beginning.",
            many(recording.from_before, "thread")
        ));
    }
    let unread = recording.at_start.map_or(0, |counts| counts.unread);
    if unread > 0 {
        notes.push(format!(
            "{} found blocked or waiting at the beginning, on locks that could not be told.",
            many(unread, "thread")
        ));
    }
    notes
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
