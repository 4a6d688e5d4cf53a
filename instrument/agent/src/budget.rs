//! What call chains may cost: a small share of the processors' time, as measured, spread fairly.
//!
//! A chain costs some microseconds, an event without one a tenth of that; at 100,000 events a second
//! chains alone would take half a processor. So every chain is charged with the time it took, and
//! what may be charged grows with the clock: [`SHARE`] of each processor, saved up to [`CREDIT`]
//! (which is also there at the start, so that a short program shows everything it does; less of it where the recording as
//! a whole has a limit).
//!
//! While more than half of the credit is there, every event gets its chain. Below that a *pause* is
//! asked for between two chains of the same kind, longer the less credit is left: a price that finds
//! its own level. "The same kind" is lock, thread, what happens, and how deep the thread's stack is,
//! which tells call sites apart for nothing. What is rare thus keeps its chains, and what is frequent
//! shares what is left; a kind never seen before, and a lock of which nothing was taken for long, may
//! even overdraw a little. Nobody waits for anybody here: a few relaxed atomics, written only when a
//! chain is taken.

use crate::identity::LockSlot;
use crate::idmap::scatter;
use crate::memory::Slab;
use crate::ring::What;
use locklens_trace::{LockId, ThreadId};
use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Earned for each 1,024 ns of a processor, ns: 1 %.
const SHARE: u64 = 10;
/// [`SHARE`] in parts in a million.
const WHOLE: u64 = 10_000;
/// Processors that earn; more would let a big machine spend what one lock's threads never get back.
const MOST_PROCESSORS: u64 = 8;
/// What can be saved up: some 12,000 chains.
const CREDIT: i64 = 50_000_000;
/// What there is at the start of a recording that may cost so much and no more: it is to cost that after a second, too.
const CAREFUL: i64 = CREDIT / 10;
/// Below this there is a price.
const EASY: i64 = CREDIT / 2;
/// What a kind never seen before may overdraw.
const FIRST_SIGHT: i64 = 10_000_000;
/// What a lock that has had no chain for [`LONGEST`] may overdraw.
const FORGOTTEN: i64 = 20_000_000;
/// The shortest pause, ns; it doubles [`RUNGS`] times as the credit goes to 0.
const SHORTEST: u64 = 100_000;
const RUNGS: i64 = 14;
const LONGEST: u64 = SHORTEST << RUNGS;
/// Most that one chain is charged with: a thread that was preempted in it did not cost that time.
const MOST: u64 = 200_000;
/// Chains of a lock at a sixteenth of the price.
const CHEAP_PER_LOCK: u32 = 256;
/// Most entries of the table of kinds.
const KINDS: usize = 1 << 16;

/// An event that may get a chain.
pub(crate) struct Occasion<'a> {
    pub(crate) at: u64,
    pub(crate) slot: &'a LockSlot,
    pub(crate) lock: LockId,
    pub(crate) thread: ThreadId,
    pub(crate) what: What,
    /// Where the thread's stack ends.
    pub(crate) depth: usize,
}

/// See the module.
pub(crate) struct Budget {
    start: u64,
    /// Earned in 1,024 ns.
    income: u64,
    spent: AtomicU64,
    /// How often what a chain took is charged: more than once where chains may take less than [`SHARE`].
    price: AtomicU64,
    /// That of the beginning.
    base_price: u64,
    kinds: Slab<AtomicU64>,
}

/// When a kind last had a chain.
#[derive(Clone, Copy)]
enum Last {
    Never,
    Ago(u64),
}

impl Budget {
    /// A budget that begins now, with a table of kinds within `bytes`. Where all of the recording may cost no more
    /// than `overhead`, parts in a million, chains get half of it.
    pub(crate) fn new(
        start: u64,
        processors: u32,
        overhead: Option<u64>,
        bytes: usize,
    ) -> io::Result<Self> {
        let base_price = overhead.map_or(1, |most| (2 * WHOLE).div_ceil(most.max(1)));
        let credit = overhead.map_or(CREDIT, |_| CAREFUL);
        let kinds = 1 << (bytes / size_of::<AtomicU64>()).clamp(1, KINDS).ilog2();
        Ok(Self {
            start,
            income: SHARE * u64::from(processors).clamp(1, MOST_PROCESSORS),
            spent: AtomicU64::new((CREDIT - credit) as u64),
            price: AtomicU64::new(base_price),
            base_price,
            kinds: Slab::new(kinds)?,
        })
    }

    /// What may still be spent at this time; less than 0 if overdrawn.
    fn credit(&self, at: u64) -> i64 {
        let earned = at.saturating_sub(self.start) / 1024 * self.income;
        CREDIT + earned as i64 - self.spent.load(Relaxed) as i64
    }

    /// Whether an event gets its chain.
    pub(crate) fn admits(&self, event: &Occasion<'_>) -> bool {
        let credit = self.credit(event.at);
        credit >= EASY || self.pays(event, credit)
    }

    /// Whether it gets it at the price of the moment.
    fn pays(&self, event: &Occasion<'_>, credit: i64) -> bool {
        let now = self.units(event.at);
        let (kind, site) = keys(event);
        let lock = event.slot.last_chain(now);
        let pause = pause(credit, event);
        let admitted = lock >= LONGEST && credit > -FORGOTTEN
            || match self.last(site, now) {
                Last::Ago(ns) => credit > 0 && (ns >= pause || lock >= pause / 8),
                // Where the site is known, so is the kind: it was noted at the same time.
                Last::Never => credit > 0 || credit > -FIRST_SIGHT && self.is_new(kind, now),
            };
        if admitted {
            self.note(kind, now);
            self.note(site, now);
        }
        admitted
    }

    /// Charges a chain that was begun at `event.at`; what it took.
    pub(crate) fn charge(&self, event: &Occasion<'_>, end: u64) -> u64 {
        let cost = end.saturating_sub(event.at).min(MOST);
        self.spend(cost);
        event.slot.note_chain(self.units(event.at));
        cost
    }

    /// Charges so much: of who asked and got nothing, too.
    pub(crate) fn spend(&self, cost: u64) {
        let charged = cost.saturating_mul(self.price.load(Relaxed));
        self.spent.fetch_add(charged, Relaxed);
    }

    /// Chains may take one part in so many of what they might at the beginning.
    pub(crate) fn set_price(&self, parts: u64) {
        self.price
            .store(self.base_price.saturating_mul(parts), Relaxed);
    }

    /// Lets go of what nobody has spent, so that no long quiet time pays for one loud second.
    pub(crate) fn forfeit(&self, now: u64) {
        let unspent = self.credit(now) - CREDIT;
        if unspent > 0 {
            self.spent.fetch_add(unspent as u64, Relaxed);
        }
    }

    /// Time since the start in units of 1,024 ns.
    fn units(&self, at: u64) -> u64 {
        at.saturating_sub(self.start) >> 10
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.kinds.len() - 1)
    }

    fn last(&self, key: u64, now: u64) -> Last {
        let entry = self.kinds[self.place(key)].load(Relaxed);
        match entry >> TIME_BITS == mark(key) {
            true => Last::Ago(now.saturating_sub(entry & TIME_MASK) << 10),
            false => Last::Never,
        }
    }

    fn is_new(&self, key: u64, now: u64) -> bool {
        matches!(self.last(key, now), Last::Never)
    }

    fn note(&self, key: u64, now: u64) {
        let entry = mark(key) << TIME_BITS | now & TIME_MASK;
        self.kinds[self.place(key)].store(entry, Relaxed);
    }
}

/// An entry of the table holds a mark of its kind above the time; half a year of 1,024 ns.
const TIME_BITS: u32 = 44;
const TIME_MASK: u64 = (1 << TIME_BITS) - 1;

/// Never 0, which is an empty entry.
fn mark(key: u64) -> u64 {
    (key >> TIME_BITS).max(1)
}

/// The key without and with the place in the stack.
fn keys(event: &Occasion<'_>) -> (u64, u64) {
    let who = u64::from(event.lock.0) << 32 | u64::from(event.thread.0);
    let kind = scatter(who ^ (event.what as u64 + 1) << 61);
    (kind, scatter(kind ^ event.depth as u64))
}

/// The pause between two chains of a kind, give or take a half: a fixed one could fall in step with
/// the program.
fn pause(credit: i64, event: &Occasion<'_>) -> u64 {
    let rung = (EASY - credit.clamp(0, EASY)) * RUNGS / EASY;
    let full = SHORTEST << rung;
    let discount = if event.slot.is_fresh(CHEAP_PER_LOCK) {
        4
    } else {
        0
    };
    let chance = scatter(event.at) & 1023;
    (full / 2 + full / 1024 * chance) >> discount
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;
    const COST: u64 = 4_000;

    fn slots(n: usize) -> Vec<LockSlot> {
        (0..n).map(|_| LockSlot::default()).collect()
    }

    struct Program {
        budget: Budget,
        slots: Vec<LockSlot>,
        taken: Vec<u64>,
    }

    impl Program {
        fn new(locks: usize) -> Self {
            Self {
                budget: Budget::new(SECOND, 2, None, 1 << 19).expect("memory"),
                slots: slots(locks),
                taken: vec![0; locks],
            }
        }

        /// An event `at` ns after the start.
        fn event(&mut self, at: u64, lock: usize, thread: u32, depth: usize) -> bool {
            let event = Occasion {
                at: SECOND + at,
                slot: &self.slots[lock],
                lock: LockId(lock as u32 + 1),
                thread: ThreadId(thread),
                what: What::Enter,
                depth,
            };
            let admitted = self.budget.admits(&event);
            if admitted {
                self.budget.charge(&event, event.at + COST);
                self.taken[lock] += 1;
            }
            admitted
        }

        fn all(&self) -> u64 {
            self.taken.iter().sum()
        }
    }

    /// 100,000 events a second on each of some locks, for `seconds`.
    fn storm(program: &mut Program, locks: usize, seconds: u64) {
        for i in 0..seconds * 100_000 {
            for lock in 0..locks {
                program.event(i * 10_000 + lock as u64 * 100, lock, (i % 4) as u32, 7);
            }
        }
    }

    #[test]
    fn a_program_that_blocks_now_and_then_has_all_its_chains() {
        let mut program = Program::new(3);
        for i in 0..20_000 {
            assert!(program.event(i * 1_000_000, (i % 3) as usize, (i % 50) as u32, 7));
        }
    }

    #[test]
    fn the_first_thousands_have_theirs_whatever_comes() {
        let mut program = Program::new(1);
        assert!((0..5_000).all(|i| program.event(i * 2_000, 0, (i % 4) as u32, 7)));
    }

    #[test]
    fn a_storm_costs_its_share_and_no_more() {
        let mut program = Program::new(3);
        storm(&mut program, 3, 5);
        let spent = program.all() * COST;
        let earned = 5 * SECOND / 1024 * 2 * SHARE;
        assert!(
            spent <= earned + CREDIT as u64 + FORGOTTEN as u64,
            "{spent}"
        );
        assert!(spent >= earned, "{spent}");
        let (least, most) = (program.taken.iter().min(), program.taken.iter().max());
        assert!(most.map(|n| n / 2) < least.copied(), "{:?}", program.taken);
    }

    #[test]
    fn what_is_rare_keeps_its_chains_in_a_storm() {
        let mut program = Program::new(4);
        storm(&mut program, 3, 3);
        let mut missed = [0; 3];
        for i in 0..100_u64 {
            for step in 0..30_000 {
                let at = 3 * SECOND + i * 300_000_000 + step * 10_000;
                program.event(at, (step % 3) as usize, (step % 4) as u32, 7);
            }
            let at = 3 * SECOND + (i + 1) * 300_000_000;
            // A quiet lock; a thread that seldom comes to a busy one; a busy thread's rare call site.
            missed[0] += u32::from(!program.event(at, 3, 1, 7));
            missed[1] += u32::from(!program.event(at, 0, 9, 7));
            missed[2] += u32::from(!program.event(at, 0, 1, 70));
        }
        assert!(missed.iter().all(|&n| n <= 10), "of 100: {missed:?}");
    }

    #[test]
    fn threads_that_never_come_twice_do_not_starve_another_lock() {
        let mut program = Program::new(2);
        let mut seen = 0;
        for i in 0..1_000_000_u64 {
            program.event(i * 5_000, 0, i as u32 + 10, 7);
            if i % 100_000 == 0 {
                seen += u32::from(program.event(i * 5_000, 1, 1, 7));
            }
        }
        assert!(
            program.all() * COST < (5 * SECOND / 1024 * 2 * SHARE) + (CREDIT + FORGOTTEN) as u64
        );
        assert!(seen >= 3, "{seen} of 10");
    }

    #[test]
    fn at_a_higher_price_a_storm_costs_less() {
        let mut program = Program::new(3);
        program.budget = Budget::new(SECOND, 2, Some(10_000), 1 << 19).expect("memory");
        program.budget.set_price(4);
        storm(&mut program, 3, 5);
        let earned = 5 * SECOND / 1024 * 2 * SHARE;
        let most = (earned + (CREDIT + FORGOTTEN) as u64) / 8;
        assert!(program.all() * COST <= most, "{}", program.all());
        // What there is less of at the start is saved up first.
        let saved = (EASY - CAREFUL) as u64;
        assert!(
            program.all() * COST >= (earned - saved) / 8,
            "{}",
            program.all()
        );
    }

    #[test]
    fn with_a_limit_the_first_second_of_a_storm_costs_no_more_than_later_ones() {
        let mut program = Program::new(3);
        program.budget = Budget::new(SECOND, 2, Some(10_000), 1 << 19).expect("memory");
        storm(&mut program, 3, 1);
        let earned = SECOND / 1024 * 2 * SHARE;
        let most = (earned + (CAREFUL + FORGOTTEN) as u64) / 2;
        assert!(program.all() * COST <= most, "{}", program.all());
    }

    #[test]
    fn what_is_not_spent_in_time_is_forfeited() {
        let program = Program::new(1);
        let later = SECOND + 3600 * SECOND;
        program.budget.forfeit(later);
        assert_eq!(program.budget.credit(later), CREDIT);
        program.budget.forfeit(later - SECOND);
        assert_eq!(program.budget.credit(later), CREDIT);
    }
}
