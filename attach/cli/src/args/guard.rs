//! Flags of guarding a JVM against deadlocks.

use super::trace::Choice;
use super::{Destination, Recording, Trace, deadlocks::tiers};
use clap::Args;
use locklens_inference::deadlock::finding::Tier;
use std::path::PathBuf;

/// Watch a JVM for locks taken in circles, for as long as it runs, and tell each as it appears
///
/// Classes are rewritten as by 'locklens trace --no-clock', so that every acquisition is seen. What is new in them is found
/// inside the JVM: each lock taken inside others, once for each of the first threads that do it. Only that travels, some
/// kilobytes in all, whatever the program does, and the memory is bounded. A cycle of such dependencies that no common lock
/// excludes is told as soon as its last part is seen.
#[derive(Debug, Args)]
#[command(
    override_usage = "locklens guard [OPTIONS] <PID|NAME>\n       locklens guard [OPTIONS] -- java ARG…",
    mut_arg("max_overhead", |arg| arg.hide(true)),
    mut_arg("all_app", |arg| arg.help("Every class outside the JDK, and the JDK's Collections.synchronized…, Timer, Observable, handlers of java.util.logging, and AWT's Component and Container, which programs use as locks (of a started command: what is taken if nothing is named)")),
    mut_arg("no_juc", |arg| arg.hide(true)),
    mut_arg("stack_depth", |arg| arg.hide(true)),
    mut_arg("duration", |arg| arg.help("How long: 30, 30s, 1m30s, 500ms; 0 = until Ctrl-C or the end of the JVM [default: 0]")),
    mut_arg("output", |arg| arg.help("Keep what was found as a trace, for 'deadlocks', 'check' and 'graph': %p stands for the pid, %t for the time")),
    after_help = "\
Examples:
  locklens guard 4242 --all-app            until Ctrl-C
  locklens guard Main --class 'com.example.*' -d 1h -o guard.llt
  locklens guard -- java -jar app.jar      from its start on; the classes outside the JDK
  locklens guard 4242 --all-app --juc      locks of java.util.concurrent, too
  locklens guard 4242 --all-app --json | jq -r 'select(.event==\"cycle\").headline'
  locklens guard -o guard.llt -- java TestMain; locklens check guard.llt --baseline known.json

Exit status:
  0 no cycle of tier T4 or better   1 there is one (--min-tier sets which)
  2 usage, or nothing was rewritten   3 attach failed   4 it ended early: the target went away
  of a started command: its own, unless ours is not 0

The classes are put back at the end, on Ctrl-C, and when this command dies. Up to JDK 22 the first rewriting discards all
compiled code of the JVM: you are asked before."
)]
pub(crate) struct Guard {
    /// The JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "PID|NAME", required_unless_present = "launch")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// The locks of java.util.concurrent, too: what is taken and given back. Rewrites their classes
    #[arg(long)]
    pub(crate) juc: bool,
    /// Say what would be rewritten, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask, whatever it costs the JVM
    #[arg(long, conflicts_with = "no_rewrite")]
    pub(crate) yes: bool,
    /// Never rewrite a class: there is nothing left to do then, and this is refused
    #[arg(long)]
    pub(crate) no_rewrite: bool,
    /// The weakest proof that is told and ends with status 1
    #[arg(long, value_name = "TIER", default_value = "T4", ignore_case = true, value_parser = tiers())]
    pub(crate) min_tier: Tier,
    /// Tell every new dependency, too, and cycles of any tier
    #[arg(long)]
    pub(crate) all: bool,
    /// Print a line of JSON for each thing told
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) recording: Recording,
    #[command(flatten)]
    pub(crate) destination: Destination,
    /// A Java command to start and guard from its beginning (ends with its exit status)
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["target", "dry_run"])]
    pub(crate) launch: Vec<std::ffi::OsString>,
}

impl Guard {
    /// What is traced for that, into this file.
    pub(crate) fn as_trace(&self, output: PathBuf) -> Trace {
        let zero = std::time::Duration::ZERO;
        Trace {
            target: self.target.clone(),
            choice: Choice {
                all_app: self.choice.all_app || self.choice.is_empty() && !self.launch.is_empty(),
                ..self.choice.clone()
            },
            juc: self.juc,
            dry_run: self.dry_run,
            dormant: false,
            yes: self.yes,
            no_clock: true,
            no_rewrite: false,
            recording: Recording {
                duration: Some(self.recording.duration.unwrap_or(zero)),
                no_juc: true,
                ..self.recording.clone()
            },
            destination: Destination {
                output: Some(output),
                ..self.destination.clone()
            },
            launch: self.launch.clone(),
        }
    }
}
