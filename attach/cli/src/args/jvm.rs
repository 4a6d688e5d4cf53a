//! Flags of commands about a JVM that record nothing, and of those that need none.

use super::record::buffer;
use crate::quantity;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

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
/// would lie. Nothing is loaded. Without PID: what would be in the way of every JVM that runs here; none is touched.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens doctor                      whose JVMs can be seen and reached from here
  locklens doctor 4242
  locklens doctor 4242 --json | jq .exact.kind

Exit status:
  0 it can be recorded   3 it can't, or nothing here can: attaching would fail   130 interrupted by Ctrl-C")]
pub(crate) struct Doctor {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME")]
    pub(crate) target: Option<String>,
    /// Ceiling of the agent's memory that is meant
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = buffer)]
    pub(crate) buffer: u64,
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
