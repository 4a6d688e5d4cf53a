//! Calls of operations by the name of a class that extends theirs.
//!
//! `lock()` on a class of the program's may be that of a `ReentrantLock` it extends, or something else that is called so. Which it is
//! shows nowhere in the code that calls, and when that is rewritten the class may not be there yet. So such a call has a probe all the same,
//! and what it says counts if the class turns out to be an heir.

use crate::clock;
use crate::identity::binary_name;
use crate::scattered::Map;
use crate::vm::{Ref, Vm};
use locklens_rewrite::SiteId;
use locklens_trace::juc;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How often all classes are gone through at once for a class that nothing is known of.
const LOOKS: usize = 50;
/// Otherwise that takes one part in so many of the time, …
const PART: u64 = 100;
/// … and is done no oftener than this, ns. One of a name that is an heir may come later than others that are none.
const PAUSE: u64 = 1_000_000_000;

/// See the module.
#[derive(Default)]
pub(super) struct Heirs {
    /// The class that each such site calls.
    called: Map<u32, Arc<str>>,
    /// Each such class once: it is called at many.
    names: HashSet<Arc<str>>,
    /// Whether it is an heir: all of that name are, whatever their class loaders.
    known: HashMap<Arc<str>, bool>,
    looks: usize,
    next_look: u64,
}

impl Heirs {
    /// Takes in the sites of a class that was rewritten.
    pub(super) fn note(&mut self, sites: &[(SiteId, String)]) {
        for (site, class) in sites {
            let class = match self.names.get(class.as_str()) {
                Some(known) => Arc::clone(known),
                None => {
                    let class: Arc<str> = class.as_str().into();
                    self.names.insert(Arc::clone(&class));
                    class
                }
            };
            self.called.insert(site.0, class);
        }
    }

    /// Whether a site calls nothing that is an operation, as far as is known now.
    pub(super) fn is_other(&mut self, vm: Vm<'_>, site: u32) -> bool {
        self.is_other_at(site, clock::monotonic, |names| look(vm, names))
    }

    fn is_other_at(
        &mut self,
        site: u32,
        clock: impl Fn() -> u64,
        look: impl FnOnce(&HashSet<Arc<str>>) -> HashMap<Arc<str>, bool>,
    ) -> bool {
        let Some(class) = self.called.get(&site) else {
            return false;
        };
        let known = self.known.get(class);
        if known == Some(&true) {
            return false;
        }
        let now = clock();
        let at_once = known.is_none() && self.looks < LOOKS;
        if at_once || now >= self.next_look {
            self.looks += 1;
            // Who has called it has had it loaded.
            self.known.entry(Arc::clone(class)).or_insert(false);
            self.known.extend(look(&self.names));
            let after = clock();
            let pause = after.saturating_sub(now).saturating_mul(PART).max(PAUSE);
            self.next_look = after.saturating_add(pause);
        }
        self.known.get(class) != Some(&true)
    }
}

/// Which of these are heirs, of those that are there.
fn look(vm: Vm<'_>, names: &HashSet<Arc<str>>) -> HashMap<Arc<str>, bool> {
    let mut found = HashMap::new();
    for class in vm.loaded_classes().unwrap_or_default() {
        let signature = vm.class_signature(&class).unwrap_or_default();
        let name = signature.strip_prefix('L');
        let name = name.and_then(|name| name.strip_suffix(';'));
        if let Some(name) = name.and_then(|name| names.get(name)) {
            *found.entry(Arc::clone(name)).or_insert(true) &= is_heir(vm, class);
        }
    }
    found
}

/// Whether a class extends one that has operations.
fn is_heir<'vm>(vm: Vm<'vm>, class: Ref<'vm>) -> bool {
    let mut ancestors = std::iter::successors(Some(class), |class| vm.superclass(class));
    ancestors.any(|class| {
        let signature = vm.class_signature(&class).unwrap_or_default();
        juc::class_named(&binary_name(&signature)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_is_no_heir_yet_is_looked_at_again_after_a_while() {
        let mut heirs = Heirs::default();
        let sites = [(1, "a/Lock"), (2, "a/Late"), (4, "a/Last")];
        let sites = sites.map(|(site, name)| (SiteId(site), name.to_owned()));
        heirs.note(&sites);
        let (now, looks) = (Cell::new(5), Cell::new(0));
        let mut is_other = |site, there: &[(&str, bool)]| {
            heirs.is_other_at(
                site,
                || now.get(),
                |_| {
                    looks.set(looks.get() + 1);
                    let there = there.iter();
                    there.map(|&(name, heir)| (name.into(), heir)).collect()
                },
            )
        };
        assert!(!is_other(3, &[]), "by the name of a class of the JDK's");
        assert!(!is_other(1, &[("a/Lock", true)]) && !is_other(1, &[]));
        assert!(is_other(2, &[("a/Late", false)]), "one of them is none");
        assert!(is_other(2, &[("a/Late", true)]), "before the pause is over");
        assert!(!is_other(4, &[("a/Last", true)]), "one that is new");
        assert_eq!(looks.get(), 3);
        now.set(5 + PAUSE);
        assert!(!is_other(2, &[("a/Late", true)]));
        assert_eq!(looks.get(), 4);
    }

    #[test]
    fn going_through_all_takes_a_small_part_of_the_time() {
        let mut heirs = Heirs::default();
        let sites = (0..60_000).map(|site| (SiteId(site), format!("a/None{}", site % 1000)));
        heirs.note(&sites.collect::<Vec<_>>());
        let (now, looks) = (Cell::new(0), Cell::new(0));
        // Each look takes 50 ms, and there is one operation a millisecond.
        for site in 0..60_000 {
            now.set(now.get() + 1_000_000);
            let other = heirs.is_other_at(
                site,
                || now.get(),
                |_| {
                    looks.set(looks.get() + 1);
                    now.set(now.get() + 50_000_000);
                    HashMap::new()
                },
            );
            assert!(other);
        }
        assert!((LOOKS + 8..=LOOKS + 14).contains(&looks.get()), "{looks:?}");
    }
}
