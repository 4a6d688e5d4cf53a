//! Joins groups pair by pair, the most alike first.
//!
//! Each join changes how alike the joined group and its neighbours are, and nothing else: only
//! those pairs are looked at again. Pairs that are out of date stay in the heap and are known by the age of
//! their groups. Which groups may be alike at all, `neighbours` knows.

use super::neighbours::Neighbours;
use super::template::Templates;
use super::{Group, Likeness, likeness};
use crate::program::Program;
use crate::region::RegionTable;
use locklens_trace::LockId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A pair to join: the most alike are greatest, then those with the first lock objects.
type Pair = (
    Likeness,
    Reverse<(Option<LockId>, Option<LockId>)>,
    [(usize, u32); 2],
);

pub(super) struct Pairing<'p, 'c> {
    program: &'p Program<'c>,
    table: &'p RegionTable,
    templates: &'p Templates<'p, 'c>,
    /// A group with how often it has been joined to; none: it is part of another.
    groups: Vec<Option<(Group, u32)>>,
    near: Neighbours<'p, 'c>,
    pairs: BinaryHeap<Pair>,
}

impl<'p, 'c> Pairing<'p, 'c> {
    pub(super) fn new(
        program: &'p Program<'c>,
        table: &'p RegionTable,
        templates: &'p Templates<'p, 'c>,
        groups: Vec<Group>,
    ) -> Self {
        let near = Neighbours::new(program, table, &groups);
        let mut pairing = Self {
            near,
            program,
            table,
            templates,
            groups: groups.into_iter().map(|group| Some((group, 0))).collect(),
            pairs: BinaryHeap::new(),
        };
        for at in 0..pairing.groups.len() {
            // Both of a pair are there when the second one looks for its neighbours.
            pairing.list(at);
            pairing.compare(at);
        }
        pairing
    }

    /// Joins whatever is alike.
    pub(super) fn join_alike(mut self) -> Vec<Group> {
        while let Some((_, _, [a, b])) = self.pairs.pop() {
            if self.is_of_today(a) && self.is_of_today(b) {
                self.join(a.0, b.0);
            }
        }
        let left = self.groups.into_iter().flatten();
        left.map(|(group, _)| group).collect()
    }

    fn is_of_today(&self, (at, age): (usize, u32)) -> bool {
        self.groups[at].as_ref().is_some_and(|g| g.1 == age)
    }

    fn join(&mut self, a: usize, b: usize) {
        self.unlist(a);
        self.unlist(b);
        let joined = self.groups[b].take();
        if let (Some((group, age)), Some((joined, _))) = (&mut self.groups[a], joined) {
            group.join(joined);
            *age += 1;
        }
        self.list(a);
        self.compare(a);
    }

    fn list(&mut self, at: usize) {
        if let Some((group, _)) = &self.groups[at] {
            self.near.list(at, group);
        }
    }

    fn unlist(&mut self, at: usize) {
        if let Some((group, _)) = &self.groups[at] {
            self.near.unlist(at, group);
        }
    }

    /// Puts the pairs of a group with its neighbours into the heap.
    fn compare(&mut self, at: usize) {
        let Some((group, age)) = &self.groups[at] else {
            return;
        };
        for other in self.near.of(group) {
            let Some((neighbour, its_age)) = self.groups[other].as_ref().filter(|_| other != at)
            else {
                continue;
            };
            let Some(likeness) =
                likeness(self.program, self.table, self.templates, (group, neighbour))
            else {
                continue;
            };
            let (one, two) = (group.locks.first(), neighbour.locks.first());
            let firsts = (one.min(two).copied(), one.max(two).copied());
            let both = [(at, *age), (other, *its_age)];
            self.pairs.push((likeness, Reverse(firsts), both));
        }
    }
}
