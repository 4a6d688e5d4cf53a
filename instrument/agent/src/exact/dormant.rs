//! Probes that stay behind, switched off: what a recording leaves that must not cost the JVM a second dip, and what it could not put back.
//!
//! Only which classes they are in outlives the recording, as weak references of JNI, which belong to no environment. They
//! are put back when somebody asks for it, and before anything is rewritten again: what is rewritten must be the
//! classes' own code.

use super::install;
use crate::vm::{Ref, Vm, Weak};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Classes with probes that are switched off. Only the writer's thread touches them, and there is one at a time.
static DORMANT: Mutex<Vec<Weak>> = Mutex::new(Vec::new());

fn dormant() -> MutexGuard<'static, Vec<Weak>> {
    DORMANT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// These classes keep their probes; how many can be found again.
pub(super) fn leave<'a, 'vm: 'a>(
    vm: Vm<'vm>,
    classes: impl IntoIterator<Item = &'a Ref<'vm>>,
) -> usize {
    let classes = classes.into_iter();
    let left: Vec<Weak> = classes.filter_map(|class| vm.weak(class)).collect();
    let count = left.len();
    keep(left);
    count
}

/// So do these, as long as they live.
pub(super) fn keep(classes: impl IntoIterator<Item = Weak>) {
    dormant().extend(classes);
}

/// Whether there are any.
pub(crate) fn is_any() -> bool {
    !dormant().is_empty()
}

/// Puts the original bytes back; how many classes there are that live still, and in how many they are back. Those
/// that the JVM does not take stay on the list, and so do those that are not linked.
pub(crate) fn wake(vm: Vm<'_>) -> (usize, usize) {
    let all = std::mem::take(&mut *dormant());
    let (mut classes, mut weaks, mut unlinked) = (Vec::new(), Vec::new(), Vec::new());
    for weak in all {
        match vm.upgrade(&weak) {
            // Replacing it would link it, by the application's class loader.
            Some(class) if vm.class_methods(&class).is_err() => unlinked.push(weak),
            Some(class) => {
                classes.push(class);
                weaks.push(weak);
            }
            None => vm.delete_weak(weak),
        }
    }
    let failed = match classes.is_empty() {
        true => HashMap::new(),
        false => install::retransform(vm, &classes.iter().collect::<Vec<_>>()),
    };
    let there = classes.len() + unlinked.len();
    keep(unlinked);
    for (at, weak) in weaks.into_iter().enumerate() {
        match failed.contains_key(&at) {
            true => dormant().push(weak),
            false => vm.delete_weak(weak),
        }
    }
    (there, classes.len() - failed.len())
}
