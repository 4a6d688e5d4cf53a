//! Flags of the command that judges a potential deadlock again.

use super::{Analysis, Destination, Recording};
use clap::Args;
use std::path::PathBuf;

/// Judge one potential deadlock again, by a recording with reads and writes of the code concerned
///
/// 'locklens deadlocks FILE' goes by locks: that two threads tell each other by a volatile field or an atomic who comes
/// first, it cannot see. This command records the code of one of its findings once more, and with it every access to a
/// field and to an atomic there. It adds what that run shows: that it happened, that it is possible as far as reads were
/// recorded (T1 relative to that), or what may have kept the order. It never rules a deadlock out: no run can.
#[derive(Debug, Args)]
#[command(mut_arg("max_overhead", |arg| arg.hide(true)), mut_arg("redact", |arg| arg.hide(true)), after_help = "\
Examples:
  locklens trace --all-app -o app.llt -- java Main
  locklens deadlocks app.llt           what could have happened; each has an id
  locklens confirm app.llt D1f0c27a4 -- java Main
                                       the same program again, from its start
  locklens confirm app.llt D1f0c27a4 4242 -d 60s -o again.llt
                                       in JVM 4242; 'locklens deadlocks again.llt' says the same

Only of a program that is started here anything is concluded from reads: what threads under way read
in code that they are inside of is not seen. Nor where records are lost or code cannot be rewritten,
which is said. With -d a started program is ended when the time is over, also if it hangs. The classes are rewritten in the running JVM and put
back as 'locklens trace' does it; you are asked before where that costs something. Accesses are dear:
the program runs slower meanwhile. What a started command prints goes to standard error.

Exit status:
  1 it was judged, and stands, whatever the run showed; --json has the verdict. Never 0, but for --dry-run
  2 usage or bad input   3 attach failed
  4 the recording ended early (the program was killed): what there is was judged
  otherwise that of the started program, if it is not 0
  130 interrupted by Ctrl-C before there was anything to judge")]
pub(crate) struct Confirm {
    /// The recording that shows it
    pub(crate) file: PathBuf,
    /// Its id, as 'locklens deadlocks FILE' prints it, or the beginning of it
    pub(crate) id: String,
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME", required_unless_present = "launch")]
    pub(crate) target: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Say what would be rewritten, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask, whatever it costs the JVM
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) recording: Recording,
    #[command(flatten)]
    pub(crate) destination: Destination,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    /// A Java command to start and record from its beginning
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["target", "dry_run"])]
    pub(crate) launch: Vec<std::ffi::OsString>,
}
