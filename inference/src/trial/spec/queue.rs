//! PRODUCER-CONSUMER: what is put comes out once, and not before.

use super::super::bench::Returned;
use super::{ALL, Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// What one take takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Drain {
    /// One item.
    One,
    /// Everything there is.
    All,
    /// One or more, as many as suit it.
    Some,
}

/// Who uses a queue in a walk. Some are made for one thread at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Ends {
    /// Any thread puts and takes.
    Open,
    /// One thread takes, others put.
    OneTakes,
    /// One thread takes, one puts.
    OneEach,
}

/// Whether a queue that is to be emptied to its low water before it takes anything has been filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filled {
    No,
    /// It was full: some remember that at once, some when the next one comes.
    Perhaps,
    Yes,
}

/// The one that takes, and the one that puts.
const TAKER: usize = 0;
const PUTTER: usize = 1;

/// The machine of a queue, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Queue {
    /// Most items; none: no bound was met.
    pub(in super::super) capacity: Option<u32>,
    /// What one take takes.
    pub(in super::super) drain: Drain,
    /// A put into a full queue replaces what is there instead of waiting.
    pub(in super::super) replaces: bool,
    /// Where it has several parts, it may take more than it does at other times.
    pub(in super::super) stretches: bool,
    /// Filled up, it takes nothing until no more than this is left.
    pub(in super::super) low: Option<u32>,
    /// Who uses it.
    pub(in super::super) ends: Ends,
    filled: Filled,
    /// Fewest and most items there can be now: the same number as long as it is known.
    items: (u32, u32),
    inside: BTreeSet<u32>,
    /// Taken by somebody who has put something since: perhaps the same thing.
    perhaps: BTreeSet<u32>,
    /// Taken, by whom; replaced: by nobody.
    gone: BTreeMap<u32, Option<usize>>,
}

impl Queue {
    /// An empty queue.
    pub(in super::super) fn new(capacity: Option<u32>, drain: Drain, replaces: bool) -> Self {
        Self {
            capacity,
            drain,
            replaces,
            stretches: false,
            low: None,
            ends: Ends::Open,
            filled: Filled::No,
            items: (0, 0),
            inside: BTreeSet::new(),
            perhaps: BTreeSet::new(),
            gone: BTreeMap::new(),
        }
    }

    /// The same, used in this way.
    pub(in super::super) fn used(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// The same with a bound that is sometimes beyond its capacity.
    pub(in super::super) fn stretching(self) -> Self {
        Self {
            stretches: true,
            ..self
        }
    }

    /// The same, which once it was filled takes nothing until no more than this is left.
    pub(in super::super) fn down_to(self, low: u32) -> Self {
        Self {
            low: Some(low),
            ..self
        }
    }

    /// Most items there can be.
    fn most(&self) -> u32 {
        match self.stretches {
            true => u32::MAX,
            false => self.capacity.unwrap_or(u32::MAX),
        }
    }

    /// Whether a put passes.
    fn room(&self) -> Guard {
        let (fewest, most) = self.items;
        match self.most() {
            _ if self.replaces => Guard::Open,
            _ if self.stretches && Some(fewest) >= self.capacity => Guard::Either,
            room if fewest >= room => Guard::Shut,
            _ if self.filled == Filled::Perhaps => Guard::Either,
            _ if self.filled == Filled::Yes && self.low < Some(fewest) => Guard::Shut,
            _ if self.filled == Filled::Yes && self.low < Some(most) => Guard::Either,
            room if most < room => Guard::Open,
            _ => Guard::Either,
        }
    }

    /// Whether a take passes.
    fn stock(&self) -> Guard {
        match self.items {
            (_, 0) => Guard::Shut,
            (0, _) => Guard::Either,
            _ => Guard::Open,
        }
    }

    /// What remembers that it was full has been told of what is there now.
    fn stirred(&mut self) {
        let Some(low) = self.low else {
            return;
        };
        if self.items.1 <= low {
            self.filled = Filled::No;
        } else if self.filled == Filled::No && Some(self.items.1) >= self.capacity {
            self.filled = Filled::Perhaps;
        }
    }

    fn put(&mut self, call: &Call) {
        if self.replaces && self.capacity == Some(1) && self.items.0 == 1 {
            let replaced = std::mem::take(&mut self.inside).into_iter();
            self.gone.extend(replaced.map(|token| (token, None)));
            self.items = (0, 0);
        }
        let mine = self.gone.iter().filter(|g| *g.1 == Some(call.thread));
        self.perhaps.extend(mine.map(|g| *g.0));
        self.inside.insert(call.token);
        let (fewest, most) = self.items;
        let room = self.most();
        // Which of several things was replaced is not followed.
        let fewest = match self.replaces {
            true => fewest.saturating_add(1).min(room),
            false => fewest + 1,
        };
        self.items = (fewest, most.saturating_add(1).min(room));
        self.stirred();
    }

    /// Whether this can be in the queue, and is what somebody put there.
    fn leaves(&mut self, thread: usize, token: u32) -> Result<bool, Impossible> {
        let carried = self.inside.remove(&token);
        if !carried && !self.perhaps.contains(&token) && self.gone.contains_key(&token) {
            return Err(Impossible);
        }
        self.gone.insert(token, Some(thread));
        Ok(carried)
    }

    fn take(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible> {
        let carried = match returned {
            Returned::Token(token) => self.leaves(call.thread, token)?,
            _ => false,
        };
        let (fewest, most) = self.items;
        self.items = match self.drain {
            Drain::One if call.member.weight != ALL => {
                let one_less = most.checked_sub(1).ok_or(Impossible)?;
                (fewest.saturating_sub(1), one_less)
            }
            Drain::Some if call.member.weight != ALL => (0, most.checked_sub(1).ok_or(Impossible)?),
            _ => {
                self.inside.clear();
                (0, 0)
            }
        };
        self.stirred();
        Ok(carried)
    }
}

impl Spec for Queue {
    fn allows(&self, call: &Call) -> bool {
        match (call.role, self.ends) {
            (Role::Put | Role::Take, Ends::Open) => true,
            (Role::Take, _) => call.thread == TAKER,
            (Role::Put, Ends::OneTakes) => call.thread != TAKER,
            (Role::Put, Ends::OneEach) => call.thread == PUTTER,
            _ => false,
        }
    }

    fn keeps(&self) -> bool {
        match self.ends {
            Ends::Open => true,
            Ends::OneTakes => self.capacity.is_some(),
            Ends::OneEach => false,
        }
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        match call.role {
            Role::Put => self.room(),
            _ => self.stock(),
        }
    }

    fn waits(&mut self, call: &Call) {
        if self.stretches {
            return;
        }
        self.items = match (call.role, self.low) {
            (Role::Put, Some(low)) => {
                self.filled = Filled::Yes;
                (self.items.0.max(low + 1), self.items.1)
            }
            (Role::Put, None) => (self.most(), self.most()),
            _ => (0, 0),
        };
    }

    fn passes(&mut self, call: &Call) {
        match call.role {
            Role::Put if !self.replaces && !self.stretches => {
                self.filled = Filled::No;
                self.items.1 = self.items.1.min(self.most().saturating_sub(1));
            }
            Role::Take => self.items.0 = self.items.0.max(1),
            _ => {}
        }
    }

    fn complete(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible> {
        if call.role == Role::Put {
            self.put(call);
            return Ok(false);
        }
        self.take(call, returned)
    }

    /// Both kinds may wait at once only because a wake-up went the wrong way before.
    fn forgives(&self, waiting: &[Call]) -> bool {
        let is = |role: Role| waiting.iter().any(|w| w.role == role);
        is(Role::Put) && is(Role::Take)
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Take || self.capacity.is_some() && !self.replaces
    }

    fn extent(&self) -> Extent {
        Extent {
            threads: 5,
            steps: 16 + 2 * self.capacity.unwrap_or(0) as usize,
        }
    }
}
