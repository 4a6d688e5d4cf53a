//! Getting a JVM to listen, without ever hurting it.
//!
//! HotSpot starts its attach listener when it gets SIGQUIT *and* finds a trigger file of its own
//! user. The same signal kills a JVM run with `-Xrs` and one that has not come to installing its
//! handler, and makes one with attaching disabled print all its stacks on its own output. So:
//!
//! 1. a socket that works is used as it is, and no signal is sent;
//! 2. a JVM whose options forbid attaching, or reduce its signals, gets none;
//! 3. nor does one that does not catch SIGQUIT yet, or is stopped: it is waited for. So is one that is not
//!    past its start-up, whether it listens or not: what is asked of it would run beside the code that
//!    makes its modules, and a JVM of 11 died of it;
//! 4. the trigger file is there before the signal and is removed whatever happens;
//! 5. only the one whose trigger it is sends the signal: a second would make the JVM print its
//!    stacks.

use std::io;
use std::time::Duration;

use crate::deadline::Deadline;
use crate::error::AttachError;
use crate::jvm;
use crate::obstacle;
use crate::options::{AttachOptions, Culprit};
use crate::socket::{Attempt, Connection};
use crate::status::Status;
use crate::target::Target;
use crate::trigger::{self, Trigger};

/// Option files are small.
const OPTIONS_MAX: u64 = 1 << 20;
/// Longest start-up of a JVM that names no threads and keeps no counters.
const START_UP: Duration = Duration::from_secs(15);
/// The same of one that has made a cleaner.
const MODULES: Duration = Duration::from_secs(3);
/// Who keeps counters and is not up after so long is held up by something else than its start-up.
const HELD_UP: Duration = Duration::from_secs(60);
const DOING: &str = "waiting for its attach listener";

/// A connection to the target's attach listener, which is started if need be.
pub(crate) fn connection(
    target: &Target,
    mut deadline: Deadline,
) -> Result<Connection, AttachError> {
    let mut summons = Summons::new(target);
    while !is_up(target) {
        target.status(DOING)?;
        summons.allowed()?;
        if !deadline.nap() {
            return Err(summons.given_up(&Attempt::Absent, &deadline));
        }
    }
    // Its counters tell more of them now.
    summons.options = None;
    loop {
        let attempt = target.connect()?;
        match attempt {
            Attempt::Connected(connection) => {
                if summons.trigger.is_none() {
                    trigger::clear_away(target);
                }
                return Ok(connection);
            }
            Attempt::Busy => {}
            Attempt::Absent | Attempt::NotTheirs => summons.advance()?,
        }
        if !deadline.nap() {
            return Err(summons.given_up(&attempt, &deadline));
        }
    }
}

struct Summons<'a> {
    target: &'a Target,
    /// Kept until the listener has answered or we give up.
    trigger: Option<Trigger<'a>>,
    signalled: bool,
    /// Read when first needed: most JVMs are asked more than once and listen already.
    options: Option<AttachOptions>,
}

impl<'a> Summons<'a> {
    fn new(target: &'a Target) -> Summons<'a> {
        Summons {
            target,
            trigger: None,
            signalled: false,
            options: None,
        }
    }

    /// Goes one step further, if that is safe now.
    fn advance(&mut self) -> Result<(), AttachError> {
        let status = self.target.status(DOING)?;
        let deaf = self.reduced()?.is_some() || self.target.halted(&status);
        if self.signalled || deaf || !receptive(self.target, &status) {
            return Ok(());
        }
        if let Some(trigger) = &mut self.trigger {
            trigger.is_used();
            self.signalled = true;
            return self.target.quit();
        }
        if let Some(why) = obstacle::read_only(&self.target.tmp) {
            return Err(self.unmade(why));
        }
        // The signal waits until the socket has been tried once more: whoever removed the trigger
        // before us may have got the JVM to listen, and a listening JVM takes another SIGQUIT for
        // the wish to see its stacks.
        self.trigger = Trigger::set(self.target)?;
        Ok(())
    }

    /// An error if its options forbid attaching.
    fn allowed(&mut self) -> Result<(), AttachError> {
        match self.reduced() {
            Err(error @ AttachError::Disabled { .. }) => Err(error),
            _ => Ok(()),
        }
    }

    /// What keeps SIGQUIT from being handled; an error when there is no point in waiting.
    fn reduced(&mut self) -> Result<Option<Culprit>, AttachError> {
        let target = self.target;
        let pid = target.place.pid;
        if !target.root_is_theirs {
            let cause = io::Error::from_raw_os_error(libc::EACCES);
            return Err(target.place.failed("opening its root directory", cause));
        }
        let first = self.options.is_none();
        let options = self.options.get_or_insert_with(|| attach_options(target));
        match (&options.disabled, &options.reduced_signals) {
            (Some(by), _) => Err(AttachError::Disabled {
                pid,
                by: by.clone(),
            }),
            (_, Some(by)) if first && started(target) => Err(AttachError::SignalsReduced {
                pid,
                by: by.clone(),
            }),
            (_, reduced) => Ok(reduced.clone()),
        }
    }

    /// The reason why the time was not enough.
    fn given_up(self, last: &Attempt, deadline: &Deadline) -> AttachError {
        let (pid, waited) = (self.target.place.pid, deadline.waited());
        let status = match self.target.status(DOING) {
            Ok(status) => status,
            Err(died) => return died,
        };
        let state = self.target.unable_to_answer(&status);
        if deadline.interrupted() {
            let doing = DOING.to_owned();
            return AttachError::Interrupted { pid, doing, state };
        }
        let timed_out = |state| AttachError::TimedOut {
            pid,
            doing: DOING.to_owned(),
            waited,
            state,
        };
        match (
            last,
            self.options
                .as_ref()
                .and_then(|o| o.reduced_signals.clone()),
        ) {
            _ if state.is_some() => timed_out(state),
            (Attempt::Busy, _) => timed_out(None),
            (_, Some(by)) => AttachError::SignalsReduced { pid, by },
            _ if !receptive(self.target, &status) => AttachError::StillStarting { pid, waited },
            (Attempt::NotTheirs, _) => AttachError::StaleSocket {
                pid,
                path: self.target.socket_path(),
            },
            _ => match obstacle::possible(&self.target.process, &self.target.tmp) {
                Some(why) => self.unmade(why),
                None => timed_out(None),
            },
        }
    }

    fn unmade(&self, why: String) -> AttachError {
        AttachError::NoSocket {
            pid: self.target.place.pid,
            path: self.target.socket_path(),
            why,
        }
    }
}

/// What the target's options say, from every place it takes options from, and from its own
/// counters, which are right even for a JVM embedded in another program.
fn attach_options(target: &Target) -> AttachOptions {
    let process = &target.process;
    let read = |path: &str| {
        let bytes = target
            .root
            .read(&jvm::absolute(process, path)?, OPTIONS_MAX)
            .ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut options = AttachOptions::of(&jvm::option_sources(&target.process, &target.root), &read);
    if let Some(counters) = counters(target) {
        match counters.attach_supported() {
            Some(true) => options.disabled = None,
            Some(false) if options.disabled.is_none() => {
                options.disabled = Some("as it says itself".to_owned())
            }
            _ => {}
        }
    }
    options
}

fn counters(target: &Target) -> Option<crate::perfdata::PerfData> {
    jvm::counters(&target.process, &target.root, &target.process.maps().ok()?)
}

/// Whether SIGQUIT would be taken as it is meant. Between installing the handler and the end of its
/// start-up a JVM removes the socket of its name, taking it for a predecessor's, even if it has just
/// made it itself.
fn receptive(target: &Target, status: &Status) -> bool {
    status.catches_quit() && is_up(target)
}

/// Whether the JVM is past its start-up. Where it has a file of counters, that is so when it lets others read
/// them; one that has been held up for a minute before that (by a debugger, or an agent of its own) has made
/// its modules. Of one without such a file the names of its threads tell, after a while: from 9 on there is a
/// cleaner by then, though some make it as soon as they open a jar; in 8 the service thread comes last, and
/// in later ones too early.
fn is_up(target: &Target) -> bool {
    let process = &target.process;
    let older = |than: Duration| process.age().is_ok_and(|age| age > than);
    match filled_in(target) {
        Some(true) => true,
        Some(false) => older(HELD_UP),
        None => {
            older(START_UP)
                || process.has_thread("Common-Cleaner") && older(MODULES)
                || jvm::is_of_8(process) && process.has_thread("Service Thread")
        }
    }
}

fn filled_in(target: &Target) -> Option<bool> {
    jvm::filled_in(&target.process, &target.root, &target.process.maps().ok()?)
}

/// Whether the JVM has finished starting, so that what it lacks now it will not get.
fn started(target: &Target) -> bool {
    counters(target).is_some_and(|counters| counters.started())
}
