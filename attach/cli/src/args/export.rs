//! Flags of `locklens export`.

use super::Analysis;
use super::contention::ChainsOf;
use clap::Args;
use std::path::PathBuf;

/// Write a recording for the viewers of others
///
/// perfetto and firefox show it over time: each thread with what held it up, and by whom; the locks that threads held, where
/// that was recorded; of perfetto also each lock with those who held it, how many were blocked, and its pressure.
/// pprof and collapsed show blocked time by call chain, as 'locklens contention --flame' does. parquet is tables of everything for
/// programs that query data: OUT is a folder, to which further recordings are added.
#[derive(Debug, Args)]
#[command(after_help = "\
Formats:
  perfetto    a trace for https://ui.perfetto.dev and trace_processor
  firefox     a profile for https://profiler.firefox.com
  pprof       a profile of contentions for 'go tool pprof' and stores of profiles
  collapsed   call chains one a line, weighed in nanoseconds, for flame graphs
  parquet     a folder of tables for DuckDB, Spark, ClickHouse

Examples:
  locklens export app.llt --to perfetto -o app.pftrace
  locklens export app.llt --to firefox -o app.json
  locklens export app.llt --to pprof -o app.pb
  locklens export app.llt --to pprof --of owner -o - | gzip > owners.pb.gz
  locklens export app.llt --to collapsed --of owner -o - | flamegraph.pl > owners.svg
  locklens export app.llt --to collapsed --waits -o waits.txt
  locklens export app.llt --to parquet --host web-1 -o fleet

The viewers read the file where they are opened: nothing is sent to anybody by this command.

Exit status: 0 fine   2 usage, no trace, or nothing could be written")]
pub(crate) struct Export {
    /// A trace
    pub(crate) file: PathBuf,
    /// For which viewer
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) to: Viewer,
    /// Where to write it; - = standard output. Of parquet a folder
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Of pprof and collapsed: the call chains of those blocked, or of those who held the locks [default: waiter]
    #[arg(
        long,
        value_name = "waiter|owner",
        value_enum,
        hide_possible_values = true
    )]
    pub(crate) of: Option<ChainsOf>,
    /// Of pprof and collapsed: waits instead of blocked time, and who ended them
    #[arg(long)]
    pub(crate) waits: bool,
    /// Of parquet: the machine it was recorded on, which a trace does not say [default: unknown]
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) host: Option<String>,
    /// Overwrite OUT even if it is something else than an output of locklens; of parquet, write tables of a recording again
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// For which viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Viewer {
    Perfetto,
    Firefox,
    Pprof,
    Collapsed,
    Parquet,
}
