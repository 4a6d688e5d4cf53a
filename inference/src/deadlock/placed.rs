//! Where the threads of a finding stand: at moments for which it was shown, not where the same was wanted first.

use super::candidates::{Cycle, Node};
use super::closure::{Answer, Force, Place, reached};
use super::finding::Names;
use super::firsts::Pasts;
use super::history::History;
use super::moments::{Moments, Spot, on_the_way};
use super::step::{Lock, Site};
use super::table::Dependency;
use std::collections::{BTreeMap, BTreeSet};

/// Other places that are tried of each thread.
const TRIED: usize = 16;
/// Sections and edges drawn in for that, of one finding.
const TRYING: usize = 5_000_000;

/// A lock's place and the next one's.
pub(super) type Spots = (Option<Site>, Option<Site>);

/// Where one thread of a finding stands.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    pub(super) at: Spots,
    /// Times that it was seen there.
    pub(super) count: u64,
    /// Where it can stand as well.
    pub(super) also: Vec<Spots>,
}

/// Of those who are waited for, the moments at which they were on their way to let others go on.
#[derive(Debug, Default)]
pub(super) struct Roles {
    all: BTreeMap<(u32, Lock), Vec<u32>>,
    /// Those at which there may have been somebody to wait, where that is not all of them.
    later: BTreeMap<(u32, Lock), Vec<u32>>,
}

/// Which moments of those who are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Ever,
    /// Since there may have been somebody who waits.
    Later,
}

impl Roles {
    pub(super) fn of(history: &History<'_>, cycles: &[Cycle], names: &dyn Names) -> Self {
        let mut roles = BTreeMap::new();
        let choices = cycles
            .iter()
            .flat_map(|cycle| cycle.choices.iter().map(move |choice| (cycle, choice)));
        for (index, lock) in choices.flat_map(|(cycle, choice)| notifiers(cycle, choice)) {
            let known = roles.entry((index, lock));
            known.or_insert_with(|| on_the_way(history, index, lock));
        }
        let known = roles.into_iter();
        let all: BTreeMap<(u32, Lock), Vec<u32>> =
            known.filter_map(|(role, at)| Some((role, at?))).collect();
        let mut pasts = Pasts::new(history, names);
        let later = all
            .iter()
            .filter_map(|(&role, moments)| Some((role, pasts.since_it_was_there(role, moments)?)));
        let later = later.collect();
        Self { all, later }
    }

    /// Whether one of a choice did all of it before there was anybody to wait, as far as that is known.
    pub(super) fn are_earlier(&self, cycle: &Cycle, choice: &[u32]) -> bool {
        let mut roles = notifiers(cycle, choice);
        roles.any(|role| self.later.contains_key(&role))
    }

    /// When a dependency is what its place on the cycle says.
    pub(super) fn moments<'h>(
        &'h self,
        history: &'h History<'_>,
        (index, node): (u32, Option<Node>),
        when: When,
    ) -> Option<&'h [u32]> {
        let on_the_way = match node {
            Some(Node::Notice(lock)) => {
                let role = (index, lock);
                let later = self.later.get(&role).filter(|_| when == When::Later);
                later.or_else(|| self.all.get(&role))
            }
            _ => None,
        };
        let all = || history.moments.get(&index).map(|moments| &moments.at);
        on_the_way.or_else(all).map(Vec::as_slice)
    }
}

/// Those of a choice that others wait for to be let go on, and where.
pub(super) fn notifiers(cycle: &Cycle, choice: &[u32]) -> impl Iterator<Item = (u32, Lock)> {
    let nodes = cycle.nodes.iter().zip(choice);
    let on_the_way = nodes.filter_map(|(node, &index)| match node {
        Node::Notice(lock) => Some((index, *lock)),
        _ => None,
    });
    on_the_way.collect::<Vec<_>>().into_iter()
}

/// Where the moments of one dependency are on one cycle.
struct Ground<'h> {
    names: &'h dyn Names,
    moments: &'h Moments,
    lock: Option<Lock>,
}

impl Ground<'_> {
    fn spots(&self, spot: &Spot) -> Spots {
        let took = self.lock.and_then(|lock| spot.took(lock));
        (took, spot.wants)
    }

    fn at(&self, moment: u32) -> Spots {
        let spot = self.moments.spot(moment);
        spot.map_or((None, None), |spot| self.spots(spot))
    }

    /// Of these moments those at one place.
    fn only(&self, moments: &[u32], at: Spots) -> Vec<u32> {
        let all = moments.iter().copied();
        all.filter(|&moment| self.at(moment) == at).collect()
    }

    /// At that place, or, if it is not known, at the first of the others; so if the call chain of another one goes on where its own is
    /// not known. What may be at several of those that are told counts for none of them.
    fn stand(&self, moments: &[u32], at: Spots, mut also: Vec<Spots>) -> Stand {
        let is_known = |at: &Spots| at.1.is_some() && (self.lock.is_none() || at.0.is_some());
        let better = also.iter().position(|&other| match is_known(&at) {
            true => self.is_part(at, other),
            false => is_known(&other),
        });
        let at = better.map_or(at, |better| std::mem::replace(&mut also[better], at));
        also.retain(is_known);
        let all = also.clone();
        let parts_of = |part: Spots| all.iter().filter(move |&&whole| self.is_part(part, whole));
        also.retain(|&part| !self.is_part(part, at) && parts_of(part).next().is_none());
        let own = |&&part: &&Spots| self.is_part(part, at) && parts_of(part).next().is_none();
        let own = all.iter().filter(own).chain([&at]);
        let count = own.map(|&at| self.only(moments, at).len() as u64).sum();
        Stand { at, count, also }
    }

    /// It is told by the innermost frame alone at one place or both, and that is the other one's.
    fn is_part(&self, part: Spots, whole: Spots) -> bool {
        let left = |part: Option<Site>, whole: Option<Site>| {
            let (Some(part), Some(whole)) = (part, whole) else {
                return (part == whole).then_some(0);
            };
            let (part, whole) = (self.names.chain(part), self.names.chain(whole));
            let is_part = part == whole || part.len() == 1 && whole.first() == part.first();
            is_part.then(|| whole.len() - part.len())
        };
        let (holds, wants) = (left(part.0, whole.0), left(part.1, whole.1));
        holds
            .zip(wants)
            .is_some_and(|(holds, wants)| holds + wants > 0)
    }

    fn innermost(&self, spots: Spots) -> [Option<String>; 2] {
        let frame = |site: Option<Site>| self.names.chain(site?).into_iter().next();
        [frame(spots.0), frame(spots.1)]
    }

    /// Other places than that, in the order in which they were met.
    fn others(&self, not: Spots) -> Vec<Spots> {
        let mut others: Vec<Spots> = Vec::new();
        for spots in self.moments.spots.iter().map(|spot| self.spots(spot)) {
            if spots != not && !others.contains(&spots) {
                others.push(spots);
            }
        }
        others
    }
}

/// Where the threads of a choice stand, of which this was in force when it was found possible; empty if that is not known.
pub(super) fn stands(
    history: &History<'_>,
    cycle: &Cycle,
    (choice, places): (&[u32], &[Place<'_>]),
    (force, mut work): (Force, usize),
    names: &dyn Names,
) -> Vec<Stand> {
    let (Answer::Possible, first) = reached(history, places, force, &mut work) else {
        return Vec::new();
    };
    let grounds = choice.iter().enumerate().map(|(place, index)| {
        let moments = history.moments.get(index)?;
        let dependency = &history.scan.table.all[*index as usize];
        let lock = held(cycle.nodes.get(place), dependency);
        Some(Ground {
            names,
            moments,
            lock,
        })
    });
    let grounds: Vec<Ground<'_>> = grounds.collect::<Option<_>>().unwrap_or_default();
    let mut work = TRYING;
    let each = grounds.iter().zip(first).enumerate();
    each.map(|(place, (ground, moment))| {
        let mut is_possible = |at: &Spots| {
            let only = ground.only(places[place].moments, *at);
            let mut tried = places.to_vec();
            tried[place].moments = &only;
            reached(history, &tried, force, &mut work).0 == Answer::Possible
        };
        let at = ground.at(moment);
        // Other places come before other ways to them.
        let mut met = BTreeSet::from([ground.innermost(at)]);
        let others = ground.others(at).into_iter();
        let (new, again): (Vec<Spots>, Vec<Spots>) =
            others.partition(|&spots| met.insert(ground.innermost(spots)));
        let others = new.into_iter().chain(again).take(TRIED);
        let also: Vec<Spots> = others.filter(&mut is_possible).collect();
        ground.stand(places[place].moments, at, also)
    })
    .collect()
}

fn held(node: Option<&Node>, dependency: &Dependency) -> Option<Lock> {
    match node {
        Some(Node::Lock(lock)) => dependency.hold(*lock).map(|hold| hold.lock),
        _ => None,
    }
}
