//! Renderers: a model in, bytes out, the same bytes for the same model; of a live view, [`top`], cells.
//!
//! They compute nothing about locks and know no files, terminals or environment: width and
//! colour come in through [`Look`]. Start with [`report`], the table that answers "what are the
//! locks of this program"; [`show`] is one lock in full, [`events`] the history of a lock,
//! [`info`] the composition of a trace, [`graph`] which locks are taken inside which, [`pressure`] when locks
//! keep threads from running, [`sample`] what threads were found doing, [`contention`] who blocked whom, [`deadlocks`] who
//! could come to wait for whom, [`diff`] two recordings held against each other, [`html`] all of it over time, as a page for a browser,
//! [`export`] what viewers of others show, [`tables`] what programs that query data read.
#![forbid(unsafe_code)]

pub mod contention;
mod cost;
mod cut;
pub mod deadlocks;
pub mod diff;
pub mod events;
pub mod export;
mod find;
pub mod graph;
pub mod html;
pub mod info;
pub mod json;
pub mod pressure;
pub mod report;
pub mod sample;
pub mod show;
pub mod tables;
mod text;
mod toll;
pub mod top;
mod uses;
mod who;

pub use cost::{cost, given_up};
pub use find::{Unclear, find};
pub use report::{HEADLESS, damage, unseen};
pub use text::{clean, clean_lines, clip, folded, many};
pub use toll::toll;

/// How text should look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns available.
    pub width: usize,
    /// ANSI colours are welcome.
    pub colour: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            width: 80,
            colour: false,
        }
    }
}
