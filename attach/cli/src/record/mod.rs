//! `locklens record`: from a target to a trace file.
//!
//! The order of a recording: [`live`] sends the agent into a running JVM (or [`launch`] starts one
//! with it), [`meeting`] waits for its greeting ([`hello`]), [`session`] moves its chunks
//! ([`stream`]) into the file ([`output`]) until somebody ends it ([`signals`]), and keeps the
//! figures ([`tally`]) that [`progress`] shows.

pub(crate) mod hello;
mod launch;
pub(crate) mod live;
mod meeting;
mod output;
mod progress;
mod session;
mod signals;
mod stream;
mod tally;

use crate::args::{Record, Recording};
use crate::exit::{Exit, Failure};
use crate::quantity::{counted, show_bytes, show_duration};
use crate::terminal::{self, note};
use hello::Secret;
use output::{Subject, TraceFile};
use session::Finish;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use tally::Tally;

/// A recording that has ended.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// How the command should end.
    pub(crate) exit: Exit,
    /// What the trace holds, for people.
    pub(crate) summary: String,
}

/// `locklens record`
pub(crate) fn run(args: &Record) -> Result<Exit, Failure> {
    let Some(target) = &args.target else {
        return launch::run(args);
    };
    let recorded = live::record(target, &args.recording, args.output.as_deref())?;
    terminal::print(|out| writeln!(out, "{}", recorded.summary))?;
    Ok(recorded.exit)
}

/// What the agent is told.
fn agent_options(socket: &str, secret: &Secret, recording: &Recording) -> String {
    format!(
        "sock={socket},secret={secret},depth={},buffer={},safe={}",
        recording.stack_depth,
        recording.buffer,
        u8::from(!recording.record_safe_locks)
    )
}

/// Says what begins.
fn announce(subject: &Subject, recording: &Recording, file: &Path, length: Option<Duration>) {
    let length = match length {
        Some(length) if !length.is_zero() => format!("for {}", show_duration(length)),
        _ => "until it ends".to_string(),
    };
    note(format_args!(
        "recording {} ({}) {length} into {}; the agent's buffers take up to {}",
        subject.pid,
        subject.main,
        file.display(),
        show_bytes(recording.buffer)
    ));
}

/// What a recording came to. `launched`: its end is the end of the program, as expected.
fn conclude(finish: Finish, tally: Tally, file: &TraceFile, launched: bool) -> Recorded {
    let (exit, said) = match finish {
        Finish::Stopped => (Exit::Fine, None),
        Finish::VmEnded if launched => (Exit::Fine, None),
        Finish::VmEnded => (
            Exit::TargetGone,
            Some("the target ended; the trace is whole up to its end".to_string()),
        ),
        Finish::Broken if launched => (
            Exit::Fine,
            Some("the JVM ended without a word; the trace may lack its last moments".to_string()),
        ),
        Finish::Broken => (
            Exit::TargetGone,
            Some("the target went away; what was recorded until then is kept".to_string()),
        ),
        Finish::Unresponsive => (
            Exit::TargetGone,
            Some("the target does not answer (stopped?); what it had sent is kept".to_string()),
        ),
        Finish::Disk(error) => (
            Exit::Usage,
            Some(format!(
                "recording stopped, {} can't be written: {error}; what is there is kept",
                file.path().display()
            )),
        ),
        Finish::Nonsense(nonsense) => (
            Exit::Usage,
            Some(format!(
                "recording stopped: {nonsense}; what was recorded until then is kept"
            )),
        ),
    };
    if let Some(said) = said {
        note(said);
    }
    Recorded {
        exit,
        summary: summary(&tally, file),
    }
}

fn summary(tally: &Tally, file: &TraceFile) -> String {
    let mut text = format!(
        "{}: {}, {} on {}, {} lost",
        file.path().display(),
        show_bytes(file.len()),
        counted(tally.events, "event"),
        counted(tally.locks() as u64, "lock object"),
        tally.lost
    );
    if tally.stacks_lost > 0 {
        text += &format!(", {} left out", counted(tally.stacks_lost, "call chain"));
    }
    if tally.hidden() > 0 {
        text += &format!(", {} of known-safe locks only counted", tally.hidden());
    }
    if tally.locks() == 0 {
        text += "\nNo thread blocked or waited on a monitor in this time: there is nothing to report on.";
    }
    text
}
