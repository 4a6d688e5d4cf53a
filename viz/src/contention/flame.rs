//! Blocked time by call chain: as a flame graph, or as lines that other tools draw one from.
//!
//! The outermost frame comes first, the width is time. Chains of owners that are not known stand beside those that
//! are, under the name of what they are.

use super::fate;
use crate::text::{clean, time};
use inferno::flamegraph::color::BasicPalette;
use inferno::flamegraph::{self, Options, Palette};
use locklens_inference::contention::{Blame, Key, Row, Value};
use locklens_inference::model::CallChain;
use std::io::{self, Write};

/// Whose call chains are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Of those who were blocked.
    Waiter,
    /// Of those who held the locks.
    Owner,
}

impl Side {
    /// The key that such a picture is made of.
    #[must_use]
    pub fn key(self) -> Key {
        match self {
            Self::Waiter => Key::WaiterStack,
            Self::Owner => Key::OwnerStack,
        }
    }
}

/// Writes one line for each call chain: frames, a semicolon between them, and nanoseconds.
///
/// # Errors
/// When `out` fails.
pub fn collapsed(blame: &Blame, out: &mut dyn Write) -> io::Result<()> {
    lines(blame)
        .iter()
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// Draws the flame graph of blocked time whose only key is a call chain.
///
/// # Errors
/// When `out` fails.
pub fn flame(blame: &Blame, side: Side, out: &mut dyn Write) -> io::Result<()> {
    let lines = lines(blame);
    let mut options = Options::default();
    options.title = match (blame.waits, side) {
        (false, Side::Waiter) => "Blocked time by the call chain of who was blocked",
        (false, Side::Owner) => "Blocked time by the call chain of who held the lock",
        (true, Side::Waiter) => "Time in Object.wait by the call chain of who waited",
        (true, Side::Owner) => "Time in Object.wait by the call chain of who notified",
    }
    .to_owned();
    options.subtitle = Some(format!("{} in all", time(blame.total.ns)));
    options.notes = "locklens contention".to_owned();
    options.count_name = "ns".to_owned();
    options.colors = match side {
        Side::Waiter => Palette::Basic(BasicPalette::Blue),
        Side::Owner => Palette::Basic(BasicPalette::Hot),
    };
    options.hash = true;
    options.deterministic = true;
    let lines: Vec<&str> = match lines.is_empty() {
        // A picture of nothing is refused by who draws it.
        true => vec!["nothing 1"],
        false => lines.iter().map(String::as_str).collect(),
    };
    flamegraph::from_lines(&mut options, lines, out)
}

fn lines(blame: &Blame) -> Vec<String> {
    let timed = blame.total.rows.iter().filter(|row| row.ns.0 > 0);
    let mut lines: Vec<String> = timed.map(line).collect();
    lines.sort_unstable();
    lines
}

fn line(row: &Row) -> String {
    let stack = match &row.value {
        Some(Value::Chain(chain)) => folded(chain),
        Some(value) => format!("[{}]", fate(value)),
        None => "[unknown]".to_owned(),
    };
    format!("{stack} {}", row.ns.0)
}

/// Outermost first. A semicolon or a line break in a name would make two of it.
fn folded(chain: &CallChain) -> String {
    let more = chain.cut.then(|| "[more frames]".to_owned());
    let frames = chain.frames.iter().rev();
    let frames = frames.map(|frame| clean(frame).replace(';', ":"));
    let frames: Vec<String> = more.into_iter().chain(frames).collect();
    match frames.is_empty() {
        true => "[no frames]".to_owned(),
        false => frames.join(";"),
    }
}
