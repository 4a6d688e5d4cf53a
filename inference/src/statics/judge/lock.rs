//! LOCK: mutual exclusion written by hand, one holder at a time.

use super::super::change::Move;
use super::super::expr::Node;
use super::super::profile::{Test, Var};
use super::super::step::{From, Step};
use super::case::Case;
use super::family::Family;
use super::finding::Finding;
use super::queue::is_chain;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let vars = case.vars();
    let mut found: Vec<_> = vars.iter().filter_map(|var| of(case, var)).collect();
    let for_all: Vec<_> = found.iter_mut().filter_map(|f| for_all(case, f)).collect();
    found.extend(for_all);
    found.extend(vars.iter().filter_map(|var| first_in_line(case, var)));
    found
}

/// A lock that is taken for all by the first and given back by the last belongs to nobody: it is a permit.
fn for_all(case: &Case<'_>, lock: &mut Finding) -> Option<Finding> {
    let (locks, unlocks) = (lock.roles.get(&Role::Lock)?, lock.roles.get(&Role::Unlock)?);
    if !case.is_for_all(locks, unlocks) {
        return None;
    }
    let mut permit = Finding::new(LockType::Semaphore, lock.vars.clone());
    permit.role(Role::Acquire, locks);
    permit.role(Role::Release, unlocks);
    permit.count("permits", Some(1));
    permit.pro(
        4.0,
        "the first of several takes it, and the last gives it back, whoever that is",
    );
    lock.contra(
        4.0,
        "the first of several takes it, and the last gives it back, whoever that is",
    );
    Some(permit)
}

/// Whoever wants the lock joins a line and holds it while he is its first.
fn first_in_line(case: &Case<'_>, var: &Var) -> Option<Finding> {
    let line = case.size_of_elements(var)?;
    let waits_turn = |id: &&RegionId| {
        let mut tests = case.profile(**id).blocks_on(var);
        tests.any(|t| *t == Test::Mine(false))
    };
    let locks: BTreeSet<_> = case.profiles.keys().filter(waits_turn).copied().collect();
    let family = Family::new(case, &line);
    let unlocks: BTreeSet<_> = family.down.difference(&locks).copied().collect();
    let joins = |r: &RegionId| raises(case, *r, &line);
    if locks.is_empty() || unlocks.is_empty() || !locks.iter().all(joins) {
        return None;
    }
    let mut finding = Finding::new(LockType::Lock, [var.clone(), line.clone()]);
    finding.role(Role::Lock, &locks);
    finding.role(Role::Unlock, &unlocks);
    finding.pro(
        3.0,
        format!("joins {} and waits to be its first", case.name(&line)),
    );
    finding.pro(1.5, "another region removes from the line without waiting");
    let signals = case.signals(&unlocks);
    finding.weigh(
        signals,
        (1.0, "leaving it notifies"),
        (1.5, "leaving it notifies nobody"),
    );
    finding.flag("reentrant", false);
    case.charge(&mut finding);
    Some(finding)
}

/// Every path through a region raises a quantity, before waiting or after.
fn raises(case: &Case<'_>, region: RegionId, var: &Var) -> bool {
    let profile = case.profile(region);
    let entry = profile.steps().filter(|s| s.from == From::Entry);
    let up = |s: &Step| {
        let change = case.see.change(s, var);
        change.is_some_and(|c| case.see.direction(s, var, &c) == Move::Up)
    };
    let entries: Vec<_> = entry.collect();
    !entries.is_empty() && entries.into_iter().all(up)
}

/// Who takes the quantity and who gives it back.
struct Holders<'f> {
    locks: &'f BTreeSet<RegionId>,
    tries: BTreeSet<RegionId>,
    unlocks: BTreeSet<RegionId>,
    others: usize,
}

fn holders(family: &Family) -> Option<Holders<'_>> {
    let tried = |set: &BTreeSet<RegionId>| set.intersection(&family.tests).copied().collect();
    let waiting = family.waits_low.len() + family.waits_high.len();
    let holders = match (family.takes.is_empty(), family.adds.is_empty()) {
        (false, true) => Holders {
            locks: &family.takes,
            tries: tried(&family.down),
            unlocks: family.up.clone(),
            others: waiting,
        },
        (true, false) => Holders {
            locks: &family.adds,
            tries: tried(&family.up),
            unlocks: family.down.clone(),
            others: waiting,
        },
        _ => return None,
    };
    (!holders.unlocks.is_empty()).then_some(holders)
}

fn of(case: &Case<'_>, var: &Var) -> Option<Finding> {
    let family = Family::new(case, var);
    let mut holders = holders(&family)?;
    let locks: BTreeSet<_> = holders.locks.union(&holders.tries).copied().collect();
    holders.unlocks.retain(|r| !locks.contains(r));
    let owner = owner(case, &locks);
    let owned = owner.is_some();
    let binary = case.is_binary(var) || begins_with_one(case, var, &family);
    if !binary && !owned || case.is_size(var) || is_chain(case, var, &locks) {
        return None;
    }
    let mut finding = Finding::new(LockType::Lock, [var.clone()]);
    finding.vars.extend(owner);
    finding.role(Role::Lock, &locks);
    finding.role(Role::Unlock, &holders.unlocks);
    finding.pro(
        2.0,
        format!(
            "waits while {} says it is held, then holds it",
            case.name(var)
        ),
    );
    finding.pro(1.5, "another region gives it back without waiting");
    let signals = case.signals(&holders.unlocks);
    finding.weigh(
        signals,
        (1.0, "giving it back notifies"),
        (1.5, "giving it back notifies nobody"),
    );
    if owned {
        finding.pro(1.5, "who holds it is remembered");
    }
    if let Some(turn) = drawn_number(case, var, &locks) {
        finding.vars.insert(turn);
        finding.pro(1.5, "each waits for the number he has drawn");
    }
    if is_by_name(case, var) {
        finding.word("form", "striped lock");
    }
    free_at_first(case, var, &family, &mut finding);
    against(case, var, &holders, &locks, &mut finding);
    let again = owned && case.lets_owner_pass(&locks);
    if again || !lets_pass_by_name(case, var, &locks) {
        finding.flag("reentrant", again);
    }
    case.charge(&mut finding);
    Some(finding)
}

/// The place where a lock region remembers the current thread.
fn owner(case: &Case<'_>, locks: &BTreeSet<RegionId>) -> Option<Var> {
    let passes = locks.iter().flat_map(|&r| case.profile(r).passes.iter());
    let mut updates = passes.flat_map(|s| &s.updates);
    let current = updates.find(|(_, v)| *case.see.x.node(**v) == Node::Current);
    current.map(|(&place, _)| Var::Present(place))
}

/// The part of a difference that is compared with a number drawn before waiting.
pub(super) fn drawn_number(case: &Case<'_>, var: &Var, locks: &BTreeSet<RegionId>) -> Option<Var> {
    let places = case.places(var);
    let blocks = locks.iter().flat_map(|&r| case.blocks(r));
    let mut old = blocks.filter(|c| matches!(c.test, Test::Old(_)));
    let part = |v: &Var| case.places(v).iter().all(|p| places.contains(p));
    let found = old.find(|c| places.len() > 1 && part(&c.var))?;
    Some(found.var.clone())
}

/// It is kept under a key that the caller names: there is one for each.
fn is_by_name(case: &Case<'_>, var: &Var) -> bool {
    let mut places = case.places(var).into_iter();
    places.any(|e| matches!(*case.see.x.node(e), Node::Keyed(_, key) if case.is_callers(key)))
}

/// A counter of one permit.
fn begins_with_one(case: &Case<'_>, var: &Var, family: &Family) -> bool {
    super::semaphore::permits(case, var, family) == Some(1)
}

fn free_at_first(case: &Case<'_>, var: &Var, family: &Family, finding: &mut Finding) {
    let Some(begins) = case.begins(var) else {
        return;
    };
    let high = !family.adds.is_empty();
    let free = if high { begins <= 0 } else { begins > 0 };
    finding.weigh(free, (0.5, "it begins free"), (4.0, "it begins held"));
}

fn against(
    case: &Case<'_>,
    var: &Var,
    holders: &Holders<'_>,
    locks: &BTreeSet<RegionId>,
    finding: &mut Finding,
) {
    if holders.others > 0 {
        finding.contra(2.5, "others wait for it without taking it");
    }
    let own = locks.union(&holders.unlocks).copied().collect();
    if super::semaphore::others_wait_and_change(case, var, &own) {
        finding.contra(
            4.0,
            "another region waits and changes the same state its own way",
        );
    }
    if !case.awaits_named(var).is_empty() {
        finding.contra(4.0, "who waits says what is to be there");
    }
    if may_be_shared(case, var, locks) {
        finding.contra(4.0, "who finds it held may take it as well");
    }
    if super::lazy::made(case, var).is_some() {
        finding.contra(4.0, "who finds made what others make goes on without it");
    }
    if goes_on_without(case, locks, finding) {
        finding.contra(
            2.0,
            "who finds what he asks for already done goes on without it",
        );
    }
    let into = holders.unlocks.iter().any(|&r| case.takes_in(r, var));
    let out = locks.iter().any(|&r| case.gives_out(r, var));
    let own = |v: &Var| v.holds_current(case);
    if into && out && !own(var) {
        finding.contra(2.5, "something is put in and taken out");
    }
    match case.called_together(locks, &holders.unlocks) {
        Some(true) => finding.pro(0.75, "the same method takes it and gives it back"),
        Some(false) if finding.vars.iter().any(own) => {
            finding.contra(1.0, "no method takes it and gives it back");
        }
        Some(false) => finding.contra(
            3.0,
            "no method takes it and gives it back, and who has it is not remembered",
        ),
        None => {}
    }
}

/// Who finds it held by the one whom he names goes on.
fn lets_pass_by_name(case: &Case<'_>, var: &Var, locks: &BTreeSet<RegionId>) -> bool {
    let passes = locks.iter().flat_map(|&r| case.profile(r).passes.iter());
    let places = case.places(var);
    passes.flat_map(|s| case.see.conditions(s)).any(|c| {
        let of_owner = case.places(&c.var).iter().any(|p| places.contains(p));
        let names = match &c.test {
            Test::Is(value) => value.terms.iter().any(|t| case.is_callers(t.0)),
            Test::Same(_, same) => *same,
            _ => false,
        };
        of_owner && names
    })
}

/// Some way leads from where those wait who find it held to where it is taken, and not because it is theirs, or that of
/// whom they say.
fn may_be_shared(case: &Case<'_>, var: &Var, locks: &BTreeSet<RegionId>) -> bool {
    locks.iter().any(|&r| {
        let profile = case.profile(r);
        let held: BTreeSet<&Test> = profile.blocks_on(var).collect();
        let finds_held = |s: &&&Step| {
            let conditions = case.see.conditions(s);
            conditions
                .iter()
                .any(|c| c.var == *var && held.contains(&c.test))
        };
        let named = |s: &Step| {
            let conditions = case.see.conditions(s);
            conditions.iter().any(|c| match &c.test {
                Test::Is(value) => !value.terms.is_empty(),
                Test::Same(_, same) => *same,
                _ => false,
            })
        };
        let mut passes = profile.passes.iter().filter(finds_held);
        passes.any(|s| !case.is_mine(s) && !named(s) && case.see.change(s, var).is_some())
    })
}

/// Whether those who wait go on, without taking it, once something has passed a value that they
/// were given: then it is that which they wait for.
fn goes_on_without(case: &Case<'_>, locks: &BTreeSet<RegionId>, finding: &Finding) -> bool {
    let callers = |test: &Test| match test {
        Test::AtMost(b) | Test::AtLeast(b) | Test::Is(b) | Test::IsNot(b) => {
            b.terms.iter().any(|t| case.is_callers(t.0))
        }
        _ => false,
    };
    let mut blocks = locks.iter().flat_map(|&r| case.blocks(r));
    blocks.any(|c| !finding.vars.contains(&c.var) && callers(&c.test) && case.is_moved(&c.var))
}

impl Var {
    /// The place is compared with the current thread.
    fn holds_current(&self, case: &Case<'_>) -> bool {
        let steps = case.profiles.values().flat_map(|p| p.steps());
        let mut conditions = steps.flat_map(|s| case.see.conditions(s));
        conditions.any(|c| c.var == *self && matches!(c.test, Test::Mine(_)))
    }
}
