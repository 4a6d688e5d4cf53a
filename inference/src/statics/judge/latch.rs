//! LATCH: opens once. An event that can be closed again is a CONDITION of that form.

use super::super::change::{Change, Move};
use super::super::expr::{Expr, Node};
use super::super::profile::{Test, Var};
use super::super::step::{End, Step};
use super::case::Case;
use super::family::Family;
use super::finding::Finding;
use super::join::is_run;
use super::joint;
use super::lazy;
use super::outside;
use crate::region::RegionId;
use crate::types::{EVENT, LockType, Role, WAIT_GROUP};
use std::collections::BTreeSet;

/// What is said against a latch that may be the end of a thread, and what it loses …
pub(in super::super) const IS_THREAD: (f64, &str) = (1.5, "the lock is a thread");
/// … or of a task.
pub(in super::super) const ENDS_TASK: (f64, &str) = (1.0, "what opens it is the end of a task");

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for finding in case.vars().iter().flat_map(|var| of(case, var)) {
        // What is awaited together is one latch.
        if !found.iter().any(|f| f.is_same(&finding)) {
            found.push(finding);
        }
    }
    found
}

/// A quantity that is waited for and not taken from.
pub(super) struct Gate<'f> {
    pub(super) waits: &'f BTreeSet<RegionId>,
    pub(super) opens: &'f BTreeSet<RegionId>,
    pub(super) closes: &'f BTreeSet<RegionId>,
}

pub(super) fn gate(family: &Family) -> Option<Gate<'_>> {
    if !family.takes.is_empty() || !family.adds.is_empty() {
        return None;
    }
    let (low, high) = (&family.waits_low, &family.waits_high);
    match (low.is_empty(), high.is_empty()) {
        (false, true) => Some(Gate {
            waits: low,
            opens: &family.up,
            closes: &family.down,
        }),
        (true, false) => Some(Gate {
            waits: high,
            opens: &family.down,
            closes: &family.up,
        }),
        _ => None,
    }
}

fn of(case: &Case<'_>, var: &Var) -> Vec<Finding> {
    let mut family = Family::new(case, var);
    told_by_callers(case, var, &mut family);
    let waits: BTreeSet<_> = family
        .waits_low
        .union(&family.waits_high)
        .copied()
        .collect();
    let changes = wait_for_change(case, var);
    if waits.is_empty() && !changes.is_empty() {
        return relative(case, var, &family, &changes);
    }
    if is_relative(case, var, &waits) {
        return relative(case, var, &family, &waits);
    }
    let Some(gate) = gate(&family) else {
        return Vec::new();
    };
    if gate.opens.is_empty() && family.unclear.is_empty() {
        return Vec::new();
    }
    let mut found = vec![latch(case, var, &family, &gate)];
    if moves_back(case, var, &family, &gate) {
        found.push(event(case, var, &family, &gate));
    }
    found
}

/// Where those who wait do so as long as it is what it was at first, who sets it to what his caller says, and tells of that, opens it.
fn told_by_callers(case: &Case<'_>, var: &Var, family: &mut Family) {
    let at_first = |id: &RegionId| {
        let mut tests = case.profile(*id).blocks_on(var);
        tests.all(|test| match test {
            Test::Is(value) => value.terms.is_empty() && case.begins(var) == Some(value.constant),
            _ => false,
        })
    };
    let high = family.waits_low.is_empty();
    let waits = if high {
        &family.waits_high
    } else {
        &family.waits_low
    };
    if waits.is_empty() || !waits.iter().all(at_first) {
        return;
    }
    let callers = |step: &Step| {
        let places = case.places(var);
        let mut values = places.iter().filter_map(|place| step.updates.get(place));
        values.all(|&value| matches!(case.see.x.node(value), Node::Entry(_)))
    };
    let told = |id: &RegionId| {
        let profile = case.profile(*id);
        profile.waits.is_empty() && case.notifies(profile) && profile.steps().all(callers)
    };
    let told: BTreeSet<RegionId> = family.unclear.iter().copied().filter(told).collect();
    family.unclear.retain(|id| !told.contains(id));
    match high {
        true => family.down.extend(told),
        false => family.up.extend(told),
    }
}

/// The regions that wait until others have changed a quantity, whatever to.
fn wait_for_change(case: &Case<'_>, var: &Var) -> BTreeSet<RegionId> {
    let for_change = |id: &RegionId| {
        let mut tests = case.profile(*id).blocks_on(var);
        tests.any(|test| *test == Test::Old(true))
    };
    let ids = case.profiles.keys().copied();
    ids.filter(for_change)
        .filter(|id| !case.movers(var).contains(id))
        .collect()
}

fn latch(case: &Case<'_>, var: &Var, family: &Family, gate: &Gate<'_>) -> Finding {
    let mut finding = Finding::new(LockType::Latch, [var.clone()]);
    let name = case.name(var);
    finding.role(Role::Await, gate.waits);
    let claims = |r: &RegionId| lazy::only_claims(case, var, gate.waits, *r);
    let opens: BTreeSet<RegionId> = gate.opens.iter().copied().filter(|r| !claims(r)).collect();
    let both_ways = both_ways(case, var, family, gate);
    finding.role(
        Role::CountDown,
        match () {
            () if !opens.is_empty() => &opens,
            () if !gate.opens.is_empty() => gate.opens,
            () => &both_ways,
        },
    );
    finding.pro(2.0, format!("waits for {name} and leaves it as it is"));
    let moves_back = moves_back(case, var, family, gate);
    match moves_back {
        true => finding.contra(2.5, format!("{name} can move back")),
        false => finding.pro(2.5, format!("{name} only ever moves towards opening")),
    }
    if both_ways.is_empty() {
        finding.weigh(
            case.signals(gate.opens),
            (1.0, "opening it notifies"),
            (1.0, "opening it notifies nobody"),
        );
    }
    let blocked = begins_blocked(case, var, gate.waits);
    // What is moved both ways in one place is moved the other way first.
    let blocked = blocked.filter(|_| both_ways.is_empty());
    if let Some(blocked) = blocked {
        finding.weigh(blocked, (0.5, "it begins closed"), (2.0, "it begins open"));
    }
    if case.is_thread {
        finding.contra(IS_THREAD.0, IS_THREAD.1);
    }
    waiting_movers(case, var, gate, &mut finding);
    greedy_waits(case, var, gate, &mut finding);
    if gate.waits.iter().any(|&r| waits_for_more(case, var, r)) {
        finding.contra(3.0, "who waits for it also waits for a value of his own");
    }
    let steps = match sets(case, var, gate.opens) {
        // Of many elements each is set once.
        true if case.is_one_of_many(var) => None,
        true => Some(1),
        false => count(case, var, gate.waits),
    };
    finding.count("count", steps.filter(|&steps| steps > 0));
    if !moves_back {
        all_of(case, var, gate, &mut finding);
    }
    if super::semaphore::is_bits(case, var) {
        finding.pro(
            0.0,
            "its bits are counted, supposing that each call is about one",
        );
    }
    if is_future(case, var, gate) {
        finding.word("form", "future");
    } else if ends_task(case, gate) {
        finding.contra(ENDS_TASK.0, ENDS_TASK.1);
    }
    case.charge(&mut finding);
    finding
}

/// Somebody closes it again, or may.
fn moves_back(case: &Case<'_>, var: &Var, family: &Family, gate: &Gate<'_>) -> bool {
    !gate.closes.is_empty() || !family.unclear.is_empty() || outside::closes(case, var, gate.waits)
}

/// The regions that open it, and tell so, where what their callers say is by how much and which way it moves.
fn both_ways(case: &Case<'_>, var: &Var, family: &Family, gate: &Gate<'_>) -> BTreeSet<RegionId> {
    let opening = match family.waits_high.is_empty() {
        true => Move::Up,
        false => Move::Down,
    };
    let opens = |step: &&Step| {
        let change = case.see.change(step, var);
        let moved = change.map(|c| case.see.direction(step, var, &c));
        moved == Some(opening) && !step.notes.is_empty()
    };
    let by_callers = |step: &&Step| {
        let shift = case.see.shift(step, var);
        shift.is_some_and(|by| by.terms.iter().any(|t| case.is_callers(t.0)))
    };
    let moves = |r: &RegionId| {
        let passes = &case.profile(*r).passes;
        passes.iter().any(opens) && passes.iter().any(by_callers)
    };
    let unclear = family.unclear.iter().copied().filter(moves);
    match gate.opens.is_empty() {
        true => unclear.collect(),
        false => BTreeSet::new(),
    }
}

/// What is awaited besides counts as well.
fn all_of(case: &Case<'_>, var: &Var, gate: &Gate<'_>, finding: &mut Finding) {
    let others = joint::awaited_with(case, var, gate.waits);
    if others.is_empty() {
        return;
    }
    for other in &others {
        let family = Family::new(case, other);
        let opens = family.up.union(&family.down);
        finding.role(Role::CountDown, opens);
    }
    finding.vars.extend(others);
    let vars = finding.vars.clone();
    match joint::steps(case, &vars, gate.waits) {
        Some(steps) => finding.count("count", Some(steps)),
        None => finding.uncount("count", "one step opens more than one of them"),
    }
}

fn event(case: &Case<'_>, var: &Var, family: &Family, gate: &Gate<'_>) -> Finding {
    let mut finding = Finding::new(LockType::Condition, [var.clone()]);
    finding.role(Role::Wait, gate.waits);
    finding.role(Role::Notify, gate.opens);
    let counted = counts_those_inside(case, var, gate);
    finding.word("form", if counted { WAIT_GROUP } else { EVENT });
    finding.pro(
        2.0,
        format!("waits for {} and leaves it as it is", case.name(var)),
    );
    if !gate.closes.is_empty() {
        finding.pro(
            1.5,
            "it is opened and closed by regions that do not wait for it",
        );
    } else if family.unclear.is_empty() {
        finding.pro(1.5, "it is closed where nobody has the lock");
    }
    if !family.unclear.is_empty() {
        finding.contra(1.0, "some changes of it are not understood");
    }
    finding.weigh(
        case.signals(gate.opens),
        (1.0, "opening it notifies"),
        (1.0, "opening it notifies nobody"),
    );
    waiting_movers(case, var, gate, &mut finding);
    greedy_waits(case, var, gate, &mut finding);
    let mut waits = gate.waits.iter();
    let closes_later = |&w: &RegionId| gate.closes.iter().any(|&c| case.goes_on_to(w, c));
    if waits.any(closes_later) {
        finding.contra(2.5, "who has waited for it closes it when he has gone on");
    }
    case.charge(&mut finding);
    finding
}

/// It is open at first, each who comes closes it by one step, and each who goes takes one back: what is waited for is that nobody is
/// inside any more.
fn counts_those_inside(case: &Case<'_>, var: &Var, gate: &Gate<'_>) -> bool {
    let moves = |regions: &BTreeSet<RegionId>| -> BTreeSet<Change> {
        let passes = regions.iter().flat_map(|&r| &case.profile(r).passes);
        passes.filter_map(|s| case.see.change(s, var)).collect()
    };
    let counts = |changes: &BTreeSet<Change>| {
        !changes.is_empty() && changes.iter().all(|c| matches!(c, Change::Add(_)))
    };
    !case.is_binary(var)
        && begins_blocked(case, var, gate.waits) == Some(false)
        && counts(&moves(gate.opens))
        && counts(&moves(gate.closes))
}

fn relative(
    case: &Case<'_>,
    var: &Var,
    family: &Family,
    waits: &BTreeSet<RegionId>,
) -> Vec<Finding> {
    let all = family.up.union(&family.down).chain(&family.unclear);
    let mut opens: BTreeSet<_> = all.copied().collect();
    if opens.is_empty() {
        opens = case.movers(var);
    }
    let taken = !family.takes.is_empty() || !family.adds.is_empty();
    if taken || opens.is_empty() {
        return Vec::new();
    }
    let closes = BTreeSet::new();
    let gate = Gate {
        waits,
        opens: &opens,
        closes: &closes,
    };
    vec![sequence(case, var, &gate)]
}

/// Everybody waits until a quantity has passed a value of his own.
fn sequence(case: &Case<'_>, var: &Var, gate: &Gate<'_>) -> Finding {
    let mut finding = Finding::new(LockType::Condition, [var.clone()]);
    finding.role(Role::Wait, gate.waits);
    // Who moves it and tells nobody ends no wait.
    let tells = |r: &&RegionId| case.notifies(case.profile(**r));
    let told: BTreeSet<RegionId> = gate.opens.iter().filter(tells).copied().collect();
    finding.role(
        Role::Notify,
        if told.is_empty() { gate.opens } else { &told },
    );
    finding.pro(
        3.0,
        format!(
            "waits until {} has passed a value that the caller gives",
            case.name(var)
        ),
    );
    finding.weigh(
        case.signals(gate.opens),
        (2.0, "moving it notifies"),
        (1.0, "moving it notifies nobody"),
    );
    waiting_movers(case, var, gate, &mut finding);
    case.charge(&mut finding);
    finding
}

/// The value waited for depends on an argument or on an earlier reading.
fn is_relative(case: &Case<'_>, var: &Var, waits: &BTreeSet<RegionId>) -> bool {
    waits.iter().any(|&r| {
        case.profile(r).blocks_on(var).any(|test| match test {
            Test::AtMost(b) | Test::AtLeast(b) | Test::Is(b) | Test::IsNot(b) => {
                b.terms.iter().any(|t| case.is_callers(t.0))
            }
            Test::Same(other, _) => case.is_callers(*other),
            Test::Old(_) => true,
            Test::Mine(_) => false,
        })
    })
}

/// A region also waits until something has passed a value that its caller gives.
fn waits_for_more(case: &Case<'_>, var: &Var, region: RegionId) -> bool {
    let others = case.blocks(region).iter().map(|c| &c.var);
    let mut others = others.filter(|v| *v != var);
    let own = BTreeSet::from([region]);
    others.any(|v| is_relative(case, v, &own) && case.is_moved(v))
}

/// Who waits for a latch or event takes nothing else from the same monitor.
fn greedy_waits(case: &Case<'_>, var: &Var, gate: &Gate<'_>, finding: &mut Finding) {
    let takes = |r: RegionId| {
        let others = case.blocks(r).iter().map(|c| &c.var).filter(|v| *v != var);
        let passes = &case.profile(r).passes;
        let mut others = others.filter(|v| passes.iter().any(|s| case.see.change(s, v).is_some()));
        others.next().is_some()
    };
    if gate.waits.iter().any(|&r| takes(r)) {
        finding.contra(
            4.0,
            "who waits for it takes something else that is waited for",
        );
    }
}

/// Nothing but the `run()` of the task that the lock is opens it, and nobody gets a value.
fn ends_task(case: &Case<'_>, gate: &Gate<'_>) -> bool {
    !gate.opens.is_empty()
        && gate.opens.iter().all(|&r| is_run(case, r))
        && !gate.waits.iter().any(|&r| returns_value(case, r))
}

/// Whoever opens or closes a latch or event does not wait on the same monitor for something else.
fn waiting_movers(case: &Case<'_>, var: &Var, gate: &Gate<'_>, finding: &mut Finding) {
    let movers = gate.opens.union(gate.closes);
    let waiting = movers.filter(|&&r| case.blocks(r).iter().any(|c| c.var != *var));
    if waiting.count() > 0 {
        finding.contra(
            2.5,
            "who changes it waits on the same monitor for something else",
        );
    }
}

fn threshold<'t>(case: &'t Case<'_>, var: &'t Var, waits: &BTreeSet<RegionId>) -> Option<&'t Test> {
    let first = waits.first()?;
    case.profile(*first).blocks_on(var).next()
}

/// It is opened by setting it, not by counting.
pub(super) fn sets(case: &Case<'_>, var: &Var, opens: &BTreeSet<RegionId>) -> bool {
    let passes = opens.iter().flat_map(|&r| case.profile(r).passes.iter());
    let mut changes = passes.filter_map(|s| case.see.change(s, var)).peekable();
    changes.peek().is_some() && changes.all(|c| matches!(c, Change::Set(_)))
}

/// How many steps open it.
pub(super) fn count(case: &Case<'_>, var: &Var, waits: &BTreeSet<RegionId>) -> Option<i64> {
    if case.is_binary(var) {
        return Some(1);
    }
    let begins = case.begins(var)?;
    if super::semaphore::is_bits(case, var) {
        // Of those to be set or cleared, each is one.
        let opens = match threshold(case, var, waits) {
            Some(Test::IsNot(bound)) => case.initially(bound)?,
            _ => 0,
        };
        return Some(i64::from((begins ^ opens).count_ones()));
    }
    match threshold(case, var, waits)? {
        Test::AtLeast(bound) => Some(begins - case.initially(bound)? + 1),
        Test::AtMost(bound) => Some(case.initially(bound)? + 1 - begins),
        Test::IsNot(bound) => Some((begins - case.initially(bound)?).abs()),
        Test::Is(bound) if case.initially(bound)? == begins => Some(1),
        _ => None,
    }
}

fn begins_blocked(case: &Case<'_>, var: &Var, waits: &BTreeSet<RegionId>) -> Option<bool> {
    let begins = case.begins(var)?;
    match threshold(case, var, waits)? {
        Test::AtLeast(bound) => Some(begins >= case.initially(bound)?),
        Test::AtMost(bound) => Some(begins <= case.initially(bound)?),
        Test::Is(bound) => Some(begins == case.initially(bound)?),
        Test::IsNot(bound) => Some(begins != case.initially(bound)?),
        _ => None,
    }
}

/// A value goes in with the opening and comes out of the waiting.
fn is_future(case: &Case<'_>, var: &Var, gate: &Gate<'_>) -> bool {
    let puts = gate
        .opens
        .iter()
        .any(|&r| case.takes_in(r, var) || sets_argument(case, r, var));
    let gets = gate
        .waits
        .iter()
        .any(|&r| case.gives_out(r, var) || returns_value(case, r));
    (puts && gets || hands_over(case, var, gate)) && case.is_binary(var)
}

/// Who opens it writes something down that those who waited return.
fn hands_over(case: &Case<'_>, var: &Var, gate: &Gate<'_>) -> bool {
    let opening = gate.opens.iter().flat_map(|&r| &case.profile(r).passes);
    let opening = opening.filter(|s| case.see.change(s, var).is_some());
    let fixed = |e: Expr| matches!(case.see.x.node(e), Node::Int(_) | Node::Null);
    let written: BTreeSet<Expr> = opening
        .flat_map(|s| s.updates.iter().filter(|u| !fixed(*u.1)).map(|u| *u.0))
        .collect();
    let passes = gate.waits.iter().flat_map(|&r| &case.profile(r).passes);
    let mut results = passes.filter_map(|s| match s.end {
        End::Leaves(result) => result,
        _ => None,
    });
    results.any(|e| written.contains(&e) && !case.places(var).contains(&e))
}

/// The method returns more than whether the wait succeeded.
pub(super) fn returns_value(case: &Case<'_>, region: RegionId) -> bool {
    let method = &case.see.program.methods[case.profile(region).behaviour.method];
    method.signature.result().is_some_and(|t| t.0 != "Z")
}

/// The quantity itself is whether the caller's value is there.
fn sets_argument(case: &Case<'_>, region: RegionId, var: &Var) -> bool {
    matches!(var, Var::Present(_)) && case.takes_in(region, var)
}
