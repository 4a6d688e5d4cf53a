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

/// Tell the deadlocks that could have happened, the best proved first; of a JVM that hangs now, why it does
///
/// Locks that threads take in different orders, read locks and permits among them, readers that want to write; waits
/// that keep what the notifier needs, the same at latches and joins. Each has a tier: T0 it happened; T1 a run reaches it (reads and writes are in the
/// trace); T3 the order of locks permits it; T4 a cycle that no common lock, start, join or notify excludes; T5 a cycle
/// of kinds of locks. What is excluded is told with the reason.
///
/// TRACE is a recording (of 'locklens trace', where every acquisition counts; of one that only watched, what its call
/// chains show), or a trace in the STD format of the RAPID tools, a line like T0|acq(L1)|12 for each step.
///
/// Of a PID or NAME it says who waits for whom now, from two thread dumps: which threads nobody can free any more (T0), over
/// monitors, locks of java.util.concurrent, joins and class initialisers; who hangs behind them; and what is suspected (T5). No
/// agent is loaded and nothing is switched on. Virtual threads are in no thread dump: unknown, unless --virtual-threads asks for
/// them, which CAN CRASH a JVM of JDK 25 (JDK-8364343). Thread dumps that were saved (jstack -l, jcmd Thread.print
/// -l, kill -3 in a log) are read the same way; of several the last two count.
#[derive(Debug, Args)]
#[command(
    override_usage = "locklens deadlocks [OPTIONS] <TRACE>\n       locklens deadlocks [OPTIONS] <PID|NAME>\n       locklens deadlocks [OPTIONS] <DUMP>…",
    after_help = "\
Examples:
  locklens trace --all-app --juc -o app.llt -- java Main
  locklens deadlocks app.llt           what could have happened
  locklens deadlocks run.std           the same of a trace of other tools
  locklens deadlocks 4242              why JVM 4242 hangs: the threads that are stuck, and who hangs behind them
  locklens deadlocks Main --json       the same of the main class Main, for programs
  locklens deadlocks 4242 --virtual-threads
                                       with its virtual threads; JDK 25 may crash of that
  locklens deadlocks 4242 --recording app.llt
                                       with what a recording of it knows: who has a permit, who reads
  locklens deadlocks dump1.txt dump2.txt
                                       the same from thread dumps that were saved
  locklens deadlocks app.llt --json | jq -r '.deadlocks[].headline'
  locklens deadlocks app.llt --dot | dot -Tsvg > app.svg

Exit status:
  0 none of tier T4 or better   1 there are (--min-tier sets which)
  2 usage or bad input   3 attach failed, or the JVM does not answer"
)]
pub(crate) struct Deadlocks {
    /// A trace (a recording, or a file in STD format), a JVM (a pid, a main class, a jar, or a unique part of one), or files
    /// with thread dumps
    #[arg(value_name = "TRACE|PID|NAME|DUMP", required = true)]
    pub(crate) targets: Vec<String>,
    /// Of a JVM: ask it for its virtual threads, too, by Thread.dump_to_file. 25 tells which monitors they hold and want, older JDKs
    /// do not, and who owns a lock of theirs none. DANGER: HotSpot 25 can crash while it writes this dump and virtual threads
    /// come and go (JDK-8364343)
    #[arg(long)]
    pub(crate) virtual_threads: bool,
    /// Of a JVM that hangs, or dumps of it: a recording of it (best one that tells every acquisition, from its start), which
    /// may still be under way. It knows who has permits, who reads, and what locks are that the program has built
    #[arg(long, value_name = "FILE")]
    pub(crate) recording: Option<PathBuf>,
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
/// finding, or of the names in its headline; * stands for anything. Lines that begin with # say nothing.
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
    /// Findings that are known: a file that --update-baseline wrote, or what --json printed
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
