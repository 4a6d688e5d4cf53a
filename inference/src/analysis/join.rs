//! Composite locks put together, where the events of an exact recording show what they are.

use super::{Shown, Study};
use crate::composite::{Couplings, couplings};
use crate::effects::EffectTable;
use crate::joined::{self, crosswise, handed_over, last_acts, within};
use crate::region::RegionId;
use crate::types::{self, LockType, RegionFacts, TypeInput, Typing, Unseen};
use crate::visit::{Finish, History, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that the whole must predict.
const PREDICTED: u64 = 20;
/// Of so many at most one may go otherwise.
const OTHERWISE: u64 = 20;
/// Confidence in what the whole is.
const SURE: f64 = 0.6;
/// Confidence in what a part is by itself, from which on it is that.
const ALONE: f64 = 0.8;

/// What the code says of parts.
struct Code {
    couplings: Couplings,
    /// All places of a part are known.
    read: Vec<bool>,
}

impl Code {
    /// It does not say that they have nothing to do with each other: who uses both after one another by chance, one
    /// within a third lock, say, looks in the events like who gets through the one to the other.
    fn may_be_one(&self, guard: usize, room: usize) -> bool {
        !self.read[guard] || !self.read[room] || self.couplings.are_linked(guard, room)
    }
}

/// A logical lock with the histories of its objects.
struct Part {
    shown: Shown,
    histories: Vec<History>,
    waits: bool,
}

/// A lock made of several, with how well its histories go.
struct Whole {
    histories: Vec<History>,
    lock_type: LockType,
    worth: f64,
}

impl Study<'_> {
    /// Joins the monitors of which the events show that they are one lock.
    pub(super) fn joined(&self, shown: Vec<Shown>) -> Vec<Shown> {
        let recording = &self.collected.recording;
        let known = recording.exact && !recording.clockless && self.options.dynamic_model;
        let (mut parts, mut rest): (Vec<Part>, Vec<Shown>) = (Vec::new(), Vec::new());
        let known = known && shown.iter().any(|shown| self.waits(shown));
        for mut shown in shown {
            match (known && self.is_known(&shown), shown.is_composite) {
                (true, false) => parts.push(self.part_of(shown)),
                (true, true) => {
                    shown.joined = self.as_united(&shown);
                    rest.push(shown);
                }
                (false, _) => rest.push(shown),
            }
        }
        let guards = Guards::of(&parts);
        let mut rooms: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.waits) {
            if let Some(guard) = guards.of_room(&part.histories) {
                rooms.entry(guard).or_default().push(at);
            }
        }
        let code = (!rooms.is_empty()).then(|| self.code_of(&parts)).flatten();
        let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
        for (guard, mut rooms) in rooms {
            if let Some(code) = &code {
                rooms.retain(|&room| code.may_be_one(guard, room));
            }
            rest.extend(self.whole_of(&mut parts, guard, &rooms));
        }
        rest.extend(parts.into_iter().flatten().map(|part| part.shown));
        rest.sort_by_key(|shown| shown.group.locks.first().copied());
        rest
    }

    fn waits(&self, shown: &Shown) -> bool {
        let mut seen = shown.group.locks.iter().map(|lock| &self.seen[lock]);
        seen.any(|seen| seen.log.sites.iter().any(|site| site.waits.count() > 0))
    }

    fn is_known(&self, shown: &Shown) -> bool {
        let mut seen = shown.group.locks.iter().map(|lock| &self.seen[lock]);
        seen.all(|seen| self.is_exact(seen) && !seen.is_thread)
    }

    fn part_of(&self, shown: Shown) -> Part {
        let locks = shown.group.locks.iter();
        let histories: Vec<History> = locks.map(|&lock| self.history_of(lock)).collect();
        Part {
            waits: joined::waits(&histories),
            histories,
            shown,
        }
    }

    /// The histories of a lock that the code puts together.
    fn as_united(&self, shown: &Shown) -> Option<Vec<History>> {
        let locks = shown.group.locks.iter();
        let all: Vec<History> = locks.map(|&lock| self.history_of(lock)).collect();
        let both = crosswise(&all);
        let (guards, rooms) = apart(all);
        let mut readings = handed_over(&guards, &rooms);
        readings.extend(both);
        if readings.is_empty() {
            readings.extend(within(&guards, &rooms));
        }
        let facts = self.facts_of(shown);
        let tried = readings
            .into_iter()
            .filter_map(|histories| self.tried(&facts, histories));
        let best = tried.max_by(|a, b| a.worth.total_cmp(&b.worth))?;
        let said = shown.seeds.first().map(|(seed, _)| seed.lock_type);
        let agreed = !self.options.static_model || said == Some(best.lock_type);
        agreed.then_some(best.histories)
    }

    /// The lock that a guard and its rooms make.
    fn whole_of(&self, parts: &mut [Option<Part>], guard: usize, rooms: &[usize]) -> Option<Shown> {
        let members: Option<Vec<&Part>> = std::iter::once(&guard)
            .chain(rooms)
            .map(|&at| parts[at].as_ref())
            .collect();
        let members = members?;
        let (guard_part, room_parts) = members.split_first()?;
        if room_parts.is_empty() {
            return None;
        }
        let mut all: Vec<History> = Vec::new();
        room_parts
            .iter()
            .for_each(|r| all.extend(r.histories.iter().cloned()));
        let mut readings = handed_over(&guard_part.histories, &all);
        if readings.is_empty() && !room_parts.iter().any(|room| self.is_sure(room)) {
            readings.extend(within(&guard_part.histories, &all));
        }
        let facts: Facts = members
            .iter()
            .flat_map(|part| self.facts_of(&part.shown))
            .collect();
        let tried = readings
            .into_iter()
            .filter_map(|histories| self.tried(&facts, histories));
        let best = tried.max_by(|a, b| a.worth.total_cmp(&b.worth))?;
        let mut taken: Vec<Part> = Vec::new();
        for at in std::iter::once(&guard).chain(rooms) {
            taken.extend(parts[*at].take());
        }
        taken
            .into_iter()
            .map(|part| part.shown)
            .reduce(put_together)
            .map(|mut whole| {
                whole.joined = Some(best.histories);
                whole
            })
    }

    /// What the code says of these parts, if it is asked.
    fn code_of(&self, parts: &[Part]) -> Option<Code> {
        let known = &self.collected.catalog.code;
        let is_read = |id: &RegionId| {
            let region = self.table.get(*id);
            region.is_some_and(|r| r.is_placed() && known.contains_key(&r.method))
        };
        let monitors: Vec<_> = parts.iter().map(|p| p.shown.regions.clone()).collect();
        let mut effects = EffectTable::new(self.program, self.options.call_depth);
        self.options.static_model.then(|| Code {
            read: monitors.iter().map(|m| m.iter().all(is_read)).collect(),
            couplings: couplings(self.program, self.table, &mut effects, &monitors),
        })
    }

    /// What it is by itself is certain.
    fn is_sure(&self, part: &Part) -> bool {
        let typing = self.typed(&self.facts_of(&part.shown), &part.histories, false);
        let best = typing.types.first();
        best.is_some_and(|v| v.confidence >= ALONE && v.lock_type != LockType::Condition)
    }

    fn tried(&self, facts: &Facts, histories: Vec<History>) -> Option<Whole> {
        let typing = self.typed(facts, &histories, true);
        let best = typing.types.first()?;
        let evidence = &best.evidence;
        let predicted = evidence.confirmed + evidence.contradicted;
        let accepted = is_composite(best.lock_type)
            && best.confidence >= SURE
            && evidence.confirmed >= PREDICTED
            && evidence.contradicted * OTHERWISE <= predicted;
        accepted.then_some(Whole {
            histories,
            worth: evidence.dynamic_log_odds,
            lock_type: best.lock_type,
        })
    }

    /// Puts the end of what is waited for where a thread told it as its last act. Where the code says what the objects are,
    /// it is asked.
    pub(super) fn end_with_threads(&self, shown: &Shown, histories: &mut [History]) {
        let read = self.options.static_model && !shown.seeds.is_empty();
        if !read && self.is_known(shown) {
            last_acts(histories, &self.collected.ends);
        }
    }

    fn facts_of(&self, shown: &Shown) -> Facts {
        let regions = shown.regions.iter();
        regions
            .map(|&id| (id, self.facts(id, &shown.group)))
            .collect()
    }

    fn typed(&self, facts: &Facts, histories: &[History], is_composite: bool) -> Typing {
        types::judge(&TypeInput {
            histories,
            regions: facts,
            seeds: &[],
            is_composite,
            may_be_shared: false,
            unseen: Unseen::default(),
            is_thread: false,
            options: self.options,
        })
    }
}

type Facts = BTreeMap<RegionId, RegionFacts>;

/// Objects of a lock that nobody ever waits on, and those of the kinds that somebody does.
fn apart(all: Vec<History>) -> (Vec<History>, Vec<History>) {
    let waited = all
        .iter()
        .filter(|h| joined::waits(std::slice::from_ref(h)));
    let of_rooms: BTreeSet<RegionId> = waited.flat_map(visits).map(|v| v.region).collect();
    all.into_iter()
        .partition(|h| !visits(h).any(|v| of_rooms.contains(&v.region)))
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

fn put_together(mut whole: Shown, part: Shown) -> Shown {
    whole.group.join(part.group);
    whole.regions.extend(part.regions);
    let classes = part.classes.into_iter();
    let new: Vec<_> = classes.filter(|c| !whole.classes.contains(c)).collect();
    whole.classes.extend(new);
    whole.classes.sort_unstable();
    whole.is_composite = true;
    whole.seeds.clear();
    whole
}

/// Visits to locks on which nobody waits, by thread and time.
struct Guards(BTreeMap<ThreadId, Vec<(Nanos, usize)>>);

impl Guards {
    fn of(parts: &[Part]) -> Self {
        let mut guards: BTreeMap<ThreadId, Vec<(Nanos, usize)>> = BTreeMap::new();
        if !parts.iter().any(|part| part.waits) {
            return Self(guards);
        }
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| !part.waits) {
            for visit in part.histories.iter().flat_map(visits) {
                guards.entry(visit.thread).or_default().push((visit.at, at));
            }
        }
        guards.values_mut().for_each(|g| g.sort_unstable());
        Self(guards)
    }

    /// The one that most of those who wait in a room come from.
    fn of_room(&self, room: &[History]) -> Option<usize> {
        let mut from: BTreeMap<usize, usize> = BTreeMap::new();
        let waits = |visit: &&Visit| matches!(visit.finish, Finish::Waits { .. });
        let waits: Vec<&Visit> = room.iter().flat_map(visits).filter(waits).collect();
        for visit in &waits {
            let Some(line) = self.0.get(&visit.thread) else {
                continue;
            };
            let next = line.partition_point(|v| v.0 <= visit.at);
            if let Some(&(_, guard)) = next.checked_sub(1).and_then(|last| line.get(last)) {
                *from.entry(guard).or_default() += 1;
            }
        }
        let most = from.into_iter().max_by_key(|f| f.1)?;
        (most.1 * 2 > waits.len()).then_some(most.0)
    }
}

fn visits(history: &History) -> impl Iterator<Item = &Visit> {
    history.steps.iter().filter_map(|step| match step {
        Step::Visit(visit) => Some(visit),
        _ => None,
    })
}
