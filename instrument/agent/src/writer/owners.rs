//! From an owner's word to a thread.
//!
//! The JVM uses a thread's memory again for a later one, so what an address means changes with the
//! starts and ends of threads. Starts and ends are events like the others; this table is kept in
//! their order, and a word is looked up at its own event's place in that order.

use crate::owner::{LAST_MARK, Meaning, Place};
use locklens_trace::ThreadId;
use locklens_trace::record::Owner;
use std::collections::{BTreeMap, HashMap, HashSet};

/// See the module.
#[derive(Default)]
pub(super) struct Owners {
    meaning: Option<Meaning>,
    tids: HashMap<u64, ThreadId>,
    places: HashMap<ThreadId, Place>,
    by_address: HashMap<u64, ThreadId>,
    /// Who was there last.
    left: HashMap<u64, ThreadId>,
    /// By the low end of the stack: its high end and thread.
    by_stack: BTreeMap<u64, (u64, ThreadId)>,
    /// Events are missing, and ends of threads may be among them.
    lost: bool,
}

impl Owners {
    /// From now on words mean this.
    pub(super) fn mean(&mut self, meaning: Meaning) {
        self.meaning = Some(meaning);
    }

    /// A thread has this tid.
    pub(super) fn learn_tid(&mut self, tid: u64, thread: ThreadId) {
        self.tids.insert(tid, thread);
    }

    /// The thread with this tid, if anything was said of it.
    pub(super) fn with_tid(&self, tid: u64) -> Option<ThreadId> {
        self.tids.get(&tid).copied()
    }

    /// A thread will be there from its start on.
    pub(super) fn learn_place(&mut self, thread: ThreadId, place: Place) {
        if place.address != 0 {
            self.places.insert(thread, place);
        }
    }

    /// A thread begins, or has been there.
    pub(super) fn start(&mut self, thread: ThreadId) {
        if let Some(place) = self.places.get(&thread) {
            self.by_address.insert(place.address, thread);
            self.left.remove(&place.address);
            if place.stack_low < place.stack_high {
                self.by_stack
                    .insert(place.stack_low, (place.stack_high, thread));
            }
        }
    }

    /// A thread ends.
    pub(super) fn end(&mut self, thread: ThreadId) {
        if let Some(place) = self.places.remove(&thread) {
            if self.by_address.get(&place.address) == Some(&thread) {
                self.by_address.remove(&place.address);
                self.left.insert(place.address, thread);
            }
            let stack = self.by_stack.get(&place.stack_low);
            if stack.is_some_and(|&(_, holder)| holder == thread) {
                self.by_stack.remove(&place.stack_low);
            }
        }
    }

    /// Events were missing: there may be threads here that have ended unnoticed, and others in their place.
    pub(super) fn lose(&mut self) {
        self.lost = self.meaning == Some(Meaning::Address);
    }

    /// Whether it is to be found out who is there, because events were missing since this was asked last.
    pub(super) fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.lost)
    }

    /// These threads live, and no others: whoever has ended unnoticed owns nothing.
    pub(super) fn bury(&mut self, alive: &HashSet<ThreadId>) {
        let gone = self.places.keys().filter(|thread| !alive.contains(thread));
        let gone: Vec<ThreadId> = gone.copied().collect();
        gone.into_iter().for_each(|thread| self.end(thread));
    }

    /// What the word says that a thread gave of itself. One that has ended tells those who joined it after that.
    pub(super) fn of_itself(&self, word: u64) -> Option<ThreadId> {
        match self.owner(word) {
            Owner::Thread(thread) => Some(thread),
            _ => self.left.get(&word).copied(),
        }
    }

    /// What a word says.
    pub(super) fn owner(&self, word: u64) -> Owner {
        let thread = match (self.meaning, word) {
            (None, _) | (_, 1..=LAST_MARK) => None,
            (_, 0) => return Owner::Nobody,
            (Some(Meaning::Tid), tid) => self.tids.get(&tid).copied(),
            (Some(Meaning::Address), address) => self.at(address),
        };
        thread.map_or(Owner::Unknown, Owner::Thread)
    }

    fn at(&self, address: u64) -> Option<ThreadId> {
        if let Some(&thread) = self.by_address.get(&address) {
            return Some(thread);
        }
        let (_, &(high, thread)) = self.by_stack.range(..=address).next_back()?;
        (address < high).then_some(thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: ThreadId = ThreadId(1);
    const SECOND: ThreadId = ThreadId(2);

    fn place(address: u64) -> Place {
        Place {
            address,
            stack_low: address * 100,
            stack_high: address * 100 + 50,
        }
    }

    #[test]
    fn an_address_means_whoever_is_there_at_the_time() {
        let mut owners = Owners::default();
        owners.mean(Meaning::Address);
        owners.learn_place(FIRST, place(10));
        owners.start(FIRST);
        // The second thread is known before the first one's end is reached in order.
        owners.learn_place(SECOND, place(10));
        assert_eq!(owners.owner(10), Owner::Thread(FIRST));
        assert_eq!(owners.owner(1049), Owner::Thread(FIRST));
        owners.end(FIRST);
        assert_eq!(owners.owner(10), Owner::Unknown);
        assert_eq!(owners.of_itself(10), Some(FIRST));
        owners.start(SECOND);
        assert_eq!(owners.owner(1000), Owner::Thread(SECOND));
        assert_eq!(owners.of_itself(10), Some(SECOND));
        assert_eq!(owners.owner(1050), Owner::Unknown);
        assert_eq!(
            (owners.owner(0), owners.owner(1)),
            (Owner::Nobody, Owner::Unknown)
        );
    }

    #[test]
    fn who_has_ended_unnoticed_owns_nothing_that_another_thread_in_its_place_has() {
        let mut owners = Owners::default();
        owners.lose();
        assert!(!owners.take_lost(), "nobody is known by an address");
        owners.mean(Meaning::Address);
        for (thread, address) in [(FIRST, 10), (SECOND, 20)] {
            owners.learn_place(thread, place(address));
            owners.start(thread);
        }
        owners.lose();
        assert!(owners.take_lost() && !owners.take_lost());
        owners.bury(&HashSet::from([SECOND]));
        assert_eq!(
            (owners.owner(10), owners.owner(1010)),
            (Owner::Unknown, Owner::Unknown)
        );
        assert_eq!(owners.owner(2010), Owner::Thread(SECOND));
        owners.end(FIRST);
        assert_eq!(owners.owner(20), Owner::Thread(SECOND));
    }

    #[test]
    fn a_tid_is_a_tid_and_nothing_before_it_is_verified() {
        let mut owners = Owners::default();
        owners.learn_tid(30, FIRST);
        assert_eq!(
            (owners.owner(30), owners.owner(0)),
            (Owner::Unknown, Owner::Unknown)
        );
        owners.mean(Meaning::Tid);
        assert_eq!(owners.owner(30), Owner::Thread(FIRST));
        assert_eq!(
            (owners.owner(31), owners.owner(0)),
            (Owner::Unknown, Owner::Nobody)
        );
    }
}
