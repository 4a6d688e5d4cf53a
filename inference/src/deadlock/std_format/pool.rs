//! Names and their numbers.
//!
//! Several names are looked up for each line of a trace. Those that tools make are one word and a number, `T12` or `L3207`:
//! a table by that number is several times as fast as any other.

use super::Wrong;
use super::plain::Name;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Longest table by the number that ends a name.
const COUNTED: u32 = 1 << 20;
/// Nobody has that number.
const NOBODY: u32 = u32::MAX;

/// Names numbered in the order in which they are met.
#[derive(Debug, Default)]
pub(super) struct Pool {
    names: Vec<Box<str>>,
    short: HashMap<u128, u32, BuildHasherDefault<Folded>>,
    long: HashMap<Box<str>, u32>,
    /// Of names that begin with `word`, by the number behind it.
    counted: Vec<u32>,
    word: Box<[u8]>,
}

impl Pool {
    pub(super) fn number(&mut self, name: &str) -> Result<u32, Wrong> {
        let packed = packed(name);
        let known = match packed {
            Some(packed) => self.short.get(&packed),
            None => self.long.get(name),
        };
        if let Some(&number) = known {
            return Ok(number);
        }
        let number = u32::try_from(self.names.len()).ok();
        let number = number.filter(|&free| free < NOBODY).ok_or(Wrong::TooMany)?;
        self.names.push(name.into());
        match packed {
            Some(packed) => self.short.insert(packed, number),
            None => self.long.insert(name.into(), number),
        };
        Ok(number)
    }

    /// The same of a name that was read where it is.
    pub(super) fn number_of(&mut self, name: Name<'_>) -> Result<u32, Wrong> {
        let count = name.count.filter(|_| is_same(&self.word, name.word()));
        let known = count.and_then(|count| self.counted.get(count as usize));
        match known {
            Some(&number) if number != NOBODY => Ok(number),
            _ => self.learn(name),
        }
    }

    fn learn(&mut self, name: Name<'_>) -> Result<u32, Wrong> {
        let number = self.number(&String::from_utf8_lossy(name.text))?;
        let Some(count) = name.count.filter(|&count| count < COUNTED) else {
            return Ok(number);
        };
        if self.counted.is_empty() {
            self.word = name.word().into();
        }
        if is_same(&self.word, name.word()) {
            let index = count as usize;
            if index >= self.counted.len() {
                self.counted.resize(index + 1, NOBODY);
            }
            self.counted[index] = number;
        }
        Ok(number)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, number: u32) -> String {
        let name = self.names.get(number as usize);
        name.map_or_else(String::new, |name| name.to_string())
    }
}

/// Of so few letters they are compared one by one before anything else is called to do it.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other)
}

/// A name of at most 15 bytes as a number that no other name has.
fn packed(name: &str) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes
        .get_mut(..name.len())?
        .copy_from_slice(name.as_bytes());
    let length = name.len() as u128;
    (name.len() < 16).then(|| u128::from_le_bytes(bytes) | length << 120)
}

/// A hash of such numbers.
#[derive(Debug, Default)]
struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(self.0) << 8 | u128::from(byte));
        }
    }

    fn write_u128(&mut self, number: u128) {
        let (low, high) = (number as u64, (number >> 64) as u64);
        let low = u128::from(low ^ 0x9e37_79b9_7f4a_7c15);
        let product = low.wrapping_mul(u128::from(high ^ 0xbf58_476d_1ce4_e5b9));
        let folded = product as u64 ^ (product >> 64) as u64;
        self.0 = folded.wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(26);
    }
}
