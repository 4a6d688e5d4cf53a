//! Monitors of one logical lock that are known to be different objects: each is kept in a static field of its own, or is a mirror.
//!
//! What they do together is one lock's work. What a thread holds and waits for is one of them.
//!
//! The same of monitors that only code puts together which locks whatever it is handed: they are called as if that were not there.

use super::{Shown, Study};
use crate::region::RegionId;
use crate::sets::DisjointSets;
use crate::stable_name::{Kept, kept_in, single_object};
use locklens_trace::LockId;
use std::collections::{BTreeMap, BTreeSet};

/// Lock objects that are the only ones of their fields, with the names of these: asked for before monitors are put together.
pub(super) fn single_objects(study: &Study<'_>, shown: &[Shown]) -> BTreeMap<LockId, String> {
    let of = |one: &Shown| {
        let name = single_object(study.program, study.table, &one.group, &one.regions);
        let locks = one.group.locks.iter();
        let named = locks.filter_map(move |&lock| Some((lock, name.clone()?)));
        named.collect::<Vec<_>>()
    };
    shown.iter().flat_map(of).collect()
}

/// Names of lock objects that are kept in fields, of which several share a logical lock because code locks what it is handed.
pub(super) fn handed(study: &Study<'_>, shown: &[Shown]) -> BTreeMap<LockId, String> {
    let mut found = BTreeMap::new();
    for group in shown.iter().map(|one| &one.group) {
        let region = |id: &RegionId| Some((*id, kept_in(study.program, study.table.get(*id)?)));
        let known: BTreeMap<RegionId, Option<Kept>> =
            group.regions.iter().filter_map(region).collect();
        // Where no code locks what it is handed nothing else puts them together.
        if group.locks.len() > 1 && known.values().any(Option::is_none) {
            let regions = |lock: &LockId| {
                let all = study.seen[lock].regions().into_iter();
                all.filter_map(|id| Some((id, known.get(&id)?.clone()?)))
                    .collect()
            };
            let seen = group.locks.iter().map(|lock| (*lock, regions(lock)));
            found.extend(by_field(&seen.collect::<Vec<_>>()));
        }
    }
    found
}

/// Objects that are locked by their fields somewhere, by the names of these: those together that are locked at the same place so.
fn by_field(seen: &[(LockId, BTreeMap<RegionId, Kept>)]) -> BTreeMap<LockId, String> {
    let mut sets = DisjointSets::new(seen.len());
    let mut first: BTreeMap<RegionId, usize> = BTreeMap::new();
    for (at, (_, regions)) in seen.iter().enumerate() {
        for &region in regions.keys() {
            sets.join(at, *first.entry(region).or_insert(at));
        }
    }
    let roots: Vec<usize> = (0..seen.len()).map(|at| sets.root(at)).collect();
    let mut kept: BTreeMap<usize, BTreeSet<&Kept>> = BTreeMap::new();
    for (root, (_, regions)) in roots.iter().zip(seen) {
        kept.entry(*root).or_default().extend(regions.values());
    }
    // What several fields keep, or locks itself, is none of these.
    let named = |root: &usize| match Vec::from_iter(&kept[root])[..] {
        [Kept::Single(name)] => Some((name, true)),
        [Kept::Field(name)] => Some((name, false)),
        _ => None,
    };
    let all: Vec<_> = roots.iter().map(named).collect();
    let names: BTreeSet<_> = all.iter().flatten().collect();
    let some = all.iter().flatten().any(|(_, single)| *single) && all.contains(&None);
    let each = seen.iter().zip(&all).filter(|_| names.len() > 1 || some);
    each.filter_map(|((lock, _), named)| Some((*lock, named.as_ref()?.0.clone())))
        .collect()
}

/// Of each logical lock that has several such objects, those.
pub(super) fn of(shown: &[Shown], single: &BTreeMap<LockId, String>) -> BTreeMap<LockId, String> {
    let mut found = BTreeMap::new();
    for one in shown {
        let locks = one.group.locks.iter();
        let named = locks.filter_map(|lock| single.get_key_value(lock));
        let named: Vec<_> = named.collect();
        let names: BTreeSet<&String> = named.iter().map(|(_, name)| *name).collect();
        if names.len() > 1 {
            let named = named.into_iter();
            found.extend(named.map(|(&lock, name)| (lock, name.clone())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockclass::Group;

    /// What is found of objects 0, 1, … of which each is locked at these places by its field, if it is.
    fn fields(seen: &[&[(u32, Kept)]]) -> Vec<(u32, String)> {
        let regions = |own: &&[(u32, Kept)]| {
            let own = own.iter().cloned();
            own.map(|(region, kept)| (RegionId(region), kept)).collect()
        };
        let seen = (0..).map(LockId).zip(seen.iter().map(regions));
        let found = by_field(&seen.collect::<Vec<_>>());
        found
            .into_iter()
            .map(|(lock, name)| (lock.0, name))
            .collect()
    }

    #[test]
    fn what_is_handed_to_code_that_locks_it_keeps_the_name_of_its_field() {
        let single = |name: &str| Kept::Single(name.to_owned());
        let field = |name: &str| Kept::Field(name.to_owned());
        let named = |all: &[(u32, &str)]| -> Vec<(u32, String)> {
            all.iter()
                .map(|&(lock, name)| (lock, name.to_owned()))
                .collect()
        };
        let red = &[(1, single("App.red"))][..];
        let mine = &[(2, field("App.mine"))][..];
        assert_eq!(
            fields(&[red, mine]),
            named(&[(0, "App.red"), (1, "App.mine")])
        );
        assert_eq!(fields(&[red, &[]]), named(&[(0, "App.red")]));
        assert_eq!(fields(&[mine, &[]]), [], "the whole is called so");
        assert_eq!(fields(&[mine, mine]), []);
        let from = [(3, field("Move.from"))];
        let to = [(4, field("Move.to"))];
        let both = [from[0].clone(), to[0].clone()];
        assert_eq!(fields(&[&from, &both, &to]), [], "one and the same kind");
        let itself = &[(5, Kept::Itself)][..];
        assert_eq!(fields(&[red, itself]), named(&[(0, "App.red")]));
    }

    fn shown(locks: &[u32]) -> Shown {
        Shown {
            group: Group {
                locks: locks.iter().map(|&lock| LockId(lock)).collect(),
                ..Group::default()
            },
            regions: BTreeSet::new(),
            classes: Vec::new(),
            seeds: Vec::new(),
            untried: false,
            is_composite: locks.len() > 1,
            again: BTreeSet::new(),
            beginnings: BTreeMap::new(),
            joined: None,
        }
    }

    #[test]
    fn objects_of_different_static_fields_are_apart_within_one_lock() {
        let name = |(lock, name): (u32, &str)| (LockId(lock), name.to_owned());
        let single = [
            (1, "A.outer"),
            (2, "A.inner"),
            (4, "B.one"),
            (6, "C.x"),
            (7, "C.x"),
        ];
        let single = single.map(name).into();
        let all = [shown(&[1, 2, 3]), shown(&[4, 5]), shown(&[6, 7])];
        let apart = of(&all, &single);
        assert_eq!(apart, [(1, "A.outer"), (2, "A.inner")].map(name).into());
    }
}
