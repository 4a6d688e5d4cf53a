//! Recording a JVM that runs already: the agent is sent in through the attach protocol.

use super::dip::Dip;
use super::meeting::{Expected, Meeting};
use super::naming::Subject;
use super::outcome::{Destination, Recorded, Target, conclude, ending, kept};
use super::output::{self, Grown, Nowhere, TraceFile};
use super::session::{Finish, Session};
use super::signals::Signals;
use super::sink::Sink;
use super::tally::Tally;
use super::{Purpose, agent_options, announce};
use crate::args::Recording;
use crate::deadlocks::hang::{self, Asked};
use crate::embedded;
use crate::exit::{Exit, Failure};
use crate::quantity::show_bytes;
use crate::redact::Redactor;
use crate::replace::Replace;
use crate::target::{self, name, not_attached, not_loaded};
use crate::terminal::note;
use locklens_hotspot::{
    Door, Jvm, LoadOutcome, TargetFiles, check_machine, load_outcome, mapped_library, room,
};
use locklens_trace::Record;
use locklens_trace::batch::Batch;
use locklens_trace::record::target_key;
use std::cell::RefCell;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// How long a recording takes if nothing is said.
pub(crate) const LENGTH: Duration = Duration::from_secs(30);
/// How long the agent may take to call back once the JVM has it.
const CALL_BACK: Duration = Duration::from_secs(10);
/// How long it may take to say why it will not record.
const REFUSAL: Duration = Duration::from_secs(2);
/// Begins a message to the agent; its length follows, four bytes.
const MESSAGE: &[u8] = b"X";
/// The socket's name in the target's view.
const SOCKET: &str = "sock";

/// What is to be recorded, and how.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The target.
    pub(crate) jvm: &'a Jvm,
    /// How.
    pub(crate) recording: &'a Recording,
    /// What the file is named after.
    pub(crate) pattern: Option<&'a Path>,
    /// What may be overwritten.
    pub(crate) replace: Replace,
    /// What if no file can be written.
    pub(crate) nowhere: Nowhere,
    /// What is to be rewritten, in the agent's words.
    pub(crate) wishes: Option<&'a str>,
    /// Nobody is to be told of the file.
    pub(crate) quiet: bool,
    /// What ends it early.
    pub(crate) signals: &'a Signals,
    /// What else ends it early: it has seen enough.
    pub(crate) enough: Option<&'a dyn Fn(&Tally) -> bool>,
    /// What watches the JVM where classes are rewritten.
    pub(crate) dip: Option<&'a RefCell<Dip>>,
    /// Who reads the trace while it grows.
    pub(crate) news: Option<&'a Sender<Grown>>,
    /// And wants to know that time goes by, too.
    pub(crate) signs_of_life: bool,
    /// Names of the target are not written.
    pub(crate) redact: bool,
    /// Only this command reads the file: it has no name.
    pub(crate) unnamed: bool,
}

impl<'a> Request<'a> {
    /// A recording that only watches, into a file of the usual name.
    pub(crate) fn watching(jvm: &'a Jvm, recording: &'a Recording, signals: &'a Signals) -> Self {
        Self {
            jvm,
            recording,
            pattern: None,
            replace: Replace::Own,
            nowhere: Nowhere::Refused,
            wishes: None,
            quiet: false,
            signals,
            enough: None,
            dip: None,
            news: None,
            signs_of_life: false,
            redact: false,
            unnamed: false,
        }
    }
}

/// Records as requested.
pub(crate) fn record_as(request: &Request<'_>) -> Result<Recorded, Failure> {
    let Request {
        jvm,
        recording,
        pattern,
        replace,
        nowhere,
        wishes,
        quiet,
        signals,
        enough,
        dip,
        news,
        signs_of_life,
        redact,
        unnamed,
    } = *request;
    let subject = Subject {
        pid: jvm.pid.0,
        main: name(jvm).to_string(),
    };
    let mut file = match unnamed {
        false => output::open(pattern, &subject.told(!redact), replace, nowhere)?,
        true => TraceFile::unnamed()
            .map_err(|e| Failure::usage(format_args!("can't make a temporary file: {e}")))?,
    };
    file = match wishes {
        Some(wishes) => file.exact(wishes),
        None => file
            .sampled(!recording.no_juc)
            .looking_at_owners(recording.stack_depth > 0)
            .paused(recording.max_overhead.is_some()),
    };
    file = file
        .read_by(news.cloned(), signs_of_life)
        .redacted(Redactor::wanted(redact)?);
    let purpose = Purpose {
        exact: wishes.is_some(),
        ..Purpose::default()
    };
    let mut dip = dip.map(RefCell::borrow_mut);
    let met = enter(request, purpose).and_then(|met| {
        if let Some(dip) = &mut dip {
            dip.ordered();
        }
        wish(met, wishes)
    });
    let met = match met {
        Ok(met) => met,
        Err(failure) => {
            file.abandon();
            return Err(failure);
        }
    };
    let length = recording.duration.unwrap_or(LENGTH);
    if !quiet {
        announce(&subject, recording, &file, Some(length));
        warn_of_limit(jvm, recording.buffer);
    }
    let length = (!length.is_zero()).then_some(length);
    let session = Session::new(met, &mut file, length).minding(dip.as_deref_mut());
    let (finish, mut tally) =
        session.run(|tally| signals.arrived() || enough.is_some_and(|enough| enough(tally)));
    if let (Some(dip), Finish::Stopped) = (&mut dip, &finish) {
        if !tally.exact.contains_key(target_key::EXACT_DORMANT) {
            dip.restored(|| signals.arrived());
        }
        add(dip.facts(), &mut file, &mut tally);
    }
    if matches!(finish, Finish::Stopped) && !unnamed && !redact {
        add_dumps(&mut file, &mut tally, || hang::texts(jvm));
    }
    let finish = match kept(finish, &file) {
        Ok(finish) => finish,
        Err(failure) => {
            file.abandon();
            return Err(failure);
        }
    };
    Ok(conclude(
        finish,
        Target::Running {
            pid: jvm.pid.0,
            to_its_end: length.is_none(),
        },
        &tally,
        file,
    ))
}

/// Asks for dumps if threads stood when the recording ended, and keeps them: they say why. Where that is not known, but hardly anything
/// ran, they are kept if they say that threads hang, or that all stand still.
pub(super) fn add_dumps(file: &mut TraceFile, tally: &mut Tally, ask: impl FnOnce() -> Asked) {
    let held_up = tally.is_held_up();
    if !held_up && !tally.quiet {
        return;
    }
    let Asked {
        texts,
        tells,
        failure,
    } = ask();
    if !held_up && !tells {
        return;
    }
    if let Some(failure) = failure {
        note(format_args!(
            "threads stood at the end, and the JVM was asked for dumps that say why: {failure}"
        ));
    }
    tally.stands = tells && !texts.is_empty();
    for (number, text) in (1..).zip(texts) {
        let key = format!("{}{number}", target_key::DUMP);
        add(vec![(key, whole_lines(text))], file, tally);
    }
}

/// The longest dump that is kept: some thousand threads.
const LONGEST_DUMP: usize = 4 << 20;

/// The beginning of a long text.
fn whole_lines(mut text: String) -> String {
    if text.len() > LONGEST_DUMP {
        let end = text.as_bytes()[..LONGEST_DUMP]
            .iter()
            .rposition(|&byte| byte == b'\n');
        text.truncate(end.map_or(0, |end| end + 1));
    }
    text
}

/// Adds facts about the target to a whole trace. If they find no room, the trace is as good without.
fn add(facts: Vec<(String, String)>, file: &mut TraceFile, tally: &mut Tally) {
    let facts = Batch::from_iter([Record::Target(facts)]);
    if file.take(&facts).is_ok() {
        tally.add(&facts);
    }
}

/// Watches a JVM without writing a trace: `sink` sees what would be in it, while it happens. How the command should end.
pub(crate) fn follow(request: &Request<'_>, sink: &mut dyn Sink) -> Result<Exit, Failure> {
    let (exit, said) = follow_quietly(request, sink)?;
    said.into_iter().for_each(note);
    Ok(exit)
}

/// The same; what is to be said of its end is given back.
pub(crate) fn follow_quietly(
    request: &Request<'_>,
    sink: &mut dyn Sink,
) -> Result<(Exit, Option<String>), Failure> {
    let purpose = Purpose {
        live: true,
        ..Purpose::default()
    };
    let met = enter(request, purpose)?;
    warn_of_limit(request.jvm, request.recording.buffer);
    let length = request.recording.duration.unwrap_or(LENGTH);
    let length = (!length.is_zero()).then_some(length);
    let session = Session::new(met, sink, length);
    let (finish, _) = session.run(|_| request.signals.arrived());
    let target = Target::Running {
        pid: request.jvm.pid.0,
        to_its_end: length.is_none(),
    };
    let ended = matches!(finish, Finish::VmEnded);
    let (exit, said) = ending(finish, target, Destination::Result);
    let said = match ended {
        true => Some("the target ended".to_owned()),
        false => said,
    };
    Ok((exit, said))
}

/// Says so where the control group of a JVM has less room than the agent may take: the kernel ends
/// processes that take more.
fn warn_of_limit(jvm: &Jvm, buffer: u64) {
    let tight = room(jvm.pid).filter(|room| room.left() < buffer);
    if let Some(room) = tight {
        note(format_args!(
            "its control group has {} left of {}: a smaller --buffer would be safer",
            show_bytes(room.left()),
            show_bytes(room.limit)
        ));
    }
}

/// Tells the agent what is to be rewritten.
pub(super) fn wish(mut met: UnixStream, wishes: Option<&str>) -> Result<UnixStream, Failure> {
    let Some(wishes) = wishes else {
        return Ok(met);
    };
    let told = u32::try_from(wishes.len())
        .map_err(|_| std::io::ErrorKind::InvalidInput.into())
        .and_then(|len| {
            met.write_all(MESSAGE)?;
            met.write_all(&len.to_le_bytes())?;
            met.write_all(wishes.as_bytes())
        });
    match told {
        Ok(()) => Ok(met),
        Err(error) => Err(Failure::attach(format_args!(
            "the agent does not listen: {error}"
        ))),
    }
}

/// An error if the agent inside this executable is for another machine than the JVM. Nothing is sent.
pub(crate) fn fits(jvm: &Jvm) -> Result<(), Failure> {
    check_machine(jvm, embedded::LIBRARY).map_err(|error| not_attached(&error))
}

/// Sends the agent in and meets it. The files it needs for that are gone when this returns.
pub(crate) fn enter(request: &Request<'_>, purpose: Purpose) -> Result<UnixStream, Failure> {
    let Request {
        jvm,
        recording,
        signals,
        ..
    } = *request;
    fits(jvm)?;
    let files = TargetFiles::create(jvm).map_err(|error| not_attached(&error))?;
    let expected = Expected {
        uid: jvm.uid,
        pid: Some(jvm.pid.0),
    };
    let meeting = Meeting::at(
        files.listen(SOCKET).map_err(|error| not_attached(&error))?,
        expected,
    )
    .map_err(|error| Failure::attach(format_args!("can't make a socket for the agent: {error}")))?;
    let options = agent_options(
        &files.target_path(SOCKET),
        meeting.secret(),
        recording,
        purpose,
    );
    // In a namespace of its own the JVM is known to itself by another number.
    let options = format!("{options},pid={}", jvm.pid.0);
    let patience = load(request, &files, &options)?;
    let deadline = Instant::now() + patience;
    meeting.wait(|| give_up(jvm, signals, deadline))
}

/// Has the JVM load the agent; how long to wait for its greeting.
///
/// A JVM that has this very library mapped already is given the same path again: another one would be mapped as
/// another copy, for ever. The linker knows the path of a mapped library even when the file has gone; where
/// it does not, the file is put back for the moment.
fn load(request: &Request<'_>, files: &TargetFiles, options: &str) -> Result<Duration, Failure> {
    let jvm = request.jvm;
    let door = target::enter(jvm, request.signals)?;
    let Some(mapped) = mapped_library(jvm, embedded::FILE_NAME) else {
        let path = written(files)?;
        return greeting(ask(&door, &path, options)?);
    };
    match ask(&door, &mapped, options)? {
        LoadOutcome::NotLoaded { .. } => {
            let folder = mapped.rsplit_once('/').map_or("/", |(folder, _)| folder);
            let again = TargetFiles::at(jvm, folder).map_err(|error| not_attached(&error))?;
            let path = written(&again)?;
            greeting(ask(&door, &path, options)?)
        }
        outcome => greeting(outcome),
    }
}

fn written(files: &TargetFiles) -> Result<String, Failure> {
    let written = files.write(embedded::FILE_NAME, embedded::LIBRARY, 0o500);
    written
        .map(|path| path.0)
        .map_err(|error| not_attached(&error))
}

fn ask(door: &Door, library: &str, options: &str) -> Result<LoadOutcome, Failure> {
    let reply = door
        .execute("load", &[library, "true", options])
        .map_err(|error| not_attached(&error))?;
    Ok(load_outcome(&reply))
}

/// What the JVM says is no proof either way: only the agent's greeting is. One that refused says why in it.
fn greeting(outcome: LoadOutcome) -> Result<Duration, Failure> {
    match outcome {
        LoadOutcome::Loaded => Ok(CALL_BACK),
        LoadOutcome::AgentRefused { .. } => Ok(REFUSAL),
        refused => Err(not_loaded(&refused)),
    }
}

fn give_up(jvm: &Jvm, signals: &Signals, deadline: Instant) -> Option<Failure> {
    if signals.arrived() {
        return Some(Failure::interrupted(
            "interrupted before the recording began",
        ));
    }
    if !Path::new("/proc").join(jvm.pid.to_string()).exists() {
        return Some(Failure::attach(
            "the target went away before the recording began",
        ));
    }
    (Instant::now() >= deadline).then(|| {
        Failure::attach("the agent was loaded, but did not call back")
            .hint("'locklens attach … load' shows the JVM's own reply")
    })
}
