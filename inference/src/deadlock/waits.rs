//! Threads that wait to be notified by nobody.
//!
//! What is told of here happened: the trace ends with a thread in a wait without a time-out, and nobody is left who
//! could end it. A trace that was cut off ends with waiting threads too, so it is told only where that cannot be the
//! reason: every other thread of the trace has ended, or stands in such a wait itself.

use super::follow::{Act, Held, Moment, State, Waiting, Wanted, Watch};
use super::step::{Lock, Site, Thread};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Threads remembered that wait on one lock.
const WAITERS: usize = 1024;
/// Places remembered at which threads wait on one lock, and threads of each.
const PLACES: usize = 32;

/// Why nobody ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unserved {
    /// The notify came before the wait.
    Lost,
    /// Those who notified others on this lock have ended.
    NotifierEnded,
    /// Somebody notified one of several that waited at different places, and it was not this one.
    OtherRole,
    /// The notify came in time, and need not have.
    Late,
    /// One notify serves those who wait in two roles: nobody was passed over in this run.
    TwoRoles,
    /// Those who notified others on this lock wait there themselves.
    NotifierWaits,
    /// Nobody ever notified anybody on this lock.
    NoNotifier,
    /// Those who are blocked on what it holds may be who should do it.
    KeptOut,
    /// No thread that lives has the lock, or permits of it.
    OwnerEnded,
    /// The one who has the lock waits for a task to run.
    OwnerIdle,
    /// All threads of its pool wait in tasks: what lies in its queue nobody runs.
    Starved,
    /// Who has the lock nobody knows, and no thread goes on that could let it go.
    HolderUnknown,
}

/// A thread that waits for ever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stranded {
    pub(super) thread: Thread,
    pub(super) lock: Lock,
    pub(super) site: Option<Site>,
    pub(super) why: Unserved,
    /// It waits to have the lock itself, or a permit of it.
    pub(super) to_have: bool,
    /// Who notified too early, or somebody else.
    pub(super) by: Option<(Thread, Option<Site>)>,
}

/// What is known of the waits on one lock.
#[derive(Debug, Default)]
struct Record {
    notifiers: BTreeSet<Thread>,
    /// The latest notify, if it found nobody.
    unheard: Option<(Thread, Option<Site>)>,
    waiting: BTreeMap<Thread, Wait>,
    /// Who has waited where without a time-out.
    waited: BTreeMap<Site, BTreeSet<Thread>>,
    /// Where somebody notified one, not all.
    one: BTreeSet<Site>,
    /// Who has notified since he took it.
    has_notified: BTreeSet<Thread>,
    /// Somebody did, and then waited: he may have passed on what he was told himself.
    passes_on: bool,
}

/// A wait under way.
#[derive(Clone, Copy, Debug)]
struct Wait {
    site: Option<Site>,
    /// A notify that came before it.
    missed: Option<(Thread, Option<Site>)>,
    /// A notify that was for one of several.
    passed_over: Option<(Thread, Option<Site>)>,
}

/// Follows the waits of a trace.
#[derive(Debug, Default)]
pub(super) struct Waits {
    locks: BTreeMap<Lock, Record>,
}

impl Watch for Waits {
    fn saw(&mut self, moment: Moment, act: Act, _held: &[Held]) {
        match act {
            Act::Wants {
                wanted: Wanted::Notice(lock),
                timed,
            } => self.begins(moment, lock, timed),
            Act::Left(lock) | Act::Lost(lock) => {
                if let Some(record) = self.locks.get_mut(&lock) {
                    record.has_notified.remove(&moment.thread);
                }
            }
            Act::Opened { lock, .. } => {
                let record = self.locks.entry(lock).or_default();
                record.notifiers.insert(moment.thread);
            }
            Act::Notified { lock, all, waiters } => self.notified(moment, lock, all, waiters),
            Act::Back(lock) => {
                let record = self.locks.entry(lock).or_default();
                record.waiting.remove(&moment.thread);
            }
            _ => {}
        }
    }
}

impl Waits {
    fn begins(&mut self, moment: Moment, lock: Lock, timed: bool) {
        let record = self.locks.entry(lock).or_default();
        record.passes_on |= record.has_notified.contains(&moment.thread);
        let known = record.waited.len();
        if let Some(site) = moment.site.filter(|_| !timed) {
            let place = record.waited.get_mut(&site);
            match place {
                Some(threads) if threads.len() < PLACES => drop(threads.insert(moment.thread)),
                None if known < PLACES => {
                    drop(record.waited.insert(site, BTreeSet::from([moment.thread])));
                }
                _ => {}
            }
        }
        let wait = Wait {
            site: moment.site,
            missed: record.unheard,
            passed_over: None,
        };
        if record.waiting.len() < WAITERS {
            record.waiting.insert(moment.thread, wait);
        }
    }

    fn notified(&mut self, moment: Moment, lock: Lock, all: bool, waiters: usize) {
        let record = self.locks.entry(lock).or_default();
        record.notifiers.insert(moment.thread);
        record.has_notified.insert(moment.thread);
        if let Some(site) = moment.site.filter(|_| !all && record.one.len() < PLACES) {
            record.one.insert(site);
        }
        let by = (moment.thread, moment.site);
        record.unheard = (waiters == 0).then_some(by);
        let sites: BTreeSet<_> = record.waiting.values().map(|wait| wait.site).collect();
        let one_of_several = !all && waiters > 1 && sites.len() > 1;
        for wait in record.waiting.values_mut() {
            wait.missed = None;
            wait.passed_over = one_of_several.then_some(by);
        }
    }

    /// Who has let others go on at a lock.
    pub(super) fn notifiers(&self, lock: Lock) -> impl Iterator<Item = Thread> {
        let record = self.locks.get(&lock);
        record
            .into_iter()
            .flat_map(|record| record.notifiers.iter().copied())
    }

    /// Those that wait for ever.
    /// `own` are threads of the JVM's own, which count as ended.
    pub(super) fn stranded(
        &self,
        threads: &[State],
        own: impl Fn(Thread) -> bool,
    ) -> Vec<Stranded> {
        let over = |(id, state): (u32, &State)| {
            let for_ever = |waiting: Waiting| !waiting.timed && !waiting.is_woken();
            let waits = state.waiting.is_some_and(for_ever) && state.pending.is_none();
            let stands = waits || abandoned(state, threads).is_some();
            state.ended || stands || state.is_unseen() || own(Thread(id))
        };
        if !(0..).zip(threads).all(over) {
            return Vec::new();
        }
        let all = (0..).zip(threads).filter(|(_, state)| !state.ended);
        let one = |(id, state): (u32, &State)| {
            let thread = Thread(id);
            let without = without_owner(thread, state, threads);
            without.or_else(|| self.one(thread, state, threads))
        };
        let mut stranded: Vec<Stranded> = all.filter_map(one).collect();
        // Of those at one lock the one whose notify went wrong tells most.
        stranded.sort_by_key(|one| !matches!(one.why, Unserved::Lost | Unserved::OtherRole));
        stranded
    }

    /// Locks at which each of two roles lets go the other's by one notify, not all, of whom so many live at one time that both may wait;
    /// with where a thread of each has waited. `role` tells of a place which role it is, and how many of one role the other can
    /// serve at once, `life` from when to when a thread lives.
    pub(super) fn of_two_roles(
        &self,
        role: impl Fn(Lock, Site) -> Option<(Role, u64)>,
        life: impl Fn(Thread) -> (u64, u64),
    ) -> Vec<(Lock, [(Thread, Site); 2])> {
        let records = self.locks.iter();
        let served_by_one = records.filter(|(_, record)| !record.passes_on);
        let two = |(&lock, record): (&Lock, &Record)| {
            let mut roles: BTreeMap<Role, (BTreeSet<Thread>, Site)> = BTreeMap::new();
            let mut most = 0;
            for (&site, threads) in &record.waited {
                let (role, room) = role(lock, site)?;
                most = room;
                let known = roles.entry(role).or_insert((BTreeSet::new(), site));
                known.0.extend(threads);
            }
            // Where one of them calls all, nobody of the other is passed over for good.
            let single = |of: &Role| {
                let mut sites = record.one.iter();
                sites.any(|&site| role(lock, site).is_some_and(|(role, _)| role == *of))
            };
            if !roles.keys().all(single) {
                return None;
            }
            let mut all = roles.into_values();
            let (one, other) = (all.next()?, all.next()?);
            let many = |these: &BTreeSet<Thread>, served: &BTreeSet<Thread>| {
                served.iter().any(|&by| {
                    let others = these.iter().filter(|&&thread| thread != by);
                    let lives: Vec<_> = others.map(|&thread| life(thread)).collect();
                    at_once(&lives, life(by)) as u64 > most
                })
            };
            let many = many(&one.0, &other.0) || many(&other.0, &one.0);
            let who = |of: &(BTreeSet<Thread>, Site)| Some((*of.0.first()?, of.1));
            let sides = [who(&one)?, who(&other)?];
            (many && all.next().is_none()).then_some((lock, sides))
        };
        served_by_one.filter_map(two).collect()
    }

    fn one(&self, thread: Thread, state: &State, threads: &[State]) -> Option<Stranded> {
        let waiting = state.waiting.filter(|waiting| waiting.joins.is_none())?;
        let record = self.locks.get(&waiting.lock)?;
        let wait = record.waiting.get(&thread)?;
        let other = record
            .notifiers
            .iter()
            .find(|&&notifier| notifier != thread);
        let ended = |thread: Thread| threads.get(thread.0 as usize).is_none_or(|t| t.ended);
        let (why, by) = match (wait.missed, wait.passed_over, other) {
            (Some(by), _, _) => (Unserved::Lost, Some(by)),
            (None, Some(by), _) => (Unserved::OtherRole, Some(by)),
            (None, None, Some(&by)) if ended(by) => (Unserved::NotifierEnded, Some((by, None))),
            (None, None, Some(&by)) => (Unserved::NotifierWaits, Some((by, None))),
            (None, None, None) => (Unserved::NoNotifier, None),
        };
        Some(Stranded {
            thread,
            lock: waiting.lock,
            site: waiting.site,
            why,
            to_have: false,
            by,
        })
    }
}

/// The most of these lives that there are at one time within another one.
fn at_once(lives: &[(u64, u64)], within: (u64, u64)) -> usize {
    let begins = lives.iter().map(|life| life.0.max(within.0));
    let at = |now: u64| {
        let there = |life: &&(u64, u64)| life.0 <= now && now < life.1;
        lives.iter().filter(there).count()
    };
    begins
        .filter(|now| *now < within.1)
        .map(at)
        .max()
        .unwrap_or(0)
}

/// A lock that a thread waits to have, and that only threads have which have ended; of a semaphore nobody need have a permit.
fn abandoned(state: &State, threads: &[State]) -> Option<(Lock, Option<Site>)> {
    let (lock, mode, site) = state.pending?;
    let has = |state: &&State| state.held.iter().any(|held| held.lock == lock);
    let mut holders = threads.iter().filter(has).peekable();
    let counts = holders.peek().is_some() || mode.permits() > 0;
    (counts && holders.all(|state| state.ended)).then_some((lock, site))
}

fn without_owner(thread: Thread, state: &State, threads: &[State]) -> Option<Stranded> {
    let (lock, site) = abandoned(state, threads)?;
    let had = |state: &State| state.ended && state.held.iter().any(|held| held.lock == lock);
    Some(Stranded {
        thread,
        lock,
        site,
        why: match threads.iter().any(had) {
            true => Unserved::OwnerEnded,
            false => Unserved::NoNotifier,
        },
        to_have: true,
        by: None,
    })
}
