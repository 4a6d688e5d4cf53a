//! What events say of sites: put down first and counted after (see [`super::backlog`]).

use super::{Collector, NEAR_SITES, Site};
use crate::times::Lengths;
use locklens_trace::{Nanos, StackId};
use std::hint::black_box;

/// Something to be counted at a call chain of a lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    length: Nanos,
    /// 0: none.
    stack: u32,
    pub(super) lock: u32,
    what: What,
}

const _: () = assert!(size_of::<Entry>() == 24);

/// What is to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The lock was seen there.
    Seen,
    /// A thread was blocked.
    Blocked,
    /// A thread waited.
    Waited,
    /// The same, nobody knows how long.
    BlockedSometime,
    /// The same.
    WaitedSometime,
    /// A wait ended by time-out.
    TimedOut,
}

impl What {
    /// A stay ended, of which the length is known or not.
    pub(super) fn stay(waits: bool, length: Option<Nanos>) -> Self {
        match (waits, length) {
            (false, Some(_)) => Self::Blocked,
            (true, Some(_)) => Self::Waited,
            (false, None) => Self::BlockedSometime,
            (true, None) => Self::WaitedSometime,
        }
    }
}

impl Entry {
    /// The length is that of a stay of known length.
    pub(super) fn new(
        lock: u32,
        stack: Option<StackId>,
        what: What,
        length: Option<Nanos>,
    ) -> Self {
        Self {
            length: length.unwrap_or_default(),
            stack: stack.map_or(0, |stack| stack.0),
            lock,
            what,
        }
    }

    fn stack(&self) -> Option<StackId> {
        (self.stack != 0).then_some(StackId(self.stack))
    }
}

impl Collector {
    /// Counts these.
    pub(super) fn count_all(&mut self, entries: &[Entry]) {
        self.touch_sites(entries);
        let mut sites = std::mem::take(&mut self.placed);
        sites.extend(entries.iter().map(|e| self.site(e.lock, e.stack())));
        self.touch_lengths(entries, &sites);
        for (entry, site) in entries.iter().zip(sites.drain(..)) {
            let site = &mut self.locks.at(entry.lock).sites[site as usize];
            count(entry, site);
        }
        self.placed = sites;
    }

    fn touch_sites(&self, entries: &[Entry]) {
        let stack = |site: &Site| site.stack.map_or(0, |stack| stack.0);
        let sites = |entry: &Entry| self.locks.peek(entry.lock).sites.iter().take(NEAR_SITES);
        let stacks = entries.iter().flat_map(sites).map(stack);
        black_box(stacks.fold(0, |sum, stack| sum ^ stack));
    }

    fn touch_lengths(&self, entries: &[Entry], sites: &[u32]) {
        let of = |(entry, &site): (&Entry, &u32)| {
            let waits = match entry.what {
                What::Blocked => false,
                What::Waited => true,
                _ => return None,
            };
            let site = &self.locks.peek(entry.lock).sites[site as usize];
            Some((site.lengths(waits), entry.length))
        };
        let each = |read: fn(&Lengths, Nanos) -> u64| {
            let needed = entries.iter().zip(sites).filter_map(of);
            black_box(needed.fold(0, |sum, (lengths, length)| sum ^ read(lengths, length)));
        };
        each(|lengths, _| lengths.total().0);
        each(Lengths::touch);
    }

    /// The number of a call chain among those of a lock.
    pub(super) fn site(&mut self, lock: u32, stack: Option<StackId>) -> u32 {
        let sites = &mut self.locks.at(lock).sites;
        // Most locks have few: looking at them is cheaper than a table of all.
        let mut near = sites.iter().take(NEAR_SITES);
        if let Some(index) = near.position(|site| site.stack == stack) {
            return index as u32;
        }
        let next = sites.len() as u32;
        let index = if sites.len() < NEAR_SITES {
            next
        } else {
            let key = u64::from(lock) << 32 | u64::from(stack.map_or(0, |s| s.0));
            *self.sites.entry(key).or_insert(next)
        };
        if index == next {
            // A site is large, and where there are many locks most have one or two.
            if sites.len() == sites.capacity() {
                sites.reserve_exact(if sites.len() < NEAR_SITES {
                    1
                } else {
                    sites.len()
                });
            }
            sites.push(Site {
                stack,
                ..Site::default()
            });
        }
        index
    }

    /// The site of a stay that was put down.
    pub(super) fn site_of(&mut self, lock: u32, stack: Option<StackId>) -> &mut Site {
        let site = self.site(lock, stack);
        &mut self.locks.at(lock).sites[site as usize]
    }
}

fn count(entry: &Entry, site: &mut Site) {
    match entry.what {
        What::Seen => {}
        What::TimedOut => site.timed_out += 1,
        What::Blocked => site.blocked.add(entry.length),
        What::Waited => site.waits.add(entry.length),
        What::BlockedSometime => site.blocked.add_unknown(),
        What::WaitedSometime => site.waits.add_unknown(),
    }
}
