//! Flags of `locklens contention`.

use super::{Analysis, Recording};
use clap::Args;
use std::path::PathBuf;

/// Say who blocked whom, where, and for how long
///
/// Every blocked stay is divided among the threads that held the lock during it, and the time is summed up by the keys of
/// --by, the first one outermost. Known for certain of exact recordings (locklens trace); of others as far as
/// contention itself tells, the rest is called unknown.
/// With --live it is done of a JVM while it runs, in bounded memory: no trace is written.
#[derive(Debug, Args)]
#[command(after_help = "\
Keys, in any order, with commas between them:
  lock  type  lock-class  group       the logical lock, its types, the class of its object; kind
  waiter-thread  waiter-group         who was blocked; its name without numbers
  waiter-method  waiter-site  waiter-stack
                                      where
  owner-thread  owner-group           who held the lock meanwhile
  owner-method  owner-site  owner-stack
                                      where
  time                                the second of the recording; with --live
                                      of a long one, two, four … of them

Examples:
  locklens contention app.llt
  locklens contention app.llt --by owner-stack
  locklens contention app.llt --by time,lock,owner-thread
  locklens contention app.llt --root --by owner-thread
                                       who is to blame in the end
  locklens contention app.llt --waits --by lock,owner-method
                                       who ended waits, and from where
  locklens contention app.llt --flame owner -o blame.svg
  locklens contention app.llt --flame owner -o - > blame.svg
  locklens contention app.llt --json | jq '.rows[] | {lock: .keys.lock, ns}'
  locklens contention 4242 --live -d 60s
                                       of a live JVM; the tree at the end
  locklens contention Main --live -d 0 --by lock,owner-stack --json
                                       until Ctrl-C
  locklens contention Main --live --root --by time,owner-thread
                                       who was to blame in the end, when

With --live the tree is the same. Of a long recording less may be known of who
held a lock than a trace of it tells: the rest is unknown. The parts of the key
time get twice as long (2 s, 4 s …) when there are too many of them.

Exit status:
  0 fine, whoever blocked whom; with --live also when Ctrl-C ended it
  2 usage, no trace, or nothing could be written; with --live also:
  3 attach failed
  4 the target went away before its time; what was counted until then is told")]
pub(crate) struct Contention {
    /// A trace; with --live a JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "FILE|PID|NAME")]
    pub(crate) subject: String,
    /// Watch a JVM, and print what it comes to after -d TIME, or on Ctrl-C. No trace is written
    #[arg(long)]
    pub(crate) live: bool,
    /// What to divide by, see below [default: lock,owner-method,waiter-method]
    #[arg(long, value_name = "KEYS", conflicts_with_all = ["flame", "collapsed"])]
    pub(crate) by: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["csv", "flame", "collapsed"])]
    pub(crate) json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with_all = ["flame", "collapsed"])]
    pub(crate) csv: bool,
    /// Draw a flame graph of the call chains of those blocked, or of those who held the locks; needs -o
    /// (- = standard output)
    #[arg(
        long,
        value_name = "waiter|owner",
        value_enum,
        hide_possible_values = true,
        conflicts_with = "collapsed"
    )]
    pub(crate) flame: Option<ChainsOf>,
    /// Print these call chains one a line, as other tools read them
    #[arg(
        long,
        value_name = "waiter|owner",
        value_enum,
        hide_possible_values = true
    )]
    pub(crate) collapsed: Option<ChainsOf>,
    /// Where who held a lock was blocked itself, go on to who blocked it
    #[arg(long, conflicts_with = "waits")]
    pub(crate) root: bool,
    /// Waits instead of blocked time, and who ended them
    #[arg(long)]
    pub(crate) waits: bool,
    /// Write to a file; - = standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE even if it is something else than a report or graph of locklens
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    #[command(flatten, next_help_heading = "With --live")]
    pub(crate) recording: Recording,
}

/// Whose call chains.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ChainsOf {
    Waiter,
    Owner,
}

impl From<ChainsOf> for locklens_viz::contention::Side {
    fn from(chains: ChainsOf) -> Self {
        match chains {
            ChainsOf::Waiter => Self::Waiter,
            ChainsOf::Owner => Self::Owner,
        }
    }
}
