//! BARRIER: whoever comes waits, except the one that completes the number.

use super::super::change::{Change, Move};
use super::super::expr::Node;
use super::super::profile::{Condition, Profile, Test, Var};
use super::super::step::{End, Step};
use super::case::Case;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (&id, profile) in &case.profiles {
        for var in arrivals(case, profile) {
            found.extend(of(case, id, profile, &var));
        }
    }
    found
}

/// Quantities a region changes before it waits.
fn arrivals(case: &Case<'_>, profile: &Profile<'_>) -> BTreeSet<Var> {
    let places = profile.waits.iter().flat_map(|s| s.updates.keys());
    let vars = places.flat_map(|&p| [Var::Count(vec![(p, 1)]), Var::Present(p)]);
    let fits = |var: &Var| case.is_quantity(var) && !case.is_element(var);
    vars.filter(fits)
        .filter(|var| !is_foreign(case, var))
        .collect()
}

/// A pointer that classes keep for all of their objects which have no region of the lock: who hangs something there counts nobody
/// who comes here.
fn is_foreign(case: &Case<'_>, var: &Var) -> bool {
    let Var::Present(place) = *var else {
        return false;
    };
    let Node::Static(id) = *case.see.x.node(place) else {
        return false;
    };
    let program = case.see.program;
    let class = |method: usize| program.methods[method].def.class;
    let own = |writer: &usize| {
        let mut methods = case.profiles.values().map(|p| p.behaviour.method);
        methods.any(|method| class(method) == class(*writer))
    };
    !program.field(id).writers.iter().any(own)
}

/// The steps of an arrival that waits and of the one that does not.
struct Arrival<'s> {
    var: &'s Var,
    up: bool,
    /// The only value at which one that arrives waits.
    only_from: Option<i64>,
    last: Vec<&'s Step>,
}

fn of(case: &Case<'_>, id: RegionId, profile: &Profile<'_>, var: &Var) -> Option<Finding> {
    let arrival = arrival(case, profile, var)?;
    let mut finding = Finding::new(LockType::Barrier, [var.clone()]);
    finding.role(Role::Arrive, [&id]);
    finding.pro(
        3.0,
        format!(
            "counts {} before waiting; the last to come does not wait",
            case.name(var)
        ),
    );
    let signals = arrival.last.iter().any(|s| case.is_told(s));
    match !signals && arrival.last.iter().any(|s| s.opaque > 0) {
        // What it does may be in a function that it is handed.
        true => finding.tangled(),
        false => finding.weigh(
            signals,
            (1.5, "the last one notifies"),
            (2.0, "the last one notifies nobody"),
        ),
    }
    let renewed = renews(case, profile, &arrival);
    finding.weigh(
        renewed,
        (1.5, "the last one begins a new round"),
        (0.5, "it serves one round only"),
    );
    let released = releases(case, profile, &arrival);
    finding.weigh(
        released,
        (1.0, "the others wait for what the last one changes"),
        (1.5, "what the others wait for is not clear"),
    );
    let parties = parties(case, &arrival);
    // Nobody meets alone: such a number is that of some other quantity, or changes as threads register.
    finding.count("parties", parties.filter(|&n| n > 1));
    if parties == Some(2) && case.takes_in(id, var) && case.gives_out(id, var) {
        finding.word("form", "exchanger");
    }
    strangers(case, id, &arrival, &mut finding);
    own_guards(case, profile, &mut finding);
    case.charge(&mut finding);
    Some(finding)
}

/// The region counts before waiting, and a test of the count decides who waits.
fn arrival<'s>(case: &Case<'_>, profile: &Profile<'s>, var: &'s Var) -> Option<Arrival<'s>> {
    let counting = |s: &&&Step| case.see.change(s, var).is_some();
    let first: Vec<_> = profile.waits.iter().filter(counting).collect();
    let up = first
        .iter()
        .map(|s| counts(case, s, var))
        .collect::<Option<BTreeSet<_>>>()?;
    let (1, Some(&up)) = (up.len(), up.first()) else {
        return None;
    };
    let entry = profile.behaviour.steps.iter();
    let last: Vec<_> = entry
        .filter(|s| matches!(s.end, End::Leaves(_)))
        .filter(|s| first.iter().all(|w| apart(case, s, w, var)))
        .collect();
    let only_from = only_from(case, &first, var);
    (!last.is_empty()).then_some(Arrival {
        var,
        up,
        only_from,
        last,
    })
}

fn only_from(case: &Case<'_>, first: &[&&Step], var: &Var) -> Option<i64> {
    let conditions = first.iter().flat_map(|s| case.see.conditions(s));
    let tests = conditions.filter(|c| c.var == *var).map(|c| match c.test {
        Test::Is(b) if b.terms.is_empty() => Some(b.constant),
        _ => None,
    });
    let values: BTreeSet<_> = tests.collect();
    match values.first() {
        Some(&only) if values.len() == 1 => only,
        _ => None,
    }
}

/// The step counts one: up (true) or down.
fn counts(case: &Case<'_>, step: &Step, var: &Var) -> Option<bool> {
    let change = case.see.change(step, var)?;
    let stepped = matches!(change, Change::Set(value) if follows(case, step, var, value));
    let single = matches!(change, Change::Add(1 | -1)) || case.is_binary(var) || stepped;
    let direction = case.see.direction(step, var, &change);
    (single && direction != Move::Unknown).then_some(direction == Move::Up)
}

/// The value set is the one after the value found.
fn follows(case: &Case<'_>, step: &Step, var: &Var, value: i64) -> bool {
    let conditions = case.see.conditions(step);
    let mut found = conditions.iter().filter(|c| c.var == *var).map(|c| &c.test);
    found.any(|t| matches!(t, Test::Is(b) if b.terms.is_empty() && b.constant + 1 == value))
}

/// The two steps find the quantity on different sides of a threshold.
fn apart(case: &Case<'_>, one: &Step, other: &Step, var: &Var) -> bool {
    let about = |c: &Condition| c.var == *var;
    let (a, b) = (case.see.conditions(one), case.see.conditions(other));
    a.iter().any(about) && b.iter().any(about) && one.facts.excludes(&other.facts)
}

/// The last one sets the count back or changes what marks the round.
fn renews(case: &Case<'_>, profile: &Profile<'_>, arrival: &Arrival<'_>) -> bool {
    let resets = |s: &&Step| {
        let change = case.see.change(s, arrival.var);
        let direction = change.map(|c| (case.see.direction(s, arrival.var, &c), c));
        match direction {
            Some((_, Change::Set(_))) => true,
            Some((direction, _)) => (direction == Move::Up) != arrival.up,
            None => false,
        }
    };
    let back = |s: &Step| {
        let change = case.see.change(s, arrival.var);
        change.is_some_and(|c| (case.see.direction(s, arrival.var, &c) == Move::Up) != arrival.up)
    };
    let waits_old = profile.blocks.iter().any(|c| c.test == Test::Old(true));
    arrival.last.iter().all(resets) || waits_old || profile.passes.iter().any(|s| back(s))
}

/// What the others wait for is changed by the last one.
fn releases(case: &Case<'_>, profile: &Profile<'_>, arrival: &Arrival<'_>) -> bool {
    profile.blocks.iter().any(|c| {
        let moved = |s: &&Step| case.see.change(s, &c.var).is_some();
        c.var == *arrival.var || arrival.last.iter().any(moved)
    })
}

/// Only who arrives changes the count.
fn strangers(case: &Case<'_>, id: RegionId, arrival: &Arrival<'_>, finding: &mut Finding) {
    let moves = |p: &Profile<'_>| -> BTreeSet<Move> {
        let steps = p.passes.iter();
        let changes = steps.filter_map(|s| Some((s, case.see.change(s, arrival.var)?)));
        changes
            .map(|(s, c)| case.see.direction(s, arrival.var, &c))
            .collect()
    };
    let own = case.profile(id);
    let others = case.profiles.values();
    let others = others.filter(|p| p.behaviour.method != own.behaviour.method);
    let alike = others.filter(|p| p.waits.is_empty() == own.waits.is_empty());
    let moves: Vec<_> = alike.map(moves).filter(|m| !m.is_empty()).collect();
    let back = BTreeSet::from([if arrival.up { Move::Down } else { Move::Up }]);
    if moves.contains(&back) {
        finding.contra(
            5.0,
            "another region that waits only ever changes the count back",
        );
    } else if !moves.is_empty() {
        finding.contra(3.0, "another region that waits changes the count");
    }
}

/// Adds what the region waits for to the quantities explained: all of it is the round.
fn own_guards(case: &Case<'_>, profile: &Profile<'_>, finding: &mut Finding) {
    let guards = profile.blocks.iter().map(|c| c.var.clone());
    let mine = |v: &Var| profile.steps().any(|s| case.see.change(s, v).is_some());
    finding.vars.extend(guards.filter(mine));
}

/// How many must come.
fn parties(case: &Case<'_>, arrival: &Arrival<'_>) -> Option<i64> {
    let present = matches!(arrival.var, Var::Present(_));
    if present && case.is_one_of_many(arrival.var) {
        return None;
    }
    if case.is_binary(arrival.var) {
        return Some(2);
    }
    if arrival.up && arrival.only_from.is_some() && arrival.only_from == case.begins(arrival.var) {
        return Some(2);
    }
    let begins = case.begins(arrival.var)?;
    let conditions = case.see.conditions(arrival.last.first()?);
    let tests = conditions.iter().filter(|c| c.var == *arrival.var);
    tests.map(|c| &c.test).find_map(|test| match test {
        Test::Is(b) | Test::AtLeast(b) if arrival.up => Some(case.by_weights(b, 1)? + 1 - begins),
        Test::Is(b) | Test::AtMost(b) if !arrival.up => Some(begins - case.initially(b)? + 1),
        _ => None,
    })
}
