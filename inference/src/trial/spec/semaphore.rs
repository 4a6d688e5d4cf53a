//! SEMAPHORE: permits that are taken and given.

use super::super::bench::Returned;
use super::super::lab::THREADS;
use super::{Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Permits that walks give to a semaphore that begins without any.
const SURPLUS: u32 = 5;

/// Who gives permits back in a walk. A lock that also keeps account of who holds what is a
/// semaphore to those who keep to its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Giving {
    /// Any thread, as long as permits are out.
    Anybody,
    /// A thread that has taken some.
    Holder,
    /// A thread that has taken some, and nobody takes more while he has.
    OnceEach,
}

/// The machine of a semaphore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Semaphore {
    /// Permits at first.
    pub(in super::super) initial: u32,
    /// Who gives back.
    pub(in super::super) giving: Giving,
    /// Most permits it keeps: what is given beyond is lost.
    pub(in super::super) most: Option<u32>,
    /// Giving makes it full, however much was taken.
    pub(in super::super) refills: bool,
    /// Each time several permits are given.
    pub(in super::super) by_several: bool,
    /// A long time makes it full.
    pub(in super::super) drips: bool,
    permits: u32,
    held: BTreeMap<usize, u32>,
    given: BTreeSet<u32>,
}

impl Semaphore {
    /// A semaphore with all its permits.
    pub(in super::super) fn new(initial: u32, giving: Giving) -> Self {
        Self {
            initial,
            giving,
            most: None,
            refills: false,
            by_several: false,
            drips: false,
            permits: initial,
            held: BTreeMap::new(),
            given: BTreeSet::new(),
        }
    }

    /// The same, keeping no more than so many permits.
    pub(in super::super) fn keeping(self, most: Option<u32>) -> Self {
        Self { most, ..self }
    }

    /// The same, filled up by whoever gives.
    pub(in super::super) fn refilled(self) -> Self {
        Self {
            refills: true,
            ..self
        }
    }

    /// The same, given several permits at once.
    pub(in super::super) fn given_several(self) -> Self {
        Self {
            by_several: true,
            ..self
        }
    }

    /// The same, filled up by time.
    pub(in super::super) fn dripping(self) -> Self {
        Self {
            drips: true,
            ..self
        }
    }

    /// Permits that walks give to one that begins without any.
    fn surplus(&self) -> u32 {
        self.most.unwrap_or(SURPLUS).min(SURPLUS)
    }

    fn held(&self, thread: usize) -> u32 {
        self.held.get(&thread).copied().unwrap_or(0)
    }

    fn may_take(&self, call: &Call) -> bool {
        let most = if self.initial == 0 {
            self.surplus()
        } else {
            self.initial
        };
        let idle = self.giving != Giving::OnceEach || self.held(call.thread) == 0;
        call.member.weight <= most && idle
    }

    /// Filling up is legal at any time; walks that did it everywhere would never come to the end.
    fn is_filled_here(&self) -> bool {
        [0, self.initial / 2, self.initial].contains(&self.permits)
    }

    fn may_give(&self, call: &Call) -> bool {
        let weight = call.member.weight;
        match self.giving {
            _ if self.refills => weight == 1 && self.is_filled_here(),
            _ if self.initial == 0 => self.permits + weight <= self.surplus(),
            Giving::Anybody => self.permits + weight <= self.initial,
            Giving::Holder => self.held(call.thread) >= weight,
            Giving::OnceEach => self.held(call.thread) == weight,
        }
    }
}

impl Spec for Semaphore {
    fn allows(&self, call: &Call) -> bool {
        match call.role {
            Role::Acquire => self.may_take(call),
            Role::Release => self.may_give(call),
            _ => false,
        }
    }

    fn guard(&self, call: &Call, waiting: &[Call]) -> Guard {
        let wants_more = |w: &Call| w.member.weight > self.permits;
        match call.role {
            Role::Acquire if self.permits < call.member.weight => Guard::Shut,
            // Whether somebody modest goes before somebody who asks for much is a matter of taste.
            Role::Acquire if waiting.iter().any(wants_more) => Guard::Either,
            _ => Guard::Open,
        }
    }

    fn complete(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible> {
        let weight = call.member.weight;
        let held = self.held.entry(call.thread).or_default();
        if call.role == Role::Acquire {
            self.permits = self.permits.checked_sub(weight).ok_or(Impossible)?;
            *held += weight;
        } else if self.refills {
            self.permits = self.initial;
        } else {
            self.permits += weight;
            *held = held.saturating_sub(weight);
            self.given.insert(call.token);
        }
        let takes = call.role == Role::Acquire;
        Ok(takes && matches!(returned, Returned::Token(t) if self.given.contains(&t)))
    }

    fn outlast(&mut self) -> bool {
        if self.drips {
            self.permits = self.initial;
        }
        self.drips
    }

    /// Who waits for time to pass need not be told.
    fn forgives(&self, _waiting: &[Call]) -> bool {
        self.drips
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Acquire
    }

    fn extent(&self) -> Extent {
        let permits = self.initial as usize;
        let threads = match self.giving {
            _ if self.refills => (permits + 2).min(THREADS),
            Giving::OnceEach => (permits + 3).min(THREADS),
            _ => 5,
        };
        Extent {
            threads,
            steps: 14 + 2 * permits,
        }
    }
}
