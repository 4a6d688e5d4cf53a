//! One thread's stay at one blocker, look by look.

use crate::exact::Seen;
use locklens_trace::parked::Parked;
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};

/// A stay is told though it goes on, so that a recording that is cut off has it: first after this time, then after
/// twice as long each time,
const SOON: u64 = 500_000_000;
/// up to this.
const LONG: u64 = 5_000_000_000;

/// What a look found of a parked thread.
#[derive(Clone, Copy)]
pub(super) struct Finding {
    pub(super) lock: LockId,
    pub(super) timed: bool,
    pub(super) owner: Owner,
    pub(super) owner_stack: u32,
    /// When, ns of the trace.
    pub(super) at: u64,
    /// The time the look stands for.
    pub(super) weight: u64,
}

/// See the module.
pub(super) struct Stay {
    parked: Parked,
    /// Number of the last look that found it.
    pub(super) pass: u64,
    /// When its chain was taken, ns of the trace.
    chain_at: u64,
    /// The time after which it is told though it goes on, …
    patience: u64,
    /// … and the longest that becomes.
    longest: u64,
    /// The first look that found it, ns of the trace.
    pub(super) began: u64,
    /// The processor time its thread had taken by then, or soon after.
    pub(super) ran: Option<i64>,
    /// It began before there were probes, which tell all others.
    pub(super) stood: bool,
}

impl Finding {
    /// The same, found of this thread. Nobody is parked at what he owns: he has got it between the two questions.
    fn of(self, thread: ThreadId) -> Self {
        match self.owner == Owner::Thread(thread) {
            true => Self {
                owner: Owner::Unknown,
                owner_stack: 0,
                ..self
            },
            false => self,
        }
    }
}

impl Stay {
    /// The first look found it.
    pub(super) fn new(thread: ThreadId, found: Finding, pass: u64) -> Self {
        let found = found.of(thread);
        let stack = |id: u32| (id != 0).then_some(StackId(id));
        Self {
            parked: Parked {
                thread,
                lock: found.lock,
                stack: None,
                owner: found.owner,
                owner_stack: stack(found.owner_stack),
                from: Nanos(found.at),
                to: Nanos(found.at),
                samples: 1,
                time: Nanos(found.weight),
                continues: false,
                open: false,
                timed: found.timed,
            },
            pass,
            chain_at: 0,
            patience: SOON,
            longest: LONG,
            began: found.at,
            ran: None,
            stood: false,
        }
    }

    /// Somebody watches: it is told as often as can be.
    pub(super) fn watched(self, live: bool) -> Self {
        let longest = if live { SOON } else { LONG };
        Self { longest, ..self }
    }

    /// What no probe sees, when it is found first and probes came at `since`, …
    pub(super) fn seen(&self, since: u64) -> (Option<StackId>, Seen) {
        let Parked { lock, timed, .. } = self.parked;
        (self.parked.stack, Seen::Parked { lock, since, timed })
    }

    /// … and when it is not found any more, if it is one of these; `start` is when the trace begins.
    pub(super) fn gone(&self, start: u64) -> Option<(ThreadId, Seen)> {
        let last = Seen::Gone(start.saturating_add(self.parked.to.0));
        self.stood.then_some((self.parked.thread, last))
    }

    /// Whose it is.
    pub(super) fn thread(&self) -> ThreadId {
        self.parked.thread
    }

    /// At which lock.
    pub(super) fn lock(&self) -> LockId {
        self.parked.lock
    }

    /// When it was found last, ns of the trace.
    pub(super) fn last(&self) -> u64 {
        self.parked.to.0
    }

    /// Whether this finding belongs to it.
    pub(super) fn is_at(&self, found: &Finding) -> bool {
        self.parked.lock == found.lock && self.parked.timed == found.timed
    }

    /// Another look found it; what is to be told of it up to then, if it goes on under another owner or has
    /// gone on for long. What the last looks find is told as one.
    pub(super) fn go_on(&mut self, found: Finding, pass: u64, last: bool) -> Option<Parked> {
        self.pass = pass;
        let found = found.of(self.parked.thread);
        let parked = &mut self.parked;
        let is_long = !last && found.at.saturating_sub(parked.from.0) > self.patience;
        if is_long {
            self.patience = (2 * self.patience).min(self.longest);
        }
        if parked.owner != found.owner || is_long {
            let mut told = *parked;
            told.open = true;
            let stack = parked.stack;
            *parked = Self::new(parked.thread, found, pass).parked;
            (parked.continues, parked.stack) = (true, stack);
            return Some(told);
        }
        parked.to = Nanos(found.at);
        parked.samples = parked.samples.saturating_add(1);
        parked.time = Nanos(parked.time.0.saturating_add(found.weight));
        None
    }

    /// Whether it has no chain from the last so many ns.
    pub(super) fn wants_chain(&self, at: u64, patience: u64) -> bool {
        self.chain_at == 0 || at.saturating_sub(self.chain_at) > patience
    }

    /// Its chain; what is to be told of it up to then, if that was another.
    pub(super) fn set_chain(&mut self, at: u64, stack: u32) -> Option<Parked> {
        self.chain_at = at.max(1);
        let new = Some(StackId(stack));
        match self.parked.stack {
            _ if stack == 0 => None,
            old if old.is_none() || old == new => {
                self.parked.stack = new;
                None
            }
            _ => {
                // What this look has seen already belongs to the old one, by one look at most.
                let told = self.parked;
                self.parked.stack = new;
                self.parked.continues = true;
                (self.parked.from, self.parked.samples, self.parked.time) =
                    (self.parked.to, 0, Nanos(0));
                Some(told)
            }
        }
    }

    /// What is to be told of it when it is over, or the recording is.
    pub(super) fn end(self, open: bool) -> Option<Parked> {
        let parked = Parked {
            open,
            ..self.parked
        };
        (parked.samples > 0 || open).then_some(parked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_parked_at_what_he_owns() {
        let own = Owner::Thread(ThreadId(1));
        let mut stay = Stay::new(ThreadId(1), found(7, 10, own), 1);
        assert_eq!(stay.parked.owner, Owner::Unknown);
        assert_eq!(stay.go_on(found(7, 20, own), 2, false), None);
        let other = Owner::Thread(ThreadId(2));
        assert!(stay.go_on(found(7, 30, other), 3, false).is_some());
        assert_eq!(stay.parked.owner, other);
    }

    fn found(lock: u32, at: u64, owner: Owner) -> Finding {
        Finding {
            lock: LockId(lock),
            timed: false,
            owner,
            owner_stack: 0,
            at,
            weight: 20,
        }
    }

    #[test]
    fn looks_in_a_row_are_one_stay_until_the_owner_changes() {
        let (first, second) = (Owner::Thread(ThreadId(7)), Owner::Thread(ThreadId(8)));
        let mut stay = Stay::new(ThreadId(1), found(3, 100, first), 1);
        assert!(stay.is_at(&found(3, 120, second)) && !stay.is_at(&found(4, 120, first)));
        assert_eq!(stay.go_on(found(3, 120, first), 2, false), None);
        let told = stay
            .go_on(found(3, 140, second), 3, false)
            .expect("another owner");
        assert_eq!(
            (told.samples, told.time, told.to),
            (2, Nanos(40), Nanos(120))
        );
        assert!(!told.continues && told.open && told.owner == first);
        let last = stay.end(true).expect("a look");
        assert!(last.continues && last.open);
        assert_eq!((last.samples, last.owner), (1, second));
    }

    #[test]
    fn another_chain_is_another_record_and_no_look_is_told_twice() {
        let mut stay = Stay::new(ThreadId(1), found(3, 100, Owner::Unknown), 1);
        assert!(stay.wants_chain(100, 50));
        assert_eq!(stay.set_chain(100, 5), None);
        assert!(!stay.wants_chain(120, 50) && stay.wants_chain(151, 50));
        stay.go_on(found(3, 160, Owner::Unknown), 2, false);
        assert_eq!(stay.set_chain(160, 5), None, "the same one");
        let told = stay.set_chain(170, 6).expect("another one");
        assert_eq!((told.samples, told.stack), (2, Some(StackId(5))));
        assert_eq!(stay.end(false), None, "all looks are told");
    }

    #[test]
    fn a_long_stay_is_told_in_pieces() {
        let mut stay = Stay::new(ThreadId(1), found(3, 0, Owner::Unknown), 1);
        let mut at = 0;
        let mut look = |after: u64, last: bool| {
            at += after;
            let told = stay.go_on(found(3, at, Owner::Unknown), 2, last);
            told.map(|t| (t.samples, t.continues))
        };
        assert_eq!(look(SOON, false), None);
        assert_eq!(look(1, false), Some((2, false)), "soon");
        assert_eq!(look(SOON + 1, false), None, "then later");
        for _ in 0..3 {
            assert!(look(LONG, false).is_some());
        }
        assert_eq!(look(LONG, false), None, "at last no oftener than that");
        assert_eq!(look(1, false), Some((2, true)));
        assert_eq!(look(3 * LONG, true), None, "the last looks are one");
    }

    #[test]
    fn who_watches_is_told_at_the_same_pace_all_the_time() {
        let stay = Stay::new(ThreadId(1), found(3, 0, Owner::Unknown), 1);
        let mut stay = stay.watched(true);
        for nth in 1..4 {
            let found = found(3, nth * (SOON + 1), Owner::Unknown);
            assert!(stay.go_on(found, 2, false).is_some());
        }
    }
}
