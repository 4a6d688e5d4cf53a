//! What the trials of a lock say: types it was seen to be, and whether a type that somebody else
//! believes in can be.

use super::bench::Bench;
use super::conclude::Conclusion;
use super::lab::{Budget, Lab};
use super::linked::linked;
use super::measure::barrier;
use super::probe::{Allowed, Level, Probes};
use super::search::{Search, TYPES, search};
use super::spec::SETS;
use super::supposed::conclude;
use crate::region::RegionId;
use crate::types::{Detail, Details, Evidence, Hypothesis, LockType, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Benches of one lock that are tried …
const BENCHES: usize = 3;
/// … and in each further manner.
const FURTHER_BENCHES: usize = 2;

/// Odds lost by a type that the lock is not when it is run.
const REFUTED: f64 = 4.0;
/// … when its methods can be called in several ways, and perhaps not in all that matter.
const MISUSED: f64 = 1.5;
/// … which several hold at once.
const SEVERAL: f64 = 6.0;
/// … when no assignment was found that could even be tried, but something else was found.
const NO_MATCH: f64 = 2.5;

/// What a lock is in particular.
const FORM: &str = "form";

/// What is left of odds for which something had to be assumed …
const ASSUMING: f64 = 0.7;
/// … each time, up to so many times.
const MOST_ASSUMED: usize = 2;

/// Odds from which on a lock counts as understood.
const UNDERSTOOD: f64 = 1.5;

/// What all trials of one lock may spend on finding out what it is …
const SEARCH: Budget = Budget {
    calls: 60_000,
    cost: 6_000_000,
};
/// … in one further manner …
const FURTHER: Budget = Budget {
    calls: 12_000,
    cost: 1_500_000,
};
/// … and on one belief of somebody else, for one bench.
const BELIEF: Budget = Budget {
    calls: 8_000,
    cost: 800_000,
};

/// The trials of one lock.
pub(crate) struct Trials<'b, B> {
    probes: Vec<Probes<'b, B>>,
    merged: Merged,
    confirmed: Vec<(Hypothesis, Evidence)>,
}

/// What trials say of a type for given regions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Opinion {
    /// It goes as one, with these parameters. The last: the program made the lock, so its numbers
    /// are the program's.
    Confirmed(Details, Evidence, bool),
    /// It does not.
    Refuted(Evidence),
    /// Nothing can be said.
    Inconclusive,
}

/// Tries what the operations of these fresh locks (of one logical lock) are to each other.
pub(crate) fn try_out<B: Bench>(benches: &[B]) -> Trials<'_, B> {
    let benches = &benches[..benches.len().min(BENCHES)];
    let budget = SEARCH.part(benches.len());
    let labs = benches.iter().map(|bench| Lab::new(bench, budget));
    let mut trials = Trials {
        probes: labs.map(Probes::new).collect(),
        merged: Merged::default(),
        confirmed: Vec::new(),
    };
    for (at, probes) in trials.probes.iter().enumerate() {
        let found = conclusions(probes);
        for (lock, conclusion) in linked(probes, &found) {
            trials.merged.add((at, &lock), conclusion);
        }
        for conclusion in found {
            trials.merged.add((at, probes.lab.bench()), conclusion);
        }
    }
    trials.confirmed = trials.merged.finish();
    trials
}

const LEASE: &str = "who waits for it may have it once time has passed, held or not";

impl<'b, B: Bench> Trials<'b, B> {
    /// Tries the lock in another manner, and says what that cost. What says nothing is not kept.
    pub(crate) fn go_on(&mut self, benches: &'b [B]) -> u64 {
        let mut spent = benches.iter().map(Bench::cost).sum();
        let benches = &benches[..benches.len().min(FURTHER_BENCHES)];
        let budget = FURTHER.part(benches.len());
        for bench in benches {
            let probes = Probes::new(Lab::new(bench, budget));
            let found = conclusions(&probes);
            spent += probes.lab.spent();
            if found.is_empty() {
                continue;
            }
            for conclusion in found {
                self.merged.add((self.probes.len(), bench), conclusion);
            }
            self.probes.push(probes);
        }
        self.confirmed = self.merged.finish();
        spent
    }

    /// Tries the lock as it is in use: a queue that hands out nothing before it is started, or that tells those who come for more
    /// when all is done.
    pub(crate) fn in_use(&mut self, benches: &'b [B], how: &str) {
        let budget = FURTHER.part(benches.len());
        for bench in benches {
            let probes = Probes::new(Lab::new(bench, budget));
            let all = search(&probes, LockType::ProducerConsumer, &Allowed::All).found;
            let passed_on = all.into_iter().filter(|found| found.tally.carried > 0);
            let found: Vec<_> = passed_on.filter_map(|f| conclude(&probes.lab, f)).collect();
            if found.is_empty() {
                continue;
            }
            for conclusion in found {
                let conclusion = conclusion.note(how);
                let queue = hypothesis(bench, &conclusion).regions();
                // What there is at first is work, and no permits.
                self.merged.all.retain(|known| {
                    known.conclusion.is_of(LockType::ProducerConsumer)
                        || !known.hypothesis.regions().is_superset(&queue)
                });
                self.merged.add((self.probes.len(), bench), conclusion);
            }
            self.probes.push(probes);
        }
        self.confirmed = self.merged.finish();
    }

    /// Tries the lock while nobody's time runs out: one that can be had once its holder has kept it for too long is a lock all the same.
    pub(crate) fn leased(&mut self, benches: &'b [B]) {
        let benches = &benches[..benches.len().min(FURTHER_BENCHES)];
        let budget = FURTHER.part(benches.len());
        for bench in benches {
            let probes = Probes::new(Lab::new(bench, budget));
            let all = search(&probes, LockType::Lock, &Allowed::All).found;
            let found = all.into_iter().filter_map(|f| conclude(&probes.lab, f));
            for conclusion in found.collect::<Vec<_>>() {
                let conclusion = conclusion.note(LEASE);
                self.merged.add((self.probes.len(), bench), conclusion);
            }
            self.probes.push(probes);
        }
        self.confirmed = self.merged.finish();
    }

    /// Something was seen to be of this type.
    pub(crate) fn knows(&self, lock_type: LockType) -> bool {
        self.confirmed
            .iter()
            .any(|(found, _)| found.lock_type == lock_type)
    }

    /// Some of these regions were not seen to be anything.
    pub(crate) fn leaves_open(&self, regions: &BTreeSet<RegionId>) -> bool {
        let all = self.merged.all.iter();
        let sure = all.filter(|known| known.conclusion.odds >= UNDERSTOOD);
        let known: BTreeSet<_> = sure
            .flat_map(|known| known.regions.values().flatten())
            .copied()
            .collect();
        !regions.is_subset(&known)
    }

    /// What was found, with the further regions of its operations that nothing else was found in.
    pub(crate) fn completed(&self, found: &Hypothesis) -> Hypothesis {
        let mut completed = found.clone();
        let known = self.merged.all.iter().find(|k| k.hypothesis == *found);
        let others = self.confirmed.iter().filter(|c| c.0 != *found);
        let mut taken: BTreeSet<_> = others.flat_map(|c| c.0.regions()).collect();
        taken.extend(found.regions());
        for (role, regions) in known.iter().flat_map(|k| &k.regions) {
            let free = regions.difference(&taken).copied().collect::<Vec<_>>();
            completed.roles.entry(*role).or_default().extend(&free);
            taken.extend(free);
        }
        completed
    }

    /// Something could not be followed.
    pub(crate) fn got_stuck(&self) -> bool {
        self.probes.is_empty() || self.probes.iter().any(|p| p.lab.stuck() > 0)
    }

    /// The types that conform, best first. Two on the same regions exclude each other.
    pub(crate) fn confirmed(&self) -> &[(Hypothesis, Evidence)] {
        &self.confirmed
    }

    /// The same without what goes as something by itself and is but a step on the way through what else was found as surely: the gate
    /// of a meeting is no more than a part of it.
    pub(crate) fn wholes(&self) -> Vec<(Hypothesis, Evidence)> {
        let reach = |of: &Hypothesis| -> BTreeSet<RegionId> {
            let mut known = self.merged.all.iter();
            let known = known.find(|known| known.hypothesis == *of);
            let all = known.iter().flat_map(|k| k.regions.values().flatten());
            all.copied().collect()
        };
        let all: Vec<_> = self.confirmed.iter().map(|of| (of, reach(&of.0))).collect();
        let is_step = |(part, own): &(&(Hypothesis, Evidence), BTreeSet<RegionId>)| {
            all.iter().any(|(whole, more)| {
                let sure = whole.1.log_odds >= part.1.log_odds;
                sure && own.len() < more.len() && own.is_subset(more)
            })
        };
        let wholes = all.iter().filter(|of| !is_step(of));
        wholes.map(|(of, _)| (*of).clone()).collect()
    }

    /// One operation has regions in several of its roles: the roles are those of steps.
    pub(crate) fn is_mixed(&self, hypothesis: &Hypothesis) -> bool {
        let bench = self.probes.first().map(|p| p.lab.bench());
        let cast = bench.and_then(|bench| operations(bench, &hypothesis.roles));
        let mut seen = BTreeSet::new();
        let mut all = cast.iter().flat_map(BTreeMap::values).flatten();
        all.any(|&operation| !seen.insert(operation))
    }

    /// Whether these regions can be what the hypothesis says.
    pub(crate) fn examine(&self, hypothesis: &Hypothesis) -> Opinion {
        if !TYPES.contains(&hypothesis.lock_type) {
            return Opinion::Inconclusive;
        }
        if hypothesis.lock_type == LockType::Condition {
            return self.examine_condition(hypothesis);
        }
        if let Some(found) = self.in_steps(hypothesis) {
            return found;
        }
        let regions = hypothesis.regions();
        let shares = |h: &Hypothesis| !h.regions().is_disjoint(&regions);
        // What opens a latch for good may only be what ends the whole: a flag by which a queue is shut down.
        let ends = |h: &Hypothesis| {
            h.lock_type == LockType::Latch
                && hypothesis.lock_type == LockType::ProducerConsumer
                && !h.regions().is_subset(&regions)
        };
        let mut found = self.confirmed.iter().map(|c| &c.0);
        let rival = found.any(|h| shares(h) && !ends(h));
        let opinion = |p| examine(p, hypothesis, rival);
        let genuine = |p: &Probes<'_, B>| p.lab.bench().is_genuine();
        let opinions = self.probes.iter().map(|p| (genuine(p), opinion(p)));
        let joined = opinions.reduce(joined);
        match joined {
            Some((genuine, Opinion::Confirmed(details, evidence, _))) => {
                Opinion::Confirmed(details, evidence, genuine)
            }
            Some((_, Opinion::Refuted(evidence))) => Opinion::Refuted(evidence),
            _ if hypothesis.lock_type == LockType::Lock && self.has_several(&regions) => {
                against(LockType::Lock, NO_MATCH, ": several held it at once")
            }
            _ if self.probes.iter().any(|p| lets_in_several(p, hypothesis)) => {
                against(LockType::Lock, SEVERAL, ": several held it at once")
            }
            _ if self.probes.iter().any(|p| meets_nobody(p, hypothesis)) => against(
                LockType::Barrier,
                REFUTED,
                ": who comes there opens it for nobody",
            ),
            _ => Opinion::Inconclusive,
        }
    }

    /// A condition may be anything: only an event shows what it is.
    fn examine_condition(&self, hypothesis: &Hypothesis) -> Opinion {
        let same = |k: &&Known| {
            k.hypothesis.lock_type == LockType::Condition && k.hypothesis.roles == hypothesis.roles
        };
        let known = self.merged.all.iter().find(same);
        known.map_or(Opinion::Inconclusive, Known::opinion)
    }

    /// What these regions go as if those who play one role take several steps, one after the other.
    fn in_steps(&self, hypothesis: &Hypothesis) -> Option<Opinion> {
        let same = |k: &&Known| {
            k.conclusion.in_steps
                && k.hypothesis.lock_type == hypothesis.lock_type
                && k.hypothesis.roles == hypothesis.roles
        };
        let known = self.merged.all.iter().find(same)?;
        Some(known.opinion())
    }

    /// These regions were seen to be a semaphore with more than one permit.
    fn has_several(&self, regions: &BTreeSet<RegionId>) -> bool {
        let permits = |found: &Hypothesis| match found.details.get("permits") {
            Some(Detail::Count(permits)) => *permits,
            _ => 0,
        };
        self.confirmed.iter().any(|(found, evidence)| {
            found.lock_type == LockType::Semaphore
                && found.regions() == *regions
                && evidence.borne_out
                && permits(found) > 1
        })
    }
}

/// Two opinions of differently made locks. One that conforms shows what the code can be; it takes
/// all of them to refute it.
fn joined((one, a): (bool, Opinion), (other, b): (bool, Opinion)) -> (bool, Opinion) {
    match (a, b) {
        (Opinion::Confirmed(details, evidence, _), Opinion::Confirmed(others, ..)) => {
            let details = agreed((one, &details), (other, &others));
            let genuine = one || other;
            (genuine, Opinion::Confirmed(details, evidence, genuine))
        }
        (confirmed @ Opinion::Confirmed(..), _) => (one, confirmed),
        (_, confirmed @ Opinion::Confirmed(..)) => (other, confirmed),
        (Opinion::Refuted(evidence), Opinion::Refuted(_)) => (false, Opinion::Refuted(evidence)),
        _ => (false, Opinion::Inconclusive),
    }
}

/// The form that a barrier has if it is one of two.
fn by_number() -> Detail {
    Detail::Word("rendezvous".to_owned())
}

/// What two locks have in common that were made differently. Sizes are those of the one that the
/// program made, if one of them is; between others, what differs is no property of the lock. A
/// form is seen or not.
fn agreed((one, a): (bool, &Details), (other, b): (bool, &Details)) -> Details {
    let sized = |d: &Detail| matches!(d, Detail::Count(_));
    let (genuine, made_up) = if other && !one { (b, a) } else { (a, b) };
    let keeps = |(key, value): &(&&'static str, &Detail)| {
        let form = **key == FORM && !made_up.contains_key(FORM);
        form || made_up.get(**key) == Some(*value) || one != other && sized(value)
    };
    let unseen = made_up
        .get_key_value(FORM)
        .filter(|_| !genuine.contains_key(FORM));
    // Two who meet are a form by their number alone.
    let same_size = |(key, d): (&&'static str, &Detail)| !sized(d) || made_up.get(*key) == Some(d);
    let unseen = unseen.filter(|form| *form.1 != by_number() || genuine.iter().all(same_size));
    let kept = genuine.iter().filter(keeps).chain(unseen);
    kept.map(|(&key, value)| (key, value.clone())).collect()
}

/// Everything one bench conforms to, nothing that is a part of something else.
fn conclusions<B: Bench>(probes: &Probes<'_, B>) -> Vec<Conclusion> {
    let mut all = Vec::new();
    for lock_type in TYPES {
        let found = search(probes, lock_type, &Allowed::All).found;
        all.extend(found.into_iter().filter_map(|f| conclude(&probes.lab, f)));
    }
    let bench = probes.lab.bench();
    let whole = |c: &Conclusion| {
        all.iter()
            .all(|o| !is_lesser(c, o) && !is_medley(bench, c, o))
    };
    all.iter().filter(|c| whole(c)).cloned().collect()
}

/// The other shares operations with this and explains more of those that wait, or more operations
/// besides all of this.
fn is_lesser(one: &Conclusion, other: &Conclusion) -> bool {
    let (a, b) = (one.finding.operations(), other.finding.operations());
    if a.is_disjoint(&b) {
        return false;
    }
    let (mine, others) = (one.finding.waiting(), other.finding.waiting());
    mine < others || mine == others && a.len() < b.len() && a.is_subset(&b)
}

/// The one calls methods with one argument after the other, the other knows which argument is for what: whoever puts and
/// takes in turns meets nobody.
fn is_medley<B: Bench>(bench: &B, one: &Conclusion, other: &Conclusion) -> bool {
    let (a, b) = (one.finding.operations(), other.finding.operations());
    let alternates = |&op: &usize| bench.operations()[op].alternates;
    let regions = |ops: &BTreeSet<usize>| -> BTreeSet<RegionId> {
        let all = ops.iter().flat_map(|&op| &bench.operations()[op].regions);
        all.copied().collect()
    };
    let told_apart = other.finding.cast.len() > 1 && !b.iter().any(alternates);
    a.iter().all(alternates) && told_apart && regions(&a) == regions(&b)
}

/// `rival`: these regions were found to be something, perhaps something else.
fn examine<B: Bench>(probes: &Probes<'_, B>, hypothesis: &Hypothesis, rival: bool) -> Opinion {
    let lab = &probes.lab;
    let Some(cast) = operations(lab.bench(), &hypothesis.roles) else {
        return Opinion::Inconclusive;
    };
    lab.allow(BELIEF);
    let stuck = lab.stuck();
    let choice = cast
        .values()
        .any(|ops| ops.len() > regions_of(lab.bench(), ops));
    // What throws on a fresh lock may be understood from what else the lock was seen to be.
    let unclear = cast.values().flatten().any(|&op| match probes.levels[op] {
        Level::Unclear => true,
        Level::Throws => !rival,
        _ => false,
    });
    let Search {
        found,
        refuted,
        inconclusive,
    } = search(probes, hypothesis.lock_type, &Allowed::Only(cast));
    let alike = !found.is_empty();
    let meant = found.into_iter().find_map(|f| conclude(lab, f));
    let other = alike && meant.is_none();
    let meant = meant.filter(|c| explains(lab.bench(), c, hypothesis));
    match meant {
        Some(conclusion) => {
            let evidence = evidence(&conclusion, 1, &lab.bench().assumed());
            Opinion::Confirmed(conclusion.details, evidence, lab.bench().is_genuine())
        }
        None if other => against(hypothesis.lock_type, NO_MATCH, ", though it looks alike"),
        None if unclear || inconclusive > 0 || lab.stuck() > stuck || lab.is_spent() => {
            Opinion::Inconclusive
        }
        None => match refuted {
            Some(at) if choice => against(hypothesis.lock_type, MISUSED, &format!(": {at}")),
            Some(at) => against(hypothesis.lock_type, REFUTED, &format!(": {at}")),
            None if rival => against(hypothesis.lock_type, NO_MATCH, ""),
            None => Opinion::Inconclusive,
        },
    }
}

/// As the program makes the lock, whichever way it is called, several have it before one waits.
fn lets_in_several<B: Bench>(probes: &Probes<'_, B>, hypothesis: &Hypothesis) -> bool {
    let bench = probes.lab.bench();
    let lock = hypothesis.lock_type == LockType::Lock && bench.is_genuine();
    let cast = operations(bench, &hypothesis.roles).filter(|_| lock);
    // What he is told may be which of several he wants.
    let several = |&op: &usize| {
        bench.is_bare(op) && matches!(probes.levels[op], Level::Waits { passes: 2.., .. })
    };
    let locks = cast.as_ref().and_then(|cast| cast.get(&Role::Lock));
    locks.is_some_and(|locks| locks.iter().all(several))
}

/// Nobody waits there for another one who comes there, as the program makes the lock. Of several regions one may be where
/// it is said that one has come, and another where the others are awaited.
fn meets_nobody<B: Bench>(probes: &Probes<'_, B>, hypothesis: &Hypothesis) -> bool {
    let bench = probes.lab.bench();
    let single = hypothesis.lock_type == LockType::Barrier && hypothesis.regions().len() == 1;
    let cast = operations(bench, &hypothesis.roles).filter(|_| single && bench.is_genuine());
    cast.is_some_and(|cast| {
        probes.lab.allow(BELIEF);
        let mut arriving = cast.values().flatten();
        arriving.all(|&op| barrier::meets_nobody(probes, op))
    })
}

/// All regions that wait in the hypothesis also do in what was found.
fn explains<B: Bench>(bench: &B, found: &Conclusion, hypothesis: &Hypothesis) -> bool {
    let regions = |op: usize| bench.operations()[op].regions.iter().copied();
    let found: BTreeSet<_> = found
        .finding
        .operations()
        .into_iter()
        .flat_map(regions)
        .collect();
    let operations = (0..bench.operations().len()).flat_map(regions);
    let callable: BTreeSet<_> = operations.collect();
    let waiting = hypothesis.waiting();
    waiting.intersection(&callable).all(|r| found.contains(r))
}

/// How many regions these operations begin with.
fn regions_of<B: Bench>(bench: &B, operations: &BTreeSet<usize>) -> usize {
    let first = |&op: &usize| bench.operations()[op].regions.first().copied();
    operations.iter().map(first).collect::<BTreeSet<_>>().len()
}

/// The operations by role; none if a role has none.
fn operations<B: Bench>(
    bench: &B,
    roles: &BTreeMap<Role, BTreeSet<RegionId>>,
) -> Option<BTreeMap<Role, BTreeSet<usize>>> {
    let of = |regions: &BTreeSet<RegionId>| -> BTreeSet<usize> {
        let all = bench.operations().iter().enumerate();
        let mine = all.filter(|(_, o)| o.regions.iter().any(|r| regions.contains(r)));
        mine.map(|(op, _)| op).collect()
    };
    let cast: BTreeMap<_, _> = roles.iter().map(|(&role, set)| (role, of(set))).collect();
    let complete = !cast.is_empty() && cast.values().all(|ops| !ops.is_empty());
    complete.then_some(cast)
}

fn against(lock_type: LockType, odds: f64, at: &str) -> Opinion {
    let kind = lock_type.name();
    Opinion::Refuted(Evidence {
        log_odds: -odds,
        contradicted: 1,
        refuted: odds >= NO_MATCH,
        contra: vec![format!("run in a sandbox, it does not go as a {kind}{at}")],
        ..Evidence::default()
    })
}

fn evidence(conclusion: &Conclusion, benches: u32, assumed: &[&'static str]) -> Evidence {
    let tally = &conclusion.finding.tally;
    let steps = tally.steps;
    let what = &conclusion.what;
    let mut pro = vec![format!(
        "run in a sandbox, {steps} of {steps} steps went as {what} would"
    )];
    if benches > 1 {
        pro.push(format!("so it went with {benches} differently made locks"));
    }
    pro.extend(conclusion.notes.iter().cloned());
    pro.extend(assumed.iter().map(|what| format!("it was assumed {what}")));
    if tally.guessed > 0 {
        let (some, all) = (tally.guessed, tally.walks);
        pro.push(format!(
            "{some} of {all} runs rest on guesses at values that are not known"
        ));
    }
    // That a lock is lost on whoever gives up is a fault of the program's: it says nothing against what the lock is.
    let costly = assumed
        .iter()
        .filter(|what| **what != super::machine::PATIENT);
    let supposed = costly.count().max(usize::from(tally.guessed > 0));
    let sure = ASSUMING.powi(supposed.min(MOST_ASSUMED) as i32);
    Evidence {
        log_odds: conclusion.odds * sure,
        confirmed: u64::from(tally.predictions()),
        // A guess may be what decided how it went, and what else goes so whose lock it is by name.
        borne_out: tally.guessed == 0 && !conclusion.may_have_owners(),
        unrun: assumed.contains(&super::machine::APART),
        alone: conclusion.alone(),
        pro,
        ..Evidence::default()
    }
}

/// Conclusions of several benches, those that say the same put together.
#[derive(Default)]
struct Merged {
    all: Vec<Known>,
}

/// What those who go about the same each in their own way differ in.
const OF_A_KIND: [&str; 2] = ["preference", "reentrant"];

/// What several benches conform to.
struct Known {
    hypothesis: Hypothesis,
    conclusion: Conclusion,
    benches: u32,
    /// All regions of the operations in each role.
    regions: BTreeMap<Role, BTreeSet<RegionId>>,
    /// The bench that was looked at last.
    last: usize,
    /// The program made one of them.
    genuine: bool,
    assumed: Vec<&'static str>,
}

impl Known {
    fn opinion(&self) -> Opinion {
        let evidence = evidence(&self.conclusion, self.benches, &self.assumed);
        Opinion::Confirmed(self.hypothesis.details.clone(), evidence, self.genuine)
    }

    /// What else was found of it says as much about details as what was found before. Where only
    /// what has the same key is replaced, calls with other keys say more.
    fn weighs_as_much(&mut self, conclusion: &Conclusion) -> bool {
        let silent = (
            self.conclusion.is_silent_on_room(),
            conclusion.is_silent_on_room(),
        );
        if silent == (true, false) {
            self.hypothesis.details = conclusion.details.clone();
            self.conclusion = conclusion.clone();
        }
        silent.0 == silent.1
    }

    /// Another way of calling the same: the smallest units came first.
    fn called_otherwise(&mut self, conclusion: &Conclusion) {
        if self.weighs_as_much(conclusion) {
            if conclusion.has_holder() && !self.conclusion.has_holder() {
                self.conclusion = conclusion.clone();
            }
            let sized = |d: &Detail| matches!(d, Detail::Count(_));
            let others = &conclusion.details;
            let details = &mut self.hypothesis.details;
            details.retain(|key, d| sized(d) || others.get(key) == Some(&*d));
        }
    }
}

impl Merged {
    fn add<B: Bench>(&mut self, (at, bench): (usize, &B), conclusion: Conclusion) {
        let hypothesis = hypothesis(bench, &conclusion);
        let genuine = bench.is_genuine();
        let same =
            |h: &Hypothesis| h.lock_type == hypothesis.lock_type && h.roles == hypothesis.roles;
        match self.all.iter_mut().find(|a| same(&a.hypothesis)) {
            Some(known) if known.last == at => known.called_otherwise(&conclusion),
            Some(known) => {
                known.last = at;
                if known.weighs_as_much(&conclusion) {
                    let details = &mut known.hypothesis.details;
                    *details = agreed((known.genuine, details), (genuine, &hypothesis.details));
                }
                known.genuine |= genuine;
                known.benches += 1;
            }
            None => self.all.push(Known {
                hypothesis,
                regions: covered(bench, &conclusion),
                conclusion,
                benches: 1,
                last: at,
                genuine,
                assumed: bench.assumed(),
            }),
        }
    }

    fn finish(&self) -> Vec<(Hypothesis, Evidence)> {
        let with = |known: &Known| {
            let evidence = evidence(&known.conclusion, known.benches, &known.assumed);
            (known.hypothesis.clone(), evidence)
        };
        let mut all: Vec<_> = self.all.iter().map(with).collect();
        all.sort_by(|a, b| b.1.log_odds.total_cmp(&a.1.log_odds));
        all
    }
}

/// All regions of the operations in each role.
fn covered<B: Bench>(bench: &B, conclusion: &Conclusion) -> BTreeMap<Role, BTreeSet<RegionId>> {
    let of = |operation: usize| bench.operations()[operation].regions.iter().copied();
    let cast = conclusion.finding.cast.iter();
    cast.filter(|(role, _)| **role != SETS)
        .map(|(&role, members)| {
            let regions = members.iter().flat_map(|m| of(m.operation));
            (role, regions.collect())
        })
        .collect()
}

/// The roles as regions: the outermost region of each operation.
fn hypothesis<B: Bench>(bench: &B, conclusion: &Conclusion) -> Hypothesis {
    let cast = &conclusion.finding.cast;
    let roles = cast.iter().filter(|(role, _)| **role != SETS);
    let roles = roles.map(|(&role, members)| {
        let regions = members.iter().flat_map(|m| bench.outermost(m.operation));
        (role, regions.collect())
    });
    let mut details = conclusion.details.clone();
    if bench.is_of_several_kinds() {
        details.retain(|name, _| !OF_A_KIND.contains(name));
    }
    Hypothesis {
        lock_type: conclusion.finding.machine.lock_type(),
        roles: roles.collect(),
        details,
    }
}
