//! From new dependencies to what is told of them: names, times, events.

use super::super::{Place, thread_called};
use super::Guard;
use super::lives::Lives;
use super::objects::Object;
use super::sieve::{CHAIN, Chain, Link};
use crate::idmap::Claim;
use crate::recording::Recording;
use crate::vm::Vm;
use locklens_trace::record::{LossCause, Lost};
use locklens_trace::{ClassId, Event, EventKind, LockId, Nanos, Owner, Record, StackId, ThreadId};
use std::collections::HashMap;

/// How long a chain may wait for the names of its locks and places, nanoseconds.
const NAMELESS_FOR: u64 = 500_000_000;

/// A dependency that waits for names.
pub(super) struct Waiting {
    since: u64,
    /// The earliest time at which it may have happened.
    at: u64,
    chain: Chain,
}

/// Where a lock was taken, and what it is.
type Known = (Link, StackId, (ClassId, Option<ClassId>));

/// Whether everything about a chain is known.
enum Names {
    Known(Vec<Known>),
    /// Something has not come yet.
    Missing,
    /// It is about locks nobody asked for.
    Unwanted,
}

impl Guard {
    /// Makes excerpts of what is new.
    pub(super) fn excerpt(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        places: &HashMap<u32, Place>,
    ) {
        let now = self.looked;
        while let Some(chain) = self.sieve.next() {
            let at = self.before.max(self.lives.birth(chain.tid, self.before));
            let since = now;
            self.waiting.push(Waiting { since, at, chain });
        }
        self.waiting.sort_by_key(|waiting| waiting.at);
        for waiting in std::mem::take(&mut self.waiting) {
            match self.names(&waiting.chain, places) {
                Names::Unwanted => {}
                Names::Known(links) => self.tell(vm, recording, &waiting, &links),
                Names::Missing if now.saturating_sub(waiting.since) < NAMELESS_FOR => {
                    self.waiting.push(waiting);
                }
                Names::Missing => self.drop_unnamed(&waiting),
            }
        }
        self.tell_ends(recording);
    }

    fn drop_unnamed(&mut self, waiting: &Waiting) {
        self.unnamed += 1;
        self.sieve.forget(waiting.chain.key);
    }

    fn names(&self, chain: &Chain, places: &HashMap<u32, Place>) -> Names {
        let last = chain.links.len() - 1;
        let mut known = Vec::new();
        for (at, &link) in chain.links.iter().enumerate() {
            match (self.objects.get(link.lock), place(places, link.site)) {
                (Some(Object::Ignored), _) if at == last => return Names::Unwanted,
                (Some(Object::Ignored), _) => {}
                (Some(Object::Of(class, mirrored)), Some(stack)) => {
                    known.push((link, stack, (class, mirrored)));
                }
                (None, _) | (_, None) => return Names::Missing,
            }
        }
        match known.len() {
            0 | 1 => Names::Unwanted,
            _ => Names::Known(known),
        }
    }

    /// The thread takes the locks one inside the other, and leaves them.
    fn tell(&mut self, vm: Vm<'_>, recording: &Recording, waiting: &Waiting, links: &[Known]) {
        let chain = &waiting.chain;
        let named = links.iter().map(|(link, stack, class)| {
            Some((self.objects.name(recording, link.lock, *class)?, *stack))
        });
        let named: Option<Vec<(LockId, StackId)>> = named.collect();
        let thread = named_thread(vm, recording, &self.lives, chain.tid);
        let (Some(named), Some(thread)) = (named, thread) else {
            return self.drop_unnamed(waiting);
        };
        self.tell_birth(recording, thread, chain.tid, waiting.at);
        self.last = self.last.max(waiting.at) + 1;
        if !chain.sure {
            let at = Nanos(self.last.saturating_sub(recording.start));
            self.told.push(Record::Lost(Lost {
                from: at,
                to: at,
                count: 1,
                cause: LossCause::BufferFull,
            }));
        }
        for &(lock, stack) in &named {
            self.event(
                recording,
                thread,
                EventKind::Entered,
                Some((lock, Some(stack))),
            );
        }
        for &(lock, _) in named.iter().rev() {
            self.event(recording, thread, EventKind::Exit, Some((lock, None)));
        }
        self.excerpts += 1;
    }

    fn event(
        &mut self,
        recording: &Recording,
        thread: ThreadId,
        kind: EventKind,
        lock: Option<(LockId, Option<StackId>)>,
    ) {
        self.last += 1;
        let at = self.last;
        self.push(recording, at, (thread, kind), lock);
    }

    fn push(
        &mut self,
        recording: &Recording,
        at: u64,
        (thread, kind): (ThreadId, EventKind),
        lock: Option<(LockId, Option<StackId>)>,
    ) {
        self.told.push(Record::Event(Event {
            at: Nanos(at.saturating_sub(recording.start)),
            thread,
            kind,
            lock: lock.map(|(lock, _)| lock),
            stack: lock.and_then(|(_, stack)| stack),
            owner: Owner::Unknown,
            seq: None,
        }));
    }

    /// A thread that has begun since is told to have, before the first that is told of it.
    fn tell_birth(&mut self, recording: &Recording, thread: ThreadId, tid: u64, at: u64) {
        let birth = self.lives.birth(tid, at);
        if birth != 0 && self.lives.tells(tid) {
            self.push(recording, birth, (thread, EventKind::ThreadStart), None);
        }
    }

    /// Threads that are gone, of those that were told.
    fn tell_ends(&mut self, recording: &Recording) {
        for (tid, at) in self.lives.bury() {
            if let Some(Claim::Known(id)) = recording.threads.find(tid) {
                self.push(recording, at, (ThreadId(id), EventKind::ThreadEnd), None);
            }
        }
    }
}

/// Where that is, as a call chain.
fn place(places: &HashMap<u32, Place>, site: u32) -> Option<StackId> {
    match site & CHAIN {
        0 => places.get(&site).map(|place| place.stack),
        _ => Some(StackId(site & !CHAIN)),
    }
}

/// The id of a thread that is told, with its name if it is still there.
fn named_thread(vm: Vm<'_>, recording: &Recording, lives: &Lives, tid: u64) -> Option<ThreadId> {
    if let Some(Claim::Known(id)) = recording.threads.find(tid) {
        return Some(ThreadId(id));
    }
    let threads = vm.all_threads().unwrap_or_default();
    let it = threads.iter().find(|it| recording.tid_of(vm, *it) == tid);
    let id = it.and_then(|it| recording.thread(vm, it, false).ok());
    id.or_else(|| thread_called(recording, tid, lives.name(tid)))
}
