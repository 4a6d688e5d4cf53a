//! Maps and sets by numbers: ids, hashes, sites, threads.
//!
//! The standard hasher takes some twenty nanoseconds, of which an event would need several. These keys are handed out by us or
//! by the JVM: there is nobody to choose them so that they meet.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Odd, with ones and zeros mixed: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// Brings the high bits of a product, which all bits of the key have a part in, to where tables look first.
const TURN: u32 = 26;

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scatter(u64);

impl Hasher for Scatter {
    fn finish(&self) -> u64 {
        self.0.rotate_left(TURN)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// A map by numbers.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Scatter>>;
/// A set of numbers.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Scatter>>;

/// A map from numbers that are not 0 to others: pairs beside each other, so that what is looked up is one line of the cache away.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// A power of two of places, the first number of an empty one being 0; none at first.
    places: Vec<(u32, u32)>,
    len: usize,
}

impl Pairs {
    const FEWEST: usize = 64;

    /// What was kept for a number.
    pub(crate) fn get(&self, number: u32) -> Option<u32> {
        let &(found, value) = self.places.get(self.place(number)?)?;
        (found == number).then_some(value)
    }

    /// Keeps a value for a number, unless there is one.
    pub(crate) fn insert(&mut self, number: u32, value: u32) {
        // At most half of them are taken.
        if 2 * self.len >= self.places.len() {
            self.grow();
        }
        if let Some(at) = self.place(number)
            && self.places[at].0 == 0
        {
            self.places[at] = (number, value);
            self.len += 1;
        }
    }

    fn grow(&mut self) {
        let more = (2 * self.places.len()).max(Self::FEWEST);
        let before = std::mem::replace(&mut self.places, vec![(0, 0); more]);
        self.len = 0;
        for (number, value) in before.into_iter().filter(|&(number, _)| number != 0) {
            self.insert(number, value);
        }
    }

    /// Where a number is, or where it would be.
    fn place(&self, number: u32) -> Option<usize> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = (u64::from(number).wrapping_mul(FACTOR) >> u32::BITS) as usize & mask;
        while self.places[at].0 != 0 && self.places[at].0 != number {
            at = (at + 1) & mask;
        }
        (number != 0).then_some(at)
    }
}

/// A set of ids that were handed out one after the other: a bit for each, where a table would have a line of the cache for each.
#[derive(Debug, Default)]
pub(crate) struct IdSet {
    words: Vec<u64>,
    len: usize,
}

impl IdSet {
    /// Adds an id.
    pub(crate) fn insert(&mut self, id: u32) {
        let (at, bit) = Self::place(id);
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        self.len += usize::from(self.words[at] & bit == 0);
        self.words[at] |= bit;
    }

    /// Whether it has been added.
    pub(crate) fn contains(&self, id: u32) -> bool {
        let (at, bit) = Self::place(id);
        self.words.get(at).is_some_and(|word| word & bit != 0)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn place(id: u32) -> (usize, u64) {
        ((id / u64::BITS) as usize, 1 << (id % u64::BITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, Hash};

    fn hash<K: Hash>(key: K) -> u64 {
        BuildHasherDefault::<Scatter>::default().hash_one(key)
    }

    #[test]
    fn numbers_that_differ_little_lie_apart() {
        // Ids, and addresses of objects of the same size.
        for step in [1, 8, 64, 4096, 1 << 20] {
            let low: Set<u64> = (0..1024).map(|n| hash(n * step) % 1024).collect();
            let high: Set<u64> = (0..1024).map(|n| hash(n * step) >> 57).collect();
            assert!(low.len() > 450, "{step}: {}", low.len());
            assert!(high.len() > 64, "{step}: {}", high.len());
        }
    }

    #[test]
    fn pairs_are_found_again_and_stay() {
        let mut pairs = Pairs::default();
        assert_eq!(pairs.get(1), None);
        for number in 0..5_000_u32 {
            pairs.insert(number.wrapping_mul(64), number);
            pairs.insert(number.wrapping_mul(64), 0);
        }
        assert_eq!((pairs.len, pairs.get(0)), (4_999, None));
        let all = (1..5_000).all(|number| pairs.get(number * 64) == Some(number));
        assert!(all && pairs.get(63).is_none() && pairs.get(u32::MAX).is_none());
    }

    #[test]
    fn ids_are_in_a_set_once() {
        let mut set = IdSet::default();
        for id in [3, 64, 3, 0, 100_000] {
            set.insert(id);
        }
        let all: Vec<u32> = (0..200_000).filter(|&id| set.contains(id)).collect();
        assert_eq!((all, set.len()), (vec![0, 3, 64, 100_000], 4));
        assert!(!set.contains(u32::MAX));
    }

    #[test]
    fn all_parts_of_a_key_count() {
        assert_ne!(hash((1_u32, 2_u32)), hash((2_u32, 1_u32)));
        assert_ne!(hash("ab"), hash("ba"));
    }
}
