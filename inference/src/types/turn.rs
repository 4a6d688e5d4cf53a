//! Turns, a form of CONDITION: whoever comes waits until it is its turn, which is handed on in an order that stays
//! the same.
//!
//! To whom a turn goes is learnt from whom it went to the last time. Where everybody always wants his turn, a fair
//! lock makes the same events; it wins a tie, for it fails where somebody waits although nobody is in.

use super::case::Case;
use super::log::{End, Entry, Log, Stay};
use super::score::{Score, Stakes, odds_of};
use super::search::{NONE, Roles, value};
use std::collections::BTreeMap;

const AWAIT: u8 = 1;
const HAND_ON: u8 = 2;

/// An order is a further assumption, and must explain more than being in a line does: its price, in nats.
const TURN_COST: f64 = 12.0;

/// The best pair of regions, and what it explains.
pub(super) fn turns(case: &Case) -> Option<Score> {
    let (waiting, quiet) = (case.waiting(4), case.quiet(5));
    let pairs = waiting
        .iter()
        .flat_map(|&a| quiet.iter().map(move |&b| (a, b)));
    let assigned = pairs.map(|(a, b)| {
        let mut roles = case.nobody();
        (roles[a], roles[b]) = (AWAIT, HAND_ON);
        roles
    });
    let worth = |log: &Log, roles: &Roles| value(&fit(log, roles), roles);
    let rated = assigned.map(|roles| (worth(&case.windows.small, &roles), roles));
    let (_, roles) = rated.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let score = fit(&case.exact, &roles);
    Some(Score {
        llr: value(&score, &roles),
        ..score
    })
}

fn fit(log: &Log, roles: &[u8]) -> Score {
    let mut machine = Machine {
        roles,
        stakes: Stakes::new(log),
        giving: giving(log, roles),
        score: Score::default().plus(-TURN_COST),
        next: BTreeMap::new(),
        has: None,
        had: None,
    };
    for instance in log.instances.iter().filter(|i| i.complete) {
        machine.next.clear();
        machine.forget();
        for entry in &instance.entries {
            match entry {
                Entry::Stay(stay) => machine.step(stay),
                Entry::Reset => machine.forget(),
                Entry::SubjectEnded => {}
            }
        }
    }
    machine.score
}

/// Share of each thread in all handings on.
fn giving(log: &Log, roles: &[u8]) -> Vec<f64> {
    let mut shares = vec![0.0; log.threads];
    let hands_on = |(r, _): &(usize, _)| roles[*r] == HAND_ON;
    for (_, usage) in log.usage.iter().enumerate().filter(hands_on) {
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
    stakes: Stakes,
    giving: Vec<f64>,
    score: Score,
    /// Whose turn comes after whose.
    next: BTreeMap<u32, u32>,
    /// Whose turn it is, having gone on.
    has: Option<u32>,
    /// Whose turn it was before it was handed on.
    had: Option<u32>,
}

impl Machine<'_> {
    fn forget(&mut self) {
        (self.has, self.had) = (None, None);
    }

    fn step(&mut self, stay: &Stay) {
        let unsure = stay.may_have_given_up() || stay.end == End::Unknown;
        match self.roles[usize::from(stay.region)] {
            AWAIT if unsure => self.forget(),
            AWAIT => self.arrive(stay),
            HAND_ON => self.hand_on(stay.thread),
            NONE.. => {}
        }
    }

    fn arrive(&mut self, stay: &Stay) {
        let after = self.had.and_then(|had| self.next.get(&had).copied());
        if let Some(turn) = self.has.or(after) {
            self.stakes
                .settle(&mut self.score, stay, turn != stay.thread);
        }
        if stay.waits() {
            return;
        }
        if let Some(had) = self.had.take() {
            self.next.insert(had, stay.thread);
        }
        self.has = Some(stay.thread);
    }

    fn hand_on(&mut self, thread: u32) {
        if let Some(has) = self.has {
            self.score.llr += odds_of(has == thread, self.giving[has as usize]);
        }
        self.had = self.has.take();
    }
}
