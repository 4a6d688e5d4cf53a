//! PRODUCER-CONSUMER: what one side puts in, the other takes out.

use super::super::change::{Change, Move};
use super::super::descriptor::Type;
use super::super::expr::{Expr, Linear, Node};
use super::super::profile::{Test, Var};
use super::case::Case;
use super::family::{Family, moves};
use super::finding::Finding;
use super::ring;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

/// What is said against a queue through which nothing passes, …
const NOTHING: (f64, &str) = (0.5, "nothing seems to be put in");
/// … and that each side changes by one.
pub(in super::super) const ONLY_COUNTED: (f64, &str) =
    (0.5, "nothing but a count by one seems to be put in");

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let vars = case.vars();
    let family = |var| emptied_later(case, var, Family::new(case, var));
    let families: Vec<_> = vars.iter().map(|v| (v, family(v))).collect();
    let mut found: Vec<_> = families
        .iter()
        .filter_map(|(v, f)| bounded(case, v, f))
        .collect();
    found.extend(families.iter().filter_map(|(v, f)| unbounded(case, v, f)));
    found.extend(crossed(case, &families));
    found.extend(ring::find(case));
    if found.iter().all(|f| f.odds() < 2.0) {
        found.extend(exchange(case));
    }
    found
}

/// Who waits until something that was put there is there may leave it for as long as he works at it, and take it away in a later
/// block of the same method; or in another method that never waits, if elements come out there. All of that is taking.
fn emptied_later(case: &Case<'_>, var: &Var, mut family: Family) -> Family {
    let mut puts = family.adds.union(&family.up);
    if !family.takes.is_empty() || !puts.any(|&put| case.takes_in(put, var)) {
        return family;
    }
    let begins = family.waits_low.iter().filter(|&&first| {
        let mut ends = family.down.iter();
        ends.any(|&then| case.goes_on_to(first, then))
    });
    let begins: BTreeSet<RegionId> = begins.copied().collect();
    let mut takes = case.in_both(&begins, &family.down);
    let apart = takes.is_empty() && !family.waits_low.is_empty() && !case.is_binary(var);
    let out = family.down.iter().any(|&r| case.gives_out(r, var));
    let looks = || family.waits_low.iter().any(|&r| case.finds_element(r, var));
    if apart && !family.down.is_empty() && (out || looks()) {
        takes = family.waits_low.union(&family.down).copied().collect();
    }
    family.waits_low.retain(|r| !takes.contains(r));
    family.down.retain(|r| !takes.contains(r));
    family.takes = takes;
    family
}

/// Who puts something there has found nothing there, or does not come through.
fn finds_room(case: &Case<'_>, var: &Var, puts: &BTreeSet<RegionId>) -> bool {
    let steps = puts.iter().flat_map(|&r| case.profile(r).passes.iter());
    let mut puts = steps.filter(|step| case.change(step, var).is_some());
    puts.all(|step| {
        let found = case.see.conditions(step);
        found
            .iter()
            .any(|c| c.var == *var && c.test == Test::Is(Linear::default()))
    })
}

/// Methods that wait on two sides, each changing what the other waits for, and something passes
/// from one to the other. How much fits in between is not known.
fn exchange(case: &Case<'_>) -> Option<Finding> {
    let waiting = case.profiles.iter().filter(|(_, p)| !p.waits.is_empty());
    let waiting: Vec<_> = waiting.map(|(&id, _)| id).collect();
    let mut sides = Sides {
        puts: BTreeSet::new(),
        takes: BTreeSet::new(),
    };
    for &put in &waiting {
        for &take in &waiting {
            if passes(case, put, take) {
                sides.puts.insert(put);
                sides.takes.insert(take);
            }
        }
    }
    if sides.puts.is_empty() || !sides.puts.is_disjoint(&sides.takes) {
        return None;
    }
    let regions = sides.puts.union(&sides.takes);
    let vars = regions.flat_map(|&r| case.blocks(r)).map(|c| c.var.clone());
    let mut finding = Finding::new(LockType::ProducerConsumer, vars);
    finding.pro(2.0, "each side changes what the other waits for");
    finding.pro(
        1.5,
        "one keeps what it is given, the other gives something out",
    );
    if case.anybody_notifies() {
        finding.pro(0.5, "they notify each other");
    }
    sides.roles(&mut finding);
    case.charge(&mut finding);
    Some(finding)
}

/// Two regions of different methods serve each other, and something goes in here and out there.
fn passes(case: &Case<'_>, put: RegionId, take: RegionId) -> bool {
    let other = case.profile(put).behaviour.method != case.profile(take).behaviour.method;
    let Some(var) = case.blocks(put).first().map(|c| c.var.clone()) else {
        return false;
    };
    other
        && case.serves(put, take)
        && case.serves(take, put)
        && case.takes_in(put, &var)
        && !case.takes_in(take, &var)
        && case.gives_out(take, &var)
}

/// Both sides wait for the same quantity, one while it is low, one while it is high.
fn bounded(case: &Case<'_>, var: &Var, family: &Family) -> Option<Finding> {
    if family.takes.is_empty() || family.adds.is_empty() || family.both_wait(case, var) {
        return None;
    }
    if !case.awaits_values(var).is_empty() {
        return None;
    }
    let mut sides = Sides {
        puts: family.adds.union(&family.up).copied().collect(),
        takes: family.takes.union(&family.down).copied().collect(),
    };
    let mut finding = Finding::new(LockType::ProducerConsumer, [var.clone()]);
    let name = case.name(var);
    finding.pro(
        3.0,
        format!("one side waits while {name} is low, the other while it is high"),
    );
    finding.pro(1.5, "each takes the quantity where the other waits for it");
    let mut free = sides.orient(case, var);
    let bound = high_bound(case, var, &family.adds).filter(|_| !free);
    let room = || emptied(case, var, &family.takes);
    if bound == Some(0) && !var.is_sum() && room().is_some_and(|room| room > 0) {
        // It begins where the side waits that makes it higher: what is counted is room.
        free = true;
        std::mem::swap(&mut sides.puts, &mut sides.takes);
    }
    let bound = bound.filter(|_| !free);
    let owed = var.is_sum() && bound.is_some_and(|bound| bound <= 0);
    if owed {
        // What is counted is below zero: how much is gone.
        std::mem::swap(&mut sides.puts, &mut sides.takes);
    }
    sides.weigh(case, &mut finding);
    let capacity = match (free, bound) {
        (true, _) => emptied(case, var, &family.takes),
        (false, Some(bound)) if owed => {
            refilled(case, var, &family.takes).map(|low| bound.saturating_sub(low))
        }
        (false, bound) => bound.map(|bound| filled(case, var, &family.adds, bound)),
    };
    // Where it begins with something in it, how many that are may be none of its numbers.
    let known = |&most: &i64| most > 0 || case.begins(var) == Some(0);
    let capacity = capacity.filter(|_| !family.is_resized(var));
    finding.count("capacity", capacity.filter(known));
    let is_measured = is_measured(case, var, &sides);
    let reckons = || sides.puts.iter().any(|&r| case.waits_for_reckoned(r, var));
    // Whatever it is made of, it is what is put that is counted; how much of it fits in shows when it is run.
    let of_elements = is_measured && sides.puts.iter().all(|&put| case.takes_elements(put));
    if of_elements {
        finding.details.remove("capacity");
    } else if is_measured {
        finding.uncount("capacity", "how many fit in depends on what is put");
    } else if reckons() {
        finding.uncount("capacity", "how many fit in is reckoned up by who puts");
    }
    if is_measured || reckons() {
        finding.word("capacity", "bounded");
    }
    sides.data(case, var, &mut finding);
    if case.is_binary(var) && counted_elsewhere(case, var, &family.adds).is_none() {
        finding.word("form", "mailbox");
    }
    sides.roles(&mut finding);
    if !family.unclear.is_empty() {
        finding.contra(1.0, "some changes of it are not understood");
    }
    case.charge(&mut finding);
    Some(finding)
}

/// The two sides.
pub(super) struct Sides {
    pub(super) puts: BTreeSet<RegionId>,
    pub(super) takes: BTreeSet<RegionId>,
}

impl Sides {
    /// Exchanges the sides if what is counted is free room. True: it is.
    fn orient(&mut self, case: &Case<'_>, var: &Var) -> bool {
        let takes_in = |r: RegionId| case.takes_in(r, var) || case.lengthens(r, var);
        let into = |s: &BTreeSet<RegionId>| s.iter().any(|&r| takes_in(r));
        let out = |s: &BTreeSet<RegionId>| s.iter().any(|&r| case.gives_out(r, var));
        let reversed = into(&self.takes) && !into(&self.puts)
            || out(&self.puts) && !out(&self.takes) && !into(&self.puts);
        if reversed {
            std::mem::swap(&mut self.puts, &mut self.takes);
        }
        reversed
    }

    pub(super) fn weigh(&self, case: &Case<'_>, finding: &mut Finding) {
        finding.weigh(
            case.signals(&self.puts),
            (0.75, "putting notifies"),
            (1.0, "putting notifies nobody"),
        );
        finding.weigh(
            case.signals(&self.takes),
            (0.75, "taking notifies"),
            (0.5, "taking notifies nobody"),
        );
    }

    /// Something is put that is kept, or something kept is taken.
    fn pass_anything(&self, case: &Case<'_>, var: &Var) -> bool {
        self.puts.iter().any(|&r| case.takes_in(r, var))
            || self.takes.iter().any(|&r| case.gives_out(r, var))
    }

    fn data(&self, case: &Case<'_>, var: &Var, finding: &mut Finding) {
        let into = self.puts.iter().any(|&r| case.takes_in(r, var));
        let out = self.takes.iter().any(|&r| case.gives_out(r, var));
        let nothing = match self.count_by_one(case, var) {
            true => ONLY_COUNTED,
            false => NOTHING,
        };
        finding.weigh(into, (0.5, "what is put is kept"), nothing);
        if out {
            finding.pro(0.5, "what is taken comes from there");
        }
    }

    /// Either side changes it by one.
    fn count_by_one(&self, case: &Case<'_>, var: &Var) -> bool {
        let by_one = |side: &BTreeSet<RegionId>| {
            let mut all = changes(case, var, side).peekable();
            all.peek().is_some() && all.all(|change| matches!(change, Change::Add(1 | -1)))
        };
        case.is_binary(var) || by_one(&self.puts) && by_one(&self.takes)
    }

    pub(super) fn roles(&self, finding: &mut Finding) {
        finding.role(Role::Put, &self.puts);
        finding.role(Role::Take, &self.takes);
    }
}

/// The value at which the adding side waits.
fn high_bound(case: &Case<'_>, var: &Var, adds: &BTreeSet<RegionId>) -> Option<i64> {
    if case.is_binary(var) {
        return match counted_elsewhere(case, var, adds) {
            Some(bound) => case.by_weights(&bound, 1),
            None => Some(1),
        };
    }
    let tests = adds.iter().flat_map(|&r| case.profile(r).blocks_on(var));
    let mut bounds = tests.filter_map(|test| match test {
        Test::AtLeast(b) | Test::Is(b) => {
            Some(case.by_weights(b, 1)? - case.begins(var).unwrap_or(0))
        }
        _ => None,
    });
    bounds.next()
}

/// How many fit in where what is counted is room: how far it begins above the value at which the side waits that takes of it, or takes all
/// at once.
fn emptied(case: &Case<'_>, var: &Var, takes: &BTreeSet<RegionId>) -> Option<i64> {
    // How far one is behind the other: nothing is on its way when it begins.
    let behind = var.is_sum().then_some(0);
    let begins = case.begins(var).or(behind)?;
    let tests = takes.iter().flat_map(|&r| case.profile(r).blocks_on(var));
    let mut bounds = tests.filter_map(|test| match test {
        Test::AtMost(b) | Test::Is(b) => case.by_weights(b, -1),
        _ => None,
    });
    let bound = begins.saturating_sub(bounds.next().unwrap_or(0));
    let most = changes(case, var, takes).filter_map(|change| match change {
        Change::Add(several) if several < -1 => Some(bound.saturating_sub(several + 1)),
        Change::Set(none) => Some(begins.saturating_sub(none)),
        _ => None,
    });
    Some(most.fold(bound, i64::max))
}

/// The most that is there, where those who wait for less than `bound` put in several at once.
fn filled(case: &Case<'_>, var: &Var, adds: &BTreeSet<RegionId>, bound: i64) -> i64 {
    let begins = case.begins(var).unwrap_or(0);
    let most = changes(case, var, adds).filter_map(|change| match change {
        Change::Add(several) if several > 1 => Some(bound.saturating_add(several - 1)),
        Change::Set(all) => Some(all.saturating_sub(begins)),
        _ => None,
    });
    most.fold(bound, i64::max)
}

/// The value, from its beginning, to which those set it who make it lower.
fn refilled(case: &Case<'_>, var: &Var, takes: &BTreeSet<RegionId>) -> Option<i64> {
    let begins = case.begins(var).unwrap_or(0);
    let lowest = changes(case, var, takes).map(|change| match change {
        Change::Set(value) => Some(value.saturating_sub(begins)),
        _ => None,
    });
    lowest.min().flatten()
}

/// How these regions change it where they get what they want.
fn changes<'a>(
    case: &'a Case<'_>,
    var: &'a Var,
    regions: &'a BTreeSet<RegionId>,
) -> impl Iterator<Item = Change> + 'a {
    let steps = regions.iter().flat_map(|&r| case.profile(r).passes.iter());
    steps.filter_map(|step| case.change(step, var))
}

/// The bound of a count kept with the elements, which the adding side waits for as well.
fn counted_elsewhere(case: &Case<'_>, var: &Var, adds: &BTreeSet<RegionId>) -> Option<Linear> {
    let blocks = adds.iter().flat_map(|&r| case.blocks(r));
    let mut others = blocks.filter(|c| c.var != *var && !case.is_binary(&c.var));
    others.find_map(|c| match &c.test {
        Test::AtLeast(b) => Some(b.clone()),
        _ => None,
    })
}

/// Only the taking side waits.
fn unbounded(case: &Case<'_>, var: &Var, family: &Family) -> Option<Finding> {
    if family.takes.is_empty() || !family.adds.is_empty() || family.up.is_empty() {
        return None;
    }
    let refuses = family.free_up().is_empty();
    let sides = Sides {
        takes: family.takes.union(&family.down).copied().collect(),
        puts: family.up.clone(),
    };
    let linked = is_chain(case, var, &sides.takes) || is_pushed(case, var, &sides.puts);
    let slot = case.is_binary(var) && !linked && !gathers(case, &sides);
    let mut finding = Finding::new(LockType::ProducerConsumer, [var.clone()]);
    finding.pro(
        2.0,
        format!("waits while {} is low and takes from it", case.name(var)),
    );
    finding.pro(1.0, "others add to it without waiting");
    finding.weigh(
        case.signals(&sides.puts),
        (1.0, "putting notifies"),
        (1.5, "putting notifies nobody"),
    );
    content(case, var, &sides, &mut finding);
    beginning(case, var, &mut finding);
    pairing(case, &sides, &mut finding);
    if slot {
        if !finds_room(case, var, &sides.puts) {
            finding.contra(1.0, "a new value replaces one that was not taken");
        }
        if !case.awaits_named(var).is_empty() {
            finding.contra(3.0, "who takes says which one");
        }
        finding.count("capacity", Some(1));
        finding.word("form", "mailbox");
    } else if refuses {
        finding.count("capacity", refused_at(case, var, &family.up));
    } else if waits_for_room(case, var, &sides) {
        // By something else than their number: how many fit in depends on what is put.
        finding.word("capacity", "bounded");
        finding.pro(1.0, "who puts waits for room that who takes makes");
    } else {
        finding.word("capacity", "unbounded");
    }
    if !family.unclear.is_empty() {
        finding.contra(1.0, "some changes of it are not understood");
    }
    finding.vars.extend(further(case, var, &sides));
    sides.roles(&mut finding);
    case.charge(&mut finding);
    Some(finding)
}

/// Who puts waits for a sum of something else, to which he adds and from which who takes takes.
fn waits_for_room(case: &Case<'_>, var: &Var, sides: &Sides) -> bool {
    !rooms(case, var, sides).is_empty()
}

/// The sums of this kind.
fn rooms(case: &Case<'_>, var: &Var, sides: &Sides) -> BTreeSet<Var> {
    let sums = |put: &RegionId| {
        let others = case.blocks(*put).iter().map(|c| c.var.clone());
        let sums = others.filter(|v| v != var && matches!(v, Var::Count(_)) && !case.is_binary(v));
        sums.collect::<Vec<_>>()
    };
    let moved = |region: &RegionId, sum: &Var| {
        let mut passes = case.profile(*region).passes.iter();
        passes.any(|step| case.see.change(step, sum).is_some())
    };
    let rooms = sides.puts.iter().flat_map(|put| {
        let sums = sums(put).into_iter();
        sums.filter(|sum| moved(put, sum) && sides.takes.iter().any(|take| moved(take, sum)))
    });
    rooms.collect()
}

/// Such a sum is of what is put, each as large as it may be.
fn is_measured(case: &Case<'_>, var: &Var, sides: &Sides) -> bool {
    let sums = rooms(case, var, sides);
    let steps = sides
        .puts
        .iter()
        .flat_map(|&r| case.profile(r).passes.iter());
    steps.into_iter().any(|step| {
        let mut changes = sums.iter().filter_map(|sum| case.change(step, sum));
        changes.any(|change| matches!(change, Change::By(_, true) | Change::Unknown))
    })
}

/// The value at which putting is refused.
fn refused_at(case: &Case<'_>, var: &Var, puts: &BTreeSet<RegionId>) -> Option<i64> {
    let idle = puts.iter().flat_map(|&r| case.profile(r).passes.iter());
    let idle = idle.filter(|s| s.updates.is_empty());
    let mut tests = idle
        .flat_map(|s| case.see.conditions(s))
        .filter(|c| c.var == *var);
    tests.find_map(|c| match c.test {
        Test::Is(b) | Test::AtLeast(b) => case.by_weights(&b, 1),
        _ => None,
    })
}

/// The quantity is the head of a linked list.
pub(super) fn is_chain(case: &Case<'_>, var: &Var, takes: &BTreeSet<RegionId>) -> bool {
    let steps = takes.iter().flat_map(|&r| case.profile(r).passes.iter());
    let mut changes = steps.filter_map(|s| case.see.change(s, var));
    changes.any(|c| c == Change::Advance)
}

/// What is put is the new head of a list: the old one is kept in it.
fn is_pushed(case: &Case<'_>, var: &Var, puts: &BTreeSet<RegionId>) -> bool {
    let Var::Present(head) = *var else {
        return false;
    };
    let mut steps = puts.iter().flat_map(|&r| case.profile(r).passes.iter());
    steps.any(|step| {
        let mut updates = step.updates.iter();
        updates.any(|(&place, &value)| value == head && is_link(case, head, place))
    })
}

/// Collections that those who take wait for as well: some of those who put fill them, and who takes empties them, too.
fn further(case: &Case<'_>, var: &Var, sides: &Sides) -> BTreeSet<Var> {
    let others = sides.takes.iter().flat_map(|&take| case.blocks(take));
    let others = others
        .map(|c| &c.var)
        .filter(|v| *v != var && case.is_size(v));
    let passes_through =
        |v: &&Var| !case.movers(v).is_disjoint(&sides.puts) && empties(case, v, &sides.takes);
    others.filter(passes_through).cloned().collect()
}

/// What is put makes a collection longer, which those who take make shorter: what they wait for tells only that something is there.
fn gathers(case: &Case<'_>, sides: &Sides) -> bool {
    let puts = sides.puts.iter();
    let steps: Vec<_> = puts.flat_map(|&r| &case.profile(r).passes).collect();
    let places = steps.iter().flat_map(|step| step.updates.keys());
    let sizes = places.map(|&place| Var::Count(vec![(place, 1)]));
    let mut sizes = sizes.filter(|size| case.is_size(size));
    sizes.any(|size| {
        let mut changes = steps.iter().map(|step| case.change(step, &size));
        changes.any(|change| matches!(change, Some(Change::Add(1..))))
            && empties(case, &size, &sides.takes)
    })
}

/// One of these regions makes a collection shorter, or leaves of it what is not known.
fn empties(case: &Case<'_>, size: &Var, regions: &BTreeSet<RegionId>) -> bool {
    let mut moved = regions
        .iter()
        .flat_map(|&region| moves(case, case.profile(region), size));
    moved.any(|to| to != Move::Up)
}

/// A field of what is at the head, in whatever object of that class.
fn is_link(case: &Case<'_>, head: Expr, place: Expr) -> bool {
    let field = |e: Expr| match *case.see.x.node(e) {
        Node::Field(_, id) | Node::Slot(id) => Some(case.see.program.field(id)),
        _ => None,
    };
    let (Some(head), Some(link)) = (field(head), field(place)) else {
        return false;
    };
    Type(&head.descriptor)
        .class_name()
        .is_some_and(|class| class == link.class)
}

fn content(case: &Case<'_>, var: &Var, sides: &Sides, finding: &mut Finding) {
    let into = sides.puts.iter().any(|&r| case.takes_in(r, var));
    let out = sides.takes.iter().any(|&r| case.gives_out(r, var));
    match (into, out) {
        (true, true) => finding.pro(2.0, "what is put in is what is taken out"),
        (true, false) => finding.pro(1.0, "what is put is kept"),
        (false, true) => finding.contra(NOTHING.0, NOTHING.1),
        (false, false) => finding.contra(3.0, "nothing passes through it"),
    }
}

fn beginning(case: &Case<'_>, var: &Var, finding: &mut Finding) {
    match case.begins(var) {
        Some(0) => finding.pro(0.5, "it begins empty"),
        Some(_) => finding.contra(3.5, "it begins filled"),
        None if case.is_size(var) => finding.contra(
            1.5,
            "a pool looks the same when nobody knows what it begins with",
        ),
        None => {}
    }
}

fn pairing(case: &Case<'_>, sides: &Sides, finding: &mut Finding) {
    match case.called_together(&sides.takes, &sides.puts) {
        Some(true) => finding.contra(1.0, "the same method takes and puts"),
        Some(false) => finding.pro(0.5, "different methods put and take"),
        None => {}
    }
}

/// The sides wait for different quantities, and each moves away what the other waits for.
fn crossed(case: &Case<'_>, families: &[(&Var, Family)]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (room, a) in families {
        for (stock, b) in families {
            let stocks = case.begins(stock) != Some(0) && case.begins(room) == Some(0);
            if room == stock || b.takes.is_empty() || stocks && a.adds.is_empty() {
                continue;
            }
            let (waiting, giving) = match a.adds.is_empty() {
                true => (&a.takes, &a.up),
                false => (&a.adds, &a.down),
            };
            let puts = case.in_both(waiting, &b.up);
            let takes = case.in_both(&b.takes, giving);
            if !puts.is_empty() && !takes.is_empty() && puts.is_disjoint(&takes) {
                let capacity = match a.adds.is_empty() {
                    true => case.begins(room),
                    false => high_bound(case, room, &a.adds),
                };
                let sides = Sides { puts, takes };
                // Two who tell each other that they have come: nothing passes, and there is no room for it either.
                if capacity == Some(0) && !sides.pass_anything(case, stock) {
                    continue;
                }
                found.push(two_quantities(case, room, stock, sides, capacity));
            }
        }
    }
    found
}

fn two_quantities(
    case: &Case<'_>,
    room: &Var,
    stock: &Var,
    sides: Sides,
    capacity: Option<i64>,
) -> Finding {
    let mut finding = Finding::new(LockType::ProducerConsumer, [room.clone(), stock.clone()]);
    finding.pro(
        2.5,
        format!("one side waits for room ({})", case.name(room)),
    );
    finding.pro(
        2.0,
        format!(
            "the other waits for something to take ({})",
            case.name(stock)
        ),
    );
    sides.weigh(case, &mut finding);
    sides.data(case, stock, &mut finding);
    if case.begins(stock) == Some(0) {
        finding.pro(0.5, "it begins empty");
    }
    if case.is_binary(room) && !case.is_binary(stock) {
        // A flag says that it is full, for as long as somebody thinks fit.
        finding.word("capacity", "bounded");
    } else {
        finding.count("capacity", capacity);
    }
    sides.roles(&mut finding);
    case.charge(&mut finding);
    finding
}
