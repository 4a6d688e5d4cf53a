//! Sets of small numbers.

use super::idtable::FastHash;
use std::collections::HashSet;

/// Any slots: as bits where that takes no more than a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    bits: Vec<u64>,
    /// Those behind.
    far: HashSet<u32, FastHash>,
}

impl Slots {
    /// Puts one in; whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, slot: u32) -> bool {
        let word = (slot / 64) as usize;
        match self.bits.get_mut(word) {
            Some(bits) => {
                let before = *bits;
                *bits |= 1 << (slot % 64);
                *bits != before
            }
            None => self.insert_far(slot, word),
        }
    }

    fn insert_far(&mut self, slot: u32, word: usize) -> bool {
        let is_new = self.far.insert(slot);
        if is_new && word < 2 * (self.bits.len() + self.far.len()) {
            self.reach(word);
        }
        is_new
    }

    /// Has bits up to this word.
    fn reach(&mut self, word: usize) {
        self.bits.resize(word + 1, 0);
        let bits = &mut self.bits;
        self.far.retain(|slot| {
            let word = bits.get_mut((slot / 64) as usize);
            let is_near = word.map(|word| *word |= 1 << (slot % 64)).is_some();
            !is_near
        });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let bits = (0..).zip(&self.bits).flat_map(|(word, &bits)| {
            let set = (0..64).filter(move |bit| bits >> bit & 1 == 1);
            set.map(move |bit| word * 64 + bit)
        });
        bits.chain(self.far.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn what_was_put_in_is_in_it_once(
            put in prop::collection::vec(prop_oneof![0u32..300, any::<u32>()], 0..200),
        ) {
            let (mut slots, mut each) = (Slots::default(), BTreeSet::new());
            for slot in put {
                prop_assert_eq!(slots.insert(slot), each.insert(slot));
            }
        }
    }
}
