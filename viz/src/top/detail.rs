//! One lock in full: what it is, who is blocked on it now, and who has been to blame, with both call chains.

use super::draw::{Scene, Tone, lines};
use super::{called, share, short};
use crate::text::{clean, many, percent, time};
use crate::who::who;
use locklens_inference::board::view::{Line, Standing};
use locklens_inference::contention::{Row, Value};
use locklens_inference::model::CallChain;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Frames of a chain that are shown.
const FRAMES: usize = 12;
/// Chains of one kind.
const CHAINS: usize = 8;
/// Threads that are blocked at the moment.
const THREADS: usize = 12;

type Text = Vec<(String, Tone)>;

pub(super) fn draw(scene: Scene<'_>, from: usize, area: Rect, cells: &mut Buffer) {
    let text = match scene.screen.opened(scene.view) {
        Some(line) => all(line),
        None => vec![(
            " This lock is not there any more (Esc).".to_owned(),
            Tone::Dim,
        )],
    };
    let room = usize::from(area.height);
    let from = from.min(text.len().saturating_sub(room));
    lines(scene, &text[from..], area, cells);
}

/// Everything of one lock.
pub(super) fn all(line: &Line) -> Text {
    let mut text = about(line);
    now(line, &mut text);
    blame(line, &mut text);
    text
}

fn about(line: &Line) -> Text {
    let number = line.id.map_or(String::new(), |id| format!("{id} "));
    let estimate = line.is_estimate;
    let numbers = format!(
        "   pressure {}, average {}, peak {}; {} to get it, {}",
        share(line.pressure, estimate),
        share(line.average, estimate),
        share(line.peak, estimate),
        time(line.time),
        many(line.objects as u64, "object"),
    );
    let sure = line
        .types
        .iter()
        .map(|(name, sure)| format!("{name} {}", percent(*sure)));
    let sure: Vec<_> = sure.collect();
    let types = match sure.is_empty() {
        true => "   type: … (no analysis yet)".to_owned(),
        false => format!("   type: {}", sure.join(", ")),
    };
    vec![
        (format!(" {number}{}", called(line)), Tone::Bold),
        (types, Tone::Plain),
        (numbers, Tone::Plain),
        (String::new(), Tone::Plain),
    ]
}

fn now(line: &Line, text: &mut Text) {
    let title = match line.blocked.len() {
        0 => " NOW: nobody is blocked".to_owned(),
        blocked => format!(" NOW: {} blocked", many(blocked as u64, "thread")),
    };
    text.push((title, Tone::Bold));
    for standing in line.blocked.iter().take(THREADS) {
        stands(standing, text);
    }
    let more = line.blocked.len().saturating_sub(THREADS);
    if more > 0 {
        text.push((format!("   … {more} more"), Tone::Dim));
    }
    text.push((String::new(), Tone::Plain));
}

fn stands(standing: &Standing, text: &mut Text) {
    let by = standing.by.as_deref().map_or("(unknown)".to_owned(), who);
    let (thread, since) = (who(&standing.thread), time(standing.time));
    text.push((format!("   {thread} for {since}, by {by}"), Tone::Plain));
    let chain = standing.chain.iter();
    chain.for_each(|chain| frames(chain, "     ", text));
    if let Some(chain) = &standing.by_chain {
        text.push((format!("     while {by} was in"), Tone::Dim));
        frames(chain, "       ", text);
    }
}

/// Blocked time so far: where threads were blocked, by whom, and where that one was.
fn blame(line: &Line, text: &mut Text) {
    let Some(all) = &line.blame else {
        let none = " SINCE THIS BEGAN: no analysis yet, or no stay that is over";
        return text.push((none.to_owned(), Tone::Dim));
    };
    let stays = many(all.count, "stay");
    // What stands above counts the monitor alone.
    let inside = match all.ns.0 > line.time.0.saturating_mul(2) && !line.is_estimate {
        true => ", waits inside the lock among them",
        false => "",
    };
    let title = format!(
        " SINCE THIS BEGAN: blocked {} in {stays}{inside}",
        time(all.ns)
    );
    text.push((title, Tone::Bold));
    for waiter in all.rows.iter().take(CHAINS) {
        let part = part(waiter, all);
        text.push((format!("   {part} blocked in"), Tone::Bold));
        chain(waiter, "     ", text);
        waiter
            .rows
            .iter()
            .take(CHAINS)
            .for_each(|owner| owned(owner, all, text));
    }
    let more = all.rows.len().saturating_sub(CHAINS);
    if more > 0 {
        text.push((
            format!("   … {}", many(more as u64, "more call chain")),
            Tone::Dim,
        ));
    }
}

fn owned(owner: &Row, all: &Row, text: &mut Text) {
    let name = match &owner.value {
        Some(Value::Named(name)) => format!("by {}", who(name)),
        Some(Value::Nobody) => "while nobody held it".to_owned(),
        Some(Value::Empty) => "while there was nothing to take".to_owned(),
        Some(Value::Cycle) => "in a deadlock".to_owned(),
        Some(Value::Rest) => "by others (cap reached)".to_owned(),
        _ => "by (unknown)".to_owned(),
    };
    text.push((format!("     {} {name}", part(owner, all)), Tone::Plain));
    for place in owner.rows.iter().take(CHAINS) {
        if let Some(Value::Chain(_)) = place.value {
            text.push((
                format!("       {} while it was in", part(place, all)),
                Tone::Dim,
            ));
            chain(place, "         ", text);
        }
    }
}

fn part(row: &Row, all: &Row) -> String {
    percent(row.ns.0 as f64 / all.ns.0.max(1) as f64)
}

fn chain(row: &Row, indent: &str, text: &mut Text) {
    match &row.value {
        Some(Value::Chain(chain)) => frames(chain, indent, text),
        Some(Value::Rest) => text.push((format!("{indent}(other: cap reached)"), Tone::Dim)),
        _ => text.push((format!("{indent}(unknown)"), Tone::Dim)),
    }
}

fn frames(chain: &CallChain, indent: &str, text: &mut Text) {
    let shown = chain.frames.iter().take(FRAMES);
    text.extend(shown.map(|frame| (format!("{indent}{}", clean(&short(frame))), Tone::Plain)));
    let more = chain.frames.len().saturating_sub(FRAMES);
    let rest = match (more, chain.cut) {
        (0, false) => return,
        (0, true) => "… cut".to_owned(),
        (more, _) => format!("… {}", many(more as u64, "more frame")),
    };
    text.push((format!("{indent}{rest}"), Tone::Dim));
}
