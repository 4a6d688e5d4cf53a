//! Threads that are parked to have a lock of `java.util.concurrent`. What [`wants`](super::wants) are for monitors these are for
//! such locks; only that nobody tells when they begin: those are looked at that hold something and of which nothing has been
//! heard for long. How the lock is wanted the methods say that the thread is in.

use super::super::operations::operation_named;
use super::Guard;
use super::deeds::{CONCURRENT, How, Link};
use super::sieve::CHAIN;
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{Doing, Handle, Ref, Vm};
use locklens_trace::juc::Act;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// How long nothing is heard of a thread before it is looked at, nanoseconds.
const LONG: u64 = 200_000_000;
/// Time until it is looked at again, nanoseconds; each time it is twice as long.
const AGAIN: u64 = 1_000_000_000;
/// Least time between two rounds, and threads looked at in each.
const PAUSE: u64 = 100_000_000;
const ASKED: usize = 8;
/// Frames between the park and the method by which a lock is taken.
const FRAMES: usize = 16;

/// Of a thread of which nothing is heard.
#[derive(Clone, Copy)]
struct Quiet {
    since: u64,
    /// When it is to be looked at, and how long after that the next time is.
    due: u64,
    gap: u64,
}

/// See the module.
#[derive(Default)]
pub(super) struct Parked {
    by_thread: HashMap<u64, Quiet>,
    looked: u64,
}

impl Parked {
    /// Whether it is time for another round.
    fn is_time(&self, now: u64) -> bool {
        now.saturating_sub(self.looked) >= PAUSE
    }

    /// Of the threads that hold something, and of which nothing was heard since: those to be looked at now, the longest due first.
    fn due(&mut self, now: u64, quiet: impl Iterator<Item = (u64, u64)>) -> Vec<u64> {
        self.looked = now;
        let known = &self.by_thread;
        let with = |(tid, since)| {
            let before = known.get(&tid).filter(|before| before.since == since);
            let new = Quiet {
                since,
                due: LONG.saturating_add(since),
                gap: AGAIN,
            };
            (tid, before.copied().unwrap_or(new))
        };
        self.by_thread = quiet.map(with).collect();
        let all = self.by_thread.iter();
        let due = all.filter(|(_, quiet)| quiet.due <= now);
        let mut due: Vec<_> = due.map(|(tid, quiet)| (quiet.due, *tid)).collect();
        due.sort_unstable();
        due.truncate(ASKED);
        for (_, tid) in &due {
            if let Some(quiet) = self.by_thread.get_mut(tid) {
                quiet.due = now.saturating_add(quiet.gap);
                quiet.gap = quiet.gap.saturating_mul(2);
            }
        }
        due.into_iter().map(|(_, tid)| tid).collect()
    }
}

impl Guard {
    /// Takes what threads want that stay parked, when all that they left has been read.
    pub(super) fn take_parked(&mut self, vm: Vm<'_>, recording: &Recording) {
        if self.concurrent.is_none() || recording.off.load(Relaxed) {
            return;
        }
        let now = self.looked;
        if !self.parked.is_time(now) {
            return;
        }
        let quiet = self.sieve.quiet(now.saturating_sub(LONG));
        let due = self.parked.due(now, quiet);
        if due.is_empty() {
            return;
        }
        let threads = vm.all_threads().unwrap_or_default();
        for tid in due {
            let thread = threads.iter().find(|it| recording.tid_of(vm, *it) == tid);
            if let Some(link) = thread.and_then(|thread| wanted(vm, recording, thread))
                && self.sieve.holds_without(tid, &link)
                && self.objects.may_be_named(link.lock)
            {
                self.sieve.want(tid, link);
            }
        }
    }
}

/// The lock that a thread is parked to have, and from where.
fn wanted(vm: Vm<'_>, recording: &Recording, thread: &Ref<'_>) -> Option<Link> {
    let is_parked = || vm.doing(thread) == Ok(Doing::Parked);
    if !is_parked() {
        return None;
    }
    let blocker = || {
        let field = vm.field(
            &recording.roots.thread,
            c"parkBlocker",
            c"Ljava/lang/Object;",
        )?;
        vm.object_field(thread, field)
    };
    let lock = blocker()?;
    let frames = vm.stack_of::<FRAMES>(thread, FRAMES).ok()?;
    let mut acts = frames.frames().map(|(method, _)| act(vm, method));
    let shared = match acts.find_map(|act| act)? {
        Act::Lock => false,
        Act::Share => true,
        // It takes its time, or waits for something else.
        _ => return None,
    };
    let chain = recording.stack_of(vm, thread);
    let hash = vm.identity_hash(&lock).ok()? as u32;
    let stays = is_parked() && blocker().is_some_and(|now| vm.is_same(&now, &lock));
    let how = How {
        shared,
        tried: false,
    };
    (stays && chain != 0 && chain < CHAIN).then_some(Link {
        lock: CONCURRENT | hash,
        site: CHAIN | chain,
        how,
    })
}

/// What a method does, if it is an operation of a lock. One that only tries does nothing for which others need wait.
fn act(vm: Vm<'_>, method: Handle) -> Option<Act> {
    // SAFETY: the JVM checks the handle of a method whose class may have gone.
    let class = unsafe { vm.declaring_class(method) }.ok()?;
    let class = binary_name(&vm.class_signature(&class).ok()?);
    // SAFETY: as above.
    let method = unsafe { vm.method(method) }.ok()?;
    let operation = operation_named(&class, &method.name, &method.descriptor)?;
    Some(match operation.tries() {
        true => Act::Pass,
        false => operation.act,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_quiet_is_looked_at_ever_less_often_until_something_is_heard() {
        let mut parked = Parked::default();
        let looks = |parked: &mut Parked, since: u64, tenths: std::ops::Range<u64>| {
            let due = tenths.filter(|tenth| {
                let quiet = [(1, since)].into_iter();
                !parked.due(tenth * PAUSE, quiet).is_empty()
            });
            due.collect::<Vec<u64>>()
        };
        assert_eq!(looks(&mut parked, 0, 1..80), [2, 12, 32, 72]);
        let heard = 80 * PAUSE;
        assert_eq!(looks(&mut parked, heard, 81..100), [82, 92]);
        assert!(parked.due(200 * PAUSE, [].into_iter()).is_empty());
        assert!(parked.by_thread.is_empty());
    }

    #[test]
    fn few_are_looked_at_in_a_round_and_the_others_later() {
        let mut parked = Parked::default();
        let quiet = || (0..20).map(|tid| (tid, 20 - tid));
        let first = parked.due(4 * PAUSE, quiet());
        let second = parked.due(5 * PAUSE, quiet());
        assert_eq!(first, (12..20).rev().collect::<Vec<u64>>());
        assert_eq!(second, (4..12).rev().collect::<Vec<u64>>());
        assert!(!parked.is_time(5 * PAUSE + 1) && parked.is_time(6 * PAUSE));
    }
}
