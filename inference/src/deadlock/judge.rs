//! From cycles to findings: each kind of deadlock once, with the best proof that any choice of threads has.

mod doubts;

use super::ONE_THREAD;
use super::candidates::{Candidates, Cycle, KeptOut, Node, Obstacle, candidates};
use super::closure::{Answer, Force, Least, Place, reachable};
use super::finding::{Awaited, Excluded, Finding, Names, Tier, stable_id};
use super::history::History;
use super::kinds::{Named, groups, is_safe};
use super::part::finding;
use super::placed::{Roles, Stand, When, notifiers, stands};
use super::proof::{Best, Proof};
use super::scan::Scan;
use super::step::{Lock, Nature, Site, Thread};
use super::tellers::Tellers;
use super::twins::{Twins, twins};
use super::ways::Ways;
use super::weakness::Weakness;
use std::collections::{BTreeMap, BTreeSet};

/// Sections and edges drawn in, for the whole trace.
const WORK: usize = 500_000_000;
/// Choices judged of one kind of deadlock.
const JUDGED: usize = 1_000;

/// The candidates of a first pass.
#[derive(Debug)]
pub struct Suspects<'s> {
    pub(super) scan: &'s Scan,
    pub(super) candidates: Candidates,
}

impl<'s> Suspects<'s> {
    /// Looks for cycles among the dependencies of a trace.
    #[must_use]
    pub fn of(scan: &'s Scan) -> Self {
        Self {
            scan,
            candidates: candidates(scan),
        }
    }

    /// What the second pass has to give them.
    #[must_use]
    pub fn history(&self) -> History<'s> {
        let choices = self
            .candidates
            .cycles
            .iter()
            .flat_map(|cycle| &cycle.choices);
        let involved: BTreeSet<u32> = choices.flatten().copied().collect();
        let cycles = self.candidates.cycles.iter();
        let helpers = cycles.flat_map(|cycle| cycle.helpers.iter().flatten());
        let all = self.candidates.cycles.iter().flat_map(|cycle| {
            let choices = cycle.choices.iter();
            choices.flat_map(move |choice| notifiers(cycle, choice))
        });
        let thread = |index: u32| self.scan.table.all[index as usize].thread;
        let kept = all.map(|(index, lock)| (lock, thread(index)));
        let notifiers: BTreeSet<(Lock, Thread)> = helpers.copied().chain(kept).collect();
        History::new(self.scan, &involved, &notifiers)
    }
}

/// What was concluded from all cycles.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    pub(super) findings: Vec<Finding>,
    pub(super) excluded: Vec<Excluded>,
    pub(super) stopped: Vec<String>,
}

/// Judges the candidates by what came before what.
pub(super) fn judge(suspects: &Suspects<'_>, history: &History<'_>, names: &dyn Names) -> Verdicts {
    let roles = Roles::of(history, &suspects.candidates.cycles, names);
    let mut ways = Ways::new(names);
    let groups = groups(suspects, history, (names, &mut ways));
    let mut court = Court {
        roles: &roles,
        ways: &ways,
        suspects,
        history,
        names,
        work: WORK,
        exact: suspects.scan.follower.impossible == 0 && suspects.scan.follower.is_whole(),
        doubted: names.reads_doubted().is_some(),
        given_up: 0,
        unlooked: 0,
        lone: lone(suspects.scan),
        tellers: Tellers::of(suspects.scan, names),
    };
    let mut verdicts = Verdicts {
        stopped: suspects.candidates.stopped.clone(),
        ..Verdicts::default()
    };
    // Whichever way it is taken: none if one of them can be.
    let mut fates: BTreeMap<&Named, Option<BTreeSet<Obstacle>>> = BTreeMap::new();
    let mut left = WORK;
    for ((key, cycles), others) in groups.iter().zip((1..=groups.len()).rev()) {
        // One crowd must not use up what the others need.
        let share = left / others;
        court.work = share;
        let cycles: Vec<&Cycle> = cycles.iter().map(AsRef::as_ref).collect();
        let fate = fates.entry(&key.named);
        let fate = fate.or_insert_with(|| Some(BTreeSet::new()));
        if cycles.iter().any(|cycle| is_safe(cycle, names)) {
            fate.iter_mut().for_each(|why| why.extend([Obstacle::Safe]));
            continue;
        }
        match court.best_of(&twins(suspects.scan, names, &cycles)) {
            Ok(best) => {
                *fate = None;
                let found = finding(suspects.scan, names, key, best);
                verdicts.findings.push(found);
            }
            // What was not looked at may be.
            Err(_) if cycles.iter().any(|cycle| cycle.is_cut) => *fate = None,
            Err(obstacles) => fate.iter_mut().for_each(|why| why.extend(&obstacles)),
        }
        left -= share - court.work;
    }
    let gone = fates.into_iter();
    let gone = gone.filter_map(|(named, why)| Some(excluded(names, named, &why?)));
    verdicts.excluded.extend(gone);
    verdicts.stopped.extend(court.stopped());
    verdicts
}

/// Of each place, who wanted something there first of all that want the same.
fn lone(scan: &Scan) -> BTreeMap<Site, Option<Thread>> {
    let mut lone = BTreeMap::new();
    for dependency in &scan.table.all {
        if let Some(site) = dependency.site {
            let known = lone.entry(site).or_insert(Some(dependency.thread));
            *known = known.filter(|&thread| thread == dependency.thread);
        }
    }
    lone
}

/// Whether somebody lets those of a choice go on.
enum Help {
    Nobody,
    By(Thread),
    /// He lets others go on there, and whether that is what they wait for is not known.
    Perhaps(Thread),
    GivenUp,
}

/// Judges choice by choice.
pub(super) struct Court<'s, 'h> {
    roles: &'h Roles,
    ways: &'h Ways<'h>,
    suspects: &'s Suspects<'s>,
    history: &'h History<'h>,
    names: &'h dyn Names,
    pub(super) work: usize,
    /// Nothing in the trace contradicts itself.
    exact: bool,
    /// What was read is not known as it should be.
    doubted: bool,
    pub(super) given_up: u64,
    /// Kinds of deadlock of which not every choice was looked at, and none that was can be.
    unlooked: u64,
    /// By place, the only thread that wanted something there; none where there were several.
    lone: BTreeMap<Site, Option<Thread>>,
    tellers: Tellers,
}

/// Pairs of places of which it is looked up what is asked before.
const ASKED: usize = 256;
/// Things read of which each is tried alone, …
const TRIED: usize = 1_024;
/// … and sections and edges drawn in for that.
const TRYING: usize = 5_000_000;

/// The order of threads alone, for reasons that are strong enough.
fn order(least: Least) -> Force {
    Force {
        locks: false,
        least,
    }
}

/// What is only excluded where it cannot be may be at any time.
fn when(force: Force) -> When {
    match force.least {
        Least::Must => When::Ever,
        _ => When::Later,
    }
}

impl<'h> Court<'_, 'h> {
    /// The best among those that have their names alone in common, with how many there are; or why there is none.
    fn best_of<'c>(&mut self, twins: &Twins<'c>) -> Result<Best<'c>, BTreeSet<Obstacle>> {
        let mut best: Option<Best<'c>> = None;
        let (mut obstacles, mut patterns, mut alike) = (BTreeSet::new(), 0, 0);
        for cycles in &twins.parts {
            match self.best(cycles) {
                Ok(found) => {
                    patterns += found.patterns;
                    alike += u64::from(found.proof.tier != Tier::T5);
                    best = Some(Best::or_better(best, found));
                }
                Err(why) => obstacles.extend(why),
            }
        }
        let best = best.map(|best| Best {
            patterns,
            alike: alike.max(1),
            numbered: twins.numbered,
            ..best
        });
        best.ok_or(obstacles)
    }

    /// The best proof among all choices, or why there is none.
    fn best<'c>(&mut self, cycles: &[&'c Cycle]) -> Result<Best<'c>, BTreeSet<Obstacle>> {
        let scan = self.suspects.scan;
        let mut best: Option<Best<'c>> = None;
        let mut obstacles: BTreeSet<Obstacle> = BTreeSet::new();
        let choices = cycles
            .iter()
            .flat_map(|&cycle| (0..).zip(cycle.open()).map(move |c| (cycle, c)));
        let each = choices.map(|(cycle, (at, choice))| {
            let stall = cycle.is_stall(scan, choice);
            (stall, cycle, at, choice)
        });
        let mut each: Vec<(bool, &Cycle, usize, &Vec<u32>)> = each.collect();
        each.sort_by_key(|(stall, ..)| *stall);
        let all = each.len();
        let first = each.first().copied();
        for (stall, cycle, at, choice) in each.into_iter().take(JUDGED) {
            let is_best = |best: &Best<'_>| {
                let is_less = stall && !best.stall && best.proof.tier != Tier::T5;
                is_less || best.proof.rank() <= self.reachable_rank()
            };
            if best.as_ref().is_some_and(is_best) {
                break;
            }
            match self.proof(cycle, (at, choice)) {
                Err(obstacle) => drop(obstacles.insert(obstacle)),
                Ok(proof) => {
                    let found = Best::of(proof, cycle, choice, stall);
                    best = Some(Best::or_better(best, found));
                }
            }
        }
        if best.is_none() && cycles.iter().any(|cycle| cycle.ordered > 0) {
            obstacles.insert(Obstacle::Order);
        }
        let is_cut = all > JUDGED || cycles.iter().any(|cycle| cycle.is_cut);
        if best.is_none() && is_cut {
            self.unlooked += 1;
            best = first
                .map(|(stall, cycle, _, choice)| Best::of(Proof::unlooked(), cycle, choice, stall));
        }
        if let Some(best) = &mut best {
            best.patterns = all as u64;
            let why = best.proof.why;
            best.proof.why = why.map(|why| self.explained(why, best));
            best.stands = self.stands(best);
            best.others = self.others(cycles, best);
            return Ok(best.clone());
        }
        obstacles.extend(
            cycles
                .iter()
                .flat_map(|cycle| cycle.obstacles.iter().copied()),
        );
        Err(obstacles)
    }

    /// How well one choice of a cycle is proved, or what keeps its threads apart.
    pub(super) fn proof(
        &mut self,
        cycle: &Cycle,
        (at, choice): (usize, &[u32]),
    ) -> Result<Proof, Obstacle> {
        let helpers = cycle.helpers.get(at).map_or(&[][..], Vec::as_slice);
        match self.tier(cycle, choice) {
            None => Err(Obstacle::Order),
            Some(proof) => match self.help(cycle, choice, helpers) {
                Help::By(thread) => Err(Obstacle::Notifier(thread)),
                Help::Perhaps(thread) if proof.tier != Tier::T5 => {
                    let why = Some(Weakness::Notifier(thread));
                    Ok(Proof {
                        tier: Tier::T5,
                        why,
                        ..proof
                    })
                }
                Help::Nobody | Help::Perhaps(_) => Ok(proof),
                Help::GivenUp => Ok(Proof::given_up()),
            },
        }
    }

    /// The best rank that anything in this trace can have.
    fn reachable_rank(&self) -> (Tier, bool, bool) {
        match (self.proves(), self.is_relative()) {
            (true, false) => (Tier::T1, false, false),
            (true, true) => (Tier::T3, false, false),
            (false, _) => (Tier::T3, true, false),
        }
    }

    pub(super) fn scan(&self) -> &Scan {
        self.suspects.scan
    }

    /// Some reads are in the trace, and not all.
    fn is_relative(&self) -> bool {
        self.names.reads_known().is_some()
    }

    /// A run that is permitted is a proof only where reads or writes are in the trace, and it is one.
    fn proves(&self) -> bool {
        let reads = self.suspects.scan.accesses > 0 || self.is_relative();
        reads && self.exact && !self.history.cut && !self.doubted
    }

    /// How well a choice is proved, and what keeps it from better; none if it is impossible.
    fn tier(&mut self, cycle: &Cycle, choice: &[u32]) -> Option<Proof> {
        let mut by = order(Least::Must);
        match self.asked(cycle, choice, by)? {
            Answer::Impossible => return None,
            Answer::GivenUp => return Some(Proof::given_up()),
            Answer::Possible => {}
        }
        let weak = |by, why| Some(Proof::of(Tier::T5, by, Some(why)));
        if let Some(why) = self.unknown(cycle, choice) {
            return weak(by, why);
        }
        if self.roles.are_earlier(cycle, choice) {
            let places = self.places(cycle, choice, When::Later)?;
            match self.answered(&places, by) {
                Answer::Impossible => return weak(by, Weakness::Earlier),
                Answer::GivenUp => return weak(by, Weakness::GivenUp),
                Answer::Possible => {}
            }
        }
        let presumed = match self.suspects.scan.excerpts {
            true => Weakness::Apart,
            false => Weakness::Presumed,
        };
        let reasons = [
            (Least::Opened, Weakness::Opener(None)),
            (Least::Presumed, presumed),
            (Least::Stood, Weakness::Stood),
            (Least::Read, Weakness::Read),
        ];
        for (least, why) in reasons {
            match self.asked(cycle, choice, order(least))? {
                Answer::Impossible => return weak(by, why),
                Answer::GivenUp => return weak(by, Weakness::GivenUp),
                Answer::Possible => by = order(least),
            }
        }
        self.permitted(cycle, choice, by)
    }

    /// Who can come and notify while the others stand there: whoever did so only before they could, or after they had gone on,
    /// in every run, can not.
    fn help(&mut self, cycle: &Cycle, choice: &[u32], helpers: &[(Lock, Thread)]) -> Help {
        let Some(places) = self
            .places(cycle, choice, When::Ever)
            .filter(|_| !helpers.is_empty())
        else {
            return Help::Nobody;
        };
        let scan = self.suspects.scan;
        let kept = KeptOut::by(scan, choice);
        let (mut given_up, mut perhaps) = (false, None);
        for &(lock, thread) in helpers {
            // An element, a permit or who comes to a meeting is what it is; a notify may be for anything.
            let serves = || {
                self.names.lock(lock).awaited != Awaited::Notify
                    || self
                        .tellers
                        .may_serve(scan, &cycle.nodes, choice, (lock, thread))
            };
            let ways = scan.errands.ways.get(&(lock, thread));
            let times = ways.and_then(|ways| ways.without(|way| kept.needs(way)));
            if times.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let moments = times.and_then(|times| self.history.notices((lock, thread), &times));
            // When it was is not known: it may be at any time.
            let Some(moments) = moments else {
                match serves() {
                    true => return Help::By(thread),
                    false => perhaps = Some(thread),
                }
                continue;
            };
            let place = Place {
                thread,
                moments: &moments,
            };
            let all: Vec<Place<'_>> = places.iter().copied().chain([place]).collect();
            // Who comes where others let go on whoever waits is not the less needed there.
            let force = order(Least::Opened);
            match reachable(self.history, &all, force, &mut self.work) {
                Answer::Possible if serves() => return Help::By(thread),
                Answer::Possible => perhaps = Some(thread),
                Answer::Impossible => {}
                Answer::GivenUp => given_up = true,
            }
        }
        self.given_up += u64::from(given_up);
        match (given_up, perhaps) {
            (true, _) => Help::GivenUp,
            (false, Some(thread)) => Help::Perhaps(thread),
            (false, None) => Help::Nobody,
        }
    }

    /// How well it is proved by the order of locks; `by` is what was in force without it.
    fn permitted(&mut self, cycle: &Cycle, choice: &[u32], by: Force) -> Option<Proof> {
        // What is wanted is had as soon as those on the cycle let go of it, or end, and no sooner.
        let relative = self.is_relative();
        let locks_only = cycle.nodes.iter().all(|node| match node {
            Node::Lock(_) => true,
            Node::End(_) => !relative,
            Node::Notice(_) | Node::Turn(_) => false,
        });
        let scan = self.suspects.scan;
        let whole = !self.history.cut && !scan.excerpts && scan.follower.is_whole();
        let all = |least| Force { locks: true, least };
        let doubt = self.doubted.then_some(Weakness::Doubted(None));
        if !whole {
            return Some(Proof::of(Tier::T4, by, doubt));
        }
        let data = all(Least::Data);
        if self.asked(cycle, choice, data)? == Answer::Possible {
            return Some(match locks_only && self.proves() {
                true if self.is_relative() => {
                    let why = self.as_recorded(cycle, choice, data);
                    Proof::of(Tier::T3, data, Some(why))
                }
                true => Proof::of(Tier::T1, data, None),
                false => match (self.asked_before(choice), self.one_at_once(choice)) {
                    // What is set is told by memory, which is not seen: it is said, and left to `confirm`.
                    (Some(why @ Weakness::Awaited(..)), None) => {
                        Proof::of(Tier::T3, data, Some(why))
                    }
                    (Some(Weakness::Awaited(..)) | None, Some(why)) => {
                        Proof::of(Tier::T4, data, Some(why))
                    }
                    (Some(why), _) => Proof::of(Tier::T5, data, Some(why)),
                    (None, None) => Proof::of(Tier::T3, data, doubt),
                },
            });
        }
        // As if nothing had been read.
        let why = doubt.unwrap_or(Weakness::Data(None));
        let read = all(Least::Read);
        Some(match self.asked(cycle, choice, read)? {
            Answer::Possible => Proof::of(Tier::T3, read, Some(why)),
            _ => Proof::of(Tier::T4, by, None),
        })
    }

    fn is_any_awaited(&self, cycle: &Cycle, is: impl Fn(Nature) -> bool) -> bool {
        let scan = self.suspects.scan;
        let mut nodes = cycle.nodes.iter();
        nodes.any(|node| matches!(node, Node::Notice(lock) if is(scan.nature(*lock))))
    }

    fn is_sure(&self, dependency: u32) -> bool {
        self.suspects.scan.table.all[dependency as usize].sure
    }

    fn places(&self, cycle: &Cycle, choice: &[u32], when: When) -> Option<Vec<Place<'h>>> {
        let all = &self.suspects.scan.table.all;
        let places = choice.iter().enumerate().map(|(place, &index)| {
            let node = cycle.nodes.get(place).copied();
            let only = cycle.only.get(place).and_then(Option::as_deref);
            let moments = match node.zip(only) {
                Some((node, only)) => self.ways.moments(index, node, only)?,
                None => self.roles.moments(self.history, (index, node), when)?,
            };
            Some(Place {
                thread: all[index as usize].thread,
                moments,
            })
        });
        places.collect()
    }

    fn asked(&mut self, cycle: &Cycle, choice: &[u32], force: Force) -> Option<Answer> {
        let places = self.places(cycle, choice, when(force))?;
        Some(self.answered(&places, force))
    }

    fn answered(&mut self, places: &[Place<'_>], force: Force) -> Answer {
        let answer = reachable(self.history, places, force, &mut self.work);
        self.given_up += u64::from(answer == Answer::GivenUp);
        answer
    }

    /// Where those of the best choice stand.
    pub(super) fn stands(&self, best: &Best<'_>) -> Vec<Stand> {
        let by = best.proof.by;
        by.map_or_else(Vec::new, |by| self.standing(best.cycle, best.choice, by))
    }

    /// Where those of a choice stand that was found possible with this in force: as much work as that may have been.
    fn standing(&self, cycle: &Cycle, choice: &[u32], by: Force) -> Vec<Stand> {
        let places = self.places(cycle, choice, when(by));
        let places = places.unwrap_or_default();
        stands(
            self.history,
            cycle,
            (choice, &places),
            (by, WORK),
            self.names,
        )
    }

    fn stopped(&self) -> Vec<String> {
        let mut stopped = Vec::new();
        if self.given_up > 0 {
            let n = self.given_up;
            stopped.push(format!(
                "{n} questions of order were given up: what they are about has a lower tier"
            ));
        }
        if self.unlooked > 0 {
            let n = self.unlooked;
            stopped.push(format!(
                "of {n} deadlocks not every choice of threads was looked at: what was is excluded, the others may not be"
            ));
        }
        if self.history.cut {
            stopped.push("the trace has more critical sections of shared locks than are kept: nothing is better than T4".to_owned());
        }
        stopped
    }
}

fn excluded(names: &dyn Names, (kind, locks): &Named, obstacles: &BTreeSet<Obstacle>) -> Excluded {
    Excluded {
        id: stable_id(*kind, locks),
        locks: locks.clone(),
        reasons: obstacles.iter().map(|o| o.words(names)).collect(),
    }
}

impl Obstacle {
    fn words(self, names: &dyn Names) -> String {
        match self {
            Self::OneThread => ONE_THREAD.to_owned(),
            Self::Gate(lock) => format!("held around all of it: {}", names.lock(lock).name),
            Self::Shared => "those who share a lock do not keep each other out".to_owned(),
            Self::Permits(lock) => format!("there are permits enough of {}", names.lock(lock).name),
            Self::Notifier(thread) => {
                format!(
                    "thread \"{}\" can notify without these locks",
                    names.thread(thread).name
                )
            }
            Self::Woken(thread) => format!(
                "thread \"{}\" has notified there since it took the lock: who waited waits no more",
                names.thread(thread).name
            ),
            Self::Safe => "a lock of the JVM's own, known to be safe".to_owned(),
            Self::Order => {
                "start, join, notify or a latch puts one thread before the other".to_owned()
            }
        }
    }
}
