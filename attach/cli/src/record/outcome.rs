//! What a recording came to: the exit status, and what is said about it.

use super::output::{self, TraceFile};
use super::session::Finish;
use super::tally::Tally;
use crate::exit::{Exit, Failure};
use crate::quantity::{counted, show_bytes};
use crate::terminal::note;
use locklens_hotspot::{Pid, halted};
use locklens_viz::{clean, cost, given_up};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// A recording that has ended.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The trace.
    pub(crate) file: TraceFile,
    /// How the command should end.
    pub(crate) exit: Exit,
    /// The agent has said that it was over, and sent everything.
    pub(crate) in_order: bool,
    /// What the trace holds, for people.
    pub(crate) summary: String,
    /// What it says of its exact part, if it has one.
    pub(crate) facts: BTreeMap<String, String>,
}

/// Whose JVM was recorded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// Somebody's.
    Running {
        /// Its pid.
        pid: u32,
        /// It was to be recorded until its end: that is no surprise.
        to_its_end: bool,
    },
    /// Started here: it may end.
    Launched,
}

/// Where what is recorded goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Destination<'a> {
    /// Into a trace of this name.
    Trace(&'a str),
    /// Nowhere: it is counted as it comes.
    Result,
}

impl Destination<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Trace(name) => name,
            Self::Result => "the result",
        }
    }

    /// What becomes of what there is, should it end early.
    fn rest(&self) -> &'static str {
        match self {
            Self::Trace(_) => "what was recorded until then is kept",
            Self::Result => "what it told until then is counted, and there is no trace",
        }
    }
}

/// Says what has to be said of the end of a recording, and what the trace holds.
pub(super) fn conclude(finish: Finish, target: Target, tally: &Tally, file: TraceFile) -> Recorded {
    let in_order = matches!(finish, Finish::Stopped | Finish::VmEnded);
    let (exit, said) = ending(finish, target, Destination::Trace(&file.name()));
    said.into_iter().for_each(note);
    Recorded {
        exit,
        in_order,
        summary: summary(tally, &file, target, in_order),
        facts: tally.exact.clone(),
        file,
    }
}

/// How the command ends after that, and what is to be said of it.
pub(super) fn ending(
    finish: Finish,
    target: Target,
    into: Destination<'_>,
) -> (Exit, Option<String>) {
    match finish {
        Finish::Stopped => (Exit::Fine, None),
        Finish::VmEnded => ended(target),
        Finish::Broken => departed(target, into),
        Finish::Silent(gap) => cut_short(silent(gap), into),
        Finish::NoMemory => cut_short(NO_MEMORY, into),
        Finish::Unresponsive(pid) => cut_short(unresponsive(pid), into),
        Finish::Disk(error) => {
            let name = into.name();
            let said = format!("recording ended early, {name} can't be written: {error}");
            cut_short(said, into)
        }
        Finish::Nonsense(nonsense) => {
            cut_short(format_args!("recording stopped: {nonsense}"), into)
        }
    }
}

const NO_MEMORY: &str =
    "recording ended early: the target's process has no memory left, so the agent left it";

/// It ended before its time: why, and what becomes of what there is.
fn cut_short(why: impl fmt::Display, into: Destination<'_>) -> (Exit, Option<String>) {
    (Exit::CutShort, Some(format!("{why}; {}", into.rest())))
}

fn unresponsive(target: Option<Pid>) -> String {
    let halted = target.and_then(|pid| Some((pid, halted(pid)?)));
    match halted {
        Some((Pid(pid), why)) => {
            format!("the target is {why}: `kill -CONT {pid}` lets it go on")
        }
        None => "the target does not answer (stopped?)".to_owned(),
    }
}

fn silent(gap: Duration) -> String {
    format!(
        "recording ended early: this command did not run for {} s (stopped?), so the agent left the target",
        gap.as_secs_f32().round()
    )
}

/// The target ended in order.
fn ended(target: Target) -> (Exit, Option<String>) {
    let exit = match target {
        Target::Launched => return (Exit::Fine, None),
        Target::Running { to_its_end, .. } if to_its_end => Exit::Fine,
        Target::Running { .. } => Exit::CutShort,
    };
    let said = "the target ended; the trace is whole up to its end";
    (exit, Some(said.to_owned()))
}

/// Nothing comes any more, and nobody has said why.
fn departed(target: Target, into: Destination<'_>) -> (Exit, Option<String>) {
    match target {
        Target::Launched => {
            let said = "the JVM ended without a word; the trace may lack its last moments";
            (Exit::Fine, Some(said.to_owned()))
        }
        Target::Running { pid, .. } if is_there(pid) => {
            cut_short("the agent broke off, the target still runs", into)
        }
        Target::Running { .. } => cut_short("the target went away", into),
    }
}

/// A process that is being taken down closes its connections a moment before it is gone: one whose memory has been
/// given back already counts as gone.
fn is_there(pid: u32) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"));
    status.is_ok_and(|status| status.lines().any(|line| line.starts_with("VmSize:")))
}

/// A failure where not even the beginning of the trace could be written: there is nothing to keep.
pub(super) fn kept(finish: Finish, file: &TraceFile) -> Result<Finish, Failure> {
    match finish {
        Finish::Disk(error) if !file.holds_anything() => {
            Err(output::unwritable(file.path(), &error))
        }
        finish => Ok(finish),
    }
}

fn summary(tally: &Tally, file: &TraceFile, target: Target, in_order: bool) -> String {
    let mut text = format!(
        "{}: {}, {}, {} lost",
        file.name(),
        show_bytes(file.len()),
        contents(tally),
        tally.lost
    );
    if tally.stacks_lost > 0 {
        text += &format!(", {} left out", counted(tally.stacks_lost, "call chain"));
    }
    if tally.hidden() > 0 {
        text += &format!(", {} of known-safe locks only counted", tally.hidden());
    }
    if tally.lost > tally.unidentified {
        text += "\nWhat was lost found no room in the agent's memory: --buffer gives it more.";
    }
    if tally.unidentified > 0 {
        text += &format!(
            "\nLost without a remedy: {} of objects or threads that could not be identified: they were gone by then, or another thread met the same object for the first time and did not come to its end.",
            counted(tally.unidentified, "event")
        );
    }
    text += &verdict(tally, in_order);
    text += &stuck(tally, file, target);
    for said in [cost(&tally.cost), given_up(&tally.cost)]
        .into_iter()
        .flatten()
    {
        text += &format!("\n{said}");
    }
    text
}

/// Events of monitors; of locks of `java.util.concurrent` where every operation or park is told.
fn contents(tally: &Tally) -> String {
    let locks = counted(tally.locks() as u64, "lock object");
    let mut text = format!("{} on {locks}", counted(tally.events, "event"));
    if tally.operations > 0 {
        text += &format!(", {}", counted(tally.operations, "operation"));
    }
    if tally.parks > 0 {
        text += &format!(", {}", counted(tally.parks, "park"));
    }
    text
}

/// Deadlocks, and who explains them.
fn stuck(tally: &Tally, file: &TraceFile, target: Target) -> String {
    let lines = tally.deadlocks();
    if lines.is_empty() {
        return String::new();
    }
    let mut text: String = lines
        .iter()
        .map(|line| format!("\n{}", clean(line)))
        .collect();
    text += &match target {
        Target::Running { pid, .. } => format!(
            "\n'locklens deadlocks {pid}' explains it while the JVM runs; 'locklens report' shows it with call chains."
        ),
        Target::Launched => format!(
            "\n'locklens report {}' shows it with call chains.",
            file.name()
        ),
    };
    text
}

/// What is to be said of a recording without any lock.
fn verdict(tally: &Tally, in_order: bool) -> String {
    match (tally.locks(), tally.unread) {
        (1.., _) => String::new(),
        (0, 1..) => format!(
            "\n{} blocked or waiting on a monitor, on which could not be told.",
            counted(tally.unread, "thread")
        ),
        (0, 0) if tally.operations + tally.parks > 0 => String::new(),
        (0, 0) if tally.stands => {
            "\nNo thread blocked or waited on a monitor in this time, and yet none goes on: 'locklens report' says how they stand."
                .to_string()
        }
        (0, 0) if in_order && tally.lost == 0 => {
            "\nNo thread blocked or waited on a monitor in this time: there is nothing to report on."
                .to_string()
        }
        (0, 0) => "\nNothing is known of any lock: the recording is not whole.".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_and_parks_are_contents() {
        let mut tally = Tally::default();
        (tally.operations, tally.parks) = (178_930, 1);
        let said = contents(&tally);
        assert!(said.starts_with("0 events on 0 lock objects, "), "{said}");
        assert!(said.ends_with("operations, 1 park"), "{said}");
        assert_eq!(verdict(&tally, true), "");
        assert_ne!(verdict(&Tally::default(), true), "");
    }

    #[test]
    fn nothing_is_said_to_be_kept_where_no_trace_is_written() {
        // No process has this number.
        let target = Target::Running {
            pid: u32::MAX,
            to_its_end: false,
        };
        let said = |into| ending(Finish::Broken, target, into).1.expect("it is said");
        assert_eq!(
            said(Destination::Trace("app.llt")),
            "the target went away; what was recorded until then is kept"
        );
        assert_eq!(
            said(Destination::Result),
            "the target went away; what it told until then is counted, and there is no trace"
        );
        let disk = Finish::Disk(std::io::ErrorKind::BrokenPipe.into());
        let (exit, said) = ending(disk, target, Destination::Result);
        assert_eq!(exit, Exit::CutShort);
        assert!(said.is_some_and(|said| said.contains("the result can't be written")));
    }
}
