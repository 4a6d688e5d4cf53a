//! Flags of `locklens html`.

use super::Analysis;
use clap::Args;
use std::path::PathBuf;

/// Make a page for a browser: the table of the locks, and what threads and locks did over time
///
/// One file without a network: style, script and data are in it, and its policy forbids it everything else. It shows a row for each
/// thread and one for each lock on one axis of time, from the whole recording down to a microsecond, and counts the table anew for any span.
/// Below stand who blocked whom (a tree by any aspects, and flame graphs), which locks are taken inside which, pressure, and a choice of locks to record exactly.
/// Time is kept in some thousand intervals, whatever the length of the recording, and of stays one by one the longest 20,000 of a kind.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens html app.llt -o report.html
  xdg-open report.html                 in any browser, without a network
  locklens html app.llt -o - | gzip > report.html.gz

A link to what is shown is in the address: report.html#t=1.5,2.25&lock=3&panel=tree
(panels: tree, flame, nesting, pressure, ticks)

Exit status: 0 fine   2 usage, no trace, or nothing could be written")]
pub(crate) struct Html {
    /// A trace
    pub(crate) file: PathBuf,
    /// Where to write the page; - = standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE even if it is something else than an output of locklens
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}
