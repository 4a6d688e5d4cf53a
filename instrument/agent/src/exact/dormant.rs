//! Probes that stay behind, switched off: what a recording leaves that must not cost the JVM a second dip.
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
pub(super) fn leave(vm: Vm<'_>, classes: &[Ref<'_>]) -> usize {
    let left: Vec<Weak> = classes.iter().filter_map(|class| vm.weak(class)).collect();
    let count = left.len();
    dormant().extend(left);
    count
}

/// Whether there are any.
pub(crate) fn is_any() -> bool {
    !dormant().is_empty()
}

/// Puts the original bytes back; how many classes there are that live still, and in how many they are back. Those
/// that the JVM does not take stay on the list.
pub(crate) fn wake(vm: Vm<'_>) -> (usize, usize) {
    let all = std::mem::take(&mut *dormant());
    let (mut classes, mut weaks) = (Vec::new(), Vec::new());
    for weak in all {
        match vm.upgrade(&weak) {
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
    for (at, weak) in weaks.into_iter().enumerate() {
        match failed.contains_key(&at) {
            true => dormant().push(weak),
            false => vm.delete_weak(weak),
        }
    }
    (classes.len(), classes.len() - failed.len())
}
