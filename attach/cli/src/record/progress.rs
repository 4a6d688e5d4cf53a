//! One line on a terminal while recording: time, events, losses, the hottest lock.

use super::tally::Tally;
use crate::quantity::{show_bytes, show_duration};
use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use locklens_viz::{clean, many};
use std::time::{Duration, Instant};

const DRAWS_PER_SECOND: u8 = 4;

/// The progress line; nothing at all when standard error is no terminal, or one that can't take a line back.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    length: Option<Duration>,
}

impl Progress {
    /// Starts the line for a recording of this length (none: open end); `hidden` if somebody else speaks.
    pub(crate) fn start(length: Option<Duration>, hidden: bool) -> Self {
        let target = if !hidden && terminal::understands_escapes(&std::io::stderr()) {
            ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            started: Instant::now(),
            length,
        }
    }

    /// Draws the line anew.
    pub(crate) fn show(&self, tally: &Tally, written: u64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_message(self.line(tally, written));
    }

    fn line(&self, tally: &Tally, written: u64) -> String {
        let elapsed = Duration::from_secs(self.started.elapsed().as_secs());
        let of = self
            .length
            .map_or(String::new(), |all| format!(" of {}", show_duration(all)));
        let seconds = elapsed.as_secs();
        let written = match written {
            0 => String::new(),
            bytes => format!("{}  ", show_bytes(bytes)),
        };
        let mut line = format!(
            "{seconds} s{of}  {}  {written}{} lost",
            many(tally.events, "event"),
            tally.lost
        );
        if let Some(hottest) = tally.hottest() {
            line += &format!(
                "  hottest {} ({} blocked)",
                clean(hottest.class),
                show_duration(hottest.blocked)
            );
        }
        line
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
