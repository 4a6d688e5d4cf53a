//! All loaded classes, to be found by loader and name.
//!
//! A large program has a hundred thousand, so a name is kept once, and the tables are of the hashes of names.
//!
//! The list holds a reference to each class, so none of them is unloaded while it is in use; a pass
//! keeps it for a second or so.

use super::seeds::{Home, Seeds};
use crate::identity::{binary_name, is_platform_loader};
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Instant;

/// Classes looked at between two looks at the clock.
const GRAIN: usize = 64;

/// A loaded class.
pub(super) struct Loaded<'vm> {
    pub(super) class: Ref<'vm>,
    pub(super) home: Home,
}

/// See the module.
pub(super) struct Index<'vm> {
    unread: Vec<Ref<'vm>>,
    pub(super) loaded: Vec<Loaded<'vm>>,
    keys: RandomState,
    by_home: Table,
    /// Outside the JDK.
    by_name: Table,
    /// Outside the JDK, by loader and name of the outermost class.
    by_outermost: Table,
}

/// Classes by the hashes of something, in order once all are there. Hashes may be alike by chance.
#[derive(Default)]
struct Table(Vec<(u32, u32)>);

impl Table {
    fn add(&mut self, hash: u64, at: u32) {
        self.0.push((hash as u32, at));
    }

    fn sort(&mut self) {
        self.0.sort_unstable();
    }

    fn of(&self, hash: u64) -> impl Iterator<Item = usize> + '_ {
        let hash = hash as u32;
        let from = self.0.partition_point(|&(other, _)| other < hash);
        let all = self.0[from..].iter();
        let alike = all.take_while(move |&&(other, _)| other == hash);
        alike.map(|&(_, at)| at as usize)
    }
}

impl<'vm> Index<'vm> {
    /// The list, not looked at yet; none if the JVM does not give it.
    pub(super) fn begin(vm: Vm<'vm>) -> Option<Self> {
        let unread = vm.loaded_classes().ok()?;
        Some(Self {
            // Nearly all of them are ordinary classes: growing by doubling would take twice as much.
            loaded: Vec::with_capacity(unread.len()),
            unread,
            keys: RandomState::new(),
            by_home: Table::default(),
            by_name: Table::default(),
            by_outermost: Table::default(),
        })
    }

    /// Looks at some more; whether that were all.
    pub(super) fn fill(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        seeds: &mut Seeds,
        deadline: Instant,
    ) -> bool {
        while !self.unread.is_empty() {
            for _ in 0..GRAIN.min(self.unread.len()) {
                if let Some(class) = self.unread.pop() {
                    self.add(vm, recording, seeds, class);
                }
            }
            if Instant::now() >= deadline || !recording.ceiling.has_room_for_code() {
                break;
            }
        }
        let all = self.unread.is_empty();
        if all {
            self.unread = Vec::new();
            [&mut self.by_home, &mut self.by_name, &mut self.by_outermost]
                .into_iter()
                .for_each(Table::sort);
        }
        all
    }

    fn add(&mut self, vm: Vm<'vm>, recording: &Recording, seeds: &mut Seeds, class: Ref<'vm>) {
        let Some(home) = home_of(vm, recording, seeds, &class) else {
            return;
        };
        let Ok(at) = u32::try_from(self.loaded.len()) else {
            return;
        };
        self.by_home.add(self.keys.hash_one(&home), at);
        if !seeds.is_jdk(home.loader) {
            self.by_name.add(self.keys.hash_one(&home.name), at);
            let outermost = self.keys.hash_one(outermost(&home));
            self.by_outermost.add(outermost, at);
        }
        self.loaded.push(Loaded { class, home });
    }

    /// The class of this loader and name.
    pub(super) fn at(&self, home: &Home) -> Option<usize> {
        let mut alike = self.by_home.of(self.keys.hash_one(home));
        alike.find(|&at| self.loaded[at].home == *home)
    }

    /// The class outside the JDK that a name means in a class of this loader: its own, or else, for
    /// a loader that delegates, the only one of the name.
    pub(super) fn meant(&self, home: &Home) -> Option<usize> {
        let only = || {
            let alike = self.by_name.of(self.keys.hash_one(&home.name));
            let mut named = alike.filter(|&at| self.loaded[at].home.name == home.name);
            let first = named.next()?;
            named.next().is_none().then_some(first)
        };
        self.at(home).or_else(only)
    }

    /// Nest mates of a class outside the JDK, by name, itself among them.
    pub(super) fn mates<'i>(&'i self, home: &'i Home) -> impl Iterator<Item = usize> + 'i {
        let nest = outermost(home);
        let alike = self.by_outermost.of(self.keys.hash_one(nest));
        alike.filter(move |&at| outermost(&self.loaded[at].home) == nest)
    }
}

/// Loader and name of an ordinary class; none for arrays, primitives and hidden classes.
fn home_of(vm: Vm<'_>, recording: &Recording, seeds: &mut Seeds, class: &Ref<'_>) -> Option<Home> {
    let signature = vm.class_signature(class).ok()?;
    let name = binary_name(&signature);
    if !signature.starts_with('L') || name.contains('/') {
        return None;
    }
    let loader = match vm.class_loader(class).ok()? {
        Some(loader) => {
            let id = recording.loader(vm, &loader).ok()?.0;
            seeds.learn_loader(id, || {
                let class = vm.class_of(&loader);
                let signature = class.and_then(|class| vm.class_signature(&class).ok());
                signature.is_some_and(|s| is_platform_loader(&binary_name(&s)))
            });
            id
        }
        None => 0,
    };
    Some(Home { loader, name })
}

/// The loader and the name of the outermost class.
fn outermost(home: &Home) -> (u32, &str) {
    let name = home.name.split('$').next().unwrap_or(&home.name);
    (home.loader, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_hash_is_found_and_nothing_else() {
        let mut table = Table::default();
        for (at, hash) in [7_u64, 3, 7, 9, 1 << 40 | 7].into_iter().enumerate() {
            table.add(hash, at as u32);
        }
        table.sort();
        let of = |hash| table.of(hash).collect::<Vec<_>>();
        assert_eq!(of(7), [0, 2, 4], "alike as far as is kept");
        assert_eq!((of(3), of(8), of(10)), (vec![1], vec![], vec![]));
    }
}
