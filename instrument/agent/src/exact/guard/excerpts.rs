//! From new dependencies to what is told of them: names, times, events.

use super::super::heirs::Heirs;
use super::super::{Place, thread_called};
use super::Guard;
use super::deeds::{CONCURRENT, Link};
use super::lives::Lives;
use super::objects::Object;
use super::sieve::{CHAIN, Chain};
use crate::idmap::Claim;
use crate::recording::Recording;
use crate::scattered::Map;
use crate::vm::Vm;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::record::{LossCause, Lost};
use locklens_trace::{ClassId, Event, EventKind, LockId, Nanos, Owner, Record, StackId, ThreadId};

/// How long a chain may wait for the names of its locks and places, nanoseconds.
const NAMELESS_FOR: u64 = 500_000_000;

/// A dependency that waits for names.
pub(super) struct Waiting {
    since: u64,
    /// The earliest time at which it may have happened.
    at: u64,
    chain: Chain,
}

/// Where a lock was taken, if that is known, and what it is.
type Known = (Link, Option<StackId>, (ClassId, Option<ClassId>));

/// What sites are, and which of them call other methods than they seem to.
pub(super) type Sites<'a> = (&'a Map<u32, Place>, &'a mut Heirs);

/// One that is told.
struct Named {
    link: Link,
    lock: LockId,
    stack: Option<StackId>,
}

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
    pub(super) fn excerpt(&mut self, vm: Vm<'_>, recording: &Recording, mut sites: Sites<'_>) {
        let now = self.looked;
        while let Some(chain) = self.sieve.next() {
            let at = self.before.max(self.lives.birth(chain.tid, self.before));
            let since = now;
            self.waiting.push(Waiting { since, at, chain });
        }
        self.waiting.sort_by_key(|waiting| waiting.at);
        for waiting in std::mem::take(&mut self.waiting) {
            match self.names(vm, &waiting.chain, &mut sites) {
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

    fn names(&self, vm: Vm<'_>, chain: &Chain, sites: &mut Sites<'_>) -> Names {
        let last = chain.links.len() - 1;
        let mut known = Vec::new();
        for (at, &link) in chain.links.iter().enumerate() {
            match (self.objects.get(link.lock), place(vm, sites, &link)) {
                (Some(Object::Ignored | Object::Condition(_)), _) if at == last => {
                    return Names::Unwanted;
                }
                (Some(Object::Ignored | Object::Condition(_)), _) => {}
                (Some(Object::Of(class, mirrored)), Some(stack)) => {
                    known.push((link, stack, (class, mirrored)));
                }
                (None, _) | (_, None) => return Names::Missing,
            }
        }
        match known.len() {
            0 => Names::Unwanted,
            1 if !chain.stray => Names::Unwanted,
            _ => Names::Known(known),
        }
    }

    /// The thread takes the locks one inside the other, and leaves them.
    fn tell(&mut self, vm: Vm<'_>, recording: &Recording, waiting: &Waiting, links: &[Known]) {
        let chain = &waiting.chain;
        let named = links.iter().map(|(link, stack, class)| {
            let lock = self.objects.name(recording, link.lock, *class)?;
            Some(Named {
                link: *link,
                lock,
                stack: *stack,
            })
        });
        let named: Option<Vec<Named>> = named.collect();
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
        for one in named.iter().filter(|_| !chain.stray) {
            self.step(recording, thread, one, true);
        }
        for one in named.iter().rev() {
            self.step(recording, thread, one, false);
        }
        self.excerpts += u64::from(!chain.stray);
    }

    /// It takes a lock, or leaves it.
    fn step(&mut self, recording: &Recording, thread: ThreadId, one: &Named, takes: bool) {
        self.last += 1;
        let (at, lock) = (self.last, one.lock);
        let stack = one.stack.filter(|_| takes);
        if one.link.lock & CONCURRENT == 0 {
            let kind = if takes {
                EventKind::Entered
            } else {
                EventKind::Exit
            };
            return self.push(recording, at, (thread, kind), Some((lock, stack)));
        }
        self.told.push(Record::Operation(Operation {
            at: Nanos(at.saturating_sub(recording.start)),
            thread,
            lock,
            act: match (takes, one.link.how.shared) {
                (true, false) => Act::Lock,
                (true, true) => Act::Share,
                (false, false) => Act::Unlock,
                (false, true) => Act::Unshare,
            },
            outcome: Outcome::Done,
            count: 1,
            tries: takes && one.link.how.tried,
            stack,
        }));
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

/// Where that is, as a call chain, if anybody is going to say so; none within if nobody can.
fn place(vm: Vm<'_>, (places, heirs): &mut Sites<'_>, link: &Link) -> Option<Option<StackId>> {
    let is_operation = link.lock & CONCURRENT != 0;
    match link.site {
        site if site & CHAIN != 0 => Some(Some(StackId(site & !CHAIN))),
        0 if is_operation => Some(None),
        site if is_operation && heirs.is_other(vm, site) => Some(None),
        site => places.get(&site).map(|place| Some(place.stack)),
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
