//! Read-write locks of every preference.

use super::super::bench::Returned;
use super::{Attempt, DONE, Did, Subject};

/// Who goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Preference {
    Readers,
    Writers,
    Fair,
}

/// What is wrong with a read-write lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum SharingFault {
    None,
    /// The first reader that leaves lets writers in.
    ForgetsReaders,
    /// Readers do not mind a writer.
    ReadersIgnoreWriters,
    /// Two writers.
    TwoWriters,
}

/// A read-write lock.
#[derive(Clone, Debug)]
pub(in super::super) struct Sharing {
    readers: i64,
    writers: i64,
    writer: Option<usize>,
    line: Vec<(usize, bool)>,
    preference: Preference,
    reentrant: bool,
    /// One operation gives back both.
    one_way_out: bool,
    fault: SharingFault,
    calls: u32,
}

impl Sharing {
    pub(in super::super) fn new(
        preference: Preference,
        reentrant: bool,
        one_way_out: bool,
        fault: SharingFault,
    ) -> Self {
        Self {
            readers: 0,
            writers: 0,
            writer: None,
            line: Vec::new(),
            preference,
            reentrant,
            one_way_out,
            fault,
            calls: 0,
        }
    }

    fn goes_before(&self, thread: usize, write: bool) -> bool {
        let me = self.line.iter().position(|w| w.0 == thread);
        let me = me.unwrap_or(self.line.len());
        match self.preference {
            Preference::Readers => true,
            Preference::Writers => write || self.line.iter().all(|w| !w.1),
            Preference::Fair => self.line[..me].iter().all(|w| !w.1 && !write),
        }
    }

    fn read(&mut self, thread: usize) -> bool {
        let ignores = self.fault == SharingFault::ReadersIgnoreWriters;
        let free = self.writers == 0 || ignores && self.calls.is_multiple_of(4);
        let pass = free && self.goes_before(thread, false);
        self.readers += i64::from(pass);
        pass
    }

    fn write(&mut self, thread: usize) -> bool {
        let most = i64::from(self.fault == SharingFault::TwoWriters);
        let mine = self.reentrant && self.writer == Some(thread);
        let free = self.readers == 0 && self.writers <= most;
        let pass = mine || free && self.goes_before(thread, true);
        if pass {
            self.writers += 1;
            self.writer = Some(thread);
        }
        pass
    }

    fn enter(&mut self, thread: usize, write: bool) -> Did {
        let pass = if write {
            self.write(thread)
        } else {
            self.read(thread)
        };
        if pass {
            self.line.retain(|w| w.0 != thread);
            return DONE;
        }
        if self.line.iter().all(|w| w.0 != thread) {
            self.line.push((thread, write));
        }
        Did::Wait
    }

    fn end_read(&mut self) -> Did {
        match self.fault {
            SharingFault::ForgetsReaders => self.readers = 0,
            _ => self.readers = (self.readers - 1).max(0),
        }
        DONE
    }

    fn end_write(&mut self) -> Did {
        self.writers = (self.writers - 1).max(0);
        if self.writers == 0 {
            self.writer = None;
        }
        DONE
    }
}

impl Subject for Sharing {
    fn names(&self) -> Vec<&'static str> {
        match self.one_way_out {
            true => vec!["readLock", "leave", "writeLock", "readers"],
            false => vec![
                "readLock",
                "readUnlock",
                "writeLock",
                "writeUnlock",
                "readers",
            ],
        }
    }

    fn arrive(&mut self, _call: &Attempt) {
        self.calls += 1;
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "readLock" => self.enter(call.thread, false),
            "writeLock" => self.enter(call.thread, true),
            "readUnlock" => self.end_read(),
            "writeUnlock" => self.end_write(),
            "leave" if self.writers > 0 => self.end_write(),
            "leave" => self.end_read(),
            _ => Did::Pass(Returned::Number(self.readers)),
        }
    }
}

/// A read-write lock whose writers take a turn among themselves first, beside the readers, and then wait for those to leave.
#[derive(Clone, Default)]
pub(in super::super) struct Upgrading {
    readers: usize,
    turn: Option<usize>,
    writer: bool,
    broken: bool,
    steps_back: bool,
}

impl Upgrading {
    /// `steps_back`: the writer does so by an operation of its own, and keeps the turn. `broken`: readers need not stay out
    /// while somebody writes.
    pub(in super::super) fn new(steps_back: bool, broken: bool) -> Self {
        Self {
            steps_back,
            broken,
            ..Self::default()
        }
    }
}

impl Subject for Upgrading {
    fn names(&self) -> Vec<&'static str> {
        let mut names = vec!["read", "unread", "claim", "write", "free"];
        names.extend(self.steps_back.then_some("step back"));
        names
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        let mine = self.turn == Some(call.thread);
        match call.name {
            "read" if self.writer && !self.broken => return Did::Wait,
            "read" => self.readers += 1,
            "unread" if self.readers == 0 => return Did::Throw,
            "unread" => self.readers -= 1,
            "claim" if self.turn.is_some() => return Did::Wait,
            "claim" => self.turn = Some(call.thread),
            _ if !mine => return Did::Throw,
            "write" if self.readers > 0 => return Did::Wait,
            "write" => self.writer = true,
            "step back" => self.writer = false,
            _ => {
                self.writer &= self.steps_back;
                self.turn = None;
            }
        }
        DONE
    }
}
