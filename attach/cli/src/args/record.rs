//! Flags of recordings: whom, how long, how, and where to.

use super::Analysis;
use crate::quantity;
use crate::replace::Replace;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `locklens PID|NAME`.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// The JVM to record and report on: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) exact: Exact,
    #[command(flatten)]
    pub(crate) recording: Recording,
    #[command(flatten)]
    pub(crate) destination: Destination,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Whether to rewrite.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Exact {
    /// Watch for some seconds, then rewrite the classes of the locks that matter and record every
    /// event of them; force = do not ask, whatever it costs the JVM
    #[arg(long, value_name = "force", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = ["", "force"], hide_possible_values = true, conflicts_with = "max_overhead")]
    pub(crate) exact: Option<String>,
    /// With --exact: every operation and park of the locks of java.util.concurrent, too, which are left
    /// out otherwise. Rewrites their classes
    #[arg(long, requires = "exact", conflicts_with_all = ["no_juc", "no_rewrite"])]
    pub(crate) juc: bool,
    /// With --exact: leave the probes in place at the end, switched off, instead of a second dip; 'locklens detach' takes them out
    #[arg(long, requires = "exact")]
    pub(crate) dormant: bool,
    /// Never rewrite a class (nothing does without --exact)
    #[arg(long, conflicts_with = "exact")]
    pub(crate) no_rewrite: bool,
    /// Listen to the VM's own probes, too: notifies, and exits that wake somebody, are observed, not
    /// inferred. Rewrites nothing. Only on some builds; `locklens doctor` tells beforehand.
    /// TIMES = switch them on so often, to see that it does no harm
    #[arg(long, value_name = "TIMES", num_args = 0..=1, require_equals = true, default_missing_value = "1", conflicts_with = "exact", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) vm_probes: Option<u32>,
}

/// Record what happens on the locks of a JVM into a trace file. Observes only
#[derive(Debug, Args)]
#[command(
    override_usage = "locklens record [OPTIONS] <PID|NAME>\n       locklens record [OPTIONS] -- java ARG…",
    after_help = "\
Examples:
  locklens record 4242                 30 seconds; Ctrl-C ends it early and keeps the trace
  locklens record Main -d 2m -o '%p-%t.llt'
  locklens record -o app.llt -- java -jar app.jar
  locklens record Main --vm-probes     notifies and exits observed, where the JVM's build allows it
  locklens record 4242 --max-overhead 1%
                                       give up detail rather than cost the program more
  locklens record 4242 -d 0            until Ctrl-C or the JVM's end

Exit status:
  0 fine, also when Ctrl-C ended it early, or with -d 0 the JVM's orderly end
  2 usage, or nothing could be written   3 attach failed
  4 the recording ended early (the target went away, the disk is full): what there is is kept
  130 interrupted by Ctrl-C before the recording began
  of a started command: its own, unless ours is not 0

Times on monitors are complete: there is no threshold and, without --max-overhead, no sampling. What
did not fit into the buffer is dropped and counted, never waited for. Locks of java.util.concurrent
are sampled. What it cost the program is said at the end."
)]
pub(crate) struct Record {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME", required_unless_present = "launch")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) exact: Exact,
    #[command(flatten)]
    pub(crate) recording: Recording,
    #[command(flatten)]
    pub(crate) destination: Destination,
    /// A Java command to start and record from its beginning (ends with its exit status)
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "target")]
    pub(crate) launch: Vec<std::ffi::OsString>,
}

/// What a trace file is called when nothing is asked for.
pub(crate) const DEFAULT_OUTPUT: &str = "locklens-{main}-%p-%t.llt";

/// Where a recording goes.
#[derive(Clone, Debug, Args)]
pub(crate) struct Destination {
    /// Where to write the trace: %p stands for the pid, %t for the time
    /// [default: locklens-MAIN-%p-%t.llt, in a temporary folder if not here]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE even if it is something else than a trace
    #[arg(long)]
    pub(crate) force: bool,
    /// Make names of classes, methods, fields and threads of the program, and texts in its code, unreadable
    /// before they are written; those of the JDK stay. The same name always becomes the same word; the key
    /// is random, or LOCKLENS_REDACT_KEY
    #[arg(long)]
    pub(crate) redact: bool,
}

impl Destination {
    /// The file, as it was named.
    pub(crate) fn pattern(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// What may be overwritten.
    pub(crate) fn replace(&self) -> Replace {
        Replace::forced(self.force)
    }
}

/// How to record.
#[derive(Clone, Debug, PartialEq, Args)]
pub(crate) struct Recording {
    /// How long to record: 30, 30s, 1m30s, 500ms; 0 = until Ctrl-C or the end of the JVM
    /// [default: 30s; of a started command and of top: 0]. A started command runs on to its own end
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true, value_parser = quantity::duration)]
    pub(crate) duration: Option<Duration>,
    /// Frames kept of each call chain; 0 = none. A cut chain says so
    #[arg(long, value_name = "N", default_value_t = STACK_DEPTH, value_parser = clap::value_parser!(u32).range(0..=128))]
    pub(crate) stack_depth: u32,
    /// Ceiling of the agent's memory in the JVM; --exact needs 32M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = buffer)]
    pub(crate) buffer: u64,
    /// Record the JVM's own known-safe locks too, instead of only counting them
    #[arg(long)]
    pub(crate) record_safe_locks: bool,
    /// Do not look at parked threads: nothing of the locks of java.util.concurrent
    /// (which are sampled otherwise, for at most 0.5 % of one processor, where nothing is rewritten)
    #[arg(long)]
    pub(crate) no_juc: bool,
    /// What the recording may cost, a share of the processor time the program itself takes, of one
    /// processor at least. What has to be given up for it is said: frames of call chains, call chains,
    /// at last all but slices of time. Not of an exact recording
    #[arg(long, value_name = "PERCENT", value_parser = overhead)]
    pub(crate) max_overhead: Option<u32>,
    /// Listen to the VM's own probes; a flag of the commands that watch, see [`Exact`].
    #[arg(skip)]
    pub(crate) vm_probes: Option<u32>,
}

/// Below, the agent's thread is dearer even where nothing happens. Percent.
const LEAST_OVERHEAD: f64 = 0.1;

/// Reads a share; parts in a million.
fn overhead(text: &str) -> Result<u32, String> {
    let share = quantity::percent_from(text, LEAST_OVERHEAD)?;
    Ok((share * 1e6).round() as u32)
}

/// Smallest buffer a recording makes sense with.
const SMALLEST_BUFFER: u64 = 1 << 20;
const BUFFER: u64 = 64 << 20;
const STACK_DEPTH: u32 = 16;

pub(super) fn buffer(text: &str) -> Result<u64, String> {
    match quantity::bytes(text)? {
        size if size < SMALLEST_BUFFER => Err("less than 1M".to_string()),
        size if size > 16 << 30 => Err("more than 16G".to_string()),
        size => Ok(size),
    }
}

/// What the flags say when none is given.
impl Default for Recording {
    fn default() -> Self {
        Self {
            duration: None,
            stack_depth: STACK_DEPTH,
            buffer: BUFFER,
            record_safe_locks: false,
            no_juc: false,
            max_overhead: None,
            vm_probes: None,
        }
    }
}
