//! One counter: regions that take from it and wait while there is too little, regions that add.
//!
//! The common machine of SEMAPHORE and the unbounded PRODUCER-CONSUMER; the two differ only in
//! who gives back (see [`super::semaphore`]).

use super::interval::{Interval, MANY};
use super::log::{End, Entry, Log, Stay};
use super::pairing::Holders;
use super::score::{Score, Stakes};
use super::waiters::Waiters;
use std::collections::BTreeMap;

/// Moving more than one at once is a further assumption: its price, in nats.
const AMOUNT_COST: f64 = 4.0;

/// What the amounts of an assignment cost.
pub(super) fn amounts_cost(roles: &[u8]) -> f64 {
    AMOUNT_COST * roles.iter().filter(|&&r| amount(r) > 1).count() as f64
}

/// Takes, waiting while there is too little.
pub(super) const TAKE: u8 = 1;
/// Adds, never waits.
pub(super) const GIVE: u8 = 2;
/// Takes if there is enough, else leaves without.
pub(super) const TRY: u8 = 3;
/// Fills up: afterwards there is at least one.
pub(super) const FILL: u8 = 4;

/// An amount that is another each time.
pub(super) const ANY: u8 = 16;

/// Code of a role that moves that amount at once.
pub(super) fn code(role: u8, amount: u8) -> u8 {
    role | ((amount - 1) << 4)
}

/// Role of a code.
pub(super) fn role(code: u8) -> u8 {
    code & 15
}

/// Amount of a code.
pub(super) fn amount(code: u8) -> i64 {
    i64::from(code >> 4) + 1
}

/// What a run over the log found.
pub(super) struct TokensRun {
    /// The guard predictions.
    pub(super) score: Score,
    /// Who gave back what.
    pub(super) holders: Holders,
    /// Counter plus what is held, wherever both are known: value and how often.
    pub(super) totals: BTreeMap<i64, u32>,
}

/// Runs the machine. Only for complete instances: with stays missing nothing is ever known.
pub(super) fn run(log: &Log, roles: &[u8], fair: bool) -> TokensRun {
    let mut machine = Machine {
        roles,
        fair,
        waiters: Waiters::default(),
        stakes: Stakes::new(log),
        count: Interval::UNKNOWN,
        run: TokensRun {
            score: Score::default(),
            holders: Holders::new(log, |r| role(roles[r]) == GIVE),
            totals: BTreeMap::new(),
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

struct Machine<'a> {
    roles: &'a [u8],
    /// Whoever waits longest is served first.
    fair: bool,
    waiters: Waiters,
    stakes: Stakes,
    count: Interval,
    run: TokensRun,
}

impl Machine<'_> {
    fn forget(&mut self) {
        self.count = Interval::UNKNOWN;
        self.waiters.forget();
        self.run.holders.forget();
    }

    fn step(&mut self, stay: &Stay) {
        let code = self.roles[usize::from(stay.region)];
        let n = amount(code);
        match role(code) {
            TAKE => self.arrive(stay, n),
            TRY => self.try_take(stay, n),
            GIVE => self.give(stay, n),
            FILL => self.fill(),
            _ => return,
        }
        self.note_total();
    }

    fn give(&mut self, stay: &Stay, n: i64) {
        if n == i64::from(ANY) {
            self.count.add(1);
            self.fill();
            self.run.holders.give(stay.thread, 1);
        } else {
            self.count.add(n);
            self.run.holders.give(stay.thread, n);
        }
    }

    fn fill(&mut self) {
        self.count = Interval {
            lo: self.count.lo.max(1),
            hi: MANY,
        };
    }

    fn arrive(&mut self, stay: &Stay, n: i64) {
        if self.fair && self.waiters.before(stay.thread) && stay.waits() {
            self.wait_in_line(stay, n);
        } else if n == i64::from(ANY) {
            self.take_some(stay);
        } else {
            self.take(stay, n);
        }
        self.waiters.set(stay.thread, stay.waits());
    }

    /// Waits because somebody came before, so the count says nothing new. That is a prediction
    /// only where the count is known: else any crowd would look like a queue.
    fn wait_in_line(&mut self, stay: &Stay, n: i64) {
        if self.count.at_least(n).is_some() {
            self.stakes.settle(&mut self.run.score, stay, true);
        }
    }

    /// How many it wants is not known: only that nothing is too little.
    fn take_some(&mut self, stay: &Stay) {
        if stay.may_have_given_up() || stay.end == End::Unknown {
            self.count.lo = 0;
            return;
        }
        if self.count.at_least(1) == Some(false) {
            self.stakes.settle(&mut self.run.score, stay, true);
        }
        if !stay.waits() {
            self.count.learn_at_least(1);
            self.count.add(-1);
            self.count.lo = 0;
            self.run.holders.take(stay.thread, 1);
        }
    }

    fn take(&mut self, stay: &Stay, n: i64) {
        if stay.may_have_given_up() || stay.end == End::Unknown {
            // Whose time is up leaves without a look at what there is.
            self.count.maybe_sub(n);
            self.run.holders.may_have_taken(stay.thread);
            return;
        }
        let before = self.fair && self.waiters.before(stay.thread);
        if let Some(enough) = self.count.at_least(n) {
            self.stakes
                .settle(&mut self.run.score, stay, !enough || before);
        }
        if stay.waits() {
            self.count.learn_below(n);
        } else {
            self.count.learn_at_least(n);
            self.count.add(-n);
            self.run.holders.take(stay.thread, n);
        }
    }

    fn try_take(&mut self, stay: &Stay, n: i64) {
        match self.count.at_least(n) {
            Some(true) => {
                self.count.add(-n);
                self.run.holders.try_take(stay.thread, n);
            }
            Some(false) => {}
            None => self.count.maybe_sub(n),
        }
    }

    fn note_total(&mut self) {
        if let Some(count) = self.count.known() {
            *self
                .run
                .totals
                .entry(count + self.run.holders.outstanding())
                .or_default() += 1;
        }
    }
}

/// The total that holds nearly all the time: that of one object among others is none of the lock's.
pub(super) fn usual(totals: &BTreeMap<i64, u32>) -> Option<u64> {
    let all: u32 = totals.values().sum();
    let (&total, &times) = totals.iter().max_by_key(|&(_, times)| times)?;
    (u64::from(times) * 4 > u64::from(all) * 3)
        .then(|| u64::try_from(total).ok())
        .flatten()
}
