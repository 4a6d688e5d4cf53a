//! What is remembered of the classes that were looked at for their use of monitors: a later pass, which knows of more
//! locks, asks the JVM for the constants of few of them again.

use super::seeds::Home;
use locklens_classfile::pool::Pool;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// A class that waits for nothing and notifies nobody.
struct Scanned {
    /// How many names of locks were known when it was looked at, or asked for, last.
    lock_names: usize,
    /// Hashes of the names of classes that it mentions, in order; none if there was no room.
    mentions: Option<Box<[u32]>>,
}

/// See the module.
#[derive(Default)]
pub(super) struct Scans {
    /// By the hashes of their homes.
    classes: HashMap<u64, Scanned>,
    keys: RandomState,
    /// How many names of classes there is room for.
    room: usize,
}

impl Scans {
    /// With room for so many bytes of hashes.
    pub(super) fn within(bytes: usize) -> Self {
        Self {
            classes: HashMap::new(),
            keys: RandomState::new(),
            room: bytes / size_of::<u32>(),
        }
    }

    /// Whether looking at a class can tell anything new, given the hashes of the names of locks: one of them it must
    /// mention.
    pub(super) fn may_tell(&mut self, home: &Home, lock_names: &[u32]) -> bool {
        let Some(known) = self.classes.get_mut(&self.keys.hash_one(home)) else {
            return true;
        };
        let new = lock_names.get(known.lock_names..).unwrap_or_default();
        known.lock_names = lock_names.len();
        let Some(mentions) = &known.mentions else {
            return !new.is_empty();
        };
        new.iter().any(|name| mentions.binary_search(name).is_ok())
    }

    /// A class was looked at.
    pub(super) fn note(&mut self, home: &Home, lock_names: usize, pool: &Pool) {
        let mut mentions: Vec<u32> = classes(pool).map(|name| hash_of(&name)).collect();
        mentions.sort_unstable();
        mentions.dedup();
        let room = self.room.checked_sub(mentions.len());
        let known = self.classes.entry(self.keys.hash_one(home));
        let known = known.or_insert(Scanned {
            lock_names,
            mentions: None,
        });
        known.lock_names = lock_names;
        if let (None, Some(room)) = (&known.mentions, room) {
            self.room = room;
            known.mentions = Some(mentions.into());
        }
    }
}

/// What stands for the name of a class.
pub(super) fn hash_of(name: &str) -> u32 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(name) as u32
}

/// The classes that constants name, with dots.
pub(super) fn classes(pool: &Pool) -> impl Iterator<Item = String> + '_ {
    let indices = 0..pool.entries().len();
    let names = indices.filter_map(|i| pool.class(u16::try_from(i).ok()?));
    names.map(|name| name.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_classfile::pool::Pool;

    /// A pool with the constants of these classes.
    fn pool(names: &[&str]) -> Pool {
        let (mut bytes, mut count) = (Vec::new(), 1_u16);
        for name in names {
            bytes.push(1);
            bytes.extend(u16::try_from(name.len()).expect("short").to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.push(7);
            bytes.extend(count.to_be_bytes());
            count += 2;
        }
        Pool::parse(count, &bytes).expect("well-formed")
    }

    #[test]
    fn only_a_lock_that_it_mentions_makes_a_class_worth_another_look() {
        let home = |name: &str| Home {
            loader: 0,
            name: name.to_owned(),
        };
        let mut locks = vec![hash_of("x.First")];
        let mut scans = Scans::within(16);
        assert!(scans.may_tell(&home("x.A"), &locks), "never looked at");
        scans.note(
            &home("x.A"),
            locks.len(),
            &pool(&["x/Second", "x/A", "x/Third"]),
        );
        assert!(!scans.may_tell(&home("x.A"), &locks), "nothing new");
        locks.push(hash_of("x.Other"));
        assert!(!scans.may_tell(&home("x.A"), &locks), "not mentioned");
        assert!(scans.may_tell(&home("x.B"), &locks));
        locks.push(hash_of("x.Third"));
        locks.push(hash_of("x.Fourth"));
        assert!(scans.may_tell(&home("x.A"), &locks));
        assert!(!scans.may_tell(&home("x.A"), &locks), "looked at again");
    }

    #[test]
    fn without_room_each_new_lock_is_worth_a_look() {
        let home = Home {
            loader: 1,
            name: "x.A".to_owned(),
        };
        let mut scans = Scans::within(3);
        scans.note(&home, 0, &pool(&["x/A"]));
        assert!(!scans.may_tell(&home, &[]));
        assert!(scans.may_tell(&home, &[hash_of("x.B")]));
        assert!(!scans.may_tell(&home, &[hash_of("x.B")]));
    }
}
