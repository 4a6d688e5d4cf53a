//! Whether a parked thread has run meanwhile. Looks in a row that find it at the same blocker can't tell: it may have gone on
//! and come back between any two. One that took no processor time has not.
//!
//! The JVM reads that time from the system's clock of the thread. To JDK 9 it does not keep the thread meanwhile,
//! which might end just then: there nobody is asked.

use super::stay::Stay;
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use crate::writer::look::{LAST, STILL};
use locklens_trace::ThreadId;
use std::time::Instant;

/// Threads asked in one look: of thousands all are to have been asked within some seconds.
const MOST: u32 = 512;

/// See the module.
pub(super) struct Stillness<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    /// The JVM may be asked.
    asks: bool,
    /// Threads that may still be asked in this look.
    left: u32,
    /// Until when the last look may ask.
    until: Option<Instant>,
    still: Vec<ThreadId>,
}

impl<'vm> Stillness<'vm> {
    pub(super) fn new(vm: Vm<'vm>, recording: &'vm Recording) -> Self {
        Self {
            vm,
            recording,
            asks: answers(vm),
            left: 0,
            until: None,
            still: Vec::new(),
        }
    }

    /// Another look begins.
    pub(super) fn begin_look(&mut self) {
        self.left = MOST;
    }

    /// A thread is parked where it was: asks it once, when it has been there for a while.
    pub(super) fn note(&mut self, stay: &mut Stay, thread: &Ref<'vm>, at: u64) {
        let age = at.saturating_sub(stay.began);
        if self.asks && self.left > 0 && stay.ran.is_none() && age >= STILL.as_nanos() as u64 {
            self.left -= 1;
            stay.ran = Some(self.time_of(thread).unwrap_or(UNKNOWN));
        }
    }

    /// The same in the very last look: compares.
    pub(super) fn note_last(&mut self, stay: &Stay, thread: &Ref<'vm>) {
        let until = *self.until.get_or_insert_with(|| Instant::now() + LAST);
        let Some(ran) = stay.ran.filter(|ran| *ran != UNKNOWN) else {
            return;
        };
        if Instant::now() < until && self.time_of(thread) == Some(ran) {
            self.still.push(stay.thread());
        }
    }

    /// What a carrier took may be a virtual thread's.
    fn time_of(&self, thread: &Ref<'vm>) -> Option<i64> {
        match self.recording.roots.is_carrier(self.vm, thread) {
            true => None,
            false => self.vm.cpu_time(thread),
        }
    }

    /// Those that have not run; none where none was asked.
    pub(super) fn take(&mut self) -> Option<Vec<ThreadId>> {
        self.asks.then(|| std::mem::take(&mut self.still))
    }
}

/// Whether the JVM tells processor times at all: the capability is one it need not give.
fn answers(vm: Vm<'_>) -> bool {
    let own = vm.current_thread();
    own.is_some_and(|own| vm.cpu_time(&own).is_some())
}

/// No time that a thread can have taken.
const UNKNOWN: i64 = -1;
