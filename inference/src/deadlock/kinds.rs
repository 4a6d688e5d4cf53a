//! Which cycles are the same deadlock to a reader, and what kind it is.

use super::candidates::{Cycle, Node};
use super::finding::{Kind, Names, identify, known_by, stable_id};
use super::follow::Wanted;
use super::history::History;
use super::judge::Suspects;
use super::loops::is_turning;
use super::part::resource;
use super::scan::Scan;
use super::step::Mode;
use super::table::Dependency;
use super::ways::{Taken, Ways};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What makes two cycles the same deadlock to a reader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// What it is by its names.
    pub(super) named: Named,
    /// Where its locks are taken, as far as that is a part of it.
    pub(super) taken: Taken,
}

/// The kind, and the names around it.
pub(super) type Named = (Kind, Vec<String>);

impl Key {
    pub(super) fn id(&self) -> String {
        let mut id = stable_id(self.named.0, &self.named.1);
        identify(&mut id, &self.taken);
        id
    }
}

pub(super) fn groups<'s>(
    suspects: &'s Suspects<'_>,
    history: &History<'_>,
    (names, ways): (&dyn Names, &mut Ways<'_>),
) -> BTreeMap<Key, Vec<Cow<'s, Cycle>>> {
    let mut groups: BTreeMap<Key, Vec<Cow<'_, Cycle>>> = BTreeMap::new();
    for cycle in &suspects.candidates.cycles {
        let around: Vec<String> = cycle
            .nodes
            .iter()
            .map(|&node| resource(names, node).name)
            .collect();
        let named = (kind(suspects.scan, cycle), known_by(around));
        for (taken, part) in ways.parted(history, cycle) {
            let named = named.clone();
            let key = Key { named, taken };
            groups.entry(key).or_default().push(part);
        }
    }
    groups
}

/// Whether a lock of the JVM's own is on it that is known to be safe.
pub(super) fn is_safe(cycle: &Cycle, names: &dyn Names) -> bool {
    let hidden = |node: &Node| match node {
        Node::Lock(lock) | Node::Notice(lock) | Node::Turn(lock) => names.lock(*lock).hidden,
        Node::End(_) => false,
    };
    cycle.nodes.iter().any(hidden)
}

fn kind(scan: &Scan, cycle: &Cycle) -> Kind {
    let parts = || {
        let choices = cycle.choices.iter().flatten();
        choices.map(|&index| &scan.table.all[index as usize])
    };
    let modes: BTreeSet<Kind> = parts()
        .flat_map(|part| of_modes(part, &cycle.nodes))
        .collect();
    let turning = cycle.choices.iter().any(|_| true) && parts().all(is_turning);
    let waits = cycle.nodes.iter().filter_map(|node| match node {
        Node::End(_) => Some(Kind::Join),
        Node::Notice(lock) if scan.is_latch(*lock) => Some(Kind::Latch),
        Node::Notice(_) => Some(Kind::NestedWait),
        Node::Lock(_) | Node::Turn(_) => None,
    });
    let waits: BTreeSet<Kind> = waits.collect();
    let kinds = match waits.is_empty() {
        true => modes,
        false => waits,
    };
    match (turning, kinds.len()) {
        (true, _) => Kind::Upgrade,
        (false, 0) => Kind::Order,
        (false, 1) => kinds.into_iter().next().unwrap_or(Kind::Order),
        _ => Kind::Mixed,
    }
}

/// What the ways say in which it holds and wants what is on the cycle.
fn of_modes(part: &Dependency, nodes: &[Node]) -> impl Iterator<Item = Kind> {
    let wanted = match part.wanted {
        Wanted::Lock(lock, mode) => Some((lock, mode)),
        Wanted::Notice(_) | Wanted::End(_) => None,
    };
    let held = part.keeps().chain(wanted);
    let on_it = held.filter(|(lock, _)| {
        nodes.contains(&Node::Lock(*lock)) || nodes.contains(&Node::Turn(*lock))
    });
    let kinds: Vec<Kind> = on_it
        .filter_map(|(_, mode)| match mode {
            Mode::Exclusive => None,
            Mode::Shared => Some(Kind::ReadWrite),
            Mode::Permit(_) => Some(Kind::Permit),
        })
        .collect();
    kinds.into_iter()
}
