//! JOIN: the lock is a thread, or stands for one, and waits end with its end.

use super::super::descriptor::Type;
use super::super::expr::{Expr, Node};
use super::super::profile::{Side, Test, Var};
use super::case::Case;
use super::family::{Family, side};
use super::finding::Finding;
use super::latch::returns_value;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    case.vars().iter().filter_map(|var| of(case, var)).collect()
}

fn of(case: &Case<'_>, var: &Var) -> Option<Finding> {
    if is_alive(case, var) {
        return alive(case, var);
    }
    let stands_for_thread = case.is_thread || is_thread_field(case, var);
    let family = Family::new(case, var);
    let mut once = one_way(&family)?;
    // No thread joins itself.
    once.retain(|id| !is_run(case, *id));
    if once.is_empty() {
        return None;
    }
    if !stands_for_thread {
        return task(case, var, &family, &once);
    }
    let mut finding = Finding::new(LockType::Join, [var.clone()]);
    finding.role(Role::Join, &once);
    let why = match case.is_thread {
        true => "the lock is a thread",
        false => "what is waited for is that it holds no running thread any more",
    };
    finding.pro(3.0, why);
    finding.pro(2.5, format!("{} changes once and for all", case.name(var)));
    case.charge(&mut finding);
    Some(finding)
}

/// The lock is a task, and nothing but its own `run()` ends the waits. Whether that is its last act
/// is not looked at, hence no more than even odds against a latch.
fn task(case: &Case<'_>, var: &Var, family: &Family, once: &BTreeSet<RegionId>) -> Option<Finding> {
    let runs = |id: &RegionId| is_run(case, *id);
    let fetches = |id: &RegionId| case.gives_out(*id, var) || returns_value(case, *id);
    if !family.up.union(&family.down).all(runs) || once.iter().any(fetches) {
        return None;
    }
    let mut finding = Finding::new(LockType::Join, [var.clone()]);
    finding.role(Role::Join, once);
    finding.pro(3.5, "the lock is a task whose own run() ends the waits");
    finding.pro(2.5, format!("{} changes once and for all", case.name(var)));
    case.charge(&mut finding);
    Some(finding)
}

/// The region lies in the `run()` of a task or thread.
pub(super) fn is_run(case: &Case<'_>, id: RegionId) -> bool {
    let program = case.see.program;
    let def = &program.methods[case.profile(id).behaviour.method].def;
    let own = ["java.lang.Runnable", "java.lang.Thread"]
        .iter()
        .any(|class| program.classes.is_a(def.class, class));
    own && def.name == "run" && def.descriptor == "()V"
}

/// The regions that wait for a change that is never undone.
pub(super) fn one_way(family: &Family) -> Option<BTreeSet<RegionId>> {
    let acquires = !family.takes.is_empty() || !family.adds.is_empty();
    if acquires || !family.unclear.is_empty() {
        return None;
    }
    let high = family.waits_low.is_empty() && family.up.is_empty() && !family.down.is_empty();
    let low = family.waits_high.is_empty() && family.down.is_empty() && !family.up.is_empty();
    match (low, high) {
        (true, _) if !family.waits_low.is_empty() => Some(family.waits_low.clone()),
        (_, true) if !family.waits_high.is_empty() => Some(family.waits_high.clone()),
        _ => None,
    }
}

fn alive(case: &Case<'_>, var: &Var) -> Option<Finding> {
    let waits = |id: &&RegionId| side(case, case.profile(**id), var) == Some(Side::High);
    let mut finding = Finding::new(LockType::Join, [var.clone()]);
    finding.role(Role::Join, case.profiles.keys().filter(waits));
    if finding.roles.is_empty() {
        return None;
    }
    finding.pro(6.0, "it waits while the thread that is the lock is alive");
    Some(finding)
}

fn is_alive(case: &Case<'_>, var: &Var) -> bool {
    let alive = |e: Expr| match case.see.x.node(e) {
        Node::Alive(thread) => *case.see.x.node(*thread) == Node::Lock,
        _ => false,
    };
    matches!(var, Var::Count(terms) if matches!(terms.as_slice(), &[(e, _)] if alive(e)))
}

/// The quantity is whether a field holds a thread, and it is not compared with the current one.
fn is_thread_field(case: &Case<'_>, var: &Var) -> bool {
    let Var::Present(place) = var else {
        return false;
    };
    let Node::Slot(id) = case.see.x.node(*place) else {
        return false;
    };
    let class = Type(&case.see.program.field(*id).descriptor).class_name();
    let owned = case.profiles.values().flat_map(|p| p.steps()).any(|s| {
        let conditions = case.see.conditions(s);
        conditions
            .iter()
            .any(|c| c.var == *var && matches!(c.test, Test::Mine(_)))
    });
    class.as_deref() == Some("java.lang.Thread") && !owned
}
