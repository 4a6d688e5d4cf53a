//! In which methods the locks of a cycle were taken, where their names do not tell them from others.
//!
//! Two threads that cross `addAll` of two `Vector`s, and two others that cross `removeAll` of two more, have nothing in common
//! but the names. Where a lock is called by a class of the JDK's alone (`foreign`), the method in which it was taken is a part of
//! what a deadlock is known by. Which it wants next is none: whether `equals` comes from `size` to `get` is up to what is in there,
//! and so is how deep the chain above is known. Each way by itself is a deadlock: what else a run has come to changes no id.

use super::candidates::{Cycle, Node};
use super::finding::{Names, Part};
use super::history::History;
use super::step::{Lock, Site};
use super::twins::{bare, without_numbers};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Methods in which locks were taken.
pub(super) type Taken = BTreeSet<String>;
/// Of each place on a cycle the method in which its lock is taken, where it can be another there.
pub(super) type Only = Vec<Option<String>>;

/// Ways of one choice that are told apart: beyond that they are taken for one.
const WAYS: usize = 256;

/// Moments of a dependency by the method in which it took a lock; empty where that is not known.
type ByMethod = BTreeMap<String, Vec<u32>>;

/// The methods in which dependencies have taken locks of such names.
pub(super) struct Ways<'n> {
    names: &'n dyn Names,
    methods: BTreeMap<Site, String>,
    of: BTreeMap<(u32, Lock), ByMethod>,
}

impl<'n> Ways<'n> {
    pub(super) fn new(names: &'n dyn Names) -> Self {
        Self {
            names,
            methods: BTreeMap::new(),
            of: BTreeMap::new(),
        }
    }

    /// When a dependency wants what it does with this lock taken there.
    pub(super) fn moments(&self, index: u32, node: Node, method: &str) -> Option<&[u32]> {
        let Node::Lock(lock) = node else { return None };
        let moments = self.of.get(&(index, lock))?.get(method)?;
        Some(moments)
    }

    /// A cycle in as many parts as there are sets of methods in which such locks of it were taken.
    pub(super) fn parted<'c>(
        &mut self,
        history: &History<'_>,
        cycle: &'c Cycle,
    ) -> Vec<(Taken, Cow<'c, Cycle>)> {
        let foreign = foreign(self.names, &cycle.nodes);
        if foreign.is_empty() || cycle.choices.is_empty() {
            return vec![(Taken::new(), Cow::Borrowed(cycle))];
        }
        let open = cycle.open().len();
        let mut parts: BTreeMap<(Taken, Only), Cycle> = BTreeMap::new();
        for (at, choice) in cycle.choices.iter().enumerate() {
            for way in self.ways(history, choice, &foreign) {
                let taken = way.values().filter(|method| !method.is_empty());
                let taken: Taken = taken.cloned().collect();
                let only = (0..cycle.nodes.len()).map(|place| {
                    let lock = foreign.get(&place)?;
                    let several = self.of.get(&(*choice.get(place)?, *lock))?.len() > 1;
                    way.get(&place).filter(|_| several).cloned()
                });
                let only: Only = only.collect();
                let part = parts.entry((taken, only.clone()));
                let part = part.or_insert_with(|| cycle.without_choices(only));
                part.choices.push(choice.clone());
                part.helpers.extend(cycle.helpers.get(at).cloned());
                part.ordered += usize::from(at >= open);
            }
        }
        let parts = parts.into_iter();
        parts
            .map(|((taken, _), part)| (taken, Cow::Owned(part)))
            .collect()
    }

    /// By place, the method in which its lock was taken: each way of one choice.
    fn ways(
        &mut self,
        history: &History<'_>,
        choice: &[u32],
        foreign: &BTreeMap<usize, Lock>,
    ) -> Vec<BTreeMap<usize, String>> {
        let mut ways = vec![BTreeMap::new()];
        for (&place, &lock) in foreign {
            let Some(&index) = choice.get(place) else {
                continue;
            };
            self.learn(history, index, lock);
            let Some(all) = self.of.get(&(index, lock)).map(|of| of.keys()) else {
                continue;
            };
            // Nothing is known of it, or too much.
            if !(1..=WAYS).contains(&(ways.len() * all.len())) {
                continue;
            }
            let longer = ways.iter().flat_map(|way| {
                all.clone().map(move |method| {
                    let mut way = way.clone();
                    way.insert(place, method.clone());
                    way
                })
            });
            ways = longer.collect();
        }
        ways
    }

    fn learn(&mut self, history: &History<'_>, index: u32, lock: Lock) {
        let Some(moments) = history.moments.get(&index) else {
            return;
        };
        if self.of.contains_key(&(index, lock)) {
            return;
        }
        let mut by_method = ByMethod::new();
        for &at in &moments.at {
            // Of more places than are told apart it is not known which is which.
            let Some(spot) = moments.spot(at) else {
                continue;
            };
            let site = spot.took(lock);
            let method = site.map_or_else(String::new, |site| self.method(site));
            by_method.entry(method).or_default().push(at);
        }
        self.of.insert((index, lock), by_method);
    }

    fn method(&mut self, site: Site) -> String {
        let names = self.names;
        let known = self.methods.entry(site);
        let known = known.or_insert_with(|| taken_in(&names.chain(site)));
        known.clone()
    }
}

/// The locks of such names that are held on a cycle, by their places.
fn foreign(names: &dyn Names, nodes: &[Node]) -> BTreeMap<usize, Lock> {
    let locks = nodes
        .iter()
        .enumerate()
        .filter_map(|(place, node)| match node {
            Node::Lock(lock) if names.lock(*lock).foreign => Some((place, *lock)),
            _ => None,
        });
    locks.collect()
}

/// The innermost method of a call chain as another run and another build have it; empty if it is not known.
fn taken_in(chain: &[String]) -> String {
    let place = chain.first();
    place.map_or_else(String::new, |place| without_numbers(bare(place)))
}

/// In which methods these threads took what they hold on a cycle, where that tells it apart.
pub(super) fn taken(names: &dyn Names, nodes: &[Node], parts: &[Part]) -> Taken {
    let places = foreign(names, nodes).into_keys();
    let parts = places.filter_map(|place| parts.get(place));
    let methods = parts.map(|part| taken_in(&part.holds_at));
    methods.filter(|method| !method.is_empty()).collect()
}

/// The same of a lock by itself.
pub(super) fn taken_of(names: &dyn Names, lock: Lock, site: Option<Site>) -> Taken {
    let site = site.filter(|_| names.lock(lock).foreign);
    let method = site.map(|site| taken_in(&names.chain(site)));
    method
        .into_iter()
        .filter(|method| !method.is_empty())
        .collect()
}
