//! Flags of `locklens top`.

use super::{Recording, pressure::interval};
use clap::Args;
use std::time::Duration;

/// Show how locks stand in a live JVM, on the terminal
///
/// Locks by pressure (the time threads spend to get them, by the time they run), with their types as soon as these
/// are known, the last intervals, who is blocked now and by whom; Enter opens one with the call chains of both.
/// The JVM is only watched. No trace is written, but for w.
#[derive(Debug, Args)]
#[command(after_help = "\
Keys:
  up, down, Enter   choose a lock; open it: who is blocked, by whom, and where
                    both were
  s                 sort by pressure, average, threads blocked now, time, name
  /                 filter by name, type or thread
  p, space          pause: nothing moves, and nothing is lost
  w                 write a trace of the last minute (400,000 records at most),
                    named as 'locklens record' does, for all other commands
  ?                 help
  q, Esc, Ctrl-C    quit

Examples:
  locklens top 4242
  locklens top Main --interval 500ms
  locklens top 4242 -b -n 3 --interval 5s
                                  three intervals as text, for scripts and logs

Exit status:
  0 fine   2 no terminal, or other usage   3 attach failed
  4 the target went away meanwhile

Before there has been an analysis, which takes some seconds, a lock goes by
the class of its object and the place where it is wanted; then by its name in
reports. Where threads stay blocked the JVM is asked for two thread dumps now
and then; who is stuck by them for certain stands above the table (DEADLOCK),
and 'locklens deadlocks PID' tells more of it. It takes a terminal of 60
columns and 10 lines.")]
pub(crate) struct Top {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: String,
    /// Length of an interval
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = interval)]
    pub(crate) interval: Duration,
    /// Print each interval as text instead; needs no terminal
    #[arg(short, long)]
    pub(crate) batch: bool,
    /// With -b: how many intervals; then it ends
    #[arg(short = 'n', long, value_name = "N", requires = "batch", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    #[command(flatten)]
    pub(crate) recording: Recording,
}
