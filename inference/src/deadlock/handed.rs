//! What queues hand over, where who took it is told before who put it.
//!
//! Both tell what they have done once it is over, and whoever takes may be over with it first: then nothing was in the
//! queue as far as was told, and the order of the two would be missing. The first pass finds such pairs: a take that
//! found nothing, and a put told later that was under way by then, as its thread has done nothing else since. In the
//! second pass that put is told just before the take.
//!
//! What a put does itself once its element can be taken: of a `LinkedBlockingQueue`, which has a lock for each end, it gives
//! one back and signals at the other; of others nothing that is told.
//!
//! Who takes the only element that is there would have waited for it if he had come before it was put: at the condition where who puts
//! signals, and before he has had the lock inside. What is in a queue is known of a program that was recorded from its start.

use super::encounters::elsewhere;
use super::jvm::Jvm;
use super::step::{By, Lock, Needs, Op, Step, Thread};
use super::tasks::all_put_of;
use super::uses::{Deed, Uses, class};
use crate::collect::Collected;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Takes of one queue that are remembered until it is told who put.
const OWED: usize = 64;
/// Operations on locks that a put may still do.
const TAIL: usize = 5;
/// Pairs that are remembered: beyond that the order is not known.
const PAIRS: usize = 1 << 20;
/// How much later than its take a put may be told of a queue whose elements may be from before, ns: it has no locks, whose
/// use would show that the put began later.
const BRIEF: u64 = 10_000_000;

/// The queue without locks that has elements.
const NO_LOCKS: &str = "java.util.concurrent.LinkedTransferQueue";

/// The queue whose ends have a lock each.
const TWO_LOCKS: &str = "java.util.concurrent.LinkedBlockingQueue";

/// The queue with two ends.
const DEQUE: &str = "java.util.concurrent.LinkedBlockingDeque";

/// Pairs that were found: see the module.
#[derive(Debug, Default)]
pub(super) struct Handed {
    /// By queue and number of the take, who put, and whether he waited for that.
    before: BTreeMap<(LockId, u64), (ThreadId, bool)>,
    /// Queue, thread and number of puts that are told with their takes.
    told: BTreeSet<(LockId, ThreadId, u64)>,
    /// By queue, where those wait who take from it when it is empty.
    filled: BTreeMap<LockId, LockId>,
    /// Who took the only element of a queue, by the number of the lock that he took for that; and the condition where he would have
    /// waited, and who put it.
    only: BTreeMap<(ThreadId, u64), (LockId, ThreadId)>,
}

/// What has been put and taken so far, and what threads did last.
#[derive(Debug, Default)]
pub(super) struct Course {
    queues: BTreeMap<LockId, Queue>,
    lately: BTreeMap<ThreadId, Lately>,
    /// How many locks each thread has taken.
    locks: BTreeMap<ThreadId, u64>,
    /// Where the take that was learned last would have waited, and who put what it took.
    would_wait: Option<(LockId, ThreadId)>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Elements that were put and not taken.
    inside: u64,
    takes: u64,
    puts: BTreeMap<ThreadId, u64>,
    /// Takes that found nothing: when, and their numbers.
    owed: VecDeque<(Nanos, u64)>,
    /// How many are inside is not known: takes that found nothing are forgotten.
    unsure: bool,
    /// Where who puts signals that there is an element.
    filled: Option<LockId>,
    /// Who put last.
    putter: Option<ThreadId>,
}

/// What a thread did last.
#[derive(Debug, Default)]
struct Lately {
    /// When it did something that no put does.
    busy: Nanos,
    /// What it has done since then to locks.
    tail: VecDeque<(Nanos, Act, LockId)>,
}

impl Lately {
    fn is_busy(&mut self, at: Nanos) {
        self.busy = at;
        self.tail.clear();
    }

    fn does(&mut self, operation: &Operation) {
        let Operation { at, act, lock, .. } = *operation;
        if !matches!(act, Act::Lock | Act::Unlock | Act::Signal) {
            return self.is_busy(at);
        }
        self.tail.push_back((at, act, lock));
        if self.tail.len() > TAIL
            && let Some((first, ..)) = self.tail.pop_front()
        {
            self.busy = first;
        }
    }

    /// A put that is over now had made its element one to be taken by then.
    fn was_putting(&self, since: Nanos, class: &str) -> bool {
        let later = self.tail.iter().filter(|(at, ..)| *at > since);
        let later: Vec<(Act, LockId)> = later.map(|&(_, act, lock)| (act, lock)).collect();
        self.busy <= since && (later.is_empty() || class == TWO_LOCKS && ends_a_put(&later))
    }

    /// Where a put that is over now has signalled that there is an element.
    fn signalled(&self, class: &str) -> Option<LockId> {
        let acts: Vec<(Act, LockId)> = self
            .tail
            .iter()
            .map(|&(_, act, lock)| (act, lock))
            .collect();
        let (_, last) = acts.iter().rev().find(|(act, _)| *act == Act::Signal)?;
        let tells = match class {
            TWO_LOCKS => ends_a_put(&acts),
            // Several that are put into it at once are not told.
            DEQUE => false,
            _ => true,
        };
        tells.then_some(*last)
    }

    /// How many locks it has taken since it took this one last.
    fn since_taken(&self, lock: LockId) -> Option<u64> {
        let taken = self
            .tail
            .iter()
            .rev()
            .filter(|(_, act, _)| *act == Act::Lock);
        (0..)
            .zip(taken)
            .find(|(_, (.., of))| *of == lock)
            .map(|(since, _)| since)
    }
}

/// Whether this is the end of: signal, unlock, and, if the queue was empty, lock the other end, signal, unlock it.
fn ends_a_put(later: &[(Act, LockId)]) -> bool {
    use Act::{Lock, Signal, Unlock};
    let acts: Vec<Act> = later.iter().map(|(act, _)| *act).collect();
    let all = |act: Act| -> Vec<LockId> {
        let done = later.iter().filter(|(of, _)| *of == act);
        done.map(|(_, lock)| *lock).collect()
    };
    let locks = match (&all(Lock)[..], &all(Unlock)[..]) {
        ([], _) => true,
        ([taken], [given]) => taken == given,
        ([taken], [own, given]) => taken == given && own != given,
        _ => false,
    };
    locks && [Signal, Unlock, Lock, Signal, Unlock].ends_with(&acts)
}

impl Course {
    /// A thread did something besides operations.
    fn is_busy(&mut self, thread: ThreadId, at: Nanos) {
        self.lately.entry(thread).or_default().is_busy(at);
    }

    /// An operation of the first pass. `class` is that of its object.
    fn learn(
        &mut self,
        operation: &Operation,
        class: impl Fn() -> String,
        (handed, outer): (&mut Handed, Option<&BTreeMap<LockId, LockId>>),
    ) {
        let Operation {
            at, thread, lock, ..
        } = *operation;
        let lately = self.lately.entry(thread).or_default();
        match operation.act {
            // It was full, or empty.
            Act::Put | Act::Take if operation.outcome != Outcome::Done => lately.is_busy(at),
            Act::Put => {
                let queue = self.queues.entry(lock).or_default();
                let number = queue.puts.entry(thread).or_default();
                *number += 1;
                queue.putter = Some(thread);
                if !handed.filled.contains_key(&lock) && !lately.tail.is_empty() {
                    let filled = lately.signalled(&class());
                    handed.filled.extend(filled.map(|filled| (lock, filled)));
                }
                if outer.is_some() {
                    queue.filled = handed.filled.get(&lock).copied();
                }
                let class = match queue.owed.is_empty() || handed.told.len() >= PAIRS {
                    true => None,
                    false => Some(class()),
                };
                let owed = class.and_then(|class| {
                    let is_late =
                        |since: Nanos| class == NO_LOCKS && at.0.saturating_sub(since.0) > BRIEF;
                    let is_it = |since| !is_late(since) && lately.was_putting(since, &class);
                    queue.owed.iter().position(|&(since, _)| is_it(since))
                });
                match owed.and_then(|index| queue.owed.remove(index)) {
                    Some((_, take)) => {
                        handed
                            .before
                            .insert((lock, take), (thread, !operation.tries));
                        handed.told.insert((lock, thread, *number));
                    }
                    None => queue.inside += 1,
                }
                lately.is_busy(at);
            }
            Act::Take => {
                let queue = self.queues.entry(lock).or_default();
                queue.takes += 1;
                if queue.inside == 0 && operation.count == 1 {
                    queue.owed.push_back((at, queue.takes));
                    if queue.owed.len() > OWED {
                        queue.owed.pop_front();
                        queue.unsure = true;
                    }
                }
                let count = u64::from(operation.count);
                queue.unsure |= count > queue.inside.max(1);
                let only = queue.owed.is_empty() && !queue.unsure && queue.inside == count;
                // Who takes what he has put waits for nobody.
                let putter = queue.putter.filter(|&putter| putter != thread);
                let filled = queue.filled.filter(|_| only && !operation.tries);
                let filled = filled.zip(putter);
                let inside = filled.and_then(|(filled, _)| outer?.get(&filled));
                let since = inside.and_then(|&inside| lately.since_taken(inside));
                self.would_wait = filled.filter(|_| since.is_some());
                let taken = self.locks.get(&thread).copied().unwrap_or(0);
                // Tries of the program's own that failed are no takes, and may be among these.
                let number = since.and_then(|since| taken.checked_sub(since));
                if let (Some(filled), Some(number)) = (filled, number)
                    && handed.only.len() < PAIRS
                {
                    handed.only.insert((thread, number), filled);
                }
                queue.inside = queue.inside.saturating_sub(count);
                lately.is_busy(at);
            }
            _ => lately.does(operation),
        }
    }

    /// Where who puts into a queue signals that there is an element.
    fn filled(&self, queue: LockId) -> Option<LockId> {
        self.queues.get(&queue)?.filled
    }

    /// A thread has taken a lock: how many that is.
    fn takes_lock(&mut self, thread: ThreadId) -> u64 {
        let taken = self.locks.entry(thread).or_default();
        *taken += 1;
        *taken
    }

    /// A take of the second pass: who put what it takes, if that is not told yet.
    fn takes(&mut self, lock: LockId, handed: &Handed) -> Option<(ThreadId, bool)> {
        let queue = self.queues.entry(lock).or_default();
        queue.takes += 1;
        handed.before.get(&(lock, queue.takes)).copied()
    }

    /// A put of the second pass: whether it is told here.
    fn puts(&mut self, lock: LockId, thread: ThreadId, handed: &Handed) -> bool {
        let queue = self.queues.entry(lock).or_default();
        let number = queue.puts.entry(thread).or_default();
        *number += 1;
        !handed.told.contains(&(lock, thread, *number))
    }
}

impl Jvm<'_> {
    /// The first pass learns who was putting while others took.
    pub(super) fn learn_course(&mut self, deed: &Deed) {
        let Uses { course, known, .. } = &mut self.uses;
        if known.complete || !known.queues {
            return;
        }
        let collected = self.collected;
        match deed {
            Deed::Operation(operation) => {
                let class = || class(collected, operation.lock).unwrap_or_default();
                let outer = is_whole(collected).then_some(&known.outer);
                course.learn(operation, class, (&mut known.handed, outer));
            }
            Deed::Event(Event { thread, at, .. }) => course.is_busy(*thread, *at),
            Deed::Access(access) => course.is_busy(access.thread, access.at),
            Deed::Kin(kin) => course.is_busy(kin.thread, kin.at),
            // A put may have to wait, too.
            Deed::Park(_) | Deed::Unpark(..) => {}
        }
    }

    /// A thread has taken a lock: if that is the one inside a queue of which it then takes the only element, it would have waited
    /// for that.
    pub(super) fn would_wait(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let Uses { course, known, .. } = &mut self.uses;
        let is_one = (operation.act, operation.outcome) == (Act::Lock, Outcome::Done);
        if !known.queues || !is_one {
            return;
        }
        let number = course.takes_lock(operation.thread);
        let only = known.handed.only.get(&(operation.thread, number));
        if let Some(&only) = only.filter(|_| known.complete) {
            self.finds(only, event, each);
        }
    }

    /// It would have waited there for what was put last.
    fn finds(
        &mut self,
        (condition, putter): (LockId, ThreadId),
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let lock = Lock(self.locks.number(condition));
        let (timed, by) = (false, By::Was(Thread(self.threads.number(putter))));
        self.tell(event, Op::Awaits { lock, timed, by }, each);
    }

    /// Whether a put is told with its operation, and not with the take of what was put.
    pub(super) fn is_told_here(&mut self, operation: &Operation) -> bool {
        let Uses { course, known, .. } = &mut self.uses;
        !known.complete || course.puts(operation.lock, operation.thread, &known.handed)
    }

    pub(super) fn puts(&mut self, queue: LockId, event: &Event, each: &mut dyn FnMut(&Step)) {
        let number = Lock(self.locks.number(queue));
        self.tell(event, Op::Puts(number), each);
        if self.is_under_way() {
            let all = Lock(self.locks.number(all_put_of(queue)));
            self.tell(event, Op::Arrives(all), each);
        }
        // What it needed for that is asked in the first pass, which tells it here.
        if !self.uses.known.complete {
            return self.tell(event, Op::Gave(number), each);
        }
        // Only who finds it empty signals, and he may be another one in another run.
        if let Some(&filled) = self.uses.known.handed.filled.get(&queue) {
            let filled = Lock(self.locks.number(filled));
            self.tell(event, Op::MayOpen(filled), each);
        }
    }

    pub(super) fn takes(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let number = Lock(self.locks.number(operation.lock));
        let Uses { course, known, .. } = &mut self.uses;
        let may_wait = !operation.tries && !known.complete;
        let by = match known.complete {
            true => course.takes(operation.lock, &known.handed),
            false => None,
        };
        if let Some((thread, waits)) = by.filter(|(by, _)| self.threads.known.contains_key(by)) {
            let by = elsewhere(event, thread);
            self.hands_over(operation.lock, waits, &by, each);
            self.puts(operation.lock, &by, each);
        }
        // In the second pass it is told where it comes to the lock inside.
        if let Some(only) = self.uses.course.would_wait.take() {
            self.finds(only, event, each);
        }
        let any = self.uses.known.any.contains(&operation.lock);
        let (lock, queue, lay) = (number, number, true);
        self.several(operation.count, Op::Takes { lock, any }, event, each);
        if self.is_under_way() {
            // Who was taking when the recording began is not in it: the how manieth put this is, is only presumed.
            let lock = Lock(self.locks.number(all_put_of(operation.lock)));
            let needs = Needs::Unknown;
            self.tell(event, Op::Passes { lock, needs }, each);
        }
        let filled = self.uses.course.filled(operation.lock);
        let filled = filled.map(|filled| Lock(self.locks.number(filled)));
        self.tell(event, Op::Fetched { queue, lay, filled }, each);
        if may_wait {
            self.tell(event, Op::Had(number), each);
        }
    }
}

/// Whether all was recorded from the start of the program on.
pub(super) fn is_whole(collected: &Collected) -> bool {
    collected.was_launched() && collected.losses.is_empty()
}
