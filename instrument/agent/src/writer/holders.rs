//! Who holds the monitors that threads are blocked on, and what those do: looks at owners.
//!
//! Events say who blocks and when that is over. What the owner does meanwhile they do not say, and a thread may leave a monitor and
//! take it again elsewhere unseen. So while anybody is blocked this thread looks now and then, at uneven times: the threads
//! that are blocked on entering a monitor, and of each monitor its owner, are read as `owner` and `sight` describe; of the owner one call
//! chain is taken, by a handshake with it alone, and counts only if it owned the monitor before and after that.
//!
//! The events of a moment come here later than the moment. So what a look has seen waits until they are told ([`Seen`]):
//! they know which lock the waiter was blocked on, and whether it was.
//!
//! Who took a monitor lightly is not named by it until he leaves (JDK 25). Where the JVM was asked for him when the recording
//! began, he has it as long as somebody is found blocked on it and nobody is named.
//!
//! To JDK 15 the JVM stops as a whole for a chain: there a look is at one monitor, and they are few.
//! Virtual threads are not in the JVM's list: who waits of them is not seen.

use super::Writer;
use super::describe::Describer;
use super::output::Output;
use super::owners::Owners;
use super::sight::{Candidate, Sight};
use super::stays::Stays;
use crate::clock;
use crate::owner::LAST_MARK;
use crate::recording::Recording;
use crate::vm::{Ref, ThreadStatus, Vm};
use locklens_trace::held::Held;
use locklens_trace::looks::ThreadState;
use locklens_trace::record::ThreadDef;
use locklens_trace::{Nanos, Owner, Record, StackId, ThreadId};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// Time between two looks, on average, ns.
const PAUSE: u64 = 10_000_000;
/// How long after the last beginning of a stay looks go on, ns: by what is heard, nobody may be blocked though somebody always is.
const RECENT: u64 = 200_000_000;
/// So many times the processor time that a look took lie between it and the next.
const REST: u64 = 100;
/// Within what time an owner is read for the moment that a look is told for, ns: longer, and the monitor may be another's.
const MOMENT: u64 = 1_000_000;
/// So many times as long as a look had to wait for owners to answer.
const PATIENCE: u64 = 3;
/// Where the JVM stops for a chain, time between two looks, ns,
const STOP_PAUSE: u64 = 100_000_000;
/// and how many times as long as a stop took the JVM runs before the next.
const STOP_REST: u64 = 400;
/// Monitors in one look: the JVM does not stop for more than one.
const MOST: usize = 16;
/// Looks at monitors that wait for the events of their time.
const WAITING: usize = 1024;
/// What may be spent, parts in a million, is left to events but for a fourth.
const FOURTH: u64 = 4_000_000;

/// What was seen of one monitor.
struct Seen {
    /// When, of the trace.
    at: Nanos,
    waiter: ThreadId,
    blocked: u32,
    time: Nanos,
    /// The owner's word, and what it meant by what had been told then.
    word: u64,
    owner: Owner,
    stack: Option<StackId>,
}

/// An owner at a moment.
struct Sighted {
    at: Nanos,
    word: u64,
    owner: Owner,
    stack: Option<StackId>,
}

/// An owner whom his monitor does not name.
struct Asked {
    word: u64,
    /// When somebody was last found blocked on the monitor, ns of the clock.
    at: u64,
}

/// A thread that is blocked on entering a monitor.
struct Blocked<'vm> {
    tid: u64,
    candidate: Candidate<'vm>,
}

/// What has been told of threads.
#[derive(Clone, Copy)]
struct Known<'a> {
    owners: &'a Owners,
    threads: &'a HashMap<ThreadId, ThreadDef>,
}

impl Known<'_> {
    /// The tid of an owner that lives.
    fn tid_of(self, owner: Owner) -> Option<u64> {
        match owner {
            Owner::Thread(thread) => Some(self.threads.get(&thread)?.tid),
            Owner::Nobody | Owner::Unknown => None,
        }
    }
}

/// See the module.
pub(super) struct Holders<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    sight: Sight<'vm, 'vm>,
    status: ThreadStatus,
    rest: u64,
    /// Somebody is blocked, or was just now.
    is_active: bool,
    due: u64,
    /// When the last look was, ns of the clock, and how far the next one was meant to be.
    last: u64,
    distance: u64,
    seen: VecDeque<Seen>,
    /// Owners that the JVM was asked for, by monitor.
    asked: HashMap<u64, Asked>,
    /// The JVM stops for each chain.
    stops: bool,
    random: u64,
}

impl<'vm> Holders<'vm> {
    /// Ready for the first look; none if it is not wanted or cannot be.
    pub(super) fn begin(vm: Vm<'vm>, recording: &'vm Recording) -> Option<Self> {
        let options = &recording.options;
        if options.exact || options.depth == 0 || options.sample.is_some() {
            return None;
        }
        let now = clock::monotonic();
        Some(Self {
            vm,
            recording,
            sight: Sight::new(vm, recording)?,
            status: vm.thread_status(&recording.roots.thread)?,
            rest: options
                .overhead
                .map_or(REST, |most| REST.max(FOURTH / most.max(1))),
            is_active: false,
            due: now,
            last: now,
            distance: PAUSE,
            seen: VecDeque::new(),
            asked: HashMap::new(),
            stops: vm.stops_for_chains(),
            random: now | 1,
        })
    }

    /// How long until the next look; `idle` if there is no reason for one.
    pub(super) fn until_due(&self, idle: Duration) -> Duration {
        match self.is_active {
            // The system waits for whole milliseconds.
            true => Duration::from_nanos(self.due.saturating_sub(clock::monotonic()) + 999_999),
            false => idle,
        }
    }

    /// Looks, if it is time and anybody is blocked.
    fn go_on(&mut self, describer: &mut Describer) {
        let now = clock::monotonic();
        let at = Nanos(now.saturating_sub(self.recording.start));
        self.is_active = describer.stays.is_blocking(at, Nanos(RECENT));
        if !self.is_active || now < self.due {
            return;
        }
        let (began, spent) = (now, clock::thread_cpu());
        // After a time without looks it stands for no more than one among others.
        let time = now.saturating_sub(self.last).min(2 * self.distance);
        self.last = now;
        let known = Known {
            owners: &describer.owners,
            threads: &describer.threads,
        };
        self.look(time, known, &mut describer.stays);
        let spent = clock::thread_cpu().saturating_sub(spent);
        let now = clock::monotonic();
        let waited = now.saturating_sub(began).saturating_sub(spent);
        let (pause, patience) = match self.stops {
            true => (STOP_PAUSE, STOP_REST),
            false => (PAUSE, PATIENCE),
        };
        let least = spent.saturating_mul(self.rest);
        self.distance = pause.max(least).max(waited.saturating_mul(patience));
        self.due = now + self.distance / 4 * 3 + self.random() % (self.distance / 2);
    }

    /// The JVM was asked who owns these monitors, on which threads are blocked.
    pub(super) fn remember(&mut self, owners: impl Iterator<Item = (u64, u64)>) {
        let at = clock::monotonic();
        let asked = owners.map(|(monitor, word)| (monitor, Asked { word, at }));
        for (monitor, owner) in asked {
            self.asked.entry(monitor).or_insert(owner);
        }
    }

    /// Forgets owners of monitors on which nobody has been found blocked for a while: these may be others by now.
    fn forget(&mut self, found: &HashMap<u64, Vec<usize>>) {
        let now = clock::monotonic();
        self.asked.retain(|monitor, asked| {
            let lately = now.saturating_sub(asked.at) < RECENT.max(2 * self.distance);
            asked.at = now;
            lately && found.contains_key(monitor)
        });
    }

    fn look(&mut self, time: u64, known: Known<'_>, stays: &mut Stays) {
        let (blocked, others) = self.blocked(known.owners);
        let mut monitors: HashMap<u64, Vec<usize>> = HashMap::new();
        for (ix, thread) in blocked.iter().enumerate() {
            let monitor = thread.candidate.monitor;
            monitors.entry(monitor).or_default().push(ix);
        }
        self.forget(&monitors);
        let all = monitors.len();
        // The table's order is different each time: where there are too many, some are as good as others.
        let looked = all.min(if self.stops { 1 } else { MOST });
        for waiting in monitors.into_values().take(looked) {
            let time = time.saturating_mul(all as u64) / looked as u64;
            let one = self.random() as usize % waiting.len();
            let Some(waiter) = waiting.get(one).and_then(|&ix| blocked.get(ix)) else {
                continue;
            };
            let seen = self.see(&waiter.candidate, (&blocked, &others), known);
            let Some(Sighted {
                at,
                word,
                owner,
                stack,
            }) = seen
            else {
                continue;
            };
            if self.seen.len() < WAITING && stays.follow(waiter.candidate.thread, at) {
                self.seen.push_back(Seen {
                    at,
                    waiter: waiter.candidate.thread,
                    blocked: u32::try_from(waiting.len()).unwrap_or(u32::MAX),
                    time: Nanos(time),
                    word,
                    owner,
                    stack,
                });
            }
        }
    }

    /// The threads that are blocked on entering a monitor, and all others.
    fn blocked(&self, owners: &Owners) -> (Vec<Blocked<'vm>>, Vec<Ref<'vm>>) {
        let (mut blocked, mut others) = (Vec::new(), Vec::new());
        for thread in self.vm.all_threads().unwrap_or_default() {
            if self.vm.status(&thread, self.status) != Some(ThreadState::Blocked)
                // What the JVM says of a carrier may be meant for the virtual thread on it.
                || self.recording.roots.is_carrier(self.vm, &thread)
            {
                others.push(thread);
                continue;
            }
            let tid = self.recording.tid_of(self.vm, &thread);
            let address = self.recording.address_of(self.vm, &thread);
            if let Some(id) = owners.with_tid(tid)
                && let Some(candidate) = self.sight.entering(thread, address, id)
            {
                blocked.push(Blocked { tid, candidate });
            }
        }
        (blocked, others)
    }

    /// Who owns what a thread is blocked on, and what it does; none if the thread has gone on, or this one was kept from
    /// going on itself.
    fn see(
        &self,
        waiter: &Candidate<'vm>,
        (blocked, others): (&[Blocked<'vm>], &[Ref<'vm>]),
        known: Known<'_>,
    ) -> Option<Sighted> {
        let began = clock::monotonic();
        let word = self.sight.owner_in_memory(waiter);
        let is_entering = self.sight.is_still_entering(waiter);
        if !is_entering || clock::monotonic().saturating_sub(began) > MOMENT {
            return None;
        }
        let unnamed = self.asked.get(&waiter.monitor);
        let is_mark = (1..=LAST_MARK).contains(&word);
        let unnamed = unnamed.filter(|_| is_mark && self.sight.is_unnamed(waiter));
        let owner = known.owners.owner(unnamed.map_or(word, |asked| asked.word));
        let stack = known.tid_of(owner).and_then(|tid| {
            let (vm, recording) = (self.vm, self.recording);
            let standing = blocked.iter().find(|thread| thread.tid == tid);
            let standing = standing.map(|thread| thread.candidate.reference());
            let mut others = others.iter();
            let owner = standing.or_else(|| others.find(|t| recording.tid_of(vm, *t) == tid))?;
            self.chain(owner)
        });
        // What it does once it has let go keeps nobody out.
        let stack = stack.filter(|_| {
            self.sight.owner_in_memory(waiter) == word && self.sight.is_still_entering(waiter)
        });
        Some(Sighted {
            at: Nanos(began.saturating_sub(self.recording.start)),
            word: unnamed.map_or(word, |asked| asked.word),
            owner,
            stack,
        })
    }

    /// The call chain of an owner.
    fn chain(&self, owner: &Ref<'vm>) -> Option<StackId> {
        if self.recording.roots.is_carrier(self.vm, owner) {
            return None;
        }
        let stack = self.recording.owner_stack_of(self.vm, owner);
        (stack != 0).then_some(StackId(stack))
    }

    /// Tells what was seen up to a time, now that all events up to it have been told.
    fn tell(&mut self, until: Nanos, describer: &mut Describer, output: &mut Output) {
        while let Some(seen) = self.seen.pop_front_if(|seen| seen.at <= until) {
            let Some(lock) = describer.stays.followed(seen.waiter) else {
                continue;
            };
            let now = describer.owners.owner(seen.word);
            output.push(&Record::Held(Held {
                at: seen.at,
                lock,
                waiter: seen.waiter,
                blocked: seen.blocked,
                time: seen.time,
                owner: agreed(seen.owner, now),
                stack: seen.stack.filter(|_| agreed(seen.owner, now) == seen.owner),
            }));
        }
    }

    /// Some number: xorshift.
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}

/// Who an owner's word meant at a moment between two of which it is known: a thread may have begun or ended there.
fn agreed(before: Owner, after: Owner) -> Owner {
    match (before, after) {
        (Owner::Unknown, one) | (one, Owner::Unknown) => one,
        (before, after) if before == after => before,
        _ => Owner::Unknown,
    }
}

impl Writer<'_> {
    /// Tells what owners of monitors were seen doing, and looks, if it is time.
    pub(super) fn look_at_holders(&mut self) {
        let until = self.order.mark().saturating_sub(self.recording.start);
        if let Some(holders) = &mut self.holders {
            holders.tell(Nanos(until), &mut self.describer, &mut self.output);
            holders.go_on(&mut self.describer);
        }
    }

    /// No more looks: all events have been told.
    pub(super) fn end_holders(&mut self) {
        if let Some(mut holders) = self.holders.take() {
            holders.tell(Nanos(u64::MAX), &mut self.describer, &mut self.output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_owned_it_is_known_if_both_moments_say_the_same_or_one_does() {
        let thread = |id| Owner::Thread(ThreadId(id));
        assert_eq!(agreed(thread(1), thread(1)), thread(1));
        assert_eq!(agreed(Owner::Unknown, thread(1)), thread(1));
        assert_eq!(agreed(thread(1), Owner::Unknown), thread(1));
        assert_eq!(agreed(thread(1), thread(2)), Owner::Unknown);
        assert_eq!(agreed(Owner::Nobody, Owner::Nobody), Owner::Nobody);
    }
}
