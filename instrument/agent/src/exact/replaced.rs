//! Rewritten classes that somebody else has replaced meanwhile: another agent, or a debugger.
//!
//! Whoever asks for it, the JVM shows new bytes of a class to every class file load hook: those it was defined with, for a
//! retransformation, or those given, for a redefinition. Ours leaves them as they are, since what the other one
//! wants is not known, and when it is done neither. So the new version has no probes, and from then on the
//! recording lacks what runs in it; calls under way end in the code they began in, probes included. That is
//! noted here, for every class alike.

use super::candidates::{self, Key};
use crate::clock;
use crate::identity::Unknown;
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// See the module.
#[derive(Default)]
pub(crate) struct Replaced(Mutex<State>);

#[derive(Default)]
struct State {
    /// Classes that were there already and have probes, or are about to get them.
    installed: HashSet<Key>,
    /// When each was replaced first, absolute.
    at: BTreeMap<Key, u64>,
}

impl Replaced {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These classes have probes, or are about to get them. Those that come rewritten are known by themselves.
    pub(super) fn watch(&self, classes: HashSet<Key>) {
        let mut state = self.state();
        state.at.retain(|class, _| classes.contains(class));
        state.installed = classes;
    }

    /// Somebody else has a class replaced.
    pub(super) fn note(
        &self,
        vm: Vm<'_>,
        recording: &Recording,
        class: &Ref<'_>,
    ) -> Result<(), Unknown> {
        let key = candidates::key_of(vm, recording, class)?;
        let is_ours =
            self.state().installed.contains(&key) || recording.arrivals.has(key.0, &key.1);
        if is_ours {
            // One that is not linked has no method that could be in a call chain.
            let methods = vm.class_methods(class).unwrap_or_default();
            recording.rewritten.lose(&methods);
            self.state().at.entry(key).or_insert_with(clock::monotonic);
        }
        Ok(())
    }

    /// The classes replaced up to a time, and when.
    pub(super) fn until(&self, end: u64) -> Vec<(String, u64)> {
        let state = self.state();
        let before = state.at.iter().filter(|(_, at)| **at <= end);
        before.map(|((_, name), at)| (name.clone(), *at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_installed_after_all_is_not_missed_and_what_came_too_late_neither() {
        let replaced = Replaced::default();
        let key = |name: &str| (0, name.to_owned());
        replaced.watch(HashSet::from(["a.A", "a.B"].map(key)));
        let times = [(key("a.A"), 5), (key("a.B"), 6)];
        replaced.state().at.extend(times);
        let a = vec![("a.A".to_owned(), 5)];
        assert_eq!(replaced.until(5), a);
        replaced.watch(HashSet::from([key("a.A")]));
        assert_eq!(replaced.until(u64::MAX), a);
    }
}
