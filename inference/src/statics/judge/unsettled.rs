//! Numbers that are none of the lock's: objects begin with different ones, somebody says another while they are in use, or whoever
//! gives back moves them.

use super::super::descriptor::Type;
use super::super::expr::{Expr, Node};
use super::super::initial::Initial;
use super::super::profile::{Test, Var};
use super::super::resettled::is_only_set;
use super::case::Case;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{Detail, LockType};
use locklens_trace::code::Op;
use std::collections::BTreeSet;

/// Takes such a number out of what a reading says.
pub(super) fn uncount(case: &Case<'_>, finding: &mut Finding) {
    let key = match finding.lock_type {
        LockType::Semaphore => "permits",
        LockType::ProducerConsumer => "capacity",
        LockType::Barrier => "parties",
        LockType::Latch => "count",
        _ => return,
    };
    let is_endless = matches!(finding.details.get(key), Some(Detail::Word(_)));
    // What is said to a future is its result, and no number of what must come.
    let is_opened_at_once = key == "count" && finding.details.get(key) == Some(&Detail::Count(1));
    let keeps = is_endless || is_opened_at_once || is_linked(case, finding);
    if keeps || !rests_on_unsettled(case, finding) {
        return;
    }
    finding.uncount(key, "how many is not the same for all objects, or for ever");
    if finding.lock_type == LockType::ProducerConsumer {
        finding.word(key, "bounded");
    }
}

/// The lock goes on to another object of its class: what all of them together are is no number of one (a tree of barriers).
fn is_linked(case: &Case<'_>, finding: &Finding) -> bool {
    let program = case.see.program;
    finding.regions().into_iter().any(|region| {
        let method = &program.methods[case.profile(region).behaviour.method];
        method.code.iter().any(|insn| match &insn.op {
            Op::GetField(field) => {
                let kept = Type(&field.descriptor).class_name();
                kept.is_some_and(|class| class == field.class.replace('/', "."))
            }
            _ => false,
        })
    })
}

fn rests_on_unsettled(case: &Case<'_>, finding: &Finding) -> bool {
    let unsettled = |e: &Expr| case.unsettled.contains(e);
    let begins_at_none = |e: &Expr| case.initials.get(e) == Some(&Initial::Int(0));
    let regions = finding.regions();
    finding.vars.iter().any(|var| {
        let places = case.places(var);
        // What lies in a queue's only place is handed over, and a difference may be from how far somebody says he has come.
        let rests = match places.as_slice() {
            [_] if finding.lock_type == LockType::ProducerConsumer => false,
            [only] => unsettled(only),
            several => several
                .iter()
                .any(|e| unsettled(e) && !begins_at_none(e) || is_limit(case, *e)),
        };
        let moves = || finding.lock_type == LockType::Semaphore && moves_limit(case, var, &regions);
        rests
            || moves()
            || moves_with_limit(case, var)
            || numbers(case, var, &regions).iter().any(unsettled)
    })
}

/// Who does not wait there gives back what was taken, and with it moves the number against which those who wait hold that, and which they
/// leave alone: how many there are follows how it goes. What is set back to what it began with has not moved.
fn moves_limit(case: &Case<'_>, var: &Var, regions: &BTreeSet<RegionId>) -> bool {
    let Var::Count(terms) = var else { return false };
    let waits = |r: &RegionId| case.profile(*r).blocks_on(var).next().is_some();
    let left_alone = |place: &Expr| {
        let waiting = regions.iter().filter(|r| waits(r));
        let mut steps = waiting.flat_map(|&r| case.profile(r).steps());
        steps.all(|step| !step.updates.contains_key(place))
    };
    let is_moved = |(limit, sign): (&Expr, i64)| {
        let others = case.profiles.iter().filter(|(r, _)| !waits(r));
        let mut passes = others.flat_map(|(_, profile)| &profile.passes);
        passes.any(|step| {
            let mut held = terms.iter().filter(|t| t.1.signum() != sign);
            let left = step.updates.get(limit);
            left.is_some_and(|&value| case.see.x.constant(value).is_none())
                && held.any(|t| step.updates.contains_key(&t.0))
        })
    };
    let mut limits = terms.iter().map(|t| (&t.0, t.1.signum()));
    limits.any(|limit| left_alone(limit.0) && is_moved(limit))
}

/// A step sets a number anew, and the quantity moves by as much: what is left of so many, as many as there may be from then on.
fn moves_with_limit(case: &Case<'_>, var: &Var) -> bool {
    let own = case.places(var);
    let mut steps = case.profiles.values().flat_map(|p| p.steps());
    steps.any(|step| {
        let Some(shift) = case.see.shift(step, var) else {
            return false;
        };
        step.updates.iter().any(|(&place, &value)| {
            let x = case.see.x;
            let by = x.linear(value).plus(&x.linear(place), -1);
            let alike = shift == by || shift == by.times(-1);
            alike
                && !own.contains(&place)
                && !x.mentions(value, place)
                && x.constant(value).is_none()
        })
    })
}

/// One of the numbers between which a difference is taken is never moved on from what it was: somebody sets it anew while the lock is in
/// use, as far as the other may come from then on. Where others stand who come one after the other begins at nothing.
fn is_limit(case: &Case<'_>, place: Expr) -> bool {
    let x = case.see.x;
    let id = match *x.node(place) {
        Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => id,
        _ => return false,
    };
    let begins = case.initials.get(&place);
    let begins_low = matches!(begins, Some(Initial::Int(..=0)));
    let steps = case.profiles.values().flat_map(|p| p.steps());
    let mut left = steps.filter_map(|step| step.updates.get(&place));
    !begins_low
        && case.see.changes(place)
        && !left.any(|&value| x.mentions(value, place))
        && is_only_set(case.see.program, id)
}

/// What these regions compare a quantity with, and what they set it to.
fn numbers(case: &Case<'_>, var: &Var, regions: &BTreeSet<RegionId>) -> BTreeSet<Expr> {
    let mut out = BTreeSet::new();
    let places = case.places(var);
    for &region in regions {
        let profile = case.profile(region);
        for test in profile.blocks_on(var) {
            if let Test::AtMost(b) | Test::AtLeast(b) | Test::Is(b) | Test::IsNot(b) = test {
                out.extend(b.terms.iter().map(|t| t.0));
            }
        }
        let values = profile
            .steps()
            .flat_map(|s| places.iter().filter_map(|p| s.updates.get(p)));
        out.extend(
            values
                .flat_map(|&v| case.see.x.linear(v).terms)
                .map(|t| t.0),
        );
    }
    out
}
