//! Pressure for people: a row of bars for each lock, its phases, and the call chains that reach it.

use super::bars::Scale;
use super::inside::not_counted;
use super::notes::{footer, notes};
use super::{mark, marked, percent};
use crate::Look;
use crate::text::{
    Paint, clean, clip, count, fitted, folded, left, listed, many, right, seconds, short_class,
    time,
};
use locklens_inference::model::{CallChain, Model};
use locklens_inference::pressure::live::News;
use locklens_inference::pressure::model::{ChainShare, Known, LockPressure, Phase, Pressure};
use locklens_trace::Nanos;
use std::io::{self, Write};

/// Locks that are shown.
const LOCKS: usize = 20;
/// A lock without a phase is shown if an interval has so much.
const LEAST: f64 = 0.01;
/// Phases of a lock that are shown.
const PHASES: usize = 8;
/// Frames of a call chain that are shown.
const FRAMES: usize = 4;
/// Call chains that are shown.
const CHAINS: usize = 3;
/// Packages whose code parks threads for others.
const PARKING: [&str; 3] = ["jdk.internal.misc.", "sun.misc.", "java.util.concurrent."];
/// Columns before a call chain, with its share.
const INDENT: usize = 13;

/// Writes it for people.
///
/// # Errors
/// When `out` fails.
pub fn text(pressure: &Pressure, model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let title = "Critical section pressure: time spent acquiring a lock, by the running time of all threads";
    let title = match &pressure.only {
        Some(only) => format!("{title} like {}", clean(only)),
        None => title.to_owned(),
    };
    writeln!(
        out,
        "{}",
        Paint::Bold.on(&folded(&title, 0, look.width), look)
    )?;
    let shown = shown(pressure);
    let most = shown.iter().map(|lock| lock.peak).fold(0.0, f64::max);
    let intervals = shown.first().map_or(0, |lock| lock.series.len());
    let scale = Scale::of(intervals, look.width.saturating_sub(4), most);
    if !shown.is_empty() {
        writeln!(out, "{}", explained(scale, pressure, look))?;
    }
    for lock in &shown {
        self::lock(lock, pressure, scale, look, out)?;
    }
    rest(pressure, shown.len(), look, out)?;
    if let Some(inside) = not_counted(model) {
        let whose = pressure.only.as_ref().map_or("", |_| "All threads: ");
        writeln!(
            out,
            "{}\n",
            folded(&format!("{whose}{inside}"), 0, look.width)
        )?;
    }
    let said = std::iter::once(footer(pressure, model)).chain(notes(pressure, model));
    for note in said {
        writeln!(out, "  {}", folded(&note, 2, look.width))?;
    }
    Ok(())
}

fn shown(pressure: &Pressure) -> Vec<&LockPressure> {
    let matter = |lock: &&LockPressure| !lock.phases.is_empty() || lock.peak >= LEAST;
    pressure.locks.iter().filter(matter).take(LOCKS).collect()
}

fn explained(scale: Scale, pressure: &Pressure, look: Look) -> String {
    let column = scale.column(pressure.interval);
    let what = match scale.each {
        1 => String::new(),
        n => format!(", the highest of {n} intervals"),
    };
    let text = format!(
        "A column is {}{what}; a full one {:.0}%.",
        time(column),
        scale.top * 100.0
    );
    Paint::Dim.on(&folded(&text, 0, look.width), look)
}

fn rest(pressure: &Pressure, shown: usize, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let only = pressure.only.as_ref().filter(|_| pressure.threads == 0);
    let text = match (pressure.locks.len(), shown) {
        (0, _) if only.is_some() => "No thread is called so.".to_owned(),
        (0, _) if pressure.unmeasured > 0 => {
            "Pressure is not known: of no time that a thread was blocked on a monitor are both ends known."
                .to_owned()
        }
        (0, _) => "No thread was blocked on a monitor, or parked to own a lock. Waits for permits, latches and queues are not counted: 'locklens report' has them."
            .to_owned(),
        (all, shown) if all == shown => return writeln!(out),
        (all, 0) => format!(
            "{} below {:.0}% all the time (--json has them).",
            many(all as u64, "lock"),
            LEAST * 100.0
        ),
        (all, shown) => format!(
            "and {} with less (--json has them)",
            many((all - shown) as u64, "lock")
        ),
    };
    writeln!(out, "\n{}\n", folded(&text, 0, look.width))
}

fn lock(
    lock: &LockPressure,
    pressure: &Pressure,
    scale: Scale,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    head(lock, look, out)?;
    told_as(lock, look, out)?;
    writeln!(out, "    {}", scale.draw(&lock.series))?;
    worst(lock, look, out)?;
    for phase in lock.phases.iter().take(PHASES) {
        self::phase(phase, lock.known, look, out)?;
    }
    let more = lock.more_phases + lock.phases.len().saturating_sub(PHASES) as u64;
    if more > 0 {
        let further = many(more, "further phase");
        writeln!(out, "    and {further} (--json has them)")?;
    }
    if lock.phases.is_empty() {
        chains(&lock.chains, look, out)?;
    }
    match pressure.metrics {
        true => metrics(lock, look, out),
        false => Ok(()),
    }
}

fn head(lock: &LockPressure, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let of = |share| marked(lock.known, share);
    let figures = format!("average {}  peak {}", of(lock.average), of(lock.peak));
    let room = look.width.saturating_sub(figures.chars().count() + 2);
    let number = format!("#{} ", lock.id);
    let name = fitted(&clean(&lock.called), room.saturating_sub(number.len()));
    let name = Paint::Bold.on(&left(&(number + &name), room), look);
    writeln!(out, "\n{name}  {figures}")
}

/// What the lines of a recording under way called it, if that was something else.
fn told_as(lock: &LockPressure, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let told = lock.told_as.as_deref().map(short_class);
    // Its last word, or the classes that stand behind it.
    let words = lock
        .called
        .rsplit(['.', '['])
        .map(|word| word.trim_end_matches(']'));
    let is_told = |told: &str| words.clone().take(2).any(|word| word == told);
    match told.filter(|told| !is_told(told)) {
        Some(told) => {
            let text = format!("in the lines above by its object's class: {}", clean(&told));
            writeln!(out, "    {}", folded(&text, 4, look.width))
        }
        None => Ok(()),
    }
}

fn worst(lock: &LockPressure, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let Some(worst) = lock.worst.filter(|_| lock.objects > 1) else {
        return Ok(());
    };
    let of = |share| marked(lock.known, share);
    let text = format!(
        "{}; the worst, L{}: average {}, peak {}",
        many(lock.objects, "object"),
        worst.object,
        of(worst.average),
        of(worst.peak)
    );
    writeln!(out, "    {}", folded(&text, 4, look.width))
}

fn phase(phase: &Phase, known: Known, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let length = Nanos(phase.end.0.saturating_sub(phase.start.0));
    let text = format!(
        "PHASE {} s to {} s ({}): average {}, peak {}",
        seconds(phase.start),
        seconds(phase.end),
        time(length),
        marked(known, phase.average),
        marked(known, phase.peak)
    );
    writeln!(out, "    {}", folded(&text, 6, look.width))?;
    chains(&phase.chains, look, out)
}

fn chains(chains: &[ChainShare], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let room = look.width.saturating_sub(INDENT + 2);
    if chains.is_empty() {
        let none = " ".repeat(INDENT) + "  no call chain was taken";
        writeln!(out, "{}", clip(&none, look.width))?;
    }
    for (lines, share, estimated) in alike(chains).iter().take(CHAINS) {
        let about = if *estimated { "≈" } else { "" };
        let share = right(&format!("{about}{}", percent(*share)), INDENT);
        for (nth, line) in lines.iter().enumerate() {
            let before = if nth == 0 {
                &share
            } else {
                &" ".repeat(INDENT)
            };
            writeln!(out, "{before}  {}", fitted(line, room))?;
        }
    }
    Ok(())
}

/// Chains that look the same are one, most frequent first.
fn alike(chains: &[ChainShare]) -> Vec<(Vec<String>, f64, bool)> {
    let mut all: Vec<(Vec<String>, f64, bool)> = Vec::new();
    for chain in chains {
        let lines = match &chain.chain {
            Some(chain) => frames(chain),
            None => vec!["no call chain was taken".to_owned()],
        };
        match all.iter_mut().find(|(known, ..)| *known == lines) {
            Some((_, share, _)) => *share += chain.share,
            None => all.push((lines, chain.share, chain.estimated)),
        }
    }
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// The innermost frames without packages; of those in which the JDK parks only the one that was called.
fn frames(chain: &CallChain) -> Vec<String> {
    let parks = |frame: &&String| PARKING.iter().any(|package| frame.starts_with(package));
    let parking = chain.frames.iter().take_while(parks).count();
    let from = match parking < chain.frames.len() {
        true => parking.saturating_sub(1),
        false => 0,
    };
    let frames = &chain.frames[from..];
    let shown = frames.iter().take(FRAMES);
    let mut lines: Vec<String> = shown.map(|frame| clean(&short_frame(frame))).collect();
    match (frames.len().saturating_sub(FRAMES), chain.cut) {
        (0, false) => {}
        (0, true) => lines.push("…".to_owned()),
        (n, cut) => lines.push(format!(
            "… {}{}",
            many(n as u64, "more frame"),
            if cut { " and others" } else { "" }
        )),
    }
    lines
}

/// `a.b.Class.method(File.java:12)` without the package.
fn short_frame(frame: &str) -> String {
    let (path, place) = match frame.find('(') {
        Some(at) => frame.split_at(at),
        None => (frame, ""),
    };
    match path.rsplit_once('.') {
        Some((class, method)) => format!("{}.{method}{place}", short_class(class)),
        None => frame.to_owned(),
    }
}

fn metrics(lock: &LockPressure, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let metrics = &lock.metrics;
    let mark = mark(lock.known);
    let number = |n: Option<u64>| n.map_or_else(unknown, count);
    let share = |share: Option<f64>| share.map_or_else(unknown, percent);
    let least = |n: Option<String>| n.map_or_else(unknown, |n| format!("{mark}{n}"));
    let failed = metrics.failed_per_second.map(|n| format!("{n:.1}/s"));
    let words = [
        format!("gets {}", number(metrics.gets)),
        format!("slow {}", least(metrics.slow.map(count))),
        format!("miss {}", share(metrics.miss)),
        format!("recursive {}", number(metrics.recursive)),
        format!("util {}", share(metrics.utilisation)),
        format!("mean hold {}", metrics.mean_hold.map_or_else(unknown, time)),
        format!("failed {}", least(failed)),
        format!(
            "acquiring/elapsed {}",
            marked(lock.known, metrics.of_elapsed)
        ),
        format!("acquiring/all acquiring {}", percent(metrics.of_acquiring)),
    ];
    writeln!(out, "    {}", listed(&words, 4, look.width))
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// What begins or ends, for people who watch.
#[must_use]
pub fn line(news: &News, look: Look) -> String {
    let lock = clean(&short_class(&news.lock));
    let place = news.place.as_deref().map_or_else(String::new, |place| {
        format!("  at {}", clean(&short_frame(place)))
    });
    let text = match news.over {
        false => format!(
            "{:>8} s  BEGINS  {lock}  {}{place}",
            seconds(news.start),
            percent(news.peak)
        ),
        true => {
            let length = Nanos(news.end.0.saturating_sub(news.start.0));
            format!(
                "{:>8} s  ends    {lock}  after {}: average {}, peak {}",
                seconds(news.end),
                time(length),
                percent(news.average),
                percent(news.peak)
            )
        }
    };
    clip(&text, look.width)
}
