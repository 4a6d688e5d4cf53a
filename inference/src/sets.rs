//! Sets of numbers that share none.

/// Union-find with path halving; the smaller index is the root, so roots do not depend on order.
pub(crate) struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    /// So many sets of one.
    pub(crate) fn new(len: usize) -> Self {
        Self {
            parents: (0..len).collect(),
        }
    }

    /// What stands for the set that this belongs to.
    pub(crate) fn root(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }

    /// Makes the sets of both one.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
