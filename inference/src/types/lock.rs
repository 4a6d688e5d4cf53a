//! LOCK: user-written mutual exclusion, released by its holder, who may be allowed to take it
//! again (reentrant).

use super::case::{Case, Checker, Explanation};
use super::log::{End, Entry, Log, Stay};
use super::odds::DOUBTFUL;
use super::score::{Score, Stakes, odds_of};
use super::search::{NONE, Roles};
use super::waiters::{FAIR_COST, Waiters};
use super::{Detail, LockType, Role};
use std::collections::BTreeSet;

/// The checker.
pub(super) struct Lock;

const LOCK: u8 = 1;
const UNLOCK: u8 = 2;
/// Locks if nobody else holds it, else leaves without.
const TRY: u8 = 3;

/// Acquisitions by whoever did not hold it, none by who did, from which on it is not used as a reentrant lock: were but one
/// in thirty such, the chance to see none in so many is below one in thirty.
pub(super) const NEVER_AGAIN: u32 = 100;

/// Of so many unlocks and more it shows whether it is the holder who gives it back: not so where others do such a share of them.
const UNLOCKS: u32 = 20;
const BY_OTHERS: f64 = 0.1;

/// A semaphore may have any number of permits; that there is never more than one is evidence.
const BINARY: f64 = 1.4;

impl Checker for Lock {
    fn lock_type(&self) -> LockType {
        LockType::Lock
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        match code {
            LOCK | TRY => &[Role::Lock],
            UNLOCK => &[Role::Unlock],
            _ => &[],
        }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Lock) {
            LOCK
        } else if roles.contains(&Role::Unlock) {
            UNLOCK
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        let quiet = case.quiet(6);
        let mut all = Vec::new();
        for &a in &case.waiting(6) {
            for &b in &quiet {
                let mut roles = case.nobody();
                (roles[a], roles[b]) = (LOCK, UNLOCK);
                all.push(roles);
            }
        }
        all
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        match (case.waited(region), case.can_wait(region)) {
            (true, _) => vec![LOCK],
            (false, true) => vec![LOCK, UNLOCK, TRY],
            (false, false) => vec![UNLOCK, TRY],
        }
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        if !roles.contains(&LOCK) || !roles.contains(&UNLOCK) {
            return Score::IMPOSSIBLE;
        }
        best(log, roles).0.plus(BINARY)
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let (_, run, fair) = best(log, roles);
        let mut out = Explanation::default();
        if run.again > 1 {
            out.details.insert("reentrant", Detail::Flag(true));
            out.pro.push(format!(
                "taken again by its holder {} times at least",
                run.again
            ));
        } else if run.again == 0 && run.first >= NEVER_AGAIN {
            out.details.insert("reentrant", Detail::Flag(false));
            out.pro.push(format!(
                "never taken again by its holder in {} acquisitions",
                run.first
            ));
        }
        if fair {
            out.details.insert("fair", Detail::Flag(true));
        }
        let all = run.by_holder + run.by_other;
        out.given_back_by_others =
            all >= UNLOCKS && f64::from(run.by_other) >= BY_OTHERS * f64::from(all);
        if all > 0 && !out.given_back_by_others {
            out.pro.push(format!(
                "{} of {all} unlocks are by the holder",
                run.by_holder
            ));
        } else if all > 0 {
            out.pro.push(format!(
                "{} of {all} times it is given back by another thread than its holder",
                run.by_other
            ));
        }
        out
    }
}

#[derive(Clone, Copy)]
enum Hold {
    /// Free, or still held by this thread, if it is known who had it last.
    Unknown(Option<u32>),
    Free,
    /// Held, so many times at least and at most.
    By {
        thread: u32,
        lo: u32,
        hi: u32,
    },
}

struct Run {
    score: Score,
    /// Acquisitions by the holder, where it is known how often it holds it: not so until the lock is first seen
    /// given back for good after a beginning, or a silence, in which anybody may have had it.
    again: u32,
    /// Acquisitions by threads that are known not to hold it.
    first: u32,
    by_holder: u32,
    by_other: u32,
}

/// First come, first served, or whoever is quickest: which explains more.
fn best(log: &Log, roles: &[u8]) -> (Score, Run, bool) {
    let barging = run(log, roles, false);
    let a = barging.score;
    if a.contradicted == 0 {
        return (a, barging, false);
    }
    let fair = run(log, roles, true);
    let b = fair.score.plus(-FAIR_COST);
    if b.llr > a.llr {
        // Who is served by rank is served neither in line nor by chance.
        (b, fair, b.failed() <= DOUBTFUL)
    } else {
        (a, barging, false)
    }
}

fn run(log: &Log, roles: &[u8], fair: bool) -> Run {
    let mut machine = Machine {
        roles,
        fair,
        waiters: Waiters::default(),
        stakes: Stakes::new(log),
        giving: giving(log, roles),
        hold: Hold::Unknown(None),
        run: Run {
            score: Score::default(),
            again: 0,
            first: 0,
            by_holder: 0,
            by_other: 0,
        },
    };
    for instance in log.instances.iter().filter(|i| i.complete) {
        machine.forget();
        for entry in &instance.entries {
            match entry {
                Entry::Stay(stay) => machine.step(stay),
                Entry::Reset => machine.forget(),
                Entry::SubjectEnded => {}
            }
        }
    }
    machine.run
}

/// Share of each thread in all unlocks.
fn giving(log: &Log, roles: &[u8]) -> Vec<f64> {
    let mut shares = vec![0.0; log.threads];
    for (_, usage) in log
        .usage
        .iter()
        .enumerate()
        .filter(|(r, _)| roles[*r] == UNLOCK)
    {
        for (&thread, &times) in &usage.threads {
            shares[thread as usize] += f64::from(times);
        }
    }
    let total: f64 = shares.iter().sum::<f64>().max(1.0);
    shares.iter_mut().for_each(|s| *s /= total);
    shares
}

struct Machine<'a> {
    roles: &'a [u8],
    /// Whoever waits longest is served first.
    fair: bool,
    waiters: Waiters,
    stakes: Stakes,
    giving: Vec<f64>,
    hold: Hold,
    run: Run,
}

impl Machine<'_> {
    fn forget(&mut self) {
        self.hold = Hold::Unknown(None);
        self.waiters.forget();
    }

    fn step(&mut self, stay: &Stay) {
        match self.roles[usize::from(stay.region)] {
            LOCK if stay.may_have_given_up() || stay.end == End::Unknown => {
                self.waiters.set(stay.thread, false);
                self.try_lock(stay);
            }
            LOCK => self.arrive(stay),
            TRY => self.try_lock(stay),
            UNLOCK => self.unlock(stay.thread),
            _ => {}
        }
    }

    fn arrive(&mut self, stay: &Stay) {
        if self.fair && self.waiters.before(stay.thread) && stay.waits() {
            if self.busy_for(stay.thread).is_some() {
                self.stakes.settle(&mut self.run.score, stay, true);
            }
        } else {
            self.lock(stay);
        }
        self.waiters.set(stay.thread, stay.waits());
    }

    fn lock(&mut self, stay: &Stay) {
        let holds = matches!(self.hold, Hold::By { thread, .. } if thread == stay.thread);
        let before = self.fair && self.waiters.before(stay.thread) && !holds;
        if let Some(busy) = self.busy_for(stay.thread).map(|busy| busy || before) {
            self.stakes.settle(&mut self.run.score, stay, busy);
        }
        if stay.waits() {
            self.learn_busy(stay.thread);
        } else {
            self.acquire(stay.thread);
        }
    }

    /// Whether another thread holds it; none: not known.
    fn busy_for(&self, t: u32) -> Option<bool> {
        match self.hold {
            Hold::Unknown(_) => None,
            Hold::Free => Some(false),
            Hold::By { thread, .. } => Some(thread != t),
        }
    }

    fn learn_busy(&mut self, t: u32) {
        match self.hold {
            Hold::Unknown(Some(last)) if last != t => {
                self.hold = Hold::By {
                    thread: last,
                    lo: 1,
                    hi: u32::MAX,
                };
            }
            Hold::Free => self.hold = Hold::Unknown(None),
            Hold::By { thread, .. } if thread == t => self.hold = Hold::Unknown(None),
            _ => {}
        }
    }

    fn acquire(&mut self, t: u32) {
        let (lo, hi) = match self.hold {
            Hold::By { thread, lo, hi } if thread == t => {
                self.run.again += u32::from(lo == hi);
                (lo + 1, hi.saturating_add(1))
            }
            Hold::Unknown(None) => (1, u32::MAX),
            Hold::Unknown(Some(last)) if last == t => (1, u32::MAX),
            _ => {
                self.run.first += 1;
                (1, 1)
            }
        };
        self.hold = Hold::By { thread: t, lo, hi };
    }

    fn try_lock(&mut self, stay: &Stay) {
        match self.busy_for(stay.thread) {
            Some(false) => self.acquire(stay.thread),
            Some(true) => {}
            None => self.hold = Hold::Unknown(None),
        }
    }

    fn unlock(&mut self, t: u32) {
        if let Hold::By { thread, .. } = self.hold {
            let right = thread == t;
            // By chance it would be given back by its holder as often as that thread gives back at all.
            self.run.score.llr += odds_of(right, self.giving[thread as usize]);
            self.run.by_holder += u32::from(right);
            self.run.by_other += u32::from(!right);
        }
        self.hold = match self.hold {
            Hold::By { thread, lo, hi } if thread == t && lo > 1 => {
                let hi = if hi == u32::MAX { hi } else { hi - 1 };
                Hold::By {
                    thread,
                    lo: lo - 1,
                    hi,
                }
            }
            Hold::By {
                thread,
                hi: u32::MAX,
                ..
            } if thread == t => Hold::Unknown(Some(t)),
            Hold::By { .. } | Hold::Free => Hold::Free,
            Hold::Unknown(_) => Hold::Unknown(Some(t)),
        };
    }
}
