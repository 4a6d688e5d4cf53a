//! Calls of operations by the name of a class that extends theirs.
//!
//! `lock()` on a class of the program's may be that of a `ReentrantLock` it extends, or something else that is called so. Which it is
//! shows nowhere in the code that calls, and when that is rewritten the class may not be there yet. So such a call has a probe all the same,
//! and what it says counts if the class turns out to be an heir.

use crate::identity::binary_name;
use crate::vm::{Ref, Vm};
use locklens_rewrite::SiteId;
use locklens_trace::juc;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How often all classes are gone through for it.
const LOOKS: usize = 50;

/// See the module.
#[derive(Default)]
pub(super) struct Heirs {
    /// The class that each such site calls.
    called: HashMap<u32, Arc<str>>,
    /// Each such class once: it is called at many.
    names: HashSet<Arc<str>>,
    /// Whether it is an heir.
    known: HashMap<Arc<str>, bool>,
    looks: usize,
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

    /// Whether a site calls nothing that is an operation.
    pub(super) fn is_other(&mut self, vm: Vm<'_>, site: u32) -> bool {
        let Some(class) = self.called.get(&site).cloned() else {
            return false;
        };
        if !self.known.contains_key(&class) {
            self.look(vm);
            // Who has called it has had it loaded.
            self.known.entry(Arc::clone(&class)).or_insert(false);
        }
        !self.known[&class]
    }

    /// Takes in what there is of the classes that are called. One that is not there yet stays open.
    fn look(&mut self, vm: Vm<'_>) {
        if self.looks == LOOKS {
            return;
        }
        self.looks += 1;
        let open = self.names.iter();
        let open = open.filter(|class| !self.known.contains_key(*class));
        let open: HashSet<Arc<str>> = open.cloned().collect();
        for class in vm.loaded_classes().unwrap_or_default() {
            let signature = vm.class_signature(&class).unwrap_or_default();
            let name = signature.strip_prefix('L');
            let name = name.and_then(|name| name.strip_suffix(';'));
            if let Some(name) = name.and_then(|name| open.get(name)) {
                // Several loaders may have one of that name.
                *self.known.entry(Arc::clone(name)).or_default() |= is_heir(vm, class);
            }
        }
    }
}

/// Whether a class extends one that has operations.
fn is_heir<'vm>(vm: Vm<'vm>, class: Ref<'vm>) -> bool {
    let mut ancestors = std::iter::successors(Some(class), |class| vm.superclass(class));
    ancestors.any(|class| {
        let signature = vm.class_signature(&class).unwrap_or_default();
        juc::class_named(&binary_name(&signature)).is_some()
    })
}
