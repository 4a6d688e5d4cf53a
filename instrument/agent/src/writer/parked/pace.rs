//! When to look at parked threads, and how many call chains a look may take.
//!
//! Everything is paid for in processor time of this thread, as measured: the looks themselves by the time
//! between them, which grows as they get dearer, the chains by a credit that grows with the clock. Together
//! they keep below a [share](Terms::share), apart from the chains of the beginning. The time between two looks is
//! uneven, so that no rhythm of the program keeps step with it.

/// The time between two looks that is meant, ns.
pub(super) const WISH: u64 = 20_000_000;
/// What looks and chains may take of one processor, parts in 10,000.
const SHARE: u64 = WALK + CHAINS;
/// The least they are given: below, there would be hardly any.
const MIN_SHARE: u64 = 4;
/// The looks' part of it,
const WALK: u64 = 35;
/// and the chains'.
const CHAINS: u64 = 15;

/// What looks are meant to be, and may take.
#[derive(Clone, Copy)]
pub(in crate::writer) struct Terms {
    /// The time between two looks that is meant, ns.
    pub(in crate::writer) wish: u64,
    /// What looks may take of one processor, parts in 10,000,
    pub(in crate::writer) walk: u64,
    /// and what chains may.
    pub(in crate::writer) chains: u64,
    /// What chains may cost at the start, ns.
    pub(in crate::writer) credit: i64,
    /// How many times as far apart looks are while nothing moves.
    pub(in crate::writer) rest: u64,
}

impl Terms {
    /// Those of looks at parked threads, which go on beside a recording: of what that may cost, parts in a million, they
    /// take half at most.
    pub(in crate::writer) fn beside(overhead: Option<u64>) -> Self {
        let most = overhead.map_or(SHARE, |most| (most / 200).clamp(MIN_SHARE, SHARE));
        let chains = CHAINS * most / SHARE;
        Self {
            wish: WISH,
            walk: most - chains,
            chains,
            credit: overhead.map_or(CREDIT, |_| CAREFUL),
            rest: overhead.map_or(1, |_| REST),
        }
    }

    /// What both may take.
    pub(super) fn share(self) -> u64 {
        self.walk + self.chains
    }
}

/// Credit for chains at the start, and the most that can be saved up, ns.
pub(in crate::writer) const CREDIT: i64 = 10_000_000;
/// That at the start where the recording may cost so much and no more.
const CAREFUL: i64 = CREDIT / 10;
/// How many times as far apart looks are there while nothing moves,
const REST: u64 = 4;
/// which so many in a row have found.
const STILL: u32 = 12;
/// What a lock without any chain may overdraw.
const FIRST: i64 = 5_000_000;
/// Most chains in one look.
const MOST: u32 = 64;

/// See the module.
pub(in crate::writer) struct Pace {
    terms: Terms,
    due: u64,
    last: u64,
    /// What a look takes, averaged over some, ns.
    walk: u64,
    credit: i64,
    left: u32,
    /// Looks in a row that found nothing moved.
    still: u32,
    random: u64,
}

impl Pace {
    /// The first look is due a moment after `now`, ns.
    pub(in crate::writer) fn new(now: u64, terms: Terms) -> Self {
        Self {
            terms,
            due: now + terms.wish,
            last: now,
            walk: 0,
            credit: terms.credit,
            left: 0,
            still: 0,
            random: now | 1,
        }
    }

    /// Whether it is time for a look.
    pub(in crate::writer) fn is_due(&self, now: u64) -> bool {
        now >= self.due
    }

    /// How long until then, ns.
    pub(in crate::writer) fn until_due(&self, now: u64) -> u64 {
        self.due.saturating_sub(now)
    }

    /// A look begins: the time since the last one, for which it stands.
    pub(in crate::writer) fn begin(&mut self, now: u64) -> u64 {
        let since = now.saturating_sub(self.last);
        self.last = now;
        self.left = MOST;
        let earned = i64::try_from(since / 10_000 * self.terms.chains).unwrap_or(CREDIT);
        self.credit = self.credit.saturating_add(earned).min(CREDIT);
        since
    }

    /// Whether there may be another chain; `first` of its lock.
    pub(in crate::writer) fn affords_chain(&self, first: bool) -> bool {
        let least = if first { -FIRST } else { 0 };
        self.left > 0 && self.credit > least
    }

    /// A chain was taken that cost so much.
    pub(in crate::writer) fn charge_chain(&mut self, cost: u64) {
        self.left -= u32::from(self.left > 0);
        self.credit -= i64::try_from(cost).unwrap_or(CREDIT).min(CREDIT);
    }

    /// A look ends that cost so much besides its chains; whether it found anybody come, gone or gone on since the last one.
    pub(in crate::writer) fn end(&mut self, now: u64, cost: u64, moved: bool) {
        self.still = if moved {
            0
        } else {
            self.still.saturating_add(1)
        };
        self.walk = match self.walk {
            0 => cost,
            walk => (walk * 7 + cost) / 8,
        };
        let rest = if self.still < STILL {
            1
        } else {
            self.terms.rest
        };
        let interval = (self.terms.wish * rest).max(self.walk * 10_000 / self.terms.walk);
        self.due = now + interval / 4 * 3 + self.random() % (interval / 2);
    }

    /// Some number: xorshift.
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs looks of one cost for a while: how many there were, and the share they took in 10,000.
    fn run(cost: u64, chain: u64, seconds: u64) -> (u64, u64) {
        let (mut now, mut looks, mut spent) = (1_000_000, 0, 0);
        let mut pace = Pace::new(now, Terms::beside(None));
        while now < seconds * 1_000_000_000 {
            now += pace.until_due(now);
            assert!(pace.is_due(now));
            pace.begin(now);
            while chain > 0 && pace.affords_chain(false) {
                pace.charge_chain(chain);
                spent += chain;
            }
            pace.end(now, cost, true);
            (looks, spent) = (looks + 1, spent + cost);
        }
        (looks, spent / (seconds * 100_000))
    }

    #[test]
    fn cheap_looks_come_as_often_as_is_meant() {
        let (looks, share) = run(10_000, 0, 100);
        assert!((4_900..=5_100).contains(&looks), "{looks}");
        assert!((4..=5).contains(&share), "{share}");
    }

    #[test]
    fn dear_ones_come_less_often_and_keep_to_their_share() {
        for cost in [100_000, 1_000_000, 10_000_000] {
            let (_, share) = run(cost, 20_000, 1_000);
            assert!((WALK..=SHARE + 2).contains(&share), "{cost}: {share}");
        }
    }

    #[test]
    fn where_little_may_be_spent_they_take_half_of_it() {
        for (overhead, share) in [
            (None, SHARE),
            (Some(10_000), SHARE),
            (Some(2_000), 10),
            (Some(1), MIN_SHARE),
        ] {
            let terms = Terms::beside(overhead);
            assert_eq!(terms.share(), share);
            assert!(terms.walk > terms.chains && terms.chains > 0);
        }
    }

    #[test]
    fn where_little_may_be_spent_looks_at_what_stands_still_are_few_until_it_moves() {
        let mut pace = Pace::new(0, Terms::beside(Some(10_000)));
        let mut interval = |moved| {
            pace.end(0, 1_000, moved);
            pace.until_due(0)
        };
        assert!((0..STILL - 1).all(|_| interval(false) < WISH * 2));
        assert!((0..9).all(|_| interval(false) > WISH * 2));
        assert!(interval(true) < WISH * 2);
        let mut pace = Pace::new(0, Terms::beside(None));
        assert!((0..99).all(|_| {
            pace.end(0, 1_000, false);
            pace.until_due(0) < WISH * 2
        }));
    }

    #[test]
    fn a_lock_without_a_chain_may_overdraw_a_little() {
        let mut pace = Pace::new(0, Terms::beside(None));
        pace.begin(WISH);
        pace.charge_chain(CREDIT as u64);
        assert!(!pace.affords_chain(false) && pace.affords_chain(true));
        pace.charge_chain(FIRST as u64);
        assert!(!pace.affords_chain(true));
    }
}
