//! Locks that count: permits, one holder, items.

use super::super::bench::Returned;
use super::{Attempt, DONE, Did, Subject, truth};
use std::collections::{BTreeMap, VecDeque};

/// What is wrong with a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum CounterFault {
    None,
    /// Every third release is lost.
    LosesReleases,
    /// A release above zero is doubled.
    DoublesReleases,
    /// Takes nothing when it had to wait.
    ForgetsToTake,
    /// Once in a while lets somebody pass who should wait.
    LetsAnybodyIn,
}

/// A semaphore.
#[derive(Clone, Debug)]
pub(in super::super) struct Counter {
    permits: i64,
    fault: CounterFault,
    calls: u32,
    waited: Vec<usize>,
}

impl Counter {
    pub(in super::super) fn new(permits: i64, fault: CounterFault) -> Self {
        Self {
            permits,
            fault,
            calls: 0,
            waited: Vec::new(),
        }
    }

    fn take(&mut self, call: &Attempt, n: i64) -> bool {
        let lax = self.fault == CounterFault::LetsAnybodyIn && self.calls.is_multiple_of(5);
        let enough = self.permits >= n || lax;
        let waited = self.waited.contains(&call.thread);
        if enough {
            self.waited.retain(|&t| t != call.thread);
            if !(waited && self.fault == CounterFault::ForgetsToTake) {
                self.permits -= n;
            }
        } else {
            self.waited.push(call.thread);
        }
        enough
    }

    fn give(&mut self, n: i64) -> Did {
        let lost = self.fault == CounterFault::LosesReleases && self.calls.is_multiple_of(3);
        let twice = self.fault == CounterFault::DoublesReleases && self.permits > 0;
        self.permits += if lost { 0 } else { n } + if twice { n } else { 0 };
        DONE
    }
}

impl Subject for Counter {
    fn names(&self) -> Vec<&'static str> {
        let all = [
            "acquire",
            "release",
            "available",
            "try",
            "timed",
            "drain",
            "acquire2",
            "release2",
        ];
        // Two at a time, a faulty counter of two permits can be a perfect lock.
        let amounts = self.fault == CounterFault::None;
        all[..if amounts { 8 } else { 6 }].to_vec()
    }

    fn arrive(&mut self, _call: &Attempt) {
        self.calls += 1;
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "acquire" if self.take(call, 1) => DONE,
            "acquire2" if self.take(call, 2) => DONE,
            "acquire" | "acquire2" => Did::Wait,
            "release" => self.give(1),
            "release2" => self.give(2),
            "available" => Did::Pass(Returned::Number(self.permits)),
            "try" => {
                let taken = self.permits > 0;
                self.permits -= i64::from(taken);
                truth(taken)
            }
            "timed" if self.take(call, 1) => truth(true),
            "timed" => Did::WaitTimed,
            _ => {
                self.permits = 0;
                DONE
            }
        }
    }

    fn leave(&mut self, call: &Attempt) -> Did {
        self.waited.retain(|&t| t != call.thread);
        truth(false)
    }
}

/// What is wrong with a lock of one holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum MutualFault {
    None,
    /// The second release in a row is lost.
    LosesReleases,
    /// Giving it back frees it, however often it was taken.
    ForgetsDepth,
    /// Two may hold it.
    HoldsTwo,
}

/// A lock.
#[derive(Clone, Debug)]
pub(in super::super) struct Mutual {
    holders: Vec<usize>,
    reentrant: bool,
    checks: bool,
    fault: MutualFault,
    calls: u32,
}

impl Mutual {
    /// `checks`: only its holder can give it back.
    pub(in super::super) fn new(reentrant: bool, checks: bool, fault: MutualFault) -> Self {
        Self {
            holders: Vec::new(),
            reentrant,
            checks,
            fault,
            calls: 0,
        }
    }

    fn take(&mut self, thread: usize) -> bool {
        let most = if self.fault == MutualFault::HoldsTwo {
            2
        } else {
            1
        };
        let mine = self.reentrant && self.holders.contains(&thread);
        let free = self.holders.len() < most || mine;
        if free {
            self.holders.push(thread);
        }
        free
    }

    fn give(&mut self, thread: usize) -> Did {
        let mine = self.holders.iter().rposition(|&t| t == thread);
        match mine.or_else(|| {
            (!self.checks)
                .then(|| self.holders.len().checked_sub(1))
                .flatten()
        }) {
            None if self.checks => return Did::Throw,
            _ if self.fault == MutualFault::LosesReleases && self.calls.is_multiple_of(3) => {}
            _ if self.fault == MutualFault::ForgetsDepth => self.holders.clear(),
            Some(at) => _ = self.holders.remove(at),
            None => {}
        }
        DONE
    }
}

impl Subject for Mutual {
    fn names(&self) -> Vec<&'static str> {
        vec!["lock", "unlock", "held", "try"]
    }

    fn arrive(&mut self, _call: &Attempt) {
        self.calls += 1;
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "lock" if self.take(call.thread) => DONE,
            "lock" => Did::Wait,
            "unlock" => self.give(call.thread),
            "try" => truth(self.take(call.thread)),
            _ => truth(!self.holders.is_empty()),
        }
    }
}

/// What is wrong with a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum FifoFault {
    None,
    /// A take leaves the item inside.
    Copies,
    /// Every fourth item is dropped.
    Drops,
    /// Now and then holds one more.
    Overfills,
}

/// How a queue deals with its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Order {
    OldestFirst,
    NewestFirst,
    /// One take takes everything.
    AllAtOnce,
    /// Holds one; a put replaces it.
    Replaces,
    /// Who has taken something puts that in again.
    Recycles,
    /// A pool: this many items are inside at first, made by nobody's call.
    Filled(u32),
}

/// Items from here on were put in by no call.
const ORIGINAL: u32 = 1 << 30;

/// A queue.
#[derive(Clone, Debug)]
pub(in super::super) struct Fifo {
    items: VecDeque<u32>,
    capacity: Option<usize>,
    order: Order,
    fault: FifoFault,
    puts: u32,
    taken: BTreeMap<usize, u32>,
}

impl Fifo {
    pub(in super::super) fn new(capacity: Option<usize>, order: Order, fault: FifoFault) -> Self {
        let filled = match order {
            Order::Filled(n) => n,
            _ => 0,
        };
        Self {
            items: (ORIGINAL..ORIGINAL + filled).collect(),
            capacity,
            order,
            fault,
            puts: 0,
            taken: BTreeMap::new(),
        }
    }

    fn put(&mut self, call: &Attempt) -> bool {
        if self.order == Order::Replaces {
            self.items.clear();
        }
        let over = self.fault == FifoFault::Overfills && self.puts.is_multiple_of(4);
        let most = self.capacity.map(|n| n + usize::from(over));
        let room = most.is_none_or(|n| self.items.len() < n);
        if room {
            self.puts += 1;
            if !(self.fault == FifoFault::Drops && self.puts.is_multiple_of(4)) {
                let again = self.taken.remove(&call.thread);
                self.items.push_back(again.unwrap_or(call.token));
            }
        }
        room
    }

    fn take(&mut self, call: &Attempt) -> Option<Did> {
        if self.order == Order::AllAtOnce && !self.items.is_empty() {
            self.items.clear();
            return Some(Did::Pass(Returned::Other));
        }
        let next = match (self.fault, self.order) {
            (FifoFault::Copies, _) if self.puts.is_multiple_of(3) => self.items.front().copied(),
            (_, Order::NewestFirst) => self.items.pop_back(),
            _ => self.items.pop_front(),
        };
        if let Some(token) = next.filter(|_| self.order == Order::Recycles) {
            self.taken.insert(call.thread, token);
        }
        let value = |token| match token {
            ORIGINAL.. => Returned::Other,
            _ => Returned::Token(token),
        };
        next.map(|token| Did::Pass(value(token)))
    }
}

impl Subject for Fifo {
    fn names(&self) -> Vec<&'static str> {
        vec![
            "put", "take", "size", "offer", "poll", "timed", "clear", "drain",
        ]
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "put" if self.put(call) => DONE,
            "put" => Did::Wait,
            "offer" => truth(self.put(call)),
            "take" => self.take(call).unwrap_or(Did::Wait),
            "poll" => self.take(call).unwrap_or(Did::Pass(Returned::Null)),
            "timed" => self.take(call).unwrap_or(Did::WaitTimed),
            "size" => Did::Pass(Returned::Number(self.items.len() as i64)),
            "drain" if self.items.is_empty() => Did::Wait,
            _ => {
                self.items.clear();
                DONE
            }
        }
    }

    fn leave(&mut self, _call: &Attempt) -> Did {
        Did::Pass(Returned::Null)
    }
}

/// A limiter of rates: one operation takes, the other fills it up.
#[derive(Clone, Debug)]
pub(in super::super) struct Window {
    left: u32,
    most: u32,
}

impl Window {
    pub(in super::super) fn new(most: u32) -> Self {
        Self { left: most, most }
    }
}

impl Subject for Window {
    fn names(&self) -> Vec<&'static str> {
        vec!["permit", "refresh"]
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match (call.name, self.left) {
            ("permit", 0) => return Did::Wait,
            ("permit", _) => self.left -= 1,
            _ => self.left = self.most,
        }
        DONE
    }
}

/// Two who take turns; nothing is handed over.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Turns {
    second: bool,
}

impl Subject for Turns {
    fn names(&self) -> Vec<&'static str> {
        vec!["first", "second"]
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        if (call.name == "second") != self.second {
            return Did::Wait;
        }
        self.second = !self.second;
        DONE
    }
}
