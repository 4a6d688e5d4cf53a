//! Ctrl-C and its relatives. The first one ends a recording early and keeps the trace, or the waiting
//! for a target that does not answer, and what was made for it is removed; the second one quits at once.

use crate::exit::{Failure, INTERRUPTED};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{SigId, flag};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const WATCHED: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Signals that arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    any: Arc<AtomicBool>,
    last: Arc<AtomicUsize>,
}

impl Signals {
    /// A first signal only sets a flag, a second one ends the command.
    pub(crate) fn quitting() -> Result<Self, Failure> {
        let signals = Self::default();
        // Registered first, so the first signal still finds the flag unset.
        signals.register(|signals, signal| {
            flag::register_conditional_shutdown(
                signal,
                i32::from(INTERRUPTED),
                Arc::clone(&signals.any),
            )
        })?;
        signals.noting()
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
            .map_err(|e| Failure::usage(format_args!("can't watch for signals: {e}")))
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
