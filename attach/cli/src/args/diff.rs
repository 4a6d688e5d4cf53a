//! Flags of `locklens diff`.

use super::Analysis;
use clap::Args;
use std::path::PathBuf;

/// Hold two recordings against each other: new and gone locks, other types, more or less blocked time
///
/// Locks are found again by their stable names, and by the code that locks them where a name has changed. Of each the time that threads were
/// blocked by it, a second, and its pressure stand side by side, each with the interval that has the true figure in 95 cases of 100, so
/// that recordings of any lengths can be compared. A difference is called one only if chance does not explain it, with regard to how
/// many locks were looked at; else it says that none was shown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens diff before.llt after.llt
  locklens diff before.llt after.llt --all           every lock, also those alike
  locklens diff before.llt after.llt --html diff.html
  locklens diff before.llt after.llt --json | jq '.locks[] | select(.verdict == \"more\").name'

Two runs of one program differ by more than its locks: compare two recordings of the same build first, and see
what is called different there.

Exit status: 0 fine, whether they differ or not   2 usage, no trace, or nothing could be written")]
pub(crate) struct Diff {
    /// A trace
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// The trace that is held against it
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["html", "all"])]
    pub(crate) json: bool,
    /// Write a page for a browser; - = standard output
    #[arg(long, value_name = "OUT", conflicts_with = "all")]
    pub(crate) html: Option<PathBuf>,
    /// Show every lock, also where there is no difference
    #[arg(long)]
    pub(crate) all: bool,
    /// Overwrite OUT even if it is something else than an output of locklens
    #[arg(long, requires = "html")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}
