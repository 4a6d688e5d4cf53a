//! Monitors of one logical lock that are known to be different objects: each is kept in a static field of its own, or is a mirror.
//!
//! What they do together is one lock's work. What a thread holds and waits for is one of them.

use super::{Shown, Study};
use crate::stable_name::single_object;
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
