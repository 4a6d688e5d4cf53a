//! Values by id, for ids that come from a file: dense and small in any trace we wrote, anything
//! in one somebody else made. Direct indexing up to a limit, a hash map beyond it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Ids below this are looked up by index: at most 16 MiB of slots, whatever a file claims.
const DENSE: u32 = 1 << 22;

/// Hash builder for keys that are small integers.
pub(crate) type FastHash = BuildHasherDefault<Multiply>;

/// A map by such keys.
pub(crate) type FastMap<K, V> = HashMap<K, V, FastHash>;

/// Multiplies by an odd constant and folds the high half down: enough to spread ids, and cheap.
/// Keys chosen to collide cost time, not correctness.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    /// Of a slice of numbers: eight bytes at a time.
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// A table of values that come into being when first asked for. A *slot* is the order of that.
#[derive(Clone, Debug)]
pub(crate) struct IdTable<V> {
    /// Slot plus one by id; 0 is empty.
    dense: Vec<u32>,
    sparse: HashMap<u32, u32, FastHash>,
    /// Ids and values by slot, apart: values may fill cache lines exactly.
    ids: Vec<u32>,
    values: Vec<V>,
}

impl<V> Default for IdTable<V> {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            sparse: HashMap::default(),
            ids: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<V: Default> IdTable<V> {
    /// The slot of an id, new or known.
    pub(crate) fn slot(&mut self, id: u32) -> u32 {
        match self.dense.get(id as usize) {
            Some(&slot) if slot > 0 => slot - 1,
            _ => self.make(id),
        }
    }

    #[cold]
    fn make(&mut self, id: u32) -> u32 {
        let next = self.values.len() as u32;
        if id < DENSE {
            let wanted = (id as usize + 1).next_power_of_two();
            if self.dense.len() < wanted {
                self.dense.resize(wanted, 0);
            }
            self.dense[id as usize] = next + 1;
        } else if let Some(&slot) = self.sparse.get(&id) {
            return slot;
        } else {
            self.sparse.insert(id, next);
        }
        self.ids.push(id);
        self.values.push(V::default());
        next
    }

    /// The value of an id.
    pub(crate) fn get(&mut self, id: u32) -> &mut V {
        let slot = self.slot(id);
        self.at(slot)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The id of a slot of this table.
    pub(crate) fn id(&self, slot: u32) -> u32 {
        self.ids[slot as usize]
    }

    /// The slot of an id, if it is known.
    pub(crate) fn find(&self, id: u32) -> Option<u32> {
        match self.dense.get(id as usize) {
            Some(&slot) => slot.checked_sub(1),
            None => self.sparse.get(&id).copied(),
        }
    }

    /// The value of a slot of this table, to look at.
    pub(crate) fn peek(&self, slot: u32) -> &V {
        &self.values[slot as usize]
    }

    /// The value of a slot of this table.
    pub(crate) fn at(&mut self, slot: u32) -> &mut V {
        &mut self.values[slot as usize]
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &V)> {
        self.ids.iter().copied().zip(&self.values)
    }

    /// (id, value) in order of slots.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (u32, V)> {
        self.ids.into_iter().zip(self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_ids_cost_no_more_than_small_ones() {
        let mut table: IdTable<u32> = IdTable::default();
        for id in [1, u32::MAX, 7, DENSE, DENSE - 1, u32::MAX, 1] {
            *table.get(id) += 1;
        }
        assert!(table.dense.len() <= DENSE as usize);
        let counts: Vec<_> = table.iter().map(|(id, &n)| (id, n)).collect();
        assert_eq!(
            counts,
            [(1, 2), (u32::MAX, 2), (7, 1), (DENSE, 1), (DENSE - 1, 1)]
        );
    }
}
