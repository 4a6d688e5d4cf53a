//! Flags of commands that read a trace: how to analyse it, how to lay it out.

use crate::quantity;
use crate::replace::STDOUT;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use locklens_viz::report::SortKey;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to analyse.
#[derive(Clone, Debug, Args)]
pub(crate) struct Analysis {
    /// Silence on a lock after which its state counts as unknown
    #[arg(long, value_name = "TIME", default_value = "250ms", value_parser = quantity::duration)]
    pub(crate) reset_after: Duration,
    /// How deep the callees of a region are followed in search of wait and notify
    #[arg(long, value_name = "N", default_value_t = CALL_DEPTH, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub(crate) call_depth: u32,
    /// Report the JVM's own known-safe locks too
    #[arg(long)]
    pub(crate) show_safe_locks: bool,
}

impl Default for Analysis {
    fn default() -> Self {
        Self {
            reset_after: RESET_AFTER,
            call_depth: CALL_DEPTH,
            show_safe_locks: false,
        }
    }
}

const RESET_AFTER: Duration = Duration::from_millis(250);
const CALL_DEPTH: u32 = 6;

/// How to lay out a report.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Table {
    /// Order of the locks. hurt = time blocked, then time in Object.wait, which may be mere idling: wait-time puts it first. locked = acquisitions, known of exact recordings only. Figures descend, but for id and confidence: the least sure first
    #[arg(long, value_name = "KEY", default_value = "hurt", value_parser = sort_keys())]
    pub(crate) sort: SortKey,
    /// Every lock, also those that hardly mattered
    #[arg(long)]
    pub(crate) all: bool,
}

fn sort_keys() -> impl TypedValueParser<Value = SortKey> {
    PossibleValuesParser::new(SortKey::ALL.map(|(name, _)| name))
        .try_map(|name| SortKey::parse(&name).ok_or("no such key"))
}

/// Report the logical locks of a recording, the most painful first
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens report app.llt
  locklens report app.llt --sort waits
  locklens report exact.llt --sort locked
  locklens report app.llt --json | jq '.locks[0].types[0]'
  locklens report app.llt --csv -o locks.csv
  locklens report app.llt --select 'SEMAPHORE|*Pool*' -o locks.txt
                                       their names, for locklens trace --select locks.txt

Exit status: 0 whatever it shows, a deadlock too; to test for one: check, deadlocks")]
pub(crate) struct Report {
    /// A trace
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print comma-separated values
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print only the names of these locks, one a line: of a type, or with a name or class like this
    #[arg(long, value_name = "TYPE|GLOB…", conflicts_with_all = ["json", "csv"])]
    pub(crate) select: Option<String>,
    /// Write to a file; - = standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE even if it is something else than a report or graph of locklens
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) table: Table,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Show everything known about one lock
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens show app.llt 1
  locklens show app.llt BoundedBuffer")]
pub(crate) struct Show {
    /// A trace
    pub(crate) file: PathBuf,
    /// Number of the lock in the report; or its name, a place or class of it, or a part of its name that no other has
    pub(crate) lock: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Print the events of a recording, or of one lock, in order
///
/// Without LOCK the histories of all locks are completed in pieces of 100,000 events and more, so that a recording of
/// any length can be read; where a piece begins, the state of every lock counts as unknown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens events app.llt 1            the sequence of lock 1, what was inferred marked so
  locklens events app.llt --raw        every event as the JVM reported it
  locklens events app.llt 1 --csv > lock1.csv")]
pub(crate) struct Events {
    /// A trace
    pub(crate) file: PathBuf,
    /// Number of the lock in the report; or its name, a place or class of it, or a part of its name that no other has
    pub(crate) lock: Option<String>,
    /// Only what was observed, nothing inferred
    #[arg(long)]
    pub(crate) raw: bool,
    /// Print JSON: one document, an event a line
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print comma-separated values
    #[arg(long)]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Draw which locks are taken inside which, and find the cycles that can be deadlocks
///
/// Prints the graph for Graphviz. An edge A -> B says that a thread was about to take B while it held A; each says whether
/// that is known exactly, from enter and exit events, or from the call chain of a thread that blocked or waited.
/// Cycles that a common lock, or the start and join of threads, make harmless are listed apart.
/// Locks of java.util.concurrent have edges where 'trace --juc' recorded their operations; deadlocks they are part of are told in any case.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens graph app.llt | dot -Tsvg > app.svg
  locklens graph app.llt -o app.dot    the picture to a file, a summary here
  locklens graph app.llt --cycles      the cycles and deadlocks, with threads and call chains
  locklens graph app.llt --json | jq '.cycles[].id'

Exit status:
  0 fine; with --cycles: there is none   1 with --cycles: there are cycles or deadlocks
  2 usage or bad input")]
pub(crate) struct Graph {
    /// A trace
    pub(crate) file: PathBuf,
    /// List the cycles and deadlocks, and end with status 1 if there are any
    #[arg(long)]
    pub(crate) cycles: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the graph here, for Graphviz, and a summary to standard output; - = the graph there
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE even if it is something else than a report or graph of locklens
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Say what a trace holds: events and bytes by kind, gaps, losses
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens info app.llt
  locklens info app.llt --json | jq '.event_kinds.ENTER.records'")]
pub(crate) struct Info {
    /// A trace
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The file that a text is to be written to, if it is not for standard output.
pub(crate) fn file(output: &Option<PathBuf>) -> Option<&Path> {
    output.as_deref().filter(|path| *path != Path::new(STDOUT))
}
