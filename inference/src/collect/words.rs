//! What the agent says in lines of words, at the beginning and the end: each as a value, none if it is no such line.

use crate::model::Stall;
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};

/// One line of `target_key::STOPS`.
pub(super) fn stop(line: &str) -> Option<(Nanos, Nanos)> {
    let (from, to) = line.split_once(' ')?;
    Some((Nanos(from.parse().ok()?), Nanos(to.parse().ok()?)))
}

/// One line of `target_key::STALLS`.
pub(super) fn stall(line: &str) -> Option<Stall> {
    let (span, delayed) = line.rsplit_once(' ')?;
    let (from, to) = stop(span)?;
    let delayed = Nanos(delayed.parse().ok()?);
    Some(Stall { from, to, delayed })
}

/// One line of `target_key::END_CHAINS`.
pub(super) fn end_chain(line: &str) -> Option<(ThreadId, StackId)> {
    let (thread, chain) = line.split_once(' ')?;
    Some((ThreadId(thread.parse().ok()?), StackId(chain.parse().ok()?)))
}

/// One line of `target_key::END_OWNERS`.
pub(super) fn end_owner(line: &str) -> Option<(ThreadId, (LockId, Owner))> {
    let mut numbers = line.split(' ').map_while(|word| word.parse::<u32>().ok());
    let (thread, lock) = (ThreadId(numbers.next()?), LockId(numbers.next()?));
    let owner = match numbers.next()? {
        0 => Owner::Nobody,
        owner => Owner::Thread(ThreadId(owner)),
    };
    Some((thread, (lock, owner)))
}
