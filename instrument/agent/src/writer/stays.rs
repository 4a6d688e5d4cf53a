//! Who is blocked on what, by the events that have been heard, and what one look at the owners of that says of all of them.

use crate::owner::{LAST_MARK, UNREAD};
use crate::scattered::Map;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, HashSet};

/// Which threads are blocked, by their events, and of which any was heard.
#[derive(Default)]
pub(super) struct Stays {
    blocked: Map<ThreadId, (LockId, Nanos)>,
    /// What began before is not known.
    from: Nanos,
    /// Up to this time events are missing: who was blocked before it may have come back unheard.
    lost: Nanos,
    /// When somebody began to be blocked last.
    last: Option<Nanos>,
    /// While somebody wants to know.
    pub(super) heard: Option<HashSet<ThreadId>>,
    /// Of threads that were looked at, until that is told: when, and where they were by what has been heard since.
    followed: Map<ThreadId, (Nanos, Option<Stay>)>,
}

/// What a thread was blocked on, if anything.
type Stay = Option<LockId>;

impl Stays {
    /// Takes in the next event.
    pub(super) fn note(&mut self, event: &Event) {
        self.answer(event);
        match (event.kind, event.lock) {
            (EventKind::Enter, Some(lock)) if event.at >= self.from => {
                self.blocked.insert(event.thread, (lock, event.at));
                self.last = Some(event.at);
            }
            _ => drop(self.blocked.remove(&event.thread)),
        }
        if let Some(heard) = &mut self.heard {
            heard.insert(event.thread);
        }
    }

    /// Whether anybody is blocked by what has been heard, or began to be not longer ago than `recent`.
    pub(super) fn is_blocking(&self, now: Nanos, recent: Nanos) -> bool {
        !self.blocked.is_empty()
            || self
                .last
                .is_some_and(|last| now.0.saturating_sub(last.0) <= recent.0)
    }

    /// From now on somebody wants to know what a thread was blocked on at that time; false if somebody does already.
    pub(super) fn follow(&mut self, thread: ThreadId, at: Nanos) -> bool {
        let is_new = !self.followed.contains_key(&thread);
        if is_new {
            self.followed.insert(thread, (at, None));
        }
        is_new
    }

    /// What it was blocked on then, now that all has been heard up to that time.
    pub(super) fn followed(&mut self, thread: ThreadId) -> Stay {
        let (at, answer) = self.followed.remove(&thread)?;
        answer.unwrap_or_else(|| self.blocked_since(at, thread))
    }

    /// The next event of a thread that is followed: up to then it was where it was.
    fn answer(&mut self, event: &Event) {
        let thread = event.thread;
        let Some(&(at, None)) = self.followed.get(&thread) else {
            return;
        };
        if event.at > at {
            let stay = self.blocked_since(at, thread);
            self.followed.insert(thread, (at, Some(stay)));
        }
    }

    /// Events have been off: who is blocked on what is not known any more.
    pub(super) fn forget(&mut self, until: Nanos) {
        self.blocked.clear();
        self.followed.clear();
        self.last = None;
        self.from = until;
    }

    /// What a thread is blocked on that was so already at that time and has not moved since.
    pub(super) fn blocked_since(&self, time: Nanos, thread: ThreadId) -> Option<LockId> {
        let &(lock, from) = self.blocked.get(&thread)?;
        (from <= time).then_some(lock)
    }

    /// Events up to a time are missing.
    pub(super) fn lose(&mut self, to: Nanos) {
        self.lost = self.lost.max(to);
    }

    /// All that are blocked since then, and on what.
    fn all_blocked_since(&self, time: Nanos) -> impl Iterator<Item = (ThreadId, LockId)> {
        let all = self.blocked.iter();
        all.filter_map(move |(&thread, &(lock, from))| (from <= time).then_some((thread, lock)))
    }

    /// Whether nothing that is missing can have ended what a thread is blocked on.
    fn is_sure(&self, thread: ThreadId) -> bool {
        let stay = self.blocked.get(&thread);
        stay.is_some_and(|&(_, from)| from > self.lost)
    }

    pub(super) fn is_heard(&self, thread: ThreadId) -> bool {
        let heard = self.heard.as_ref();
        heard.is_some_and(|heard| heard.contains(&thread))
    }
}

/// A line of `target_key::END_OWNERS` for each thread that is blocked since before a look that began at a time. Of those in
/// `words` the look read who owned what they wanted. Virtual threads are not looked at: those that want the same are told the
/// same, if all that read it agree, as a monitor has one owner.
pub(super) fn owner_lines(
    stays: &Stays,
    began: Nanos,
    words: &[(ThreadId, u64)],
    owner_of: impl Fn(u64) -> Owner,
    is_virtual: impl Fn(ThreadId) -> bool,
) -> Vec<String> {
    let mut seen: BTreeMap<ThreadId, (LockId, u32)> = BTreeMap::new();
    for &(thread, word) in words {
        let owner = match (owner_of(word), word) {
            (Owner::Thread(owner), _) => owner.0,
            (_, 0) => NOBODY,
            (_, UNREAD..=LAST_MARK) | (Owner::Unknown | Owner::Nobody, _) => continue,
        };
        if let Some(lock) = stays.blocked_since(began, thread) {
            seen.insert(thread, (lock, owner));
        }
    }
    let mut agreed: BTreeMap<LockId, Option<u32>> = BTreeMap::new();
    for &(lock, owner) in seen.values() {
        let known = agreed.entry(lock).or_insert(Some(owner));
        *known = known.filter(|&known| known == owner);
    }
    // Who owns what it is said to be blocked on is not blocked on it: it came back unheard.
    let owns = |thread: ThreadId, lock| agreed.get(&lock) == Some(&Some(thread.0));
    for (thread, lock) in stays.all_blocked_since(began) {
        let sure = is_virtual(thread) && stays.is_sure(thread) && !owns(thread, lock);
        if let (true, Some(&Some(owner))) = (sure, agreed.get(&lock)) {
            seen.entry(thread).or_insert((lock, owner));
        }
    }
    let line = |(thread, (lock, owner)): (ThreadId, (LockId, u32))| {
        format!("{} {} {owner}", thread.0, lock.0)
    };
    seen.into_iter().map(line).collect()
}

/// What no thread has for a number.
const NOBODY: u32 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    fn event(thread: u32, kind: EventKind) -> Event {
        Event {
            at: Nanos(1),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(7)),
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        }
    }

    #[test]
    fn who_came_back_is_not_blocked_and_who_was_heard_has_moved() {
        let mut stays = Stays::default();
        stays.note(&event(1, EventKind::Enter));
        assert!(!stays.is_heard(ThreadId(1)), "nobody asked yet");
        stays.heard = Some(HashSet::new());
        stays.note(&event(2, EventKind::Enter));
        stays.note(&event(2, EventKind::Entered));
        assert_eq!(stays.blocked.len(), 1);
        assert!(stays.is_heard(ThreadId(2)) && !stays.is_heard(ThreadId(1)));
    }

    #[test]
    fn who_has_moved_on_since_a_look_was_not_seen_where_it_is_now() {
        let mut stays = Stays::default();
        let at = |at, lock| Event {
            at: Nanos(at),
            lock: Some(LockId(lock)),
            ..event(1, EventKind::Enter)
        };
        stays.note(&at(5, 7));
        let seen = |stays: &Stays, time| stays.blocked_since(Nanos(time), ThreadId(1));
        assert_eq!(seen(&stays, 5), Some(LockId(7)));
        stays.note(&event(1, EventKind::Entered));
        stays.note(&at(9, 8));
        assert_eq!(
            seen(&stays, 5),
            None,
            "it was at another lock, or at this one earlier"
        );
        assert_eq!(seen(&stays, 9), Some(LockId(8)));
    }

    #[test]
    fn virtual_threads_that_want_the_same_are_told_the_same_owner() {
        let mut stays = Stays::default();
        for (thread, at, lock) in [(1, 1, 7), (2, 2, 7), (3, 3, 8), (4, 9, 7), (5, 4, 7)] {
            stays.note(&Event {
                at: Nanos(at),
                lock: Some(LockId(lock)),
                ..event(thread, EventKind::Enter)
            });
        }
        let owner = |word| match word {
            w if w > LAST_MARK => Owner::Thread(ThreadId((w - LAST_MARK) as u32)),
            _ => Owner::Unknown,
        };
        // The second and the fourth are virtual; the fourth came after the look, and nobody looked at the fifth.
        let is_virtual = |thread: ThreadId| [2, 4].contains(&thread.0);
        let told = |stays: &Stays, words: &[(ThreadId, u64)]| {
            owner_lines(stays, Nanos(5), words, owner, is_virtual)
        };
        let by = |thread, owner| (ThreadId(thread), LAST_MARK + owner);
        let seen = [by(1, 3), by(3, 2)];
        assert_eq!(told(&stays, &seen), ["1 7 3", "2 7 3", "3 8 2"]);
        assert_eq!(told(&stays, &[(ThreadId(1), 0)]), ["1 7 0", "2 7 0"]);
        assert_eq!(told(&stays, &[(ThreadId(1), UNREAD)]), [""; 0]);
        let went_on = [by(1, 3), by(5, 9)];
        assert_eq!(
            told(&stays, &went_on),
            ["1 7 3", "5 7 9"],
            "from one to the other"
        );
        assert_eq!(
            told(&stays, &[by(4, 3)]),
            [""; 0],
            "it wanted something else then"
        );
        assert_eq!(told(&stays, &[by(1, 2)]), ["1 7 2"], "the second has it");
        stays.lose(Nanos(2));
        assert_eq!(
            told(&stays, &seen),
            ["1 7 3", "3 8 2"],
            "it may have come back"
        );
    }

    #[test]
    fn where_a_thread_was_then_is_told_though_it_has_gone_on() {
        let mut stays = Stays::default();
        let at = |at, kind| Event {
            at: Nanos(at),
            ..event(1, kind)
        };
        stays.note(&at(5, EventKind::Enter));
        assert!(stays.follow(ThreadId(1), Nanos(8)));
        assert!(!stays.follow(ThreadId(1), Nanos(9)), "one look at a time");
        stays.note(&at(10, EventKind::Entered));
        stays.note(&at(11, EventKind::Enter));
        assert_eq!(stays.followed(ThreadId(1)), Some(LockId(7)));
        assert_eq!(stays.followed(ThreadId(1)), None, "nobody asks any more");
        assert!(stays.follow(ThreadId(1), Nanos(12)));
        assert_eq!(stays.followed(ThreadId(1)), Some(LockId(7)));
        stays.follow(ThreadId(1), Nanos(14));
        stays.note(&at(13, EventKind::Entered));
        assert_eq!(stays.followed(ThreadId(1)), None, "it had gone on by then");
    }
}
