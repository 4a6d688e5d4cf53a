//! The pipeline: what one pass collected → the model of a report.
//!
//! Each stage is a module of its own; here they only meet. Start with [`Analysis::of`].

mod again;
mod apart;
mod join;
mod report;
mod sight;
mod unite;
mod unseen;

use crate::collect::{Collected, Site};
use crate::effects::{EffectTable, Effects};
use crate::facsimile::{Completed, Context, What, complete};
use crate::hang::stood;
use crate::lockclass::{Group, group};
use crate::model::{LogicalLock, Model, Options};
use crate::parked;
use crate::program::Program;
use crate::region::{RegionId, RegionTable};
use crate::safe::known_safe;
use crate::stable_name::names;
use crate::statics::{StaticModel, survey};
use crate::stuck::Ending;
use crate::times::Lengths;
use crate::types::{self, Evidence, Hypothesis, RegionFacts, TypeInput, Typing};
use crate::visit::fold::history;
use crate::visit::{History, Mark, Step};
use locklens_trace::record::LockObject;
use locklens_trace::{ClassId, Event, LockId, Nanos, ThreadId};
use sight::{Atlas, Seen};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The model of what was collected.
#[must_use]
pub fn analyze(collected: &Collected, options: &Options) -> Model {
    Analysis::of(collected, options).model
}

/// A model, and what it was made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The model.
    pub model: Model,
    /// The lock objects of each logical lock, in the order of the model's locks.
    pub objects: Vec<BTreeSet<LockId>>,
    /// The regions that the model's ids stand for.
    pub regions: RegionTable,
    /// Names of objects that are one logical lock together, each kept in a field of its own.
    pub apart: BTreeMap<LockId, String>,
}

impl Analysis {
    /// Analyses what was collected.
    #[must_use]
    pub fn of(collected: &Collected, options: &Options) -> Self {
        let program = Program::of(&collected.catalog);
        let mut table = RegionTable::default();
        let statics = survey(&collected.catalog, &mut table, options);
        let seen = Atlas::new(&program, &mut table).all(&collected.locks);
        let sights: Vec<_> = seen.values().map(Seen::sight).collect();
        let groups = group(&program, &table, &sights);
        let parked = parked::found(collected, &program, &mut table, &statics, options.hide_safe);
        let mut study = Study::new(collected, options, &program, &table, seen);
        let Parts {
            mut hidden,
            hidden_blocked,
            shown,
            safe,
            apart,
        } = study.part(groups, &statics);
        for (name, stays) in parked.hidden {
            let known = hidden.entry(name).or_default();
            *known = known.saturating_add(stays);
        }
        let mut found = study.judge_all(shown);
        found.extend(parked.locks);
        found.sort_by(|a, b| report::by_pain(&a.1, &b.1));
        study.append_safe(&mut found, safe);
        for (id, (_, lock)) in (1..).zip(&mut found) {
            lock.id = id;
        }
        let (objects, locks): (Vec<_>, _) = found.into_iter().unzip();
        let mut analysis = Self {
            model: study.model((hidden, hidden_blocked), locks),
            objects,
            regions: table,
            apart,
        };
        let ending = Ending::of(collected, &analysis);
        let (deadlocks, blockages) = (ending.deadlocks(), ending.blockages());
        let standstills = ending.standstills(&analysis);
        analysis.model.deadlocks = deadlocks;
        analysis.model.blockages = blockages;
        analysis.model.standstills = standstills;
        analysis.model.stood = stood(collected).map(Box::new);
        analysis
    }
}

/// One lock's raw events with their completion: one pair for each unbroken sequence kept.
pub type Sequences = Vec<(Vec<Event>, Vec<Completed>)>;

/// The completed sequences of one lock object, with the regions they speak of.
#[must_use]
pub fn sequences(
    collected: &Collected,
    lock: LockId,
    options: &Options,
) -> (Sequences, RegionTable) {
    let (mut all, table) = sequences_of(collected, &BTreeSet::from([lock]), options);
    (all.remove(&lock).unwrap_or_default(), table)
}

/// The completed sequences of several lock objects, with the regions they speak of.
#[must_use]
pub fn sequences_of(
    collected: &Collected,
    locks: &BTreeSet<LockId>,
    options: &Options,
) -> (BTreeMap<LockId, Sequences>, RegionTable) {
    let program = Program::of(&collected.catalog);
    let mut table = RegionTable::default();
    let logs = collected
        .locks
        .iter()
        .filter(|log| locks.contains(&log.lock));
    let seen = Atlas::new(&program, &mut table).all(logs);
    let mut study = Study::new(collected, options, &program, &table, seen);
    study.find_effects(table.iter().map(|(id, _)| id).collect());
    let sequences = locks.iter().map(|&lock| (lock, study.sequences(lock)));
    (sequences.collect(), table.clone())
}

/// A logical lock about to be judged.
struct Shown {
    /// Its objects, and the regions they were seen in.
    group: Group,
    /// All its regions, seen or not.
    regions: BTreeSet<RegionId>,
    /// Classes of its objects.
    classes: Vec<ClassId>,
    /// What its code proposes.
    seeds: Vec<(Hypothesis, Evidence)>,
    /// Its code was not run, for want of runs.
    untried: bool,
    /// It was put together from several.
    is_composite: bool,
    /// Regions that are entered again, in a loop around them, after a wait.
    again: BTreeSet<RegionId>,
    /// Of a composite: regions that stand for the one in which their operation begins.
    beginnings: BTreeMap<RegionId, RegionId>,
    /// Of a composite that events show: its histories, one for each of its guards.
    joined: Option<Vec<History>>,
}

/// What becomes of the groups.
struct Parts {
    /// Events of known-safe locks that are not wanted, by name.
    hidden: BTreeMap<String, u64>,
    /// How long threads were blocked on these.
    hidden_blocked: Nanos,
    /// The locks of the program.
    shown: Vec<Shown>,
    /// Known-safe locks that are wanted too.
    safe: Vec<Shown>,
    /// Names of objects that are parts of these, and kept in fields of their own.
    apart: BTreeMap<LockId, String>,
}

/// A lock and its objects.
type Judged = (BTreeSet<LockId>, LogicalLock);

struct Study<'a> {
    collected: &'a Collected,
    options: &'a Options,
    program: &'a Program<'a>,
    table: &'a RegionTable,
    seen: BTreeMap<LockId, Seen<'a>>,
    effects: BTreeMap<RegionId, Effects>,
    observed: u64,
    inferred: u64,
}

impl<'a> Study<'a> {
    fn new(
        collected: &'a Collected,
        options: &'a Options,
        program: &'a Program<'a>,
        table: &'a RegionTable,
        seen: BTreeMap<LockId, Seen<'a>>,
    ) -> Self {
        Self {
            collected,
            options,
            program,
            table,
            seen,
            effects: BTreeMap::new(),
            observed: 0,
            inferred: 0,
        }
    }

    fn part(&mut self, groups: Vec<Group>, statics: &StaticModel) -> Parts {
        let mut hidden = self.collected.recording.hidden.clone();
        let (mut shown, mut safe) = (Vec::new(), Vec::new());
        let mut hidden_blocked = Nanos(0);
        for group in groups {
            match known_safe(self.program, self.table, &group) {
                Some(name) if self.options.hide_safe => {
                    let events = hidden.entry(name.to_owned()).or_default();
                    *events = events.saturating_add(self.events(&group));
                    let blocked = self.blocked(&group).0;
                    hidden_blocked.0 = hidden_blocked.0.saturating_add(blocked);
                }
                Some(_) => safe.push(group),
                None => shown.push(group),
            }
        }
        let (shown, safe) = (
            self.all_shown(shown, statics),
            self.all_shown(safe, statics),
        );
        let single = apart::single_objects(self, &shown);
        let handed = apart::handed(self, &shown);
        let shown = unite::unite(self.program, self.table, statics, shown, self.options);
        let all = shown.iter().chain(&safe);
        self.find_effects(all.flat_map(|s| s.regions.iter().copied()).collect());
        let shown = self.joined(shown);
        Parts {
            hidden,
            hidden_blocked,
            apart: apart::of(&shown, &single)
                .into_iter()
                .chain(handed)
                .collect(),
            shown,
            safe,
        }
    }

    /// Known-safe locks come last, and take no name: whether they are shown changes no other lock's
    /// number or name.
    fn append_safe(&mut self, found: &mut Vec<Judged>, safe: Vec<Shown>) {
        let names: BTreeSet<String> = found.iter().map(|(_, lock)| lock.name.clone()).collect();
        found.extend(self.judge_all(safe).into_iter().map(|(objects, mut lock)| {
            if names.contains(&lock.name) {
                lock.name += " (known safe)";
            }
            (objects, lock)
        }));
    }

    /// In the order given. Those that cost most time are looked at first, for of very many not all are run.
    fn all_shown(&self, groups: Vec<Group>, statics: &StaticModel) -> Vec<Shown> {
        let mut numbered: Vec<(usize, Group)> = groups.into_iter().enumerate().collect();
        numbered.sort_by_cached_key(|(at, group)| (Reverse(self.pain(group)), *at));
        let shown = numbered.into_iter();
        let mut shown: Vec<_> = shown
            .map(|(at, group)| (at, self.shown(group, statics)))
            .collect();
        shown.sort_by_key(|(at, _)| *at);
        shown.into_iter().map(|(_, shown)| shown).collect()
    }

    /// Time blocked, then time waiting, then how often anything was seen.
    fn pain(&self, group: &Group) -> (Nanos, Nanos, u64) {
        let logs = || group.locks.iter().map(|lock| self.seen[lock].log);
        let total = |of: fn(&Site) -> &Lengths| {
            let sites = logs().flat_map(|log| &log.sites);
            Nanos(
                sites
                    .map(|site| of(site).total().0)
                    .fold(0, u64::saturating_add),
            )
        };
        (
            total(|site| &site.blocked),
            total(|site| &site.waits),
            self.events(group),
        )
    }

    fn shown(&self, group: Group, statics: &StaticModel) -> Shown {
        let classes = self.object_classes(&group);
        let regions = statics.same_lock(&group.regions, &classes);
        Shown {
            seeds: statics.judge(&regions, &classes),
            untried: self.options.static_model && statics.is_untried(&regions, &classes),
            is_composite: false,
            again: statics.asking_again(&regions),
            beginnings: BTreeMap::new(),
            joined: None,
            group,
            regions,
            classes,
        }
    }

    fn find_effects(&mut self, regions: BTreeSet<RegionId>) {
        let mut effects = EffectTable::new(self.program, self.options.call_depth);
        let known = regions
            .into_iter()
            .filter_map(|id| Some((id, self.table.get(id)?)));
        self.effects = known.map(|(id, region)| (id, effects.of(region))).collect();
    }

    /// Classes of the lock objects themselves (`java.lang.Class` for mirrors).
    fn object_classes(&self, group: &Group) -> Vec<ClassId> {
        let defs = group
            .locks
            .iter()
            .filter_map(|lock| self.collected.catalog.locks.get(lock));
        let classes: BTreeSet<ClassId> = defs.map(|def| def.class).collect();
        classes.into_iter().collect()
    }

    fn events(&self, group: &Group) -> u64 {
        group
            .locks
            .iter()
            .map(|lock| self.seen[lock].log.events)
            .sum()
    }

    fn blocked(&self, group: &Group) -> Nanos {
        let logs = group.locks.iter().map(|lock| &self.seen[lock].log);
        let sites = logs.flat_map(|log| &log.sites);
        let times = sites.map(|site| site.blocked.total().0);
        Nanos(times.fold(0, u64::saturating_add))
    }

    /// What hurts first.
    fn judge_all(&mut self, shown: Vec<Shown>) -> Vec<Judged> {
        let all: Vec<_> = shown.iter().map(|s| (&s.group, &s.regions)).collect();
        let names = names(self.program, self.table, &all);
        let judged = shown.into_iter().zip(names).map(|(shown, named)| {
            let typing = self.judge(&shown);
            let report = report::Report {
                program: self.program,
                table: self.table,
                seen: shown
                    .group
                    .locks
                    .iter()
                    .map(|lock| &self.seen[lock])
                    .collect(),
                shown: &shown,
                exact: self.collected.recording.exact,
            };
            let lock = report.logical_lock(named, typing);
            (shown.group.locks, lock)
        });
        let mut judged: Vec<Judged> = judged.collect();
        judged.sort_by(|a, b| report::by_pain(&a.1, &b.1));
        judged
    }

    fn judge(&mut self, shown: &Shown) -> Typing {
        let locks = shown.group.locks.iter();
        let mut histories: Vec<History> = locks.clone().map(|&lock| self.history(lock)).collect();
        for history in &mut histories {
            begin_in(history, &shown.beginnings);
            again::ask_once(history, &shown.again);
            // Stays in several monitors are no steps of one machine.
            history.complete &= !shown.is_composite;
        }
        self.end_with_threads(shown, &mut histories);
        if let Some(joined) = &shown.joined {
            histories.clone_from(joined);
        }
        let unseen = self.unseen(&shown.group);
        let facts = shown.regions.iter().map(|&id| {
            let facts = self.facts(id, &shown.group);
            (id, unseen::as_known(facts, unseen))
        });
        let facts: BTreeMap<RegionId, RegionFacts> = facts.collect();
        let seeds = unseen::standing(&shown.seeds, unseen);
        types::judge(&TypeInput {
            histories: &histories,
            regions: &facts,
            seeds: &seeds,
            is_composite: shown.is_composite,
            may_be_shared: self.may_be_shared(&shown.group),
            unseen,
            is_thread: locks.clone().all(|lock| self.seen[lock].is_thread),
            options: self.options,
        })
    }

    fn facts(&self, id: RegionId, group: &Group) -> RegionFacts {
        let effects = self.effects.get(&id).copied().unwrap_or_default();
        let method = self
            .table
            .get(id)
            .and_then(|r| self.program.method(r.method));
        RegionFacts {
            name: method.map_or_else(String::new, |m| m.name.clone()),
            may_wait: effects.may_wait,
            may_notify: effects.may_notify,
            may_notify_all: effects.may_notify_all,
            seen: group.regions.contains(&id),
        }
    }

    fn history(&mut self, lock: LockId) -> History {
        let sequences = self.completed(lock);
        let events = sequences.iter().flatten();
        for event in events.filter(|event| event.what != What::Reset) {
            match event.mark {
                Mark::Observed => self.observed += 1,
                Mark::Inferred => self.inferred += 1,
            }
        }
        self.visited(lock, &sequences)
    }

    /// The same, of which nothing is counted.
    fn history_of(&self, lock: LockId) -> History {
        self.visited(lock, &self.completed(lock))
    }

    fn completed(&self, lock: LockId) -> Vec<Vec<Completed>> {
        let sequences = self.sequences(lock).into_iter();
        sequences.map(|(_, done)| done).collect()
    }

    fn visited(&self, lock: LockId, sequences: &[Vec<Completed>]) -> History {
        let exact = self.seen.get(&lock).is_some_and(|seen| self.is_exact(seen));
        let mut history = history(lock, sequences, exact, self.subject_end(lock));
        history.still_waiting = self.still_waiting(lock);
        if let Some(thread) = self.subject(lock) {
            history.end_as_told(thread);
        }
        history
    }

    /// The thread that the lock object is.
    fn subject(&self, lock: LockId) -> Option<ThreadId> {
        match self.collected.catalog.locks.get(&lock)?.object {
            LockObject::Thread(thread) => Some(thread),
            LockObject::Plain | LockObject::ClassMirror(_) => None,
        }
    }

    fn subject_end(&self, lock: LockId) -> Option<Nanos> {
        self.collected.ends.get(&self.subject(lock)?).copied()
    }

    fn still_waiting(&self, lock: LockId) -> Vec<(ThreadId, RegionId)> {
        let Some(seen) = self.seen.get(&lock) else {
            return Vec::new();
        };
        let waits = seen.log.open.iter().filter(|open| open.waits);
        let placed = waits
            .filter_map(|open| Some((open.thread, seen.places.get(&open.stack?)?.outermost())));
        placed.collect()
    }

    fn sequences(&self, lock: LockId) -> Sequences {
        let Some(seen) = self.seen.get(&lock) else {
            return Vec::new();
        };
        let context = Context {
            exact: self.is_exact(seen),
            vm_probes: self.collected.recording.vm_probes.as_ref(),
            reset_after: self.options.reset_after,
            losses: &self.collected.losses,
            places: &seen.places,
            effects: &self.effects,
        };
        let raw = seen.log.windows.sequences(lock).into_iter();
        raw.map(|events| {
            let done = complete(&events, &context);
            (events, done)
        })
        .collect()
    }

    /// Probes told everything of it.
    fn is_exact(&self, seen: &Seen<'_>) -> bool {
        self.collected.recording.exact && seen.log.probed
    }

    fn model(
        &self,
        (hidden, hidden_blocked): (BTreeMap<String, u64>, Nanos),
        locks: Vec<LogicalLock>,
    ) -> Model {
        let mut recording = self.collected.recording.clone();
        recording.options = *self.options;
        recording.hidden = hidden;
        recording.hidden_blocked = hidden_blocked;
        let events = self.observed + self.inferred;
        recording.inferred_share = (events > 0).then(|| self.inferred as f64 / events as f64);
        Model {
            target: self.collected.target.clone(),
            recording,
            locks,
            deadlocks: Vec::new(),
            blockages: Vec::new(),
            standstills: Vec::new(),
            stood: None,
        }
    }
}

/// Moves the visits of a composite's part to the regions in which their operations begin.
fn begin_in(history: &mut History, beginnings: &BTreeMap<RegionId, RegionId>) {
    for step in &mut history.steps {
        if let Step::Visit(visit) = step {
            visit.region = beginnings
                .get(&visit.region)
                .copied()
                .unwrap_or(visit.region);
        }
    }
    for (_, region) in &mut history.still_waiting {
        *region = beginnings.get(region).copied().unwrap_or(*region);
    }
}

#[cfg(test)]
mod tests;
