//! What does not change while a lock is tried: the program, its linked code, the operations.

use super::link::{Link, link};
use super::plan::Plan;
use crate::region::RegionId;
use crate::statics::program::{MethodIx, Program};
use crate::trial::bench::Operation;
use locklens_trace::ClassId;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The unchanging part of a machine.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) program: &'a Program,
    code: Vec<OnceCell<Vec<Link>>>,
    initialisers: BTreeMap<ClassId, MethodIx>,
    /// Classes whose own code is run even where the library's behaviour is known.
    studied: BTreeSet<ClassId>,
    /// Regions of the lock by method and instruction that enters.
    pub(super) regions: BTreeMap<(MethodIx, Option<usize>), RegionId>,
}

/// The operations of a machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    pub(super) operations: Vec<Operation>,
    pub(super) plans: Vec<Plan>,
}

impl<'a> World<'a> {
    pub(super) fn new(
        program: &'a Program,
        regions: BTreeMap<(MethodIx, Option<usize>), RegionId>,
    ) -> Self {
        let methods = program.methods.iter().enumerate();
        let initialisers = methods.filter(|(_, m)| m.def.name == "<clinit>");
        let declaring = |&(ix, _): &(MethodIx, Option<usize>)| program.methods[ix].def.class;
        Self {
            program,
            code: program.methods.iter().map(|_| OnceCell::new()).collect(),
            initialisers: initialisers.map(|(ix, m)| (m.def.class, ix)).collect(),
            studied: regions.keys().map(declaring).collect(),
            regions,
        }
    }

    /// What the instructions of a method refer to.
    pub(super) fn links(&self, method: MethodIx) -> &[Link] {
        self.code[method].get_or_init(|| link(self.program, method))
    }

    /// The static initialiser of a class, if its code is known.
    pub(super) fn initialiser(&self, class: ClassId) -> Option<MethodIx> {
        self.initialisers.get(&class).copied()
    }

    /// The class is the library's: modelled, not executed.
    pub(super) fn is_modelled(&self, class: ClassId) -> bool {
        is_library(self.program.classes.name(class)) && !self.studied.contains(&class)
    }

    /// Name of the nearest library class that a class is or inherits from.
    pub(super) fn library_part(&self, class: ClassId) -> &str {
        let classes = &self.program.classes;
        let mut last = "java.lang.Object";
        for &above in classes.chain(class) {
            if self.is_modelled(above) {
                return classes.name(above);
            }
            let next = classes.get(above).and_then(|c| c.super_name.as_deref());
            last = next.unwrap_or(last);
        }
        last
    }
}

/// A class of the Java library.
pub(super) fn is_library(class: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun."]
        .iter()
        .any(|p| class.starts_with(p))
}
