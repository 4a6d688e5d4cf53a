//! What threads were in the middle of when a recording ended: parked on a lock, or on the way back from a wait.
//!
//! Who is parked to own something is told by the park that was not over; which of its two locks he wants of a read-write lock
//! his call chain says, or that he reads already and would be let in again. Who was parked for a time goes on by himself.

use super::jvm::Jvm;
use super::operations::at;
use super::step::{Lock, Mode, Op, Step};
use super::uses::is_stamped;
use crate::parked::Owned;
use locklens_trace::code::Op as Code;
use locklens_trace::park::Park;
use locklens_trace::record::Frame;
use locklens_trace::{LockId, StackId, ThreadId};

const SEMAPHORE: &str = "java.util.concurrent.Semaphore";

impl Jvm<'_> {
    /// Threads whose wait was over when the file was, and which had not come back from it: they are blocked there.
    pub(super) fn still_coming_back(&mut self, each: &mut dyn FnMut(&Step)) {
        let over = self.ways.iter().filter_map(|(&thread, way)| {
            let (lock, ended) = way.waiting?;
            ended.map(|_| (thread, lock, way.last))
        });
        let mut over: Vec<_> = over.collect();
        over.sort_unstable();
        for (thread, lock, last) in over {
            let event = at(last, thread, lock);
            let request = Op::Request {
                lock: Lock(self.locks.number(lock)),
                mode: Mode::Exclusive,
                timed: false,
            };
            self.tell(&event, request, each);
        }
    }

    /// A thread that was parked when the recording ended.
    pub(super) fn still_parked(
        &mut self,
        thread: ThreadId,
        park: &Park,
        each: &mut dyn FnMut(&Step),
    ) {
        let Some(lock) = park.lock else {
            return;
        };
        let mut event = at(park.from, thread, lock);
        event.stack = self.stack_of(thread, lock);
        let number = Lock(self.locks.number(lock));
        let is_condition = self.uses.known.outer.contains_key(&lock);
        let op = match (park.limit, self.wants_still(thread, lock)) {
            // It goes on by itself.
            (Some(_), _) if is_condition => Op::Limited,
            (Some(_), _) => return,
            (None, Some(mode)) => Op::Request {
                lock: number,
                mode,
                timed: false,
            },
            (None, None) if self.uses.known.latches.contains_key(&lock) => Op::Wait {
                lock: number,
                gives: None,
                timed: false,
                joins: None,
            },
            (None, None) => return,
        };
        self.tell(&event, op, each);
    }

    /// How a thread that is parked on a lock wants it.
    fn wants_still(&self, thread: ThreadId, lock: LockId) -> Option<Mode> {
        match self.uses.known.owned.get(&lock)? {
            Owned::Alone => Some(Mode::Exclusive),
            Owned::Permit => {
                // It may want more, which makes it no less stuck.
                let wanted = self.permits_wanted(thread, lock).unwrap_or(1);
                Some(Mode::Permit(wanted))
            }
            Owned::Shared => self.reads_or_writes(thread, lock),
        }
    }

    /// How many permits it wants that is parked for them: a probe tells that once it has got them. As the code says it that asks for them.
    fn permits_wanted(&self, thread: ThreadId, lock: LockId) -> Option<u32> {
        let catalog = &self.collected.catalog;
        let stack = self.stack_of(thread, lock)?;
        let frames = &catalog.stacks.get(&stack)?.frames;
        let asks = |frame: &Frame| {
            let method = catalog.methods.get(&frame.method);
            method.is_some_and(|method| {
                let takes = method.name.starts_with("acquire") && method.descriptor == "(I)V";
                takes && catalog.class_name(method.class) == SEMAPHORE
            })
        };
        let caller = frames.get(frames.iter().position(asks)? + 1)?;
        let insns = &catalog.code.get(&caller.method)?.insns;
        let call = insns.iter().position(|insn| Some(insn.bci) == caller.bci)?;
        match insns.get(call.checked_sub(1)?)?.op {
            Code::Const { value, wide: false } => u32::try_from(value).ok(),
            _ => None,
        }
    }

    fn reads_or_writes(&self, thread: ThreadId, lock: LockId) -> Option<Mode> {
        let grip = self.uses.grips.get(&(thread, lock));
        // Who reads is let in again, but for stamps.
        let reads = grip.is_some_and(|grip| grip.shared > 0);
        if reads && !is_stamped(self.collected, lock) {
            return Some(Mode::Exclusive);
        }
        let stack = self.stack_of(thread, lock)?;
        let frames = &self.collected.catalog.stacks.get(&stack)?.frames;
        let mut words = frames
            .iter()
            .map(|frame| self.collected.catalog.place(frame));
        words.find_map(|place| of_method(&place))
    }

    /// Where the looks found it parked.
    pub(super) fn stack_of(&self, thread: ThreadId, lock: LockId) -> Option<StackId> {
        let log = self.collected.parked.get(&lock)?;
        let open = log.open.iter().find(|open| open.thread == thread)?;
        open.stack
    }
}

/// Which of its two locks a method of a read-write lock takes.
fn of_method(place: &str) -> Option<Mode> {
    let rest = place.strip_prefix("java.util.concurrent.locks.")?;
    let has = |word: &str| rest.contains(word);
    match (
        has("ReadLock") || has("readLock"),
        has("WriteLock.") || has("writeLock"),
    ) {
        (true, _) if !has("ReadWriteLock$WriteLock") => Some(Mode::Shared),
        (_, true) => Some(Mode::Exclusive),
        _ => None,
    }
}
