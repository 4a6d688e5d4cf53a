//! Which objects count as one lock as long as no analysis knows them: those of a class of the program; of the classes of the JDK,
//! of which a program has many for different things, those that it wants at one place. Where all that an analysis has seen of such are
//! one lock, further ones are that lock, too.

use crate::catalog::Catalog;
use crate::pressure::live::place;
use locklens_trace::{ClassId, LockId, StackId};
use std::collections::HashMap;

/// What such objects have in common: their class, and of a class of the JDK the number of the place where they are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Kind(ClassId, Option<u32>);

/// The kinds of objects, and the locks they are of.
#[derive(Debug)]
pub(super) struct Kinds<'a> {
    catalog: &'a Catalog,
    numbers: HashMap<String, u32>,
    places: HashMap<StackId, Option<u32>>,
    /// The lock that all known objects of a kind are of; none where they are of several.
    known: HashMap<Kind, Option<usize>>,
}

impl<'a> Kinds<'a> {
    pub(super) fn new(catalog: &'a Catalog) -> Self {
        Self {
            catalog,
            numbers: HashMap::new(),
            places: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// The kind of an object that is wanted there; none if nothing is known that it could have in common with others.
    pub(super) fn of(
        &mut self,
        lock: LockId,
        is_of_program: bool,
        wanted: Option<StackId>,
    ) -> Option<Kind> {
        let class = self.catalog.locks.get(&lock)?.class;
        match is_of_program {
            true => Some(Kind(class, None)),
            false => Some(Kind(class, Some(self.number(wanted?)?))),
        }
    }

    /// An object of that kind is of the lock with that index.
    pub(super) fn is_known(&mut self, kind: Kind, index: usize) {
        let known = self.known.entry(kind).or_insert(Some(index));
        *known = known.filter(|&known| known == index);
    }

    /// The index of the lock that all objects of that kind are of, as far as they are known.
    pub(super) fn lock(&self, kind: Kind) -> Option<usize> {
        self.known.get(&kind).copied().flatten()
    }

    fn number(&mut self, stack: StackId) -> Option<u32> {
        if let Some(&number) = self.places.get(&stack) {
            return number;
        }
        let next = self.numbers.len() as u32;
        let number = place(self.catalog, stack).map(|at| *self.numbers.entry(at).or_insert(next));
        self.places.insert(stack, number);
        number
    }
}
