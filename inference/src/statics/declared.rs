//! Which class declares which method: names and descriptors are *selectors* by number.

use super::program::MethodIx;
use crate::collect::FastMap;
use locklens_trace::ClassId;
use locklens_trace::record::MethodDef;
use std::collections::HashMap;

/// A method that a class declares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) is_abstract: bool,
    /// None: its code is not known.
    pub(super) code: Option<MethodIx>,
}

/// All methods that are declared, with code or not.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    /// By name and descriptor.
    selectors: HashMap<String, HashMap<String, u32>>,
    declared: FastMap<(ClassId, u32), Declared>,
    /// How many classes declare each selector.
    counts: Vec<usize>,
}

impl Declarations {
    /// Takes in a method; of two that are the same, the later one.
    pub(super) fn add(&mut self, def: &MethodDef, code: Option<MethodIx>) {
        let next = self.counts.len() as u32;
        let of_name = self.selectors.entry(def.name.clone()).or_default();
        let selector = *of_name.entry(def.descriptor.clone()).or_insert(next);
        if selector == next {
            self.counts.push(0);
        }
        let method = Declared {
            is_abstract: def.is_abstract(),
            code,
        };
        if self
            .declared
            .insert((def.class, selector), method)
            .is_none()
        {
            self.counts[selector as usize] += 1;
        }
    }

    /// The number of a name and descriptor, if any class declares such a method.
    pub(super) fn selector(&self, name: &str, descriptor: &str) -> Option<u32> {
        self.selectors.get(name)?.get(descriptor).copied()
    }

    /// The method that a class declares itself.
    pub(super) fn of(&self, class: ClassId, selector: u32) -> Option<Declared> {
        self.declared.get(&(class, selector)).copied()
    }

    /// How many classes declare it.
    pub(super) fn count(&self, selector: u32) -> usize {
        self.counts[selector as usize]
    }
}
