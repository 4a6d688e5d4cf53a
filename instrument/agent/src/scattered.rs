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
    fn all_parts_of_a_key_count() {
        assert_ne!(hash((1_u32, 2_u32)), hash((2_u32, 1_u32)));
        assert_ne!(hash("ab"), hash("ba"));
    }
}
