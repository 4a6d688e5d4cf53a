//! Ctrl-C and its relatives. The first one ends a recording early and keeps the trace, or the waiting
//! for a target that does not answer, and what was made for it is removed; the second one quits at once.

use crate::exit::{Failure, INTERRUPTED};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};
use signal_hook::low_level::pipe;
use signal_hook::{SigId, flag};
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const WATCHED: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
/// Ask for what there is so far: Ctrl-\\ on a terminal, as a JVM understands it, and what scripts can send.
const ASKING: [i32; 2] = [SIGQUIT, SIGUSR1];

/// How long after the first signal another one is none of its own.
pub(super) const ECHO: Duration = Duration::from_millis(300);

/// Signals that arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    any: Arc<AtomicBool>,
    last: Arc<AtomicUsize>,
}

impl Signals {
    /// A first signal only sets a flag, a second one ends the command. What follows the first at once is the
    /// same wish told twice: `timeout` signals its child and then its whole group.
    pub(crate) fn quitting() -> Result<Self, Failure> {
        // The flag before all else: a signal that found only the other handlers would be lost.
        let signals = Self::default().noting()?;
        let again = Arc::new(AtomicBool::new(false));
        signals.register(|_, signal| {
            flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), Arc::clone(&again))
        })?;
        let (told, first) = UnixStream::pair().map_err(|e| unwatched(&e))?;
        signals.register(|_, signal| pipe::register(signal, told.try_clone()?))?;
        let arm = move || after(first, &again);
        let armed = thread::Builder::new().name("signals".to_owned()).spawn(arm);
        armed.map_err(|e| unwatched(&e))?;
        Ok(signals)
    }

    /// Signals only set a flag: another program decides what they mean.
    pub(crate) fn forwarding() -> Result<Self, Failure> {
        Self::default().noting()
    }

    fn noting(self) -> Result<Self, Failure> {
        self.register(|signals, signal| flag::register(signal, Arc::clone(&signals.any)))?;
        self.register(|signals, signal| {
            flag::register_usize(signal, Arc::clone(&signals.last), signal as usize)
        })?;
        Ok(self)
    }

    fn register(&self, one: impl Fn(&Self, i32) -> io::Result<SigId>) -> Result<(), Failure> {
        WATCHED
            .iter()
            .try_for_each(|&signal| one(self, signal).map(|_| ()))
            .map_err(|e| unwatched(&e))
    }

    /// One has arrived.
    pub(crate) fn arrived(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// What is set when one arrives, for those who wait without knowing of signals.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.any)
    }

    /// Takes the last one that arrived, for passing on.
    pub(crate) fn take(&self) -> Option<i32> {
        match self.last.swap(0, Ordering::Relaxed) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }
}

/// A flag that is set when somebody asks for what there is so far.
pub(crate) fn asked() -> Result<Arc<AtomicBool>, Failure> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in ASKING {
        flag::register(signal, Arc::clone(&asked)).map_err(|e| unwatched(&e))?;
    }
    Ok(asked)
}

/// Waits for the first signal, and a little longer.
fn after(mut first: UnixStream, again: &AtomicBool) {
    if first.read_exact(&mut [0]).is_ok() {
        thread::sleep(ECHO);
        again.store(true, Ordering::Relaxed);
    }
}

fn unwatched(error: &io::Error) -> Failure {
    Failure::usage(format_args!("can't watch for signals: {error}"))
}
