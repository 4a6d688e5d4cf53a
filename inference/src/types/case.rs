//! One logical lock on the bench: what is left of its log, what the bytecode says of its
//! regions, and what a checker makes of it.

use super::log::{Dense, Instance, Log, Stay, Usage};
use super::pairing::Followers;
use super::score::Score;
use super::search::{Roles, Windows};
use super::wakers::Wakers;
use super::{
    Detail, Details, EVENT, Evidence, LockType, RegionFacts, Role, TypeInput, Unseen, WAIT_GROUP,
    groups,
};
use crate::region::RegionId;
use crate::statics::UNEXPLAINED;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Which dense regions play which role.
pub(super) type Cast = BTreeMap<Role, BTreeSet<usize>>;

/// A proposal of the static model, in dense numbers.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    pub(super) lock_type: LockType,
    pub(super) cast: Cast,
    pub(super) details: Details,
    pub(super) evidence: Evidence,
}

impl Seed {
    /// The regions it speaks of.
    pub(super) fn regions(&self) -> BTreeSet<usize> {
        self.cast.values().flatten().copied().collect()
    }

    /// It is waited for until others set it, and they reset it.
    pub(super) fn is_event(&self) -> bool {
        is_event(self.lock_type, &self.details)
    }

    /// The regions it needs for itself: whoever ends a condition's waits may do so in passing.
    fn waiting(&self) -> impl Iterator<Item = &usize> {
        let alone = self.lock_type == LockType::Condition;
        let needed = self.cast.iter();
        needed
            .filter(move |(role, _)| !alone || **role != Role::Notify)
            .flat_map(|(_, regions)| regions)
    }

    /// The same beside accepted types: what notifies for one of them ends these waits only if
    /// nothing else does.
    fn beside(&self, taken: &BTreeSet<usize>) -> Self {
        let mut seed = self.clone();
        if let Some(notify) = seed.cast.get_mut(&Role::Notify) {
            let own: BTreeSet<usize> = notify.difference(taken).copied().collect();
            if !own.is_empty() {
                *notify = own;
            }
        }
        seed
    }
}

/// A condition that is set and reset by others.
pub(super) fn is_event(lock_type: LockType, details: &Details) -> bool {
    let form = match details.get("form") {
        Some(Detail::Word(form)) => form.as_str(),
        _ => return false,
    };
    lock_type == LockType::Condition && [EVENT, WAIT_GROUP].contains(&form)
}

/// What the checkers see.
pub(super) struct Case {
    pub(super) regions: Vec<RegionId>,
    pub(super) facts: Vec<RegionFacts>,
    pub(super) seeds: Vec<Seed>,
    pub(super) is_thread: bool,
    /// Its objects are parts of one lock: none of them shows what the whole does.
    pub(super) is_composite: bool,
    /// More threads may use it than are known to.
    pub(super) may_be_shared: bool,
    /// What nobody saw.
    pub(super) unseen: Unseen,
    /// Regions that accepted types have taken.
    taken: BTreeSet<usize>,
    /// Who ended whose waits, before any type took its regions.
    wakers: Rc<Wakers>,
    /// Everything that is left.
    pub(super) log: Log,
    /// The instances of which every stay is known.
    pub(super) exact: Log,
    /// The others.
    pub(super) partial: Log,
    pub(super) windows: Windows,
    pub(super) followers: Followers,
}

impl Case {
    /// Everything there is to say of a lock.
    pub(super) fn new(input: &TypeInput) -> Self {
        let Dense { log, regions } = Dense::new(input);
        let facts = regions
            .iter()
            .map(|r| input.regions.get(r).cloned().unwrap_or_default());
        let facts = facts.collect();
        let number = regions.iter().copied().zip(0..).collect();
        let seeds = seeds(input, &number, &log);
        let (exact, partial) = (log.part(true), log.part(false));
        let windows = Windows::of(&exact);
        let followers = Followers::of(&windows.large);
        let wakers = Rc::new(Wakers::of(&exact));
        Self {
            regions,
            facts,
            seeds,
            is_thread: input.is_thread,
            is_composite: input.is_composite,
            may_be_shared: input.may_be_shared,
            unseen: input.unseen,
            taken: BTreeSet::new(),
            wakers,
            log,
            exact,
            partial,
            windows,
            followers,
        }
    }

    /// The regions an accepted type takes: its own, and those that had parts in it when the code was run, though the
    /// machine of that type is too simple for them (a lock taken in two steps). Of several ways to give it back one was called then.
    pub(super) fn taken_by(&self, accepted: &Candidate) -> BTreeSet<usize> {
        let is_part = |(role, regions): (&Role, &BTreeSet<usize>)| {
            let fits = |r: &BTreeSet<usize>| {
                r.is_subset(regions) || role.never_waits() && !r.is_disjoint(regions)
            };
            accepted.cast.get(role).is_none_or(fits)
        };
        let whole = |s: &&Seed| {
            s.lock_type == accepted.lock_type
                && s.evidence.borne_out
                && s.cast.len() >= accepted.cast.len()
                && s.cast.iter().all(is_part)
        };
        let mut taken = accepted.regions();
        taken.extend(self.seeds.iter().filter(whole).flat_map(Seed::regions));
        taken
    }

    /// What goes on when an accepted type has taken its regions.
    pub(super) fn without(&self, taken: &BTreeSet<usize>) -> Self {
        let taken: BTreeSet<usize> = self.taken.union(taken).copied().collect();
        let mask: Vec<bool> = (0..self.regions.len())
            .map(|r| taken.contains(&r))
            .collect();
        let untouched = |s: &&Seed| s.waiting().all(|r| !taken.contains(r));
        let (exact, partial) = (self.exact.without(&mask), self.partial.without(&mask));
        let windows = Windows::of(&exact);
        Self {
            regions: self.regions.clone(),
            facts: self.facts.clone(),
            seeds: self
                .seeds
                .iter()
                .filter(untouched)
                .map(|s| s.beside(&taken))
                .collect(),
            is_thread: self.is_thread,
            is_composite: self.is_composite,
            may_be_shared: self.may_be_shared,
            unseen: self.unseen,
            log: self.log.without(&mask),
            followers: Followers::of(&windows.large),
            taken,
            wakers: Rc::clone(&self.wakers),
            exact,
            partial,
            windows,
        }
    }

    /// Types have been accepted, and this is what is left.
    pub(super) fn is_rest(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Its code says that it can notify, and no accepted type accounts for that.
    pub(super) fn free_to_notify(&self, region: usize) -> Option<bool> {
        if self.taken.contains(&region) {
            Some(false)
        } else {
            self.can_notify(region)
        }
    }

    /// Regions of accepted types whose notifies ended waits in this one for good.
    pub(super) fn ended_by_taken(&self, region: usize) -> impl Iterator<Item = usize> {
        let wakers = self.wakers.of_region(region).into_iter();
        wakers.filter(|waker| self.taken.contains(waker))
    }

    /// What a region did.
    pub(super) fn usage(&self, region: usize) -> &Usage {
        &self.log.usage[region]
    }

    /// It was seen in what is left.
    pub(super) fn seen(&self, region: usize) -> bool {
        self.usage(region).stays > 0
    }

    /// It waited.
    pub(super) fn waited(&self, region: usize) -> bool {
        self.usage(region).waits > 0
    }

    /// It waited, or its code says it could.
    pub(super) fn can_wait(&self, region: usize) -> bool {
        self.waited(region) || self.facts[region].may_wait == Some(true)
    }

    /// Its code says that it can notify; none: not known.
    pub(super) fn can_notify(&self, region: usize) -> Option<bool> {
        let facts = &self.facts[region];
        match (facts.may_notify, facts.may_notify_all) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }

    /// Regions that waited in complete instances, most waits first, at most `most`.
    pub(super) fn waiting(&self, most: usize) -> Vec<usize> {
        let waits = |r: usize| self.exact.usage[r].waits;
        self.ranked(most, |r| waits(r) > 0, waits)
    }

    /// Regions that never waited, most notifies and stays first, at most `most`.
    pub(super) fn quiet(&self, most: usize) -> Vec<usize> {
        let usage = |r: usize| &self.exact.usage[r];
        self.ranked(
            most,
            |r| usage(r).stays > 0 && usage(r).waits == 0,
            |r| u32::from(usage(r).notifies * 20 > usage(r).stays) * 1_000_000 + usage(r).stays,
        )
    }

    fn ranked(
        &self,
        most: usize,
        wanted: impl Fn(usize) -> bool,
        rank: impl Fn(usize) -> u32,
    ) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.regions.len()).filter(|&r| wanted(r)).collect();
        found.sort_by_key(|&r| std::cmp::Reverse(rank(r)));
        found.truncate(most);
        found
    }

    /// No region has a role.
    pub(super) fn nobody(&self) -> Roles {
        vec![super::search::NONE; self.regions.len()]
    }
}

fn seeds(input: &TypeInput, number: &BTreeMap<RegionId, usize>, log: &Log) -> Vec<Seed> {
    let dense =
        |set: &BTreeSet<RegionId>| set.iter().filter_map(|r| number.get(r).copied()).collect();
    let seed = |(h, evidence): &(super::Hypothesis, Evidence)| {
        let roles = h.roles.iter();
        Seed {
            lock_type: h.lock_type,
            cast: roles.map(|(&role, set)| (role, dense(set))).collect(),
            details: h.details.clone(),
            evidence: evidence.clone(),
        }
    };
    let mut seeds: Vec<_> = input.seeds.iter().map(seed).collect();
    let otherwise = |seed: &Seed| match () {
        () if is_crowded(log, seed) => Some(ONE_DOES),
        () if !input.is_composite && meets_nobody(log, seed) => Some(ONE_WAITS),
        () => None,
    };
    let used = seeds
        .iter_mut()
        .filter_map(|seed| Some((otherwise(seed)?, seed)));
    let used: BTreeSet<usize> = used.flat_map(|(why, seed)| turn_down(seed, why)).collect();
    leave_unexplained(&mut seeds, &used);
    seeds
}

/// Times a thread comes back to where another one was meanwhile, from which on several are there and do not only succeed each other.
const TURNS: usize = 3;
/// Odds from which the code explains the waits of a type's regions.
const EXPLAINED: f64 = 2.0;
/// What it costs a type that goes so only as threads do not use the lock.
const OTHERWISE: f64 = 6.0;
const ONE_DOES: &str = "it goes so only as long as one thread does that, and several do";
const ONE_WAITS: &str = "never did two wait at once, and somebody ended their waits all the same";
/// Waits that somebody ended from which on it is no chance that nobody else waited then.
const ENDED_ALONE: usize = 20;

/// Several threads of one object play a role that only one of them may play.
fn is_crowded(log: &Log, seed: &Seed) -> bool {
    let alone = &seed.evidence.alone;
    let mut alone = alone.iter().filter_map(|role| seed.cast.get(role));
    let several = |regions| log.instances.iter().any(|i| turns(i, regions) >= TURNS);
    alone.any(several)
}

/// Of three or more who meet two wait at once before the last one comes.
fn meets_nobody(log: &Log, seed: &Seed) -> bool {
    let several = matches!(seed.details.get("parties"), Some(Detail::Count(3..)));
    let regions = seed.regions();
    let ended = |s: &&Stay| !s.fresh && !s.timed_out && regions.contains(&usize::from(s.region));
    let ended = || log.instances.iter().flat_map(Instance::stays).filter(ended);
    seed.lock_type == LockType::Barrier
        && several
        && ended().count() >= ENDED_ALONE
        && groups::crowd(log, &regions) < 2
}

/// What was run as threads do not use the lock says nothing for it, and that they use it otherwise speaks against the type. Its regions.
fn turn_down(seed: &mut Seed, why: &str) -> BTreeSet<usize> {
    let evidence = &mut seed.evidence;
    evidence.log_odds -= OTHERWISE;
    evidence.contradicted += 1;
    (evidence.borne_out, evidence.refuted) = (false, true);
    evidence.contra.push(why.to_owned());
    seed.regions()
}

/// Where no other type of which the code says anything is left for these regions, a condition is what explains their waits.
fn leave_unexplained(seeds: &mut [Seed], crowded: &BTreeSet<usize>) {
    let shares = |s: &Seed| !s.regions().is_disjoint(crowded);
    let is_condition = |s: &Seed| s.lock_type == LockType::Condition;
    let explained = |s: &Seed| !is_condition(s) && s.evidence.log_odds >= EXPLAINED && shares(s);
    if seeds.iter().any(explained) {
        return;
    }
    for seed in seeds.iter_mut().filter(|s| is_condition(s) && shares(s)) {
        let evidence = &mut seed.evidence;
        if evidence.pro.iter().all(|text| text != UNEXPLAINED.1) {
            evidence.log_odds += UNEXPLAINED.0;
            evidence.pro.push(UNEXPLAINED.1.to_owned());
        }
    }
}

/// How often a thread of these regions comes back after another one.
fn turns(instance: &Instance, regions: &BTreeSet<usize>) -> usize {
    let mut before = BTreeSet::new();
    let mut last = None;
    let mut turns = 0;
    for stay in instance.stays() {
        if !regions.contains(&usize::from(stay.region)) || last == Some(stay.thread) {
            continue;
        }
        turns += usize::from(!before.insert(stay.thread));
        last = Some(stay.thread);
    }
    turns
}

/// A type proposed for some of the regions.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) lock_type: LockType,
    pub(super) cast: Cast,
    pub(super) details: Details,
    /// What complete instances say, the price of the regions included.
    pub(super) exact: Score,
    /// What incomplete instances say.
    pub(super) watched: Evidence,
    /// What the bytecode says.
    pub(super) statics: Option<Evidence>,
    /// Its roles are those the bytecode proposes.
    pub(super) said: bool,
    /// See [`Explanation::all_given_back`].
    pub(super) all_given_back: bool,
    /// See [`Explanation::given_back_by_others`].
    pub(super) given_back_by_others: bool,
    pub(super) pro: Vec<String>,
    pub(super) contra: Vec<String>,
}

impl Candidate {
    /// A type for regions, without evidence so far.
    pub(super) fn new(lock_type: LockType, cast: Cast) -> Self {
        Self {
            lock_type,
            cast,
            details: Details::new(),
            exact: Score::default(),
            watched: Evidence::default(),
            statics: None,
            said: false,
            all_given_back: false,
            given_back_by_others: false,
            pro: Vec::new(),
            contra: Vec::new(),
        }
    }

    /// The regions it uses.
    pub(super) fn regions(&self) -> BTreeSet<usize> {
        self.cast.values().flatten().copied().collect()
    }

    /// Log-odds of the events alone.
    pub(super) fn dynamic(&self) -> f64 {
        self.exact.llr + self.watched.log_odds
    }

    /// Log-odds of the bytecode alone.
    pub(super) fn static_odds(&self) -> f64 {
        self.statics.as_ref().map_or(0.0, |e| e.log_odds)
    }
}

/// What a checker says about a run, besides its score.
#[derive(Clone, Debug, Default)]
pub(super) struct Explanation {
    pub(super) details: Details,
    /// Who gives something back has taken it before, always but for chance.
    pub(super) all_given_back: bool,
    /// What one takes others give back, so often that it is no chance.
    pub(super) given_back_by_others: bool,
    pub(super) pro: Vec<String>,
    pub(super) contra: Vec<String>,
}

/// One lock type as a machine whose roles can be searched for.
pub(super) trait Checker {
    /// The type.
    fn lock_type(&self) -> LockType;
    /// Which roles a code stands for.
    fn roles_of(&self, code: u8) -> &'static [Role];
    /// The code of a region with these roles; [`super::search::NONE`] if the type has none such.
    fn code_of(&self, roles: &BTreeSet<Role>) -> u8;
    /// Assignments to begin with.
    fn starts(&self, case: &Case) -> Vec<Roles>;
    /// Codes a region may have, besides none.
    fn options(&self, case: &Case, region: usize) -> Vec<u8>;
    /// The score of an assignment on complete instances.
    fn fit(&self, log: &Log, roles: &[u8]) -> Score;
    /// Details and sentences for an assignment.
    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation;
}

/// Roles by region as a checker's codes.
pub(super) fn encode(checker: &dyn Checker, cast: &Cast, regions: usize) -> Roles {
    let mut by_region: Vec<BTreeSet<Role>> = vec![BTreeSet::new(); regions];
    for (&role, set) in cast {
        for &r in set {
            by_region[r].insert(role);
        }
    }
    by_region
        .iter()
        .map(|roles| checker.code_of(roles))
        .collect()
}

/// A checker's codes as roles by region.
pub(super) fn decode(checker: &dyn Checker, roles: &[u8]) -> Cast {
    let mut cast = Cast::new();
    for (region, &code) in roles.iter().enumerate() {
        for &role in checker.roles_of(code) {
            cast.entry(role).or_default().insert(region);
        }
    }
    cast
}
