//! Flags of exact recordings of chosen locks, and of taking their probes out.

use super::{Destination, Recording};
use clap::Args;
use std::path::PathBuf;

/// Rewrite chosen classes of a live JVM, record every event of their locks, and put them back
#[derive(Debug, Args)]
#[command(mut_arg("max_overhead", |arg| arg.hide(true)), after_help = "\
Examples:
  locklens trace 4242 --locks 1,3 --from app.llt -o exact.llt
  locklens trace Main --class 'com.example.store.*' -d 10s
  locklens trace Main --all-app --dry-run
  locklens trace Main --juc            locks of java.util.concurrent: every operation, every park
  locklens trace --class 'com.example.*' -o exact.llt -- java -jar app.jar
                                       from its start on: nothing is missing

Every enter, exit, wait and notify is recorded, not only those that block. For that the classes are
rewritten in the running JVM, in one step, and put back in one step at the end, on Ctrl-C, and when
this command dies. Up to JDK 22 the first rewriting discards all compiled code of the JVM: you are
asked before.")]
pub(crate) struct Trace {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME", required_unless_present = "launch")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// Every operation and every park: the locks of java.util.concurrent, exactly. Rewrites their classes
    #[arg(long, conflicts_with_all = ["no_clock", "no_juc"])]
    pub(crate) juc: bool,
    /// Say what would be rewritten, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Leave the probes in place at the end, switched off, instead of a second dip; 'locklens detach' takes them out
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) dormant: bool,
    /// Do not ask, whatever it costs the JVM
    #[arg(long, conflicts_with = "no_rewrite")]
    pub(crate) yes: bool,
    /// Never rewrite a class: there is nothing left to do then, and this is refused
    #[arg(long)]
    pub(crate) no_rewrite: bool,
    /// Record the order of events without reading a clock: cheaper, for nesting alone
    #[arg(long)]
    pub(crate) no_clock: bool,
    #[command(flatten)]
    pub(crate) recording: Recording,
    #[command(flatten)]
    pub(crate) destination: Destination,
    /// A Java command to start and trace from its beginning (ends with its exit status)
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["target", "dry_run"])]
    pub(crate) launch: Vec<std::ffi::OsString>,
}

/// Which code is rewritten, and of which locks.
#[derive(Clone, Debug, Args)]
pub(crate) struct Choice {
    /// Locks of an earlier recording, by number or name
    #[arg(long, value_name = "LOCK,…", value_delimiter = ',')]
    pub(crate) locks: Vec<String>,
    /// A file with names of locks, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) select: Option<PathBuf>,
    /// The recording that --locks and --select speak of
    #[arg(long, value_name = "TRACE")]
    pub(crate) from: Option<PathBuf>,
    /// Classes, by name: all locks used in their code; * stands for anything
    #[arg(long, value_name = "GLOB")]
    pub(crate) class: Vec<String>,
    /// Methods, as Class.method
    #[arg(long, value_name = "GLOB")]
    pub(crate) method: Vec<String>,
    /// Every class outside the JDK, and the JDK's Collections.synchronized…, Timer, Observable, handlers
    /// of java.util.logging, and AWT's Component and Container, which programs use as locks
    #[arg(long)]
    pub(crate) all_app: bool,
}

impl Choice {
    /// Nothing is named.
    pub(crate) fn is_empty(&self) -> bool {
        let named = self.class.len() + self.method.len() + self.locks.len();
        named == 0 && self.select.is_none() && self.from.is_none()
    }
}

/// Take out the probes that a recording with --dormant left in a JVM
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens trace 4242 --locks 1 --from app.llt --dormant
  locklens detach 4242

Exit status:
  0 nothing of ours is left to run in that JVM   1 some classes could not be put back: their probes stay switched off
  3 attaching failed   130 interrupted by Ctrl-C")]
pub(crate) struct Detach {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: String,
}
