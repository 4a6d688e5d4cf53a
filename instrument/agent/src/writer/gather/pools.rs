//! Constant pools just read: a class is come back to as often as there are methods of it that others call, and for a pool
//! the JVM goes through all of it each time.

use super::reader::pool;
use crate::vm::{Ref, Vm};
use locklens_classfile::pool::Pool;
use std::collections::VecDeque;
use std::rc::Rc;

/// Pools kept.
const MOST: usize = 16;

/// See the module. They are of one step: somebody else may redefine a class at any time.
#[derive(Default)]
pub(super) struct Pools(VecDeque<(usize, Option<Rc<Pool>>)>);

impl Pools {
    /// The constants of the class of this number in the list; none if they cannot be read.
    pub(super) fn of(&mut self, vm: Vm<'_>, number: usize, class: &Ref<'_>) -> Option<Rc<Pool>> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == number) {
            return known.clone();
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        let read = pool(vm, class).map(Rc::new);
        self.0.push_back((number, read.clone()));
        read
    }

    /// Forgets them.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
