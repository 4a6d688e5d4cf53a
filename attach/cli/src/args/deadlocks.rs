//! Flags of the commands that predict deadlocks.

use super::Analysis;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use locklens_inference::deadlock::finding::Tier;
use std::path::PathBuf;

pub(super) fn tiers() -> impl TypedValueParser<Value = Tier> {
    PossibleValuesParser::new(Tier::ALL.map(Tier::name))
        .try_map(|name| Tier::parse(&name).ok_or("no such tier"))
}

/// Tell the deadlocks that could have happened, the best proved first
///
/// Every pair of locks that threads take in different orders, waits that keep what the notifier needs, joins that keep
/// what the joined thread needs. Each has a tier: T0 it happened; T1 a run reaches it (reads and writes are in the
/// trace); T3 the order of locks permits it; T4 a cycle that no common lock, start, join or notify excludes; T5 a cycle
/// of kinds of locks. What is excluded is told with the reason.
///
/// FILE is a recording (of 'locklens trace', where every acquisition counts; of one that only watched, what its call
/// chains show), or a trace in the STD format of the RAPID tools, a line like T0|acq(L1)|12 for each step.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens trace --all-app -o app.llt -- java Main
  locklens deadlocks app.llt           what could have happened
  locklens deadlocks run.std           the same of a trace of other tools
  locklens deadlocks app.llt --json | jq -r '.deadlocks[].headline'
  locklens deadlocks app.llt --dot | dot -Tsvg > app.svg

Exit status:
  0 none of tier T4 or better   1 there are (--min-tier sets which)
  2 usage or bad input")]
pub(crate) struct Deadlocks {
    /// A trace: a recording, or a file in STD format
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Print SARIF 2.1.0, for sites that show code
    #[arg(long, group = "form")]
    pub(crate) sarif: bool,
    /// Print the cycles for Graphviz
    #[arg(long, group = "form")]
    pub(crate) dot: bool,
    /// The weakest proof that ends with status 1
    #[arg(long, value_name = "TIER", default_value = "T4", ignore_case = true, value_parser = tiers())]
    pub(crate) min_tier: Tier,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Fail if traces show deadlocks that are not known yet
///
/// The findings of all files together, and cycles whose parts come from different runs, by the stable names of their
/// locks. What the baseline has, and what a suppression names, is left out.
///
/// A suppression file has a line for each: deadlock:GLOB, where GLOB is (a part of) an id, or of a name of a lock or a place in the
/// finding; * stands for anything. Lines that begin with # say nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens check run1.llt run2.llt
  locklens check *.llt --baseline known.json --update-baseline
                                       all that is there now is known from here on
  locklens check *.llt --baseline known.json --sarif > new.sarif
  locklens check *.llt --suppress deadlocks.supp

Exit status:
  0 nothing new of tier T4 or better   1 there is (--min-tier sets which)
  2 usage or bad input")]
pub(crate) struct Check {
    /// Traces: recordings, or files in STD format
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Findings that are known: a file that --update-baseline wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all that is found now into the baseline; what is in it already stays
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
    /// Findings that are not to be told
    #[arg(long, value_name = "FILE")]
    pub(crate) suppress: Option<PathBuf>,
    /// Print JSON
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Print SARIF 2.1.0, for sites that show code
    #[arg(long, group = "form")]
    pub(crate) sarif: bool,
    /// The weakest proof that ends with status 1
    #[arg(long, value_name = "TIER", default_value = "T4", ignore_case = true, value_parser = tiers())]
    pub(crate) min_tier: Tier,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}
