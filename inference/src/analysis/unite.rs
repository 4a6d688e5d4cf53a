//! Composite locks put together, where their code as a whole says what they are.

use super::Shown;
use crate::composite::{Beside, Couplings, MonitorIx, couplings};
use crate::effects::EffectTable;
use crate::lockclass::{ClassKey, Group};
use crate::model::Options;
use crate::program::Program;
use crate::region::subject::Subject;
use crate::region::{RegionId, RegionTable};
use crate::statics::StaticModel;
use crate::types::{Detail, Details, Evidence, Hypothesis, LockType, Role};
use locklens_trace::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// Odds from which operations that are run as one lock make it one.
const SURE: f64 = 3.0;

/// Joins the parts of composite locks. Guards that were never seen contended join too: the code
/// shows them.
pub(super) fn unite(
    program: &Program<'_>,
    table: &RegionTable,
    statics: &StaticModel,
    mut shown: Vec<Shown>,
    options: &Options,
) -> Vec<Shown> {
    let seen = shown.len();
    shown.extend(unseen(program, table, statics, &shown));
    let monitors: Vec<_> = shown.iter().map(|s| s.regions.clone()).collect();
    let mut effects = EffectTable::new(program, options.call_depth);
    let mut couplings = couplings(program, table, &mut effects, &monitors);
    join_rooms(statics, &mut couplings, &shown);
    let mut beginning: BTreeMap<RegionId, Vec<MonitorIx>> = BTreeMap::new();
    for (at, part) in shown[..seen].iter().enumerate() {
        let first = part.group.regions.first().copied();
        first
            .into_iter()
            .for_each(|first| beginning.entry(first).or_default().push(at));
    }
    let mut parts: Vec<Option<Shown>> = shown.into_iter().map(Some).collect();
    let mut united = Vec::new();
    let coupled = Coupled::of(couplings.components());
    for together in couplings.together() {
        let code = Code {
            program,
            table,
            statics,
            couplings: &couplings,
            coupled: &coupled,
        };
        let wholes = wholes(code, &together, &parts);
        let of_seen = |m: &BTreeSet<MonitorIx>| m.iter().any(|&i| i < seen);
        for (members, mut whole) in wholes.into_iter().filter(|w| of_seen(&w.0)) {
            members.iter().for_each(|&i| parts[i] = None);
            // Who lies within it was seen in its regions, the first one too.
            let near = whole.regions.iter().filter_map(|r| beginning.get(r));
            for &at in near.flatten() {
                if let Some(within) = parts[at].take_if(|p| is_within(&couplings, p, &whole)) {
                    whole.group.join(within.group);
                }
            }
            united.push(whole);
        }
    }
    for ix in couplings.held_while_waiting() {
        let part = parts.get_mut(ix).and_then(Option::as_mut);
        part.into_iter().for_each(dispute);
    }
    parts.truncate(seen);
    united.extend(parts.into_iter().flatten());
    united.sort_by_key(|s| s.group.locks.first().copied());
    united
}

/// Notes that a monitor on which nobody waits need be no lock of its own.
fn dispute(guard: &mut Shown) {
    let mutexes = guard.seeds.iter_mut();
    for (_, evidence) in mutexes.filter(|(h, _)| h.lock_type == LockType::Mutex) {
        evidence.contradicted += 1;
        let text = "who holds it waits on another monitor: it may be a part of a larger lock";
        evidence.contra.push(text.to_owned());
    }
}

/// The locks that monitors which operations use together make: what the code says of those that are
/// coupled plainly, else what all of them do when run.
fn wholes(
    code: Code<'_, '_>,
    together: &BTreeSet<MonitorIx>,
    parts: &[Option<Shown>],
) -> Vec<(BTreeSet<MonitorIx>, Shown)> {
    let Code {
        table,
        statics,
        couplings,
        ..
    } = code;
    let composed = |members: &BTreeSet<MonitorIx>| {
        let these: Option<Vec<&Shown>> = members.iter().map(|&i| parts[i].as_ref()).collect();
        let whole = compose(table, statics, couplings, members, &these?)?;
        Some((members.clone(), whole))
    };
    let within = code.coupled.within(together);
    let plain = within.contains(&together).then(|| composed(together));
    let found = plain.flatten();
    match found.or_else(|| run_together(code, together, parts)) {
        Some(found) => vec![found],
        None => within.into_iter().filter_map(composed).collect(),
    }
}

/// What the code says.
#[derive(Clone, Copy)]
struct Code<'a, 'p> {
    program: &'a Program<'p>,
    table: &'a RegionTable,
    statics: &'a StaticModel,
    couplings: &'a Couplings,
    coupled: &'a Coupled,
}

impl Code<'_, '_> {
    /// The regions are of one class, or of classes of which one extends the other or lies in it.
    fn are_kin(&self, one: RegionId, other: RegionId) -> bool {
        let class = |region| self.table.get(region).map(|r| r.class);
        let (Some(one), Some(other)) = (class(one), class(other)) else {
            return true;
        };
        let extends = |a, b| self.program.hierarchy.extends(a, b) == Some(true);
        let name = |class| self.program.catalog.class_name(class);
        let lies_in = |a, b| name(a).starts_with(&format!("{}$", name(b)));
        one == other
            || [(one, other), (other, one)]
                .iter()
                .any(|&(a, b)| extends(a, b) || lies_in(a, b))
    }
}

/// Sets of monitors that are coupled plainly.
struct Coupled {
    sets: Vec<BTreeSet<MonitorIx>>,
    /// Which of the sets a monitor is in.
    of: BTreeMap<MonitorIx, usize>,
}

impl Coupled {
    fn of(sets: Vec<BTreeSet<MonitorIx>>) -> Self {
        let numbered = sets.iter().enumerate();
        let of = numbered.flat_map(|(at, set)| set.iter().map(move |&monitor| (monitor, at)));
        Self {
            of: of.collect(),
            sets,
        }
    }

    /// Those of them that lie within this one.
    fn within(&self, together: &BTreeSet<MonitorIx>) -> Vec<&BTreeSet<MonitorIx>> {
        let met: BTreeSet<usize> = together
            .iter()
            .filter_map(|m| self.of.get(m).copied())
            .collect();
        let sets = met.into_iter().map(|at| &self.sets[at]);
        sets.filter(|set| set.is_subset(together)).collect()
    }
}

/// Operations that wait where a lock of several monitors would, though their guard never does: what
/// they wait on is its waiting room.
fn join_rooms(statics: &StaticModel, couplings: &mut Couplings, shown: &[Shown]) {
    let beside = couplings.beside();
    let mut runs: BTreeMap<MonitorIx, Vec<Hypothesis>> = BTreeMap::new();
    for &Beside {
        guard,
        region,
        room,
    } in &beside
    {
        let confirmed = runs.entry(guard).or_insert_with(|| {
            let rooms = beside.iter().filter(|of| of.guard == guard);
            let rooms = rooms.flat_map(|of| shown[of.room].regions.iter().copied());
            let (regions, classes) = (&shown[guard].regions, &shown[guard].classes);
            let found = statics.run_beside(regions, classes, &rooms.collect());
            found.into_iter().map(|(h, _)| h).collect()
        });
        let waits = |h: &Hypothesis| is_composite(h.lock_type) && h.waiting().contains(&region);
        if confirmed.iter().any(waits) {
            couplings.join(guard, room);
        }
    }
}

/// Monitors of the code that no lock object was seen of, near those that were: their regions
/// lie in the same packages.
fn unseen(
    program: &Program<'_>,
    table: &RegionTable,
    statics: &StaticModel,
    shown: &[Shown],
) -> Vec<Shown> {
    let package = |class: ClassId| {
        let name = program.catalog.class_name(class);
        name.rsplit_once('.')
            .map_or_else(String::new, |(package, _)| package.to_owned())
    };
    let mut taken: BTreeSet<RegionId> = shown
        .iter()
        .flat_map(|s| s.regions.iter().copied())
        .collect();
    let near: BTreeSet<String> = taken
        .iter()
        .filter_map(|&r| table.get(r))
        .map(|r| package(r.class))
        .collect();
    let mut found = Vec::new();
    for (id, region) in table
        .iter()
        .filter(|(_, r)| r.is_placed() && near.contains(&package(r.class)))
    {
        if taken.contains(&id) {
            continue;
        }
        let classes = match program.subject(region) {
            Subject::This => vec![region.class],
            _ => Vec::new(),
        };
        let mut regions = statics.same_lock(&BTreeSet::from([id]), &classes);
        regions.retain(|r| *r == id || !taken.contains(r));
        taken.extend(&regions);
        found.push(Shown {
            group: Group {
                classes: classes.iter().map(|&c| ClassKey::Of(c)).collect(),
                ..Group::default()
            },
            regions,
            classes,
            seeds: Vec::new(),
            untried: false,
            is_composite: false,
            again: BTreeSet::new(),
            beginnings: BTreeMap::new(),
            joined: None,
        });
    }
    found
}

/// The whole of some parts, if it is a lock of a kind that several monitors make.
fn compose(
    table: &RegionTable,
    statics: &StaticModel,
    couplings: &Couplings,
    members: &BTreeSet<MonitorIx>,
    parts: &[&Shown],
) -> Option<Shown> {
    let mut group = Group::default();
    for part in parts {
        group.locks.extend(&part.group.locks);
        group.classes.extend(&part.group.classes);
        group.regions.extend(&part.group.regions);
    }
    let regions: BTreeSet<RegionId> = parts
        .iter()
        .flat_map(|part| part.regions.iter().copied())
        .collect();
    let classes: BTreeSet<ClassId> = parts
        .iter()
        .flat_map(|part| part.classes.iter().copied())
        .collect();
    let classes: Vec<ClassId> = classes.into_iter().collect();
    let crosswise = couplings.are_crosswise(members);
    let rooms = rooms(couplings, members, parts);
    let beginnings = couplings.beginnings(members);
    let of_whole = |(h, _): &(Hypothesis, Evidence)| !h.regions().is_subset(&rooms);
    let seeds = match crosswise
        .then(|| crosswise_queue(table, statics, parts))
        .flatten()
    {
        Some(queue) => vec![queue],
        None => statics
            .judge(&regions, &classes)
            .into_iter()
            .filter(of_whole)
            .collect(),
    };
    let seeds = match seeds.first() {
        Some((h, _)) if is_composite(h.lock_type) => seeds,
        _ => run_as_one(statics, couplings, members, parts)
            .into_iter()
            .map(|(h, e)| (begun(h, &beginnings), e))
            .collect(),
    };
    let is_whole = seeds
        .first()
        .is_some_and(|(h, e)| e.log_odds > 0.0 && is_composite(h.lock_type));
    is_whole.then_some(Shown {
        untried: false,
        is_composite: true,
        again: BTreeSet::new(),
        joined: None,
        beginnings,
        group,
        regions,
        classes,
        seeds,
    })
}

/// Monitors that operations use together, as one lock: if those operations go as one when they are
/// run, and everything that waits on these monitors is a part of them.
fn run_together(
    code: Code<'_, '_>,
    together: &BTreeSet<MonitorIx>,
    parts: &[Option<Shown>],
) -> Option<(BTreeSet<MonitorIx>, Shown)> {
    let Code {
        statics, couplings, ..
    } = code;
    let all = Parts::of(together, parts);
    let seeds = statics.run_whole(&all.regions, &all.classes);
    let (best, evidence) = seeds.first()?;
    if is_one_alone(best, together.iter().filter_map(|&ix| parts[ix].as_ref())) {
        return None;
    }
    let span = couplings.reach(&best.regions());
    let played = best.regions();
    let plays = |ix: &MonitorIx| {
        let part = parts[*ix].as_ref();
        span.monitors.contains(ix) || part.is_some_and(|p| !p.regions.is_disjoint(&played))
    };
    let members: BTreeSet<MonitorIx> = together.iter().copied().filter(plays).collect();
    let of = Parts::of(&members, parts);
    let mut waiting = of.regions.iter().filter(|&&r| couplings.waits(r));
    let apart = couplings.waits_of_strangers(&played, |a, b| code.are_kin(a, b));
    let explained = waiting.all(|r| {
        // Who waits and could not be run may wait for another matter: of one lock it would have to be known.
        let is_near = !evidence.unrun && !apart.contains(r);
        let reached = span.regions.contains(r) && (played.contains(r) || is_near);
        reached || statics.is_never_entered(*r, &of.classes)
    });
    let is_one = is_composite(best.lock_type) && evidence.log_odds >= SURE && members.len() > 1;
    if !explained || !is_one {
        return None;
    }
    let beginnings = couplings.beginnings(&members);
    let seeds = seeds
        .into_iter()
        .filter(|(h, _)| h.regions().is_subset(&of.regions));
    let whole = Shown {
        untried: false,
        is_composite: true,
        again: BTreeSet::new(),
        joined: None,
        seeds: seeds.map(|(h, e)| (begun(h, &beginnings), e)).collect(),
        beginnings,
        group: of.group,
        regions: of.regions,
        classes: of.classes,
    };
    Some((members, whole))
}

/// One of the monitors is by itself what all of them go as: what else its operations wait for besides is something else, like the end of
/// what they have put into it.
fn is_one_alone<'p>(whole: &Hypothesis, mut parts: impl Iterator<Item = &'p Shown>) -> bool {
    let waiting = whole.waiting();
    let is_it = |(part, evidence): &(Hypothesis, Evidence)| {
        let same = part.lock_type == whole.lock_type && part.waiting() == waiting;
        same && evidence.borne_out && evidence.log_odds >= SURE
    };
    !waiting.is_empty() && parts.any(|part| part.seeds.iter().any(is_it))
}

/// A guard that was seen only where one of the composite's is entered: its object is of a subclass.
fn is_within(couplings: &Couplings, part: &Shown, whole: &Shown) -> bool {
    let seen = &part.group.regions;
    let shared = !seen.is_empty() && seen.is_subset(&whole.regions);
    shared && !part.regions.iter().any(|&r| couplings.waits(r))
}

/// Several monitors put together.
#[derive(Default)]
struct Parts {
    group: Group,
    regions: BTreeSet<RegionId>,
    classes: Vec<ClassId>,
}

impl Parts {
    fn of(members: &BTreeSet<MonitorIx>, parts: &[Option<Shown>]) -> Self {
        let mut all = Self::default();
        let mut classes = BTreeSet::new();
        for part in members.iter().filter_map(|&i| parts[i].as_ref()) {
            all.group.join(part.group.clone());
            all.regions.extend(&part.regions);
            classes.extend(&part.classes);
        }
        all.classes = classes.into_iter().collect();
        all
    }
}

/// The roles as the regions in which operations begin; as they are, where roles that are those of two operations would then be of one.
fn begun(hypothesis: Hypothesis, beginnings: &BTreeMap<RegionId, RegionId>) -> Hypothesis {
    let mut begun = hypothesis.clone();
    for regions in begun.roles.values_mut() {
        let first = regions.iter().map(|r| *beginnings.get(r).unwrap_or(r));
        *regions = first.collect();
    }
    match apart(&begun) == apart(&hypothesis) {
        true => begun,
        false => hypothesis,
    }
}

/// Roles that no region plays both of.
fn apart(hypothesis: &Hypothesis) -> BTreeSet<(Role, Role)> {
    let roles = &hypothesis.roles;
    let pairs = roles
        .iter()
        .flat_map(|one| roles.iter().map(move |other| (one, other)));
    let apart = pairs.filter(|(one, other)| one.1.is_disjoint(other.1));
    apart.map(|(one, other)| (*one.0, *other.0)).collect()
}

/// What the guard's operations go as when they are run, waiting rooms and all.
fn run_as_one(
    statics: &StaticModel,
    couplings: &Couplings,
    members: &BTreeSet<MonitorIx>,
    parts: &[&Shown],
) -> Vec<(Hypothesis, Evidence)> {
    let guards = members.iter().zip(parts);
    let mut guards = guards.filter(|(ix, _)| !couplings.rooms.contains(ix));
    match (guards.next(), guards.next()) {
        (Some((_, guard)), None) => {
            let rooms = self::rooms(couplings, members, parts);
            statics.run_beside(&guard.regions, &guard.classes, &rooms)
        }
        _ => Vec::new(),
    }
}

/// Regions of waiting rooms alone: what is said of those (each waiter's object is a latch) is not
/// said of the whole.
fn rooms(
    couplings: &Couplings,
    members: &BTreeSet<MonitorIx>,
    parts: &[&Shown],
) -> BTreeSet<RegionId> {
    let is_room = |ix: &MonitorIx| couplings.rooms.contains(ix);
    let rooms = members.iter().zip(parts).filter(|(ix, _)| is_room(ix));
    rooms
        .flat_map(|(_, part)| part.regions.iter().copied())
        .collect()
}

fn is_composite(lock_type: LockType) -> bool {
    matches!(
        lock_type,
        LockType::Semaphore
            | LockType::Lock
            | LockType::ReadWrite
            | LockType::ProducerConsumer
            | LockType::Barrier
    )
}

/// Two semaphores, each taken where the other is given, are the two ends of a buffer: the one
/// that begins with permits counts the room, the other one the content.
fn crosswise_queue(
    table: &RegionTable,
    statics: &StaticModel,
    parts: &[&Shown],
) -> Option<(Hypothesis, Evidence)> {
    let &[a, b] = parts else {
        return None;
    };
    let semaphore = |part: &Shown| {
        let readings = statics.judge(&part.regions, &part.classes).into_iter();
        readings
            .into_iter()
            .find(|(h, _)| h.lock_type == LockType::Semaphore)
    };
    let (a, b) = (semaphore(a)?, semaphore(b)?);
    let (room, content) = match (permits(&a.0)?, permits(&b.0)?) {
        (1.., 0) => (a, b),
        (0, 1..) => (b, a),
        _ => return None,
    };
    let method = |id: RegionId| table.get(id).map(|r| r.method);
    let side = |taken: &Hypothesis, given: &Hypothesis| -> BTreeSet<RegionId> {
        let taken = taken
            .roles
            .get(&Role::Acquire)
            .into_iter()
            .flatten()
            .copied();
        let methods: BTreeSet<Option<MethodId>> = taken.clone().map(method).collect();
        let given = given
            .roles
            .get(&Role::Release)
            .into_iter()
            .flatten()
            .copied();
        taken
            .chain(given.filter(|&r| methods.contains(&method(r))))
            .collect()
    };
    let roles = BTreeMap::from([
        (Role::Put, side(&room.0, &content.0)),
        (Role::Take, side(&content.0, &room.0)),
    ]);
    let capacity = Detail::Count(permits(&room.0)?);
    Some((
        Hypothesis {
            lock_type: LockType::ProducerConsumer,
            roles,
            details: Details::from([("capacity", capacity)]),
        },
        Evidence {
            log_odds: room.1.log_odds.min(content.1.log_odds),
            confirmed: room.1.confirmed + content.1.confirmed,
            contradicted: room.1.contradicted + content.1.contradicted,
            pro: vec![
                "one monitor counts the room, another one the content".to_owned(),
                "who waits for the one gives the other".to_owned(),
            ],
            contra: Vec::new(),
            borne_out: room.1.borne_out && content.1.borne_out,
            refuted: room.1.refuted || content.1.refuted,
            understood: room.1.understood && content.1.understood,
            unrun: room.1.unrun || content.1.unrun,
            beside: room.1.beside || content.1.beside,
            tangled: room.1.tangled || content.1.tangled,
            by_amount: room.1.by_amount || content.1.by_amount,
            alone: &room.1.alone | &content.1.alone,
        },
    ))
}

fn permits(hypothesis: &Hypothesis) -> Option<u64> {
    match hypothesis.details.get("permits") {
        Some(Detail::Count(permits)) => Some(*permits),
        _ => None,
    }
}
