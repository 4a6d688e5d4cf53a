//! How much of a trace has been read, on a terminal.

use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const DRAWS_PER_SECOND: u8 = 4;

/// A line that goes away; nothing at all where standard error is no terminal that can take a line back.
pub(super) struct Progress {
    bar: ProgressBar,
    length: u64,
}

impl Progress {
    /// Of a file of that length.
    pub(super) fn start(length: u64) -> Self {
        let target = match terminal::understands_escapes(&std::io::stderr()) {
            true => ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Self { bar, length }
    }

    /// So much has been read for this.
    pub(super) fn show(&self, at: u64, of: &str) {
        if !self.bar.is_hidden() {
            let share = at.saturating_mul(100) / self.length.max(1);
            self.bar
                .set_message(format!("reading {of}: {} %", share.min(100)));
        }
    }

    /// Removes the line.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
