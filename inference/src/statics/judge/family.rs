//! The regions around one quantity, by what they do to it.

use super::super::change::{Change, Move};
use super::super::expr::Linear;
use super::super::profile::{Profile, Side, Test, Var};
use super::case::Case;
use crate::region::RegionId;
use std::collections::BTreeSet;

/// Regions by their stance towards one quantity.
#[derive(Clone, Debug, Default)]
pub(super) struct Family {
    /// Block while it is low and take from it.
    pub(super) takes: BTreeSet<RegionId>,
    /// Block while it is high and add to it.
    pub(super) adds: BTreeSet<RegionId>,
    /// Block while it is low and leave it as it is.
    pub(super) waits_low: BTreeSet<RegionId>,
    /// Block while it is high and leave it as it is.
    pub(super) waits_high: BTreeSet<RegionId>,
    /// Add to it without ever blocking on it.
    pub(super) up: BTreeSet<RegionId>,
    /// Take from it without ever blocking on it.
    pub(super) down: BTreeSet<RegionId>,
    /// Of those in `up` or `down`: they look at it first and may leave it.
    pub(super) tests: BTreeSet<RegionId>,
    /// Change it in a way that is not understood, or both ways.
    pub(super) unclear: BTreeSet<RegionId>,
}

impl Family {
    pub(super) fn new(case: &Case<'_>, var: &Var) -> Self {
        let mut family = Self::default();
        for (&id, profile) in &case.profiles {
            family.place(case, var, id, profile);
        }
        family
    }

    fn place(&mut self, case: &Case<'_>, var: &Var, id: RegionId, profile: &Profile<'_>) {
        let moves = moves(case, profile, var);
        let up = moves.contains(&Move::Up);
        let down = moves.contains(&Move::Down);
        let unknown = moves.contains(&Move::Unknown);
        match (side(case, profile, var), up, down) {
            _ if unknown && !(up || down) => drop(self.unclear.insert(id)),
            (Some(Side::Low), false, true) => drop(self.takes.insert(id)),
            (Some(Side::High), true, false) => drop(self.adds.insert(id)),
            (Some(Side::Low), false, false) => drop(self.waits_low.insert(id)),
            (Some(Side::High), false, false) => drop(self.waits_high.insert(id)),
            (None, true, false) => drop(self.up.insert(id)),
            (None, false, true) => drop(self.down.insert(id)),
            (None, false, false) => {}
            _ => drop(self.unclear.insert(id)),
        }
        if case.tests(profile, var) {
            self.tests.insert(id);
        }
    }

    /// Of a difference, such as what is taken from what there may be, somebody changes the one or the other in a way that is not
    /// understood: a limit that is set while others wait for it.
    pub(super) fn is_resized(&self, var: &Var) -> bool {
        var.is_sum() && !self.unclear.is_empty()
    }

    /// There are values at which both sides wait: no room between what is too little and what is too much.
    pub(super) fn both_wait(&self, case: &Case<'_>, var: &Var) -> bool {
        let tests = |regions: &BTreeSet<RegionId>| -> Vec<Test> {
            let tests = regions.iter().flat_map(|&r| case.profile(r).blocks_on(var));
            tests.cloned().collect()
        };
        let fixed = |bound: Linear| bound.terms.is_empty().then_some(bound.constant);
        let low = tests(&self.takes)
            .into_iter()
            .filter_map(|test| match test {
                Test::AtMost(bound) => fixed(bound),
                _ => None,
            });
        let high = tests(&self.adds).into_iter().filter_map(|test| match test {
            Test::AtLeast(bound) => fixed(bound),
            _ => None,
        });
        matches!((low.max(), high.min()), (Some(low), Some(high)) if high <= low)
    }

    /// Those in `up` that never refuse.
    pub(super) fn free_up(&self) -> BTreeSet<RegionId> {
        self.up.difference(&self.tests).copied().collect()
    }
}

/// Directions in which a region moves a quantity where it gets what it wants.
pub(super) fn moves(case: &Case<'_>, profile: &Profile<'_>, var: &Var) -> BTreeSet<Move> {
    let passes = profile.passes.iter();
    let changes = passes.filter_map(|s| Some((s, case.change(s, var)?)));
    let changes = changes.filter(|(_, c)| *c != Change::Add(0));
    changes
        .map(|(s, c)| case.see.direction(s, var, &c))
        .collect()
}

/// On which values of a quantity a region blocks.
pub(super) fn side(case: &Case<'_>, profile: &Profile<'_>, var: &Var) -> Option<Side> {
    let moves = moves(case, profile, var);
    let natural = case.see.natural(var);
    profile.blocks_on(var).find_map(|test| match test {
        Test::AtMost(_) => Some(Side::Low),
        Test::AtLeast(_) => Some(Side::High),
        Test::Is(b) if b.terms.is_empty() && b.constant == natural.high => Some(Side::High),
        Test::Is(b) if b.terms.is_empty() && b.constant == natural.low => Some(Side::Low),
        Test::Is(_) if moves.contains(&Move::Down) => Some(Side::Low),
        Test::Is(_) if moves.contains(&Move::Up) => Some(Side::High),
        Test::Is(b) if b.terms.is_empty() && b.constant == 0 => Some(Side::Low),
        Test::Is(_) => Some(Side::High),
        Test::IsNot(b) if b.terms.is_empty() && b.constant == 0 => Some(Side::High),
        Test::IsNot(_) => Some(Side::Low),
        Test::Mine(_) | Test::Old(_) | Test::Same(..) => None,
    })
}

impl Case<'_> {
    /// A region that does not block on a quantity looks at it and on some path leaves it alone.
    fn tests(&self, profile: &Profile<'_>, var: &Var) -> bool {
        let idle = |s: &&super::super::step::Step| {
            s.updates.is_empty()
                && self.see.change(s, var).is_none()
                && self.see.conditions(s).iter().any(|c| c.var == *var)
        };
        profile.passes.iter().any(idle)
    }
}
