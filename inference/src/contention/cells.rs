//! Blocked time by all aspects at once, so that somebody who has only the result can divide it by any of them, in any order.
//!
//! A cell is what pieces of stays have in common that are the same in every aspect but time. Its time is a plain sum. Stays
//! can't be added up so: one that lost time to several cells is one stay in a row that has them all. So each combination of
//! cells is counted, too. Both are bounded: what there is no room for is in one cell of the rest, and stays that could not be
//! told apart are counted in each of their cells, which makes the counts of rows above an upper bound.
//!
//! It knows no keys of a user, and no rows: these are `tally`'s.

use super::atlas::{Atlas, Value};
use super::key::Key;
use super::stay::{Chain, Group, Holder, Measure, Piece, Stay};
use super::tally::Tally;
use crate::collect::{FastHash, FastMap};
use locklens_trace::{Nanos, StackId, ThreadId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The aspects of a cell, in their order: all but time.
pub const ASPECTS: [Key; 14] = [
    Key::Group,
    Key::LockClass,
    Key::Lock,
    Key::Type,
    Key::WaiterThread,
    Key::WaiterGroup,
    Key::WaiterMethod,
    Key::WaiterSite,
    Key::WaiterStack,
    Key::OwnerThread,
    Key::OwnerGroup,
    Key::OwnerMethod,
    Key::OwnerSite,
    Key::OwnerStack,
];

/// So many of them are of who was blocked, the others of who held the lock.
const OF_WAITER: usize = 9;
const OF_OWNER: usize = ASPECTS.len() - OF_WAITER;

/// Cells that are told apart while a recording is read.
const COUNTED: usize = 1 << 17;
/// Combinations of cells that are told apart.
const COMBINATIONS: usize = 1 << 14;
/// Cells of a stay beyond which nobody counts its combination.
const PARTNERS: usize = 16;
/// Halves of cells that are remembered by what they were found for: they are found again without that.
const REMEMBERED: usize = 1 << 17;

/// Blocked time by cell, most first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// What there is of each aspect, in their order.
    pub values: Vec<Vec<Value>>,
    /// The cells that have most time.
    pub all: Vec<Cell>,
    /// All others together; the number behind the last cell stands for it.
    pub rest: Cell,
    /// How many there are of them; if there was no room to tell them apart, at least so many.
    pub left_out: u64,
    /// Stays that lost time to several cells: to which, and how many.
    pub shared: Vec<(Vec<u32>, u64)>,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Of each aspect, which value; nothing of the rest.
    pub at: Vec<u32>,
    /// Blocked time.
    pub ns: Nanos,
    /// What of it is an estimate.
    pub estimated: Nanos,
    /// Stays that lost time to this cell alone.
    pub alone: u64,
    /// Stays that lost time to other cells, too, nobody knows to which.
    pub loose: u64,
}

impl Cell {
    /// A piece of a stay.
    fn lose(&mut self, ns: u64, measure: Measure) {
        let add = |sum: &mut Nanos| sum.0 = sum.0.saturating_add(ns);
        match measure {
            Measure::Exact => add(&mut self.ns),
            Measure::Estimate(_) => {
                add(&mut self.ns);
                add(&mut self.estimated);
            }
            Measure::Unknown => {}
        }
    }

    fn join(&mut self, other: &Self) {
        self.ns.0 = self.ns.0.saturating_add(other.ns.0);
        self.estimated.0 = self.estimated.0.saturating_add(other.estimated.0);
        self.alone = self.alone.saturating_add(other.alone);
        self.loose = self.loose.saturating_add(other.loose);
    }
}

/// The codes of all aspects.
type Codes = [u64; ASPECTS.len()];

/// One half of each cell: what is the same for all pieces of a stay, or for all stays that lost time to an owner there. With
/// thousands of threads there are a thousand times as many cells.
#[derive(Debug)]
struct Half<K, const N: usize> {
    remembered: FastMap<K, Option<u32>>,
    numbers: FastMap<[u64; N], u32>,
    codes: Vec<[u64; N]>,
}

impl<K, const N: usize> Default for Half<K, N> {
    fn default() -> Self {
        Self {
            remembered: FastMap::default(),
            numbers: FastMap::default(),
            codes: Vec::new(),
        }
    }
}

impl<K: Copy + Eq + Hash, const N: usize> Half<K, N> {
    /// Its number; none if no cell has it, and there are no more cells (`full`).
    fn number(&mut self, of: K, full: bool, codes: impl FnOnce() -> [u64; N]) -> Option<u32> {
        if let Some(&number) = self.remembered.get(&of) {
            return number;
        }
        let codes = codes();
        let known = self.numbers.get(&codes).copied();
        let number = known.or_else(|| {
            let next = self.codes.len() as u32;
            (!full).then(|| {
                self.codes.push(codes);
                self.numbers.insert(codes, next);
                next
            })
        });
        if self.remembered.len() >= REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(of, number);
        number
    }
}

/// What all lock objects have in common that are the same in every aspect: their class, and the logical lock.
type Kind = (u64, Option<usize>);
/// What all pieces of a stay have in common.
type Waiter = (Group, Kind, ThreadId, Option<StackId>);
/// What all stays have in common that lost time to somebody at a place.
type Owner = (Kind, Holder, Option<Chain>);

/// Counts cells, stay by stay.
#[derive(Debug)]
pub(super) struct Counter {
    /// Knows what a piece is called.
    names: Tally,
    waiters: Half<Waiter, OF_WAITER>,
    owners: Half<Owner, OF_OWNER>,
    /// By both halves.
    numbers: FastMap<(u32, u32), u32>,
    /// The halves of each cell.
    halves: Vec<(u32, u32)>,
    /// The first is the rest.
    cells: Vec<Cell>,
    shared: HashMap<Vec<u32>, u64, FastHash>,
    /// The stay that is being counted, its cells, and the last one of each cell.
    stay: u64,
    touched: Vec<u32>,
    last: Vec<u64>,
}

/// Number of the cell of the rest, while it is counted.
const REST: u32 = 0;

impl Counter {
    pub(super) fn new() -> Self {
        Self {
            names: Tally::by(&ASPECTS),
            waiters: Half::default(),
            owners: Half::default(),
            numbers: FastMap::default(),
            halves: vec![(0, 0)],
            cells: vec![Cell::default()],
            shared: HashMap::default(),
            stay: 0,
            touched: Vec::new(),
            last: vec![0],
        }
    }

    /// Counts a stay in the cells of its pieces.
    pub(super) fn add(&mut self, stay: &Stay, atlas: &mut Atlas<'_>) {
        self.stay += 1;
        for piece in &stay.pieces {
            let number = self.number(stay, piece, atlas).unwrap_or(REST) as usize;
            self.cells[number].lose(piece.ns(), stay.measure);
            if std::mem::replace(&mut self.last[number], self.stay) != self.stay {
                self.touched.push(number as u32);
            }
        }
        let mut touched = std::mem::take(&mut self.touched);
        // It is the same stay as one that was counted before.
        if stay.measure != Measure::Estimate(false) {
            self.count(&mut touched, 1);
        }
        touched.clear();
        self.touched = touched;
    }

    /// Counts so many stays that lost time to these.
    fn count(&mut self, touched: &mut [u32], stays: u64) {
        let few = touched.len() <= PARTNERS;
        if few {
            touched.sort_unstable();
        }
        if let &mut [one] = touched {
            self.cells[one as usize].alone += stays;
        } else if few && let Some(sum) = self.shared.get_mut(&*touched) {
            *sum += stays;
        } else if !few || self.shared.len() >= COMBINATIONS {
            for &mut one in touched {
                self.cells[one as usize].loose += stays;
            }
        } else if !touched.is_empty() {
            self.shared.insert(touched.to_vec(), stays);
        }
    }

    /// The cell of a piece; none if there is no room to tell it apart.
    fn number(&mut self, stay: &Stay, piece: &Piece, atlas: &mut Atlas<'_>) -> Option<u32> {
        let full = self.cells.len() > COUNTED;
        // With thousands of objects each half would be found anew for each of them.
        let kind = (atlas.class_of(stay.lock), atlas.index_of(stay.lock));
        let mut code = |at: usize| self.names.code(ASPECTS[at], stay, piece, atlas);
        let waiter = (stay.group, kind, stay.waiter, stay.stack);
        let codes = || std::array::from_fn(&mut code);
        let waiter = self.waiters.number(waiter, full, codes)?;
        let owner = (kind, piece.holder, piece.chain);
        let codes = || std::array::from_fn(|at| code(OF_WAITER + at));
        let halves = (waiter, self.owners.number(owner, full, codes)?);
        if let Some(&number) = self.numbers.get(&halves) {
            return Some(number);
        }
        (!full).then(|| {
            let number = self.cells.len() as u32;
            self.cells.push(Cell::default());
            self.last.push(0);
            self.halves.push(halves);
            self.numbers.insert(halves, number);
            number
        })
    }

    /// The codes of a cell.
    fn codes(&self, number: u32) -> Codes {
        let (waiter, owner) = self.halves[number as usize];
        let (waiter, owner) = (
            &self.waiters.codes[waiter as usize],
            &self.owners.codes[owner as usize],
        );
        let all = waiter.iter().chain(owner);
        let mut codes = Codes::default();
        codes.iter_mut().zip(all).for_each(|(code, &of)| *code = of);
        codes
    }

    /// The cells that have most time, so many of them.
    pub(super) fn finish(self, most: usize, atlas: &Atlas<'_>) -> Cells {
        let mut order: Vec<u32> = (1..self.cells.len() as u32).collect();
        let weight = |&number: &u32| {
            let cell = &self.cells[number as usize];
            (Reverse(cell.ns), Reverse(cell.alone), number)
        };
        order.sort_by_key(weight);
        let behind = order.split_off(most.min(order.len()));
        let mut rest = self.cells[REST as usize].clone();
        behind
            .iter()
            .for_each(|&number| rest.join(&self.cells[number as usize]));
        let mut known = Known::default();
        let all = order.iter().map(|&number| Cell {
            at: known.numbers(&self.codes(number)),
            ..self.cells[number as usize].clone()
        });
        Cells {
            all: all.collect(),
            values: known.values(atlas),
            left_out: behind.len() as u64 + u64::from(self.cells[REST as usize] != Cell::default()),
            shared: shared(&self.shared, &order, self.cells.len(), &mut rest),
            rest,
        }
    }
}

/// Combinations by the new numbers of their cells. Those of which only the rest is left are stays of it alone.
fn shared(
    shared: &HashMap<Vec<u32>, u64, FastHash>,
    order: &[u32],
    cells: usize,
    rest: &mut Cell,
) -> Vec<(Vec<u32>, u64)> {
    let mut now = vec![order.len() as u32; cells];
    for (new, &old) in (0..).zip(order) {
        now[old as usize] = new;
    }
    let mut all: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for (cells, stays) in shared {
        let mut cells: Vec<u32> = cells.iter().map(|&cell| now[cell as usize]).collect();
        cells.sort_unstable();
        cells.dedup();
        *all.entry(cells).or_default() += stays;
    }
    rest.alone += all.remove(&[order.len() as u32][..]).unwrap_or(0);
    all.into_iter().collect()
}

/// Codes of the aspects by number, in the order in which they are met.
#[derive(Default)]
struct Known {
    codes: [Vec<u64>; ASPECTS.len()],
    numbers: [HashMap<u64, u32>; ASPECTS.len()],
}

impl Known {
    fn numbers(&mut self, codes: &Codes) -> Vec<u32> {
        let each = codes.iter().enumerate();
        each.map(|(aspect, &code)| {
            let next = self.codes[aspect].len() as u32;
            let number = *self.numbers[aspect].entry(code).or_insert(next);
            if number == next {
                self.codes[aspect].push(code);
            }
            number
        })
        .collect()
    }

    fn values(&self, atlas: &Atlas<'_>) -> Vec<Vec<Value>> {
        let each = ASPECTS.iter().zip(&self.codes);
        each.map(|(&key, codes)| codes.iter().map(|&code| atlas.value(key, code)).collect())
            .collect()
    }
}
