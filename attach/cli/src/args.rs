//! Every flag of the command: the one place where names, defaults and help are written.

use crate::quantity;
use crate::replace::{Replace, STDOUT};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use locklens_inference::sample::By;
use locklens_viz::report::SortKey;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a trace file is called when nothing is asked for.
pub(crate) const DEFAULT_OUTPUT: &str = "locklens-{main}-%p-%t.llt";

const EXAMPLES: &str = "\
Examples:
  locklens demo                        see it work on a bundled program
  locklens list                        the JVMs here
  locklens doctor 4242                 what works on JVM 4242, and what it would cost it
  locklens 4242                        watch JVM 4242 for 30 s, then report its locks
  locklens Main -d 10s -o app.llt      the same for the main class Main; keep the trace
  locklens record 4242 -o app.llt      watch, keep the trace
  locklens report app.llt              the table of its locks
  locklens show app.llt 1              lock 1 in full
  locklens graph app.llt --cycles      locks taken in circles: possible deadlocks
  locklens pressure app.llt            when locks kept threads from running, and how much
  locklens sample 4242                 what its threads do, at nearly no cost
  locklens contention app.llt          who blocked whom, where, and for how long
  locklens trace 4242 --locks 1 --from app.llt
                                       lock 1 exactly: every enter, exit, wait and notify
  locklens attach 4242 threaddump      what jstack prints, without a JDK

Exit status:
  0 fine   1 findings of a command that looks for them: graph --cycles
  2 usage or bad input, or nothing could be written   3 attach failed
  4 the recording ended early: the target went away, or the disk is full; what there is is kept
  130 interrupted by Ctrl-C before there was anything to keep
A report is no gate: it ends with 0 whatever it shows, a deadlock at its top too.

On a terminal: NO_COLOR, CLICOLOR_FORCE and COLUMNS are honoured.";

/// What the locks of a live JVM really are and do.
#[derive(Debug, Parser)]
#[command(
    name = "locklens",
    version,
    about,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Without a command: record, then report.
    #[command(flatten)]
    pub(crate) watch: Watch,
}

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
    #[arg(long, value_name = "force", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = ["", "force"], hide_possible_values = true)]
    pub(crate) exact: Option<String>,
    /// With --exact: every park and unpark, too, so that the locks of java.util.concurrent are not sampled
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

impl Cli {
    /// The command line, with what one group of flags says to another.
    pub(crate) fn try_parse_whole() -> Result<Self, clap::Error> {
        let mut cli = Self::try_parse()?;
        let watching = match &mut cli.command {
            None => Some((&cli.watch.exact, &mut cli.watch.recording)),
            Some(Command::Record(args)) => Some((&args.exact, &mut args.recording)),
            Some(_) => None,
        };
        if let Some((exact, recording)) = watching {
            recording.vm_probes = exact.vm_probes;
        }
        Ok(cli)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(List),
    Attach(Attach),
    Doctor(Doctor),
    Record(Record),
    Trace(Trace),
    Detach(Detach),
    Report(Report),
    Show(Show),
    Events(Events),
    Graph(Graph),
    Pressure(Pressure),
    Sample(Sample),
    Contention(Contention),
    Info(Info),
    Demo(Demo),
    Agent(Agent),
}

/// List the JVMs that can be seen from here
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens list
  locklens list --json | jq '.[].pid'")]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Send one command of the attach protocol to a JVM and print its reply
#[derive(Debug, Args)]
#[command(after_help = "\
Commands every HotSpot JVM knows:
  threaddump [-l]                    datadump
  inspectheap [-live|-all]           dumpheap FILE [-live|-all]
  properties                         agentProperties
  printflag NAME                     setflag NAME VALUE
  jcmd [COMMAND [ARG…]]              load LIBRARY [true|false [OPTIONS]]
A FILE or LIBRARY is a path as the JVM sees it.

Examples:
  locklens attach 4242 threaddump -l
  locklens attach 4242 jcmd VM.flags -all
  locklens attach Main setflag HeapDumpOnOutOfMemoryError 1

Exit status:
  0 the JVM answered with status 0   1 with another one   3 attaching failed
  130 interrupted by Ctrl-C")]
pub(crate) struct Attach {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: String,
    /// The command to send
    pub(crate) command: String,
    /// Its arguments
    #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
    pub(crate) args: Vec<String>,
}

/// Say beforehand what works on a JVM, what it would cost it, and what is in the way
///
/// Has the JVM listen, as jcmd does, asks it for a flag, and makes and removes a directory where its library
/// would lie. Nothing is loaded.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens doctor 4242
  locklens doctor 4242 --json | jq .exact.kind

Exit status:
  0 it can be recorded   3 it can't: attaching would fail   130 interrupted by Ctrl-C")]
pub(crate) struct Doctor {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: String,
    /// Ceiling of the agent's memory that is meant
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = buffer)]
    pub(crate) buffer: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
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
  locklens record 4242 -d 0            until Ctrl-C or the JVM's end

Exit status:
  0 fine, also when Ctrl-C ended it early, or with -d 0 the JVM's orderly end
  2 usage, or nothing could be written   3 attach failed
  4 the recording ended early (the target went away, the disk is full): what there is is kept
  130 interrupted by Ctrl-C before the recording began
  of a started command: its own, unless ours is not 0

Times on monitors are complete: there is no threshold and no sampling. What did not fit into the
buffer is dropped and counted, never waited for. Locks of java.util.concurrent are sampled."
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
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["target", "exact"])]
    pub(crate) launch: Vec<std::ffi::OsString>,
}

/// Rewrite chosen classes of a live JVM, record every event of their locks, and put them back
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens trace 4242 --locks 1,3 --from app.llt -o exact.llt
  locklens trace Main --class 'com.example.store.*' -d 10s
  locklens trace Main --all-app --dry-run
  locklens trace Main --juc            parks on locks of java.util.concurrent, every one
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
    /// Every class outside the JDK
    #[arg(long)]
    pub(crate) all_app: bool,
    /// Every park and unpark: the locks of java.util.concurrent, exactly. Rewrites LockSupport
    #[arg(long, conflicts_with_all = ["no_clock", "no_juc"])]
    pub(crate) juc: bool,
    /// Say what would be rewritten, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Leave the probes in place at the end, switched off, instead of a second dip; 'locklens detach' takes them out
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) dormant: bool,
    /// Do not ask, whatever it costs the JVM
    #[arg(long)]
    pub(crate) yes: bool,
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

/// The file that a text is to be written to, if it is not for standard output.
pub(crate) fn file(output: &Option<PathBuf>) -> Option<&Path> {
    output.as_deref().filter(|path| *path != Path::new(STDOUT))
}

/// How to record.
#[derive(Clone, Debug, Args)]
pub(crate) struct Recording {
    /// How long to record: 30, 30s, 1m30s, 500ms; 0 = until Ctrl-C or the end of the JVM
    /// [default: 30s; of a started command: 0]
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
    /// (which are sampled otherwise, for at most 0.5 % of one processor)
    #[arg(long)]
    pub(crate) no_juc: bool,
    /// Listen to the VM's own probes; a flag of the commands that watch, see [`Exact`].
    #[arg(skip)]
    pub(crate) vm_probes: Option<u32>,
}

/// Smallest buffer a recording makes sense with.
const SMALLEST_BUFFER: u64 = 1 << 20;
const BUFFER: u64 = 64 << 20;
const STACK_DEPTH: u32 = 16;

fn buffer(text: &str) -> Result<u64, String> {
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
            vm_probes: None,
        }
    }
}

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
    /// Order of the locks. hurt = time blocked, then time in Object.wait, which may be mere idling: wait-time puts it first. locked = acquisitions, known of exact recordings only
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

Exit status: 0 whatever it shows, a deadlock too; to test for one: graph --cycles")]
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
/// Locks of java.util.concurrent have no edges; deadlocks they are part of are told all the same.
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

/// Say how much locks keep threads from running, and when
///
/// Of each lock and interval: the time threads spend acquiring it, by the running time of all threads of the application.
/// Waiting in Object.wait or on a condition or queue is not running; being blocked, asleep or ready to run is.
/// Of a JVM it prints a line when a phase of high pressure begins and when it ends, until Ctrl-C, and then all in all;
/// no trace is written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens pressure app.llt
  locklens pressure app.llt --interval 200ms --threshold 5%
  locklens pressure app.llt --threads 'http-*'    of these threads only
  locklens pressure exact.llt --metrics           gets, misses, hold times …
  locklens pressure app.llt --json | jq '.locks[] | {name, average_percent, phases}'
  locklens pressure 4242                          of a live JVM, until Ctrl-C
  locklens pressure 4242 -d 60s --threshold 20%")]
pub(crate) struct Pressure {
    /// A trace, or a JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "FILE|PID|NAME")]
    pub(crate) subject: String,
    /// Length of an interval; much shorter ones show chance
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = interval)]
    pub(crate) interval: Duration,
    /// A lock that takes so much of the running time in intervals one after the other has a phase
    #[arg(long, value_name = "PERCENT", default_value = "10%", value_parser = quantity::percent)]
    pub(crate) threshold: f64,
    /// Only threads with such a name, or in a group with such a name; * stands for anything
    #[arg(long, value_name = "GLOB")]
    pub(crate) threads: Option<String>,
    /// The classical metrics, too. Most are known of exact recordings only
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Print JSON; of a JVM when it is over
    #[arg(long)]
    pub(crate) json: bool,
    /// Of a JVM: how long to watch; 0 = until Ctrl-C or the end of the JVM [default: 0]
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true, value_parser = quantity::duration)]
    pub(crate) duration: Option<Duration>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

/// Shortest interval: below, the clock of the events is too coarse.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(1);

fn interval(text: &str) -> Result<Duration, String> {
    match quantity::duration(text)? {
        interval if interval < SHORTEST_INTERVAL => Err("less than 1ms".to_string()),
        interval => Ok(interval),
    }
}

/// Say what the threads of a JVM do, found by looking at them now and then: how often blocked, parked, waiting, and where
///
/// Nothing of the JVM is switched on: its threads are looked at, no event is recorded. Only threads that stand still are asked
/// for a call chain. Saved thread dumps (of jstack, jcmd Thread.print, kill -3) are samples too.
#[derive(Debug, Args)]
#[command(
    override_usage = "locklens sample [OPTIONS] <PID|NAME>\n       locklens sample [OPTIONS] <DUMP>…",
    after_help = "\
Examples:
  locklens sample 4242                 a minute, ten looks a second
  locklens sample Main -d 10s --by thread
  locklens sample 4242 --by location --json | jq '.rows[0]'
  locklens sample 4242 -d 0            for good; Ctrl-\\ or kill -USR1 prints the last 10 minutes
  locklens sample 4242 --group 'pool-[a-z]+|http'
  locklens sample dump1.txt dump2.txt  dumps that were saved, any number in each file
  locklens sample 4242 --no-agent      nothing is loaded: thread dumps, seldom enough to stop it under 1 %

Exit status:
  0 fine, also when Ctrl-C ended it early   2 usage, or nothing that is a thread dump
  3 attach failed   4 the JVM went away meanwhile: what there is is printed
  130 interrupted by Ctrl-C before there was anything to print"
)]
pub(crate) struct Sample {
    /// The JVM (a pid, a main class, a jar, or a unique part of one), or files with thread dumps
    #[arg(value_name = "PID|NAME|DUMP", required = true)]
    pub(crate) targets: Vec<String>,
    /// Time between two looks
    #[arg(short, long, value_name = "TIME", default_value = "100ms", value_parser = period)]
    pub(crate) interval: Duration,
    /// How long: 30, 30s, 1m30s; 0 = until Ctrl-C, keeping the last 10 minutes
    #[arg(short, long, value_name = "TIME", default_value = "60s", allow_hyphen_values = true, value_parser = quantity::duration)]
    pub(crate) duration: Duration,
    /// What rows are for: thread, group (of threads whose names differ in numbers alone), location (lock and place)
    #[arg(long, value_name = "KEY", default_value = "group", value_parser = by())]
    pub(crate) by: By,
    /// Group threads by what this matches of their names, not by names without numbers; its first (…) if it has one
    #[arg(long, value_name = "REGEX", value_parser = regex_lite::Regex::new)]
    pub(crate) group: Option<regex_lite::Regex>,
    /// Show frames of these methods (package.Class.method, * stands for anything), even of the JDK
    #[arg(short = 'I', long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Pass over frames of these methods, as over those of the JDK
    #[arg(short = 'X', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Load nothing into the JVM: ask it for thread dumps
    #[arg(long)]
    pub(crate) no_agent: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Shortest time between two looks: with less, looking is all that the agent does.
const SHORTEST_PERIOD: Duration = Duration::from_millis(5);

fn period(text: &str) -> Result<Duration, String> {
    match quantity::duration(text)? {
        period if period < SHORTEST_PERIOD => Err("shorter than 5ms".to_string()),
        period => Ok(period),
    }
}

fn by() -> impl TypedValueParser<Value = By> {
    PossibleValuesParser::new(["thread", "group", "location"]).map(|word| match word.as_str() {
        "thread" => By::Thread,
        "location" => By::Location,
        _ => By::Group,
    })
}

/// Say who blocked whom, where, and for how long
///
/// Every blocked stay is divided among the threads that held the lock during it, and the time is summed up by the keys of
/// --by, the first one outermost. Known for certain of exact recordings (locklens trace); of others as far as
/// contention itself tells, the rest is called unknown.
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
  time                                the second of the recording

Examples:
  locklens contention app.llt
  locklens contention app.llt --by owner-stack
  locklens contention app.llt --by time,lock,owner-thread
  locklens contention app.llt --root --by owner-thread
                                       who is to blame in the end
  locklens contention app.llt --waits --by lock,owner-method
                                       who ended waits, and from where
  locklens contention app.llt --flame owner -o blame.svg
  locklens contention app.llt --json | jq '.rows[] | {lock: .keys.lock, ns}'")]
pub(crate) struct Contention {
    /// A trace
    pub(crate) file: PathBuf,
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

/// Start a bundled Java program, attach to it live, and report its locks
///
/// The program is compiled and started by the JDK of JAVA_HOME, else by the one on the PATH, else by one in the usual folders.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens demo
  locklens demo -d 30s -o demo.llt     keep the trace, for show, events, graph
  JAVA_HOME=/usr/lib/jvm/java-8-openjdk locklens demo")]
pub(crate) struct Demo {
    /// How long to record
    #[arg(short, long, value_name = "TIME", allow_hyphen_values = true, default_value = "10s", value_parser = quantity::duration)]
    pub(crate) duration: Duration,
    /// Keep the trace here
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite FILE even if it is something else than a trace
    #[arg(long)]
    pub(crate) force: bool,
}

/// Write the agent library, for JVMs that are to be ready for exact recording from their start
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens agent -o /opt/liblocklens-agent.so
  java -agentpath:/opt/liblocklens-agent.so=standby -jar app.jar
  JAVA_TOOL_OPTIONS=-agentpath:/opt/liblocklens-agent.so=standby ./start.sh

On standby the agent does nothing, but the JVM (up to JDK 22) keeps record of what its compiled code
depends on, so that 'locklens trace' later discards little of it.")]
pub(crate) struct Agent {
    /// Where to write it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Overwrite FILE even if it is something else than the library
    #[arg(long)]
    pub(crate) force: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_bare_target_is_recorded_and_reported() {
        let cli = Cli::try_parse_from(["locklens", "4242", "-d", "1m"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.watch.target.as_deref(), Some("4242"));
        assert_eq!(cli.watch.recording.duration, Some(Duration::from_secs(60)));
    }

    #[test]
    fn a_command_to_start_follows_two_dashes() {
        let cli =
            Cli::try_parse_from(["locklens", "record", "-o", "x", "--", "java", "-d"]).unwrap();
        let Some(Command::Record(record)) = cli.command else {
            panic!("{cli:?}")
        };
        assert_eq!(record.launch, ["java", "-d"]);
        assert_eq!(record.target, None);
    }

    #[test]
    fn record_needs_exactly_one_subject() {
        assert!(Cli::try_parse_from(["locklens", "record"]).is_err());
        assert!(Cli::try_parse_from(["locklens", "record", "1", "--", "java"]).is_err());
    }

    #[test]
    fn arguments_of_the_attach_protocol_may_start_with_a_dash() {
        let cli = Cli::try_parse_from(["locklens", "attach", "1", "threaddump", "-l"]).unwrap();
        let Some(Command::Attach(attach)) = cli.command else {
            panic!("{cli:?}")
        };
        assert_eq!(attach.args, ["-l"]);
    }
}
