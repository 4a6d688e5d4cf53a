//! Whether what somebody waits on was there yet, when another one did what is on his way to let him go on.
//!
//! All that a thread took before its first notify at an object may be on its way there (`errands`). An object may be made for one piece
//! of work: before that is begun nobody waits there, so nothing that was done for the pieces before it keeps him waiting. That a thread has gone on
//! to another piece is seen by what it does *before anybody used the object*: it lets others go on, at the same place in the code, who waited at another
//! object of the kind; or it leaves all that it holds, and then takes, for what it wanted, another one of the same kind.
//! That the object was not there is not known all the same, so this excludes nothing.

use super::finding::{Names, unnumbered};
use super::follow::{Act, Moment, Wanted};
use super::history::{History, Track};
use super::step::{Lock, Site, Thread};
use std::collections::{BTreeSet, HashMap};

/// Notifies of one thread that are kept.
const NOTICES: usize = 1 << 16;
/// Critical sections looked at for that, in all.
const WORK: usize = 100_000_000;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Firsts {
    /// By what shows that an object is there, the objects, and who lets others go on there.
    unseen: HashMap<Lock, Vec<(Lock, Thread)>>,
    /// How far these were when it was first used.
    seen: HashMap<(Lock, Thread), u32>,
    /// How far each thread is.
    latest: Vec<u32>,
    /// When and where those have let others go on, whatever these waited on.
    told: HashMap<Thread, Vec<(u32, Lock, Option<Site>)>>,
}

impl Firsts {
    /// Of those that let others go on at these objects; `outer` are locks that are there if the object that they give up for it is.
    pub(super) fn of(
        notifiers: &BTreeSet<(Lock, Thread)>,
        outer: impl Iterator<Item = (Lock, Lock)>,
    ) -> Self {
        let own = notifiers.iter().map(|&(lock, _)| (lock, lock));
        let shown: BTreeSet<(Lock, Lock)> = outer.chain(own).collect();
        let mut firsts = Self::default();
        for (by, lock) in shown {
            let all = (lock, Thread(0))..=(lock, Thread(u32::MAX));
            let those: Vec<(Lock, Thread)> = notifiers.range(all).copied().collect();
            if !those.is_empty() {
                firsts.unseen.entry(by).or_default().extend(those);
            }
        }
        let threads = notifiers.iter().map(|&(_, thread)| (thread, Vec::new()));
        firsts.told = threads.collect();
        firsts
    }

    pub(super) fn saw(&mut self, moment: Moment, act: Act) {
        if self.told.is_empty() {
            return;
        }
        let used = match act {
            Act::Wants { wanted, .. } => match wanted {
                Wanted::Lock(lock, _) | Wanted::Notice(lock) => Some(lock),
                Wanted::End(_) => None,
            },
            Act::Notified { lock, .. } | Act::Opened { lock, .. } => {
                self.tells(moment, lock);
                Some(lock)
            }
            _ => None,
        };
        if let Some(those) = used.and_then(|lock| self.unseen.remove(&lock)) {
            for who in those {
                let at = self.latest.get(who.1.0 as usize).copied().unwrap_or(0);
                self.seen.entry(who).or_insert(at);
            }
        }
        let index = moment.thread.0 as usize;
        if index >= self.latest.len() {
            self.latest.resize(index + 1, 0);
        }
        self.latest[index] = moment.at;
    }

    fn tells(&mut self, moment: Moment, lock: Lock) {
        let told = self.told.get_mut(&moment.thread);
        if let Some(told) = told.filter(|told| told.len() < NOTICES) {
            told.push((moment.at, lock, moment.site));
        }
    }
}

/// What is known of those who let others go on, and what their locks are called.
pub(super) struct Pasts<'h> {
    history: &'h History<'h>,
    names: &'h dyn Names,
    /// Numbers of names, and the name of each lock.
    kinds: HashMap<String, u32>,
    of: HashMap<Lock, u32>,
    /// When a thread had gone on from a lock, before somebody waited at another one.
    known: HashMap<(Thread, Lock, Lock), u32>,
    work: usize,
}

impl<'h> Pasts<'h> {
    pub(super) fn new(history: &'h History<'h>, names: &'h dyn Names) -> Self {
        Self {
            history,
            names,
            kinds: HashMap::new(),
            of: HashMap::new(),
            known: HashMap::new(),
            work: WORK,
        }
    }

    /// Of these moments, at which a dependency was on the way to let others go on at a lock, those at which there may have been
    /// somebody to wait there, for all that is known; none if it is all of them.
    pub(super) fn since_it_was_there(
        &mut self,
        (index, lock): (u32, Lock),
        moments: &[u32],
    ) -> Option<Vec<u32>> {
        let history = self.history;
        let dependency = &history.scan.table.all[index as usize];
        let Wanted::Lock(wanted, _) = dependency.wanted else {
            return None;
        };
        let thread = dependency.thread;
        let first = *history.firsts.seen.get(&(lock, thread))?;
        if moments.first().is_none_or(|&at| at >= first) || self.is_in_queue(index, lock) {
            return None;
        }
        let key = (thread, wanted, lock);
        let went_on = match self.known.get(&key) {
            Some(&at) => at,
            None => {
                let at = self.went_on(thread, (wanted, lock), first);
                self.known.insert(key, at);
                at
            }
        };
        let later = moments.iter().copied().filter(|&at| at >= went_on);
        let later: Vec<u32> = later.collect();
        (later.len() < moments.len()).then_some(later)
    }

    /// What it took for an earlier task is in the way of those that lie in the queue behind it.
    fn is_in_queue(&self, index: u32, lock: Lock) -> bool {
        let scan = self.history.scan;
        let thread = scan.table.all[index as usize].thread;
        let ways = scan.errands.ways.get(&(lock, thread));
        let mut known = ways.into_iter().flat_map(|ways| ways.known());
        known.any(|way| way.before.iter().any(|b| b.taken.contains(&index)))
    }

    fn went_on(&mut self, thread: Thread, (wanted, lock): (Lock, Lock), first: u32) -> u32 {
        let history = self.history;
        let track = history.tracks.get(thread.0 as usize);
        let took = track.map_or(0, |track| {
            self.work = self.work.saturating_sub(track.sections.len());
            match self.work {
                0 => 0,
                _ => others_taken(track, first, |other| self.are_siblings(wanted, other)),
            }
        });
        let told = history.firsts.told.get(&thread);
        let served = told.map_or(0, |told| {
            others_served(told, (lock, first), |other| self.are_siblings(lock, other))
        });
        took.max(served)
    }

    fn are_siblings(&mut self, one: Lock, other: Lock) -> bool {
        one != other && self.kind(one) == self.kind(other)
    }

    fn kind(&mut self, lock: Lock) -> u32 {
        if let Some(&kind) = self.of.get(&lock) {
            return kind;
        }
        let next = self.kinds.len() as u32;
        let name = self.names.lock(lock).name;
        let kind = *self
            .kinds
            .entry(unnumbered(&name).to_owned())
            .or_insert(next);
        self.of.insert(lock, kind);
        kind
    }
}

/// When it held nothing for the last time before it took another one, before that step.
fn others_taken(track: &Track, before: u32, mut is_other: impl FnMut(Lock) -> bool) -> u32 {
    let (mut free, mut until, mut found) = (0, 0, 0);
    for section in &track.sections {
        if section.from >= before {
            break;
        }
        if until < section.from {
            free = until;
        }
        if free > found && is_other(section.lock) {
            found = free;
        }
        until = until.max(section.to);
    }
    found
}

/// When it let others go on at another one for the last time before that step, where it does so at this one.
fn others_served(
    told: &[(u32, Lock, Option<Site>)],
    (lock, before): (Lock, u32),
    mut is_other: impl FnMut(Lock) -> bool,
) -> u32 {
    let here = told.iter().filter(|(_, at, _)| *at == lock);
    let here: BTreeSet<Site> = here.filter_map(|(_, _, site)| *site).collect();
    let earlier = told.iter().rev().filter(|(at, ..)| *at < before);
    let mut there = earlier.filter(|(_, _, site)| site.is_some_and(|site| here.contains(&site)));
    let last = there.find(|(_, other, _)| is_other(*other));
    last.map_or(0, |(at, ..)| *at)
}
