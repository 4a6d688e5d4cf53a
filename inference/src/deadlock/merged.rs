//! Cycles whose parts come from different runs.
//!
//! Objects of two runs cannot be compared, names of logical locks can: what one run takes in one order and another in
//! the other is a cycle if the names stand for one object each. Gates count by name, too; so do starts and joins: who was not there in
//! one run when another thread did its part is presumed to be away then in the other run, too. What a single run has excluded, or
//! doubts, stays so, unless a part of it that is seen in another run has not come in that one.

mod kin;

use super::finding::{
    Excluded, Finding, Kind, Memory, Names, Part, Report, Resource, Tier, What, first_by_name,
    identify, known_by, stable_id, unnumbered,
};
use super::follow::Wanted;
use super::given::Given;
use super::judge::Suspects;
pub use super::lineage::Lineage;
use super::lineage::Span;
use super::step::{Lock, Mode, Site};
use super::ways::{Taken, taken_of};
use super::{ONE_THREAD, sort};
use crate::cycles::{Bound, Ended, all_simple_cycles};
use crate::nesting::graph::{Graph, NodeKind};
use crate::sample::group::folded;
use kin::Apart;
use std::collections::{BTreeMap, BTreeSet};

const BOUND: Bound = Bound {
    cycles: 1_000,
    steps: 2_000_000,
};
/// Nestings kept of one run.
const KEPT: usize = 200_000;
/// Choices looked at of one cycle.
const CHOICES: usize = 10_000;

const ACROSS: &str =
    "its parts are from different runs; the locks are taken to be the same by their names";
const ORDERED: &str = "in one of the runs a start or a join put one thread before the other, by their names; that it is so in each is presumed";

/// A lock taken inside others, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Nesting {
    holds: Vec<Known>,
    wants: Known,
    part: Part,
    /// When, if it is known, and one thread's.
    span: Option<Span>,
    /// The same was done at other places, too.
    elsewhere: bool,
    /// What the thread is called in other runs, too.
    stable: String,
}

impl Nesting {
    /// Names of the locks held.
    pub fn holds(&self) -> impl Iterator<Item = &str> {
        self.holds.iter().map(|known| known.lock.name.as_str())
    }

    /// Name of the lock wanted.
    #[must_use]
    pub fn wants(&self) -> &str {
        &self.wants.lock.name
    }

    /// Who, and where.
    #[must_use]
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// The same with one of the locks held as the one that matters.
    fn part_with(&self, held: &Known) -> Part {
        let besides = self.holds.iter().filter(|hold| *hold != held);
        Part {
            holds_at: held.at.clone(),
            also_holds: besides.map(|hold| hold.lock.name.clone()).collect(),
            ..self.part.clone()
        }
    }

    /// The same wherever it is done, in whichever run.
    fn way(&self) -> String {
        let words = [self.stable.as_str()].into_iter();
        let words: Vec<&str> = words.chain(self.holds()).chain([self.wants()]).collect();
        words.join("\n")
    }

    /// The same for the same locks at the same places, whoever takes them.
    #[must_use]
    pub fn key(&self) -> String {
        let places = self.part.holds_at.iter().chain(&self.part.wants_at);
        let words = self.holds().chain([self.wants()]);
        let words: Vec<&str> = words.chain(places.map(String::as_str)).collect();
        words.join("\n")
    }
}

/// A lock by name.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    lock: Resource,
    /// The name stands for one object, as far as was seen.
    alone: bool,
    /// Where it was taken, as a call chain; empty if that is not known.
    at: Vec<String>,
    /// In which method that was, where it tells it from others of the name.
    taken: Taken,
}

impl Known {
    fn moded(&self) -> Moded {
        (self.lock.name.clone(), self.lock.mode)
    }

    /// The name stands for one object that one has at a time.
    fn is_one(&self) -> bool {
        self.alone && self.lock.mode != Mode::Permit(1).name()
    }

    /// Whether both cannot be at the same time, by name. Of permits there may be enough.
    fn keeps_out(&self, other: &Self) -> bool {
        let same = self.lock.name == other.lock.name;
        let alone = Mode::Exclusive.name();
        same && (self.lock.mode == alone || other.lock.mode == alone)
    }
}

/// What of one run goes into others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What it has shown by itself, by ids of the names of locks alone.
    pub report: Report,
    /// What was nested in it.
    pub nestings: Vec<Nesting>,
    /// Who had ended before, and who began after what.
    pub lineage: Lineage,
    /// What its code says of locks that are handed around.
    pub given: Given,
    /// Names, without their numbers, that several of its locks have.
    pub numbered: BTreeSet<String>,
}

impl Run {
    /// What it has shown, with ids that callers are a part of.
    #[must_use]
    pub fn told(mut self) -> Report {
        self.given.tell(&mut self.report);
        self.report
    }
}

/// A lock by name, and how it is held or wanted.
type Moded = (String, &'static str);

/// A thread, what it wants, and what it holds, with the method in which it took that where it matters.
type Way = (String, Moded, Vec<(Moded, Taken)>);

/// What was nested, as far as every acquisition is known.
#[must_use]
pub fn nestings(suspects: &Suspects<'_>, names: &dyn Names) -> Vec<Nesting> {
    let mut kept: BTreeMap<Way, Nesting> = BTreeMap::new();
    for dependency in &suspects.scan.table.all {
        let Wanted::Lock(lock, mode) = dependency.wanted else {
            continue;
        };
        let wants = known(names, (lock, mode), None);
        let held = dependency.keeps().filter(|&(held, _)| held != lock);
        let holds = held.map(|held| {
            let site = dependency.hold(held.0).and_then(|hold| hold.site);
            known(names, held, site)
        });
        let holds: Vec<Known> = holds.collect();
        let hidden = names.lock(lock).hidden;
        if holds.is_empty() || hidden || kept.len() >= KEPT {
            continue;
        }
        let part = super::part::Writer { names }.wanting(dependency, mode);
        let held = holds
            .iter()
            .map(|known| (known.moded(), known.taken.clone()));
        let site = part.wants_at.clone();
        let key = (part.thread.name.clone(), wants.moded(), held.collect());
        let span = Span {
            thread: dependency.thread,
            first: dependency.first,
            last: dependency.last,
        };
        let of_name = kept.entry(key).or_insert_with(|| Nesting {
            holds,
            wants,
            part,
            span: Some(span),
            elsewhere: dependency.elsewhere,
            stable: names.stable_thread(dependency.thread),
        });
        of_name.span = of_name.span.and_then(|known| known.and(span));
        of_name.elsewhere |= site != of_name.part.wants_at;
    }
    kept.into_values().collect()
}

/// What starts and joins put apart.
#[must_use]
pub fn lineage(suspects: &Suspects<'_>, names: &dyn Names) -> Lineage {
    suspects.scan.lineage.named(suspects.scan, names)
}

fn known(names: &dyn Names, (lock, mode): (Lock, Mode), site: Option<Site>) -> Known {
    let mut resource = super::part::resource(names, super::candidates::Node::Lock(lock));
    resource.mode = mode.name();
    Known {
        lock: resource,
        alone: names.lock(lock).alone,
        at: site.map_or_else(Vec::new, |site| names.chain(site)),
        taken: taken_of(names, lock, site),
    }
}

/// What was nested as the call chains of a watched recording show it.
#[must_use]
pub fn watched(graph: &Graph) -> Vec<Nesting> {
    let lock = |ix: usize| {
        let node = &graph.nodes[ix];
        let types: Vec<_> = node.types.iter().map(|t| t.name()).collect();
        Known {
            lock: Resource {
                name: node.name.clone(),
                id: node.id.to_string(),
                types: types.join("+"),
                mode: Mode::Exclusive.name(),
                what: What::Lock,
                object: None,
            },
            alone: node.kind == NodeKind::Lock && node.instances == 1,
            at: Vec::new(),
            taken: Taken::new(),
        }
    };
    let edges = graph.edges.iter().filter(|edge| edge.from != edge.to);
    let each = edges.flat_map(|edge| {
        let site = edge.sites.first();
        let outer = site.map_or_else(Vec::new, |site| site.outer.clone());
        edge.threads.iter().map(move |thread| Nesting {
            holds: vec![Known {
                at: outer.clone(),
                ..lock(edge.from)
            }],
            wants: lock(edge.to),
            span: None,
            elsewhere: edge.sites.len() > 1,
            stable: folded(&thread.name),
            part: Part {
                thread: thread.clone(),
                holds_at: outer.clone(),
                wants_at: site.map_or_else(Vec::new, |site| site.inner.clone()),
                wants_object: None,
                mode: Mode::Exclusive.name(),
                count: edge.count,
                timed: false,
                also_at: Vec::new(),
                also_holds: Vec::new(),
            },
        })
    });
    each.take(KEPT).collect()
}

/// The findings of several runs: of each deadlock the best proof, and what only all runs together show.
#[must_use]
pub fn merged(mut runs: Vec<Run>) -> Report {
    let mut all = Report::default();
    for run in &runs {
        add(&mut all, &run.report);
    }
    if runs.len() > 1 {
        doubt_numbered(&mut runs);
        across(&runs, &mut all);
    }
    let found: BTreeSet<String> = all.findings.iter().map(Finding::named).collect();
    all.excluded
        .retain(|excluded| !found.contains(&excluded.id));
    let mut given = Given::default();
    runs.iter().for_each(|run| given.add(&run.given));
    given.tell(&mut all);
    sort(&mut all.findings);
    all
}

/// Names that several locks of a run have, without their numbers.
#[must_use]
pub fn numbered_names(suspects: &Suspects<'_>, names: &dyn Names) -> BTreeSet<String> {
    let all = suspects.scan.used().map(|lock| names.lock(lock).name);
    of_several(all)
}

/// The same of a watched recording.
#[must_use]
pub fn numbered_names_in(graph: &Graph) -> BTreeSet<String> {
    of_several(graph.nodes.iter().map(|node| node.name.clone()))
}

fn of_several(names: impl Iterator<Item = String>) -> BTreeSet<String> {
    let numbered = names.filter(|name| unnumbered(name) != name);
    numbered.map(|name| unnumbered(&name).to_owned()).collect()
}

/// Which of several of a name has which number is another matter in each run.
fn doubt_numbered(runs: &mut [Run]) {
    let names = runs.iter().flat_map(|run| run.numbered.iter().cloned());
    let several: BTreeSet<String> = names.collect();
    let nestings = runs.iter_mut().flat_map(|run| &mut run.nestings);
    for nesting in nestings {
        for known in nesting.holds.iter_mut().chain([&mut nesting.wants]) {
            known.alone &= !several.contains(unnumbered(&known.lock.name));
        }
    }
}

fn add(all: &mut Report, one: &Report) {
    for finding in &one.findings {
        match all.findings.iter_mut().find(|known| known.id == finding.id) {
            Some(known) => {
                let alike = finding.alike.max(known.alike);
                let numbered = finding.numbered.max(known.numbered);
                let patterns = finding.patterns.max(known.patterns);
                if finding.tier < known.tier {
                    *known = finding.clone();
                }
                (known.alike, known.numbered, known.patterns) = (alike, numbered, patterns);
            }
            None => all.findings.push(finding.clone()),
        }
    }
    for excluded in &one.excluded {
        if !all.excluded.contains(excluded) {
            all.excluded.push(excluded.clone());
        }
    }
    for (into, from) in [
        (&mut all.stopped_after, &one.stopped_after),
        (&mut all.notes, &one.notes),
    ] {
        for sentence in from {
            if !into.contains(sentence) {
                into.push(sentence.clone());
            }
        }
    }
    all.facts.steps += one.facts.steps;
    all.facts.threads += one.facts.threads;
    all.facts.locks += one.facts.locks;
    all.facts.dependencies += one.facts.dependencies;
    all.facts.reads |= one.facts.reads;
}

/// A nesting and the run it is from.
#[derive(Clone, Copy)]
struct FromRun<'r> {
    run: usize,
    nesting: &'r Nesting,
    /// The number of its places: the same in each run.
    place: u32,
}

/// What one run has shown.
#[derive(Default)]
struct Seen {
    places: BTreeSet<u32>,
    /// What was done at several places, of which one is remembered.
    anywhere: BTreeSet<String>,
}

impl Seen {
    fn has(&self, of: FromRun<'_>) -> bool {
        self.places.contains(&of.place) || self.anywhere.contains(&of.nesting.way())
    }
}

fn across(runs: &[Run], all: &mut Report) {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut places: BTreeMap<String, u32> = BTreeMap::new();
    let mut seen: Vec<Seen> = runs.iter().map(|_| Seen::default()).collect();
    let mut edges: BTreeMap<(u32, u32), Vec<FromRun<'_>>> = BTreeMap::new();
    let each = runs
        .iter()
        .enumerate()
        .flat_map(|(run, r)| r.nestings.iter().map(move |n| (run, n)));
    for (run, nesting) in each {
        let next = places.len() as u32;
        let place = *places.entry(nesting.key()).or_insert(next);
        seen[run].places.insert(place);
        if nesting.elsewhere {
            seen[run].anywhere.insert(nesting.way());
        }
        let to = numbered(&mut numbers, &nesting.wants.lock.name);
        for hold in &nesting.holds {
            let from = numbered(&mut numbers, &hold.lock.name);
            edges.entry((from, to)).or_default().push(FromRun {
                run,
                nesting,
                place,
            });
        }
    }
    drop(places);
    if runs.iter().any(|run| run.nestings.len() >= KEPT) {
        all.stopped_after.push(format!(
            "of a file {KEPT} nestings are held against those of the others, and it has more"
        ));
    }
    let pairs = edges.keys().copied().filter(|(from, to)| from != to);
    let (rings, ended) = all_simple_cycles(pairs, BOUND);
    if ended != Ended::Whole {
        all.stopped_after
            .push("the search for cycles across runs stopped at its bound".to_owned());
    }
    let mut given_up = false;
    let mut apart = Apart::of(runs);
    for ring in &rings {
        let next = ring.iter().cycle().skip(1);
        let ways = ring
            .iter()
            .zip(next)
            .map(|(&from, &to)| edges[&(from, to)].as_slice());
        let ways: Vec<_> = ways.collect();
        apart.met = false;
        for demands in DEMANDS {
            let mut choice = Choice {
                ways: &ways,
                seen: &seen,
                apart: &mut apart,
                demands,
                left: CHOICES,
            };
            let ordered = demands.presumes;
            let chosen = match ordered && !choice.apart.met {
                true => None,
                false => choice.choose(&mut Vec::new()),
            };
            given_up |= choice.left == 0;
            if chosen.is_some_and(|chosen| add_across(all, &apart, &chosen, demands)) {
                break;
            }
        }
    }
    if given_up {
        let said = "of some cycles across runs not every choice was looked at";
        all.stopped_after.push(said.to_owned());
    }
}

fn numbered<'n>(numbers: &mut BTreeMap<&'n str, u32>, name: &'n str) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(name).or_insert(next)
}

/// What is asked of a choice.
#[derive(Clone, Copy)]
struct Demands {
    /// No single run has shown all of its places: what is known of one of them is not known of these.
    new: bool,
    /// Its threads have different names, and each name of a lock stands for one object.
    clear: bool,
    /// A start or a join that keeps parts of it from each other in one run is presumed not to in others.
    presumes: bool,
}

/// One after the other, the best proof first.
const DEMANDS: [Demands; 6] = [
    demands(true, true, false),
    demands(false, true, false),
    demands(true, false, false),
    demands(false, false, false),
    demands(true, false, true),
    demands(false, false, true),
];

const fn demands(new: bool, clear: bool, presumes: bool) -> Demands {
    Demands {
        new,
        clear,
        presumes,
    }
}

/// The search for a nesting for each edge, from two runs or more, which no gate keeps apart, and no start or join, if these are to count.
struct Choice<'c, 'r> {
    ways: &'c [&'c [FromRun<'r>]],
    /// What each run has shown.
    seen: &'c [Seen],
    apart: &'c mut Apart<'r>,
    demands: Demands,
    left: usize,
}

impl<'r> Choice<'_, 'r> {
    fn choose(&mut self, chosen: &mut Vec<FromRun<'r>>) -> Option<Vec<FromRun<'r>>> {
        let ways = self.ways;
        let Some(options) = ways.get(chosen.len()) else {
            return self.is_whole(chosen).then(|| chosen.clone());
        };
        for &option in *options {
            self.left = self.left.checked_sub(1)?;
            if self.goes(chosen, option) {
                chosen.push(option);
                let found = self.choose(chosen);
                chosen.pop();
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn goes(&mut self, chosen: &[FromRun<'r>], option: FromRun<'r>) -> bool {
        let before = chosen.last();
        before.is_none_or(|before| keeps_waiting(option.nesting, before.nesting).is_some())
            && (!self.demands.clear || option.nesting.wants.is_one())
            && chosen.iter().all(|&other| {
                let clear = !self.demands.clear || self.apart.are_two(other, option);
                // Of one run it is known, and not presumed.
                let counts = !self.demands.presumes || other.run == option.run;
                let goes = clear && goes_with(other, option);
                goes && !(counts && self.apart.keep(other, option))
            })
    }

    fn is_whole(&self, chosen: &[FromRun<'_>]) -> bool {
        let several = chosen.iter().any(|of| of.run != chosen[0].run);
        let known = |seen: &Seen| chosen.iter().all(|of| seen.has(*of));
        let old = || self.seen.iter().any(known);
        let clear =
            |held: Vec<&Known>| !self.demands.clear || held.iter().all(|held| held.is_one());
        several && held_around(chosen).is_some_and(clear) && !(self.demands.new && old())
    }
}

/// What of a nesting keeps another one waiting.
fn keeps_waiting<'n>(of: &'n Nesting, other: &Nesting) -> Option<&'n Known> {
    let name = &other.wants.lock.name;
    let mut holds = of.holds.iter();
    holds.find(|hold| hold.lock.name == *name && hold.keeps_out(&other.wants))
}

/// What each holds of what the one before it wants.
fn held_around<'r>(chosen: &[FromRun<'r>]) -> Option<Vec<&'r Known>> {
    let before = chosen.iter().cycle().skip(chosen.len() - 1);
    let held = before
        .zip(chosen)
        .map(|(before, of)| keeps_waiting(of.nesting, before.nesting));
    held.collect()
}

fn goes_with(one: FromRun<'_>, other: FromRun<'_>) -> bool {
    let (a, b) = (one.nesting, other.nesting);
    let same_thread = one.run == other.run && a.part.thread == b.part.thread;
    let gate = a.holds.iter().filter(|hold| hold.alone).any(|hold| {
        b.holds
            .iter()
            .any(|held| held.alone && held.keeps_out(hold))
    });
    !same_thread && !gate
}

/// True if the deadlock is told of: by this, or better by a single run.
fn add_across(
    all: &mut Report,
    apart: &Apart<'_>,
    chosen: &[FromRun<'_>],
    demands: Demands,
) -> bool {
    let Some(finding) = finding(apart, chosen, demands.presumes) else {
        return false;
    };
    let named = finding.named();
    // Locks that code was handed are told apart by the methods that lock them.
    let of_name = |known: &Finding| match finding.id == named {
        true => known.named() == named,
        false => known.id == finding.id,
    };
    let excluded = |excluded: &Excluded| excluded.id == named && excluded.reasons != [ONE_THREAD];
    // What a single run has doubted or excluded is another matter only if that run has not shown all of this.
    let doubted = all.findings.iter().any(of_name) || all.excluded.iter().any(excluded);
    let better = |known: &Finding| of_name(known) && known.tier <= finding.tier;
    if all.findings.iter().any(better) {
        return true;
    }
    if doubted && !demands.new {
        return false;
    }
    all.findings.retain(|known| !of_name(known));
    all.findings.push(finding);
    true
}

/// `ordered`: by starts and joins of one of the runs.
fn finding(apart: &Apart<'_>, chosen: &[FromRun<'_>], ordered: bool) -> Option<Finding> {
    let held = held_around(chosen)?;
    let wants = chosen.iter().map(|of| &of.nesting.wants);
    let clear = held.iter().all(|known| known.is_one()) && wants.clone().all(|known| known.alone);
    let pairs = (0..chosen.len()).flat_map(|a| (0..a).map(move |b| (chosen[a], chosen[b])));
    let several = pairs.into_iter().all(|(a, b)| apart.are_two(a, b));
    let around: Vec<String> = held.iter().map(|known| known.lock.name.clone()).collect();
    let by = first_by_name(&around);
    let tier = match clear && !ordered && several {
        true => Tier::T4,
        false => Tier::T5,
    };
    let parts = held.iter().zip(chosen);
    let mut edges: Vec<Part> = parts.map(|(held, of)| of.nesting.part_with(held)).collect();
    let taken: Taken = held.iter().flat_map(|known| known.taken.clone()).collect();
    // Each run counts its objects anew.
    let held = held.iter().map(|known| Resource {
        object: None,
        ..known.lock.clone()
    });
    let mut locks: Vec<Resource> = held.collect();
    locks.rotate_left(by);
    edges.rotate_left(by);
    let stall = edges.iter().any(|edge| edge.timed);
    let apart = ordered.then(|| ORDERED.to_owned());
    let wanted = wants.map(|known| known.lock.mode);
    let kind = kind(locks.iter().map(|lock| lock.mode).chain(wanted));
    let mut id = stable_id(kind, &known_by(around));
    identify(&mut id, &taken);
    Some(Finding {
        id,
        tier,
        kind,
        stall,
        locks,
        edges,
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: None,
        memory: Memory::Unjudged,
        remarks: [ACROSS.to_owned()].into_iter().chain(apart).collect(),
    })
}

/// As a single run calls it: by how its locks are held and wanted.
fn kind<'m>(modes: impl Iterator<Item = &'m str>) -> Kind {
    let kinds = modes.filter_map(|mode| match mode {
        _ if mode == Mode::Shared.name() => Some(Kind::ReadWrite),
        _ if mode == Mode::Permit(1).name() => Some(Kind::Permit),
        _ => None,
    });
    let kinds: BTreeSet<Kind> = kinds.collect();
    match kinds.len() {
        0 | 1 => kinds.into_iter().next().unwrap_or(Kind::Order),
        _ => Kind::Mixed,
    }
}

#[cfg(test)]
mod tests;
