//! All loaded classes, to be found by loader and name.
//!
//! The list holds a reference to each class, so none of them is unloaded while it is in use; a pass
//! keeps it for a second or so.

use super::seeds::{Home, Seeds};
use crate::identity::{binary_name, is_platform_loader};
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use std::collections::HashMap;
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
    by_home: HashMap<Home, usize>,
    /// Outside the JDK, by name; none where two loaders have one.
    by_name: HashMap<String, Option<usize>>,
    /// Outside the JDK, by loader and name of the outermost class.
    by_outermost: HashMap<Home, Vec<usize>>,
}

impl<'vm> Index<'vm> {
    /// The list, not looked at yet; none if the JVM does not give it.
    pub(super) fn begin(vm: Vm<'vm>) -> Option<Self> {
        Some(Self {
            unread: vm.loaded_classes().ok()?,
            loaded: Vec::new(),
            by_home: HashMap::new(),
            by_name: HashMap::new(),
            by_outermost: HashMap::new(),
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
        self.unread.is_empty()
    }

    fn add(&mut self, vm: Vm<'vm>, recording: &Recording, seeds: &mut Seeds, class: Ref<'vm>) {
        let Some(home) = home_of(vm, recording, seeds, &class) else {
            return;
        };
        let at = self.loaded.len();
        self.by_home.insert(home.clone(), at);
        if !seeds.is_jdk(home.loader) {
            let name = self.by_name.entry(home.name.clone());
            name.and_modify(|known| *known = None).or_insert(Some(at));
            self.by_outermost
                .entry(outermost(&home))
                .or_default()
                .push(at);
        }
        self.loaded.push(Loaded { class, home });
    }

    /// The class of this loader and name.
    pub(super) fn at(&self, home: &Home) -> Option<usize> {
        self.by_home.get(home).copied()
    }

    /// The class outside the JDK that a name means in a class of this loader: its own, or else, for
    /// a loader that delegates, the only one of the name.
    pub(super) fn meant(&self, home: &Home) -> Option<usize> {
        self.at(home)
            .or_else(|| self.by_name.get(&home.name).copied().flatten())
    }

    /// Nest mates of a class outside the JDK, by name.
    pub(super) fn mates(&self, home: &Home) -> &[usize] {
        self.by_outermost
            .get(&outermost(home))
            .map_or(&[], Vec::as_slice)
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

fn outermost(home: &Home) -> Home {
    let name = home.name.split('$').next().unwrap_or(&home.name);
    Home {
        loader: home.loader,
        name: name.to_owned(),
    }
}
