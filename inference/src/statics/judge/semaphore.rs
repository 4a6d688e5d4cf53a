//! SEMAPHORE: permits are taken and given back.

use super::super::change::Change;
use super::super::expr::{Expr, Node, OpKey};
use super::super::initial::Initial;
use super::super::profile::{Test, Var};
use super::super::step::{From, Step};
use super::case::Case;
use super::family::Family;
use super::finding::Finding;
use super::joint;
use crate::region::RegionId;
use crate::types::{Detail, LockType, Role};
use std::collections::BTreeSet;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for finding in case.vars().iter().filter_map(|var| of(case, var)) {
        // Of what is taken together there is one.
        if !found.iter().any(|f| f.is_same(&finding)) {
            found.push(finding);
        }
    }
    let counted: Vec<_> = found.iter().filter_map(counted).collect();
    found.retain(|f| !is_reserve(f, &counted));
    found
}

/// Who takes and who gives back what there is a number of.
type Counted = (BTreeSet<RegionId>, BTreeSet<RegionId>);

fn counted(finding: &Finding) -> Option<Counted> {
    let some = matches!(finding.details.get("permits"), Some(Detail::Count(1..)));
    some.then(|| roles(finding))
}

fn roles(finding: &Finding) -> Counted {
    let of = |role| finding.roles.get(&role).cloned().unwrap_or_default();
    (of(Role::Acquire), of(Role::Release))
}

/// What begins with none and is taken and given back by those who take and give back what there is a number of: what was given
/// back, kept for who comes next. How many there can be is a matter of the other.
fn is_reserve(finding: &Finding, counted: &[Counted]) -> bool {
    let (takes, gives) = roles(finding);
    let alike = |(t, g): &Counted| !t.is_disjoint(&takes) && *g == gives;
    finding.details.get("permits") == Some(&Detail::Count(0)) && counted.iter().any(alike)
}

/// Regions that take permits, and those that give some.
struct Ends {
    acquires: BTreeSet<RegionId>,
    releases: BTreeSet<RegionId>,
}

fn ends(family: &Family) -> Option<Ends> {
    let tried = |set: &BTreeSet<RegionId>| -> Vec<RegionId> {
        set.intersection(&family.tests).copied().collect()
    };
    let (blocking, tries, releases) = match (family.takes.is_empty(), family.adds.is_empty()) {
        (false, true) => (&family.takes, tried(&family.down), &family.up),
        (true, false) => (&family.adds, tried(&family.up), &family.down),
        _ => return None,
    };
    Some(Ends {
        acquires: blocking.iter().copied().chain(tries).collect(),
        releases: releases.clone(),
    })
}

/// Regions that never wait, notify, and give back an amount that is kept elsewhere (all that
/// somebody holds), as another region is known to give permits.
fn give_kept_amounts(case: &Case<'_>, var: &Var, family: &Family) -> BTreeSet<RegionId> {
    let high = !family.adds.is_empty();
    let gives = |&&id: &&RegionId| {
        let profile = case.profile(id);
        let mut changed = profile.passes.iter().filter_map(|s| case.see.shift(s, var));
        let one_way = changed.clone().next().is_some()
            && changed.all(|d| d.constant == 0 && d.terms.iter().all(|t| (t.1 < 0) == high));
        profile.waits.is_empty() && case.notifies(profile) && one_way
    };
    family.unclear.iter().filter(gives).copied().collect()
}

/// The same quantity more than once: elements of an array that could not be told apart.
fn is_of_several(var: &Var) -> bool {
    matches!(var, Var::Count(terms) if terms.iter().any(|t| t.1.abs() > 1))
}

fn of(case: &Case<'_>, var: &Var) -> Option<Finding> {
    let mut family = Family::new(case, var);
    let mut ends = ends(&family)?;
    if matches!(var, Var::Present(_)) || case.is_binary(var) || is_of_several(var) {
        return None;
    }
    if !ends.releases.is_empty() {
        let more = give_kept_amounts(case, var, &family);
        family.unclear.retain(|r| !more.contains(r));
        ends.releases.extend(more);
    }
    let mut finding = Finding::new(LockType::Semaphore, [var.clone()]);
    finding.role(Role::Acquire, &ends.acquires);
    finding.role(Role::Release, &ends.releases);
    finding.pro(
        2.5,
        format!(
            "waits until {} leaves a permit, then takes it",
            case.name(var)
        ),
    );
    if ends.releases.is_empty() {
        finding.contra(1.5, "no region that gives permits back is known");
    } else {
        finding.pro(2.0, "another region gives permits back and never waits");
        let signals = case.signals(&ends.releases);
        finding.weigh(
            signals,
            (1.0, "giving back notifies"),
            (1.5, "giving back notifies nobody"),
        );
    }
    finding
        .vars
        .extend(super::lock::drawn_number(case, var, &ends.acquires));
    if [&ends.acquires, &ends.releases].map(|r| is_by_amount(case, var, r)) == [true; 2] {
        finding.by_amount();
    }
    let permits = number(case, var, (&family, &ends), &mut finding);
    kind(case, var, &ends, permits, &mut finding);
    strangers(case, &family, permits, &ends, &mut finding);
    if ends.acquires.iter().any(|&r| begins_anew(case, var, r)) {
        finding.contra(5.0, "who waits for it sets it back before");
    }
    if sets_back(case, var, (&family, &ends)) {
        finding.contra(
            5.0,
            "who waits for it sets it back, from where others count",
        );
    }
    let own = ends.acquires.union(&ends.releases).copied().collect();
    if others_wait_and_change(case, var, &own) {
        finding.contra(
            4.0,
            "another region waits and changes the same number its own way",
        );
    }
    case.charge(&mut finding);
    Some(finding)
}

/// Some of these regions move it by what nobody knows beforehand.
fn is_by_amount(case: &Case<'_>, var: &Var, regions: &BTreeSet<RegionId>) -> bool {
    let mut steps = regions.iter().flat_map(|&r| &case.profile(r).passes);
    steps.any(|s| matches!(case.change(s, var), Some(Change::By(..) | Change::Unknown)))
}

/// The permits, which are told if they are known. What is taken besides may bound them sooner.
fn number(
    case: &Case<'_>,
    var: &Var,
    (family, ends): (&Family, &Ends),
    finding: &mut Finding,
) -> Option<i64> {
    let takes: BTreeSet<_> = family.takes.union(&family.adds).copied().collect();
    let mut with = joint::taken_with(case, var, &takes, &ends.releases);
    with.retain(|other| !finding.vars.contains(other));
    if !with.is_empty() {
        with.insert(var.clone());
        let permits = joint::holders(case, &with, &takes);
        finding.vars.extend(with);
        match permits {
            Some(_) => finding.count("permits", permits),
            None => finding.uncount("permits", "how many, depends on what else is taken"),
        }
        return permits;
    }
    let permits = match is_bits(case, var) {
        true => case.begins(var).map(|bits| i64::from(bits.count_ones())),
        false => permits(case, var, family).or_else(|| slots(case, var)),
    };
    if case.is_named(var) {
        finding.uncount("permits", "there are so many for each that is named");
        return None;
    }
    finding.count(
        "permits",
        permits.filter(|&p| p >= 0 && !family.is_resized(var)),
    );
    permits
}

/// Whoever waits in this region has given the number a value of his own first: he awaits what comes from then on.
fn begins_anew(case: &Case<'_>, var: &Var, region: RegionId) -> bool {
    let waits = case.profile(region).waits.iter();
    let mut fresh = waits.filter(|step| step.from == From::Entry);
    fresh.any(|step| matches!(case.see.change(step, var), Some(Change::Set(_))))
}

/// Whoever has waited sets the number several steps back, and those who never wait for it count from there: it is the end of
/// a round.
fn sets_back(case: &Case<'_>, var: &Var, (family, ends): (&Family, &Ends)) -> bool {
    let changes = |regions: &BTreeSet<RegionId>| -> BTreeSet<Change> {
        let passes = regions.iter().flat_map(|&r| &case.profile(r).passes);
        passes.filter_map(|s| case.change(s, var)).collect()
    };
    let takes: BTreeSet<_> = family.takes.union(&family.adds).copied().collect();
    let bounds = |value: i64| {
        let tests = |r: &RegionId| case.profile(*r).blocks_on(var).cloned().collect::<Vec<_>>();
        let mut tests = takes.iter().flat_map(tests).peekable();
        let far = |test| match test {
            Test::AtLeast(bound) => bound.terms.is_empty() && value > bound.constant,
            Test::AtMost(bound) => bound.terms.is_empty() && value < bound.constant,
            Test::IsNot(bound) => bound.terms.is_empty() && value.abs_diff(bound.constant) > 1,
            _ => false,
        };
        tests.peek().is_some() && tests.all(far)
    };
    let (taken, given) = (changes(&takes), changes(&ends.releases));
    let back = |c: &Change| matches!(c, Change::Set(value) if bounds(*value));
    let counts = |c: &Change| matches!(c, Change::Add(_));
    !taken.is_empty() && taken.iter().all(back) && !given.is_empty() && given.iter().all(counts)
}

/// Whether a region that neither takes nor gives back waits on this lock and changes the number:
/// it then holds more than what is taken and given back.
pub(super) fn others_wait_and_change(case: &Case<'_>, var: &Var, own: &BTreeSet<RegionId>) -> bool {
    let places = case.places(var);
    let mut others = case.profiles.iter().filter(|(id, _)| !own.contains(id));
    others.any(|(&id, profile)| {
        let changes = |step: &Step| places.iter().any(|p| step.updates.contains_key(p));
        !case.blocks(id).is_empty() && profile.steps().any(changes)
    })
}

/// Permits when the lock is made.
pub(super) fn permits(case: &Case<'_>, var: &Var, family: &Family) -> Option<i64> {
    let begins = case.begins(var)?;
    let low = family.takes.iter().map(|r| (r, false));
    let high = family.adds.iter().map(|r| (r, true));
    low.chain(high).find_map(|(&region, high)| {
        // Who takes several at once waits for so many: what is left then is no reserve.
        let more = at_once(case, var, region, high) - 1;
        case.profile(region)
            .blocks_on(var)
            .find_map(|test| match test {
                Test::AtMost(bound) => {
                    let left = case.by_weights(bound, -1)?;
                    Some(begins - left + more.clamp(0, left.max(0)))
                }
                Test::Is(bound) if !high => Some(begins - case.initially(bound)?),
                Test::AtLeast(bound) => Some(case.by_weights(bound, 1)? - begins + more),
                Test::Is(bound) => Some(case.by_weights(bound, 1)? - begins),
                Test::IsNot(bound) if high => Some(case.by_weights(bound, 1)? + 1 - begins),
                _ => None,
            })
    })
}

/// Permits that whoever passes this region takes, if it is always the same number of them; else 1. `up`: those that are out are counted.
fn at_once(case: &Case<'_>, var: &Var, region: RegionId, up: bool) -> i64 {
    let passes = case.profile(region).passes.iter();
    let changes = passes.filter_map(|step| match case.change(step, var) {
        Some(Change::Add(n)) if n != 0 && (n > 0) == up => Some(n.saturating_abs()),
        _ => None,
    });
    let changes: BTreeSet<i64> = changes.collect();
    match changes.first() {
        Some(&only) if changes.len() == 1 => only,
        _ => 1,
    }
}

/// Permits kept as bits of a number.
pub(super) fn is_bits(case: &Case<'_>, var: &Var) -> bool {
    let bitwise = |e: Expr| {
        matches!(
            case.see.x.node(e),
            Node::Op(OpKey::Or | OpKey::Xor | OpKey::And, ..)
        )
    };
    let places = case.places(var);
    let mut steps = case.profiles.values().flat_map(|p| p.passes.iter());
    steps.any(|s| {
        places
            .iter()
            .any(|p| s.updates.get(p).is_some_and(|&v| bitwise(v)))
    })
}

/// Permits kept as flags in an array of which any will do: as many as it is long.
fn slots(case: &Case<'_>, var: &Var) -> Option<i64> {
    if case.is_named(var) {
        return None;
    }
    let arrays = case
        .places(var)
        .into_iter()
        .filter_map(|e| match case.see.x.node(e) {
            Node::Elem(array) => Some(*array),
            _ => None,
        });
    let arrays: Vec<_> = arrays.collect();
    let is_length = |e: &Expr| matches!(case.see.x.node(*e), Node::Length(a) if arrays.contains(a));
    let found = case.initials.iter().find(|(place, _)| is_length(place));
    match found {
        Some((_, &Initial::Int(length))) => Some(length),
        _ => None,
    }
}

/// A plain counter, a pool of objects, or a limiter of rates.
fn kind(case: &Case<'_>, var: &Var, ends: &Ends, permits: Option<i64>, finding: &mut Finding) {
    let into = ends.releases.iter().any(|&r| case.takes_in(r, var));
    let out = ends.acquires.iter().any(|&r| case.gives_out(r, var));
    // What is taken out of a collection and used is more than a number, whatever was put in.
    if into && (out || case.is_size(var)) || out && case.is_size(var) && permits == Some(0) {
        pool(case, ends, permits, finding);
    } else {
        finding.pro(0.75, "nothing but a number is kept");
    }
    let together = case.called_together(&ends.acquires, &ends.releases);
    let level = together == Some(false)
        && stops_at_level(case, var, &ends.releases)
        && (!one_by_one(case, var, &ends.releases)
            || case.is_by_clock(&ends.acquires, &ends.releases));
    // Who gives back what he has taken may do so with care.
    let refilled = together != Some(true) && refills(case, var, &ends.releases);
    if refilled || level {
        finding.word("form", "rate limiter");
        if filled_to(case, var, &ends.releases) != case.begins(var) {
            finding.details.remove("permits");
        }
    }
}

fn pool(case: &Case<'_>, ends: &Ends, permits: Option<i64>, finding: &mut Finding) {
    finding.word("form", "object pool");
    match permits {
        Some(0) => finding.contra(4.0, "it begins empty, as a queue does"),
        Some(_) => finding.pro(1.0, "it begins filled, as a pool does"),
        None => finding.contra(
            1.5,
            "a queue looks the same when nobody knows what it begins with",
        ),
    }
    match case.called_together(&ends.acquires, &ends.releases) {
        Some(true) => finding.pro(1.0, "the same method takes and gives back"),
        Some(false) => finding.contra(1.0, "no method takes and gives back"),
        None => {}
    }
}

/// The level that releases never exceed, where they set the number to it or say that it is the limit.
fn filled_to(case: &Case<'_>, var: &Var, releases: &BTreeSet<RegionId>) -> Option<i64> {
    let steps = releases.iter().flat_map(|&r| case.profile(r).passes.iter());
    let levels = steps.filter_map(|step| match case.change(step, var)? {
        Change::Set(level) => Some(Some(level)),
        Change::Toward(_) => Some(limit(case, step, var)),
        _ => None,
    });
    let levels: BTreeSet<Option<i64>> = levels.collect();
    match levels.iter().collect::<Vec<_>>().as_slice() {
        [level] => **level,
        _ => None,
    }
}

/// The constant beyond which a step does not move a number.
fn limit(case: &Case<'_>, step: &Step, var: &Var) -> Option<i64> {
    let (a, b) = extremes(case, step, var)?;
    case.see.x.constant(a).or_else(|| case.see.x.constant(b))
}

/// The two values the less or greater of which a step sets a number to.
fn extremes(case: &Case<'_>, step: &Step, var: &Var) -> Option<(Expr, Expr)> {
    let Var::Count(terms) = var else { return None };
    let &[(place, 1)] = terms.as_slice() else {
        return None;
    };
    match *case.see.x.node(*step.updates.get(&place)?) {
        Node::Op(OpKey::Min | OpKey::Max, a, b) => Some((a, b)),
        _ => None,
    }
}

/// Every release sets the permits to a level, or adds up to one.
fn refills(case: &Case<'_>, var: &Var, releases: &BTreeSet<RegionId>) -> bool {
    let steps = releases.iter().flat_map(|&r| case.profile(r).passes.iter());
    let changes: Vec<_> = steps
        .filter_map(|s| Some((s, case.change(s, var)?)))
        .collect();
    let level = |(step, change): &(&&Step, Change)| match change {
        Change::Set(value) => *value > 1,
        Change::Toward(_) => extremes(case, step, var).is_some(),
        _ => false,
    };
    !changes.is_empty() && changes.iter().all(level) && !is_told_how_far(case, var, releases)
}

/// Who releases says up to which number: that is no level of the lock's own.
fn is_told_how_far(case: &Case<'_>, var: &Var, releases: &BTreeSet<RegionId>) -> bool {
    let places = case.places(var);
    let steps = releases.iter().flat_map(|&r| case.profile(r).passes.iter());
    let mut updates = steps.flat_map(|s| &s.updates);
    updates.any(|(place, value)| {
        places.contains(place) && matches!(case.see.x.node(*value), Node::Entry(_))
    })
}

/// Every release leaves the permits alone above some level.
fn stops_at_level(case: &Case<'_>, var: &Var, releases: &BTreeSet<RegionId>) -> bool {
    releases.iter().all(|&r| {
        let adds = case
            .profile(r)
            .passes
            .iter()
            .filter(|s| case.see.change(s, var).is_some());
        let mut bounded = adds.map(|s| {
            let conditions = case.see.conditions(s);
            let below = conditions
                .iter()
                .any(|c| c.var == *var && matches!(c.test, Test::AtMost(_)));
            below || matches!(case.change(s, var), Some(Change::Set(2..)))
        });
        bounded.all(|b| b)
    })
}

/// Each release gives one: so is what was taken given back, by whom it was handed on to.
fn one_by_one(case: &Case<'_>, var: &Var, releases: &BTreeSet<RegionId>) -> bool {
    let steps = releases.iter().flat_map(|&r| &case.profile(r).passes);
    let mut changes = steps.filter_map(|s| case.change(s, var));
    changes.all(|change| matches!(change, Change::Add(-1 | 1)))
}

fn strangers(
    case: &Case<'_>,
    family: &Family,
    permits: Option<i64>,
    ends: &Ends,
    finding: &mut Finding,
) {
    if family.waits_low.len() + family.waits_high.len() > 0 {
        finding.contra(2.0, "others wait for it without taking a permit");
    }
    if !family.unclear.is_empty() {
        finding.contra(1.5, "some changes of it are not understood");
    }
    if permits == Some(1) {
        let same = case.called_together(&ends.acquires, &ends.releases) == Some(true);
        let odds = if same { 1.5 } else { 0.5 };
        finding.contra(odds, "one permit makes it a lock");
    }
}
