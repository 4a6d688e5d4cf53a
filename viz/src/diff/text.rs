//! The comparison for people.

use super::warnings::warnings;
use super::{Row, Side, WORTH, kinds, matters, names, rows, told, where_seen, word};
use crate::Look;
use crate::text::{Paint, clip, folded, left, many, right};
use locklens_inference::diff::model::{Diff, LockDiff, Verdict};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Locks without a difference that are shown all the same, of those in one recording only or of another type.
const SHOWN: usize = 20;
/// Columns before what is said of a lock.
const INDENT: usize = 6;
/// From so many columns on both figures of a lock are on one line.
const WIDE: usize = 140;
/// Columns of what a figure is called.
const WHAT: usize = 16;

/// Writes it for people; with `all` every lock.
///
/// # Errors
/// When `out` fails.
pub fn text(
    diff: &Diff,
    sides: [Side<'_>; 2],
    all: bool,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (side, name) in sides.iter().zip(["A", "B"]) {
        let line = format!("{name}  {}", told(side));
        writeln!(
            out,
            "{}",
            Paint::Bold.on(&folded(&line, 3, look.width), look)
        )?;
    }
    for warning in warnings(diff, sides) {
        let line = folded(&format!("!  {warning}"), 3, look.width);
        writeln!(out, "{}", Paint::Unsure.on(&line, look))?;
    }
    writeln!(out)?;
    let shown = shown(diff, all);
    let left_out = diff.locks.len() - shown.len();
    let differ = diff.locks.iter().filter(|lock| differs(lock)).count();
    if differ == 0 {
        let n = many(diff.locks.len() as u64, "lock");
        let not_listed = match left_out {
            0 => String::new(),
            _ if shown.is_empty() => " (--all lists them)".to_owned(),
            some => format!("; {some} of them not listed (--all)"),
        };
        let line =
            format!("No difference shown in how long threads were blocked by {n}{not_listed}.");
        writeln!(out, "{}\n", folded(&line, 0, look.width))?;
    }
    for lock in &shown {
        self::lock(lock, look, out)?;
    }
    if differ > 0 && left_out > 0 {
        let more = many(left_out as u64, "more lock");
        let line = format!("{more} without a difference shown (--all).");
        writeln!(out, "{}\n", folded(&line, 0, look.width))?;
    }
    for line in WORTH {
        let line = folded(&format!("  {line}"), 2, look.width);
        writeln!(out, "{}", Paint::Dim.on(&line, look))?;
    }
    Ok(())
}

fn differs(lock: &LockDiff) -> bool {
    lock.verdict() != Verdict::NotShown
}

fn shown(diff: &Diff, all: bool) -> Vec<&LockDiff> {
    let (differ, others): (Vec<_>, Vec<_>) = diff.locks.iter().partition(|lock| differs(lock));
    let most = if all { usize::MAX } else { SHOWN };
    let others = others.into_iter().filter(|lock| all || matters(lock));
    differ.into_iter().chain(others.take(most)).collect()
}

fn lock(lock: &LockDiff, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let verdict = lock.verdict();
    let paint = match verdict {
        Verdict::More => Paint::Doubtful,
        Verdict::Less => Paint::Sure,
        Verdict::Both => Paint::Unsure,
        Verdict::NotShown => Paint::Dim,
    };
    let room = look.width.saturating_sub(INDENT);
    let facts = [where_seen(lock).to_owned(), kinds(lock)];
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    let facts = facts.join("  ");
    let name = names(lock);
    let word = paint.on(&left(word(verdict), INDENT), look);
    match name.width() + 2 + facts.width() <= room {
        true => {
            let facts = right(&facts, room - name.width());
            writeln!(out, "{word}{}{facts}", Paint::Bold.on(&name, look))?;
        }
        false => {
            writeln!(out, "{word}{}", Paint::Bold.on(&clip(&name, room), look))?;
            writeln!(out, "{}{}", " ".repeat(INDENT), clip(&facts, room))?;
        }
    }
    figures(&rows(lock), look, out)?;
    writeln!(out)
}

fn figures(rows: &[Row; 2], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let indent = " ".repeat(INDENT);
    let lines = rows.each_ref().map(|row| {
        let (a, b) = (&row.a, &row.b);
        (row.what, format!("{a} → {b}  {}", row.difference))
    });
    if look.width >= WIDE {
        let [one, other] = lines.map(|(what, line)| format!("{what}  {line}"));
        let half = (look.width - INDENT) / 2;
        if one.width() + 2 <= half && other.width() <= half {
            return writeln!(out, "{indent}{}{other}", left(&one, half));
        }
        return [one, other]
            .iter()
            .try_for_each(|line| writeln!(out, "{indent}{}", clip(line, look.width - INDENT)));
    }
    let room = look.width.saturating_sub(INDENT + WHAT + 2);
    for (row, (what, line)) in rows.iter().zip(lines) {
        let what = left(what, WHAT);
        if line.width() <= room {
            writeln!(out, "{indent}{what}  {line}")?;
            continue;
        }
        let behind = " ".repeat(INDENT + WHAT);
        writeln!(out, "{indent}{what}  {}", clip(&row.a, room))?;
        let second = format!("→ {}  {}", row.b, row.difference);
        writeln!(out, "{behind}{}", clip(&second, room + 2))?;
    }
    Ok(())
}
