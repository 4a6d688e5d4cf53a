//! Where stays are counted: of a file in one tally, of a recording under way in one for each lock object.
//!
//! Which objects are one lock, and which locks are not shown, is known only when the recording is over. A stay belongs to one
//! object, and so do all rows it is counted in: tallies of single objects can be put together at the end, and the result is
//! that of one tally. What is said of owners is settled when it is counted, for a stay may have lost time to several.
//!
//! There is room for so many objects and so many rows; whatever comes later is counted in a row of the rest. Where each of ten thousand
//! threads has blocked each other one, there are a hundred million rows by both.

use super::atlas::Atlas;
use super::key::Key;
use super::stay::Stay;
use super::tally::{INTERVAL, OWN, REST, Tally, doubled};
use crate::collect::FastHash;
use locklens_trace::{LockId, Nanos};
use std::collections::HashMap;

/// How many are told apart, of a recording under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    /// Lock objects.
    pub(super) objects: usize,
    /// Rows.
    pub(super) rows: usize,
}

impl Default for Most {
    fn default() -> Self {
        Self {
            objects: 1 << 16,
            rows: 1 << 17,
        }
    }
}

/// Rows of a recording that was read before. Those of its first key are told apart in any case.
const ROWS: usize = 1 << 20;

/// What stands for all other objects. No object has this id.
const OTHERS: LockId = LockId(0);

/// See the module.
#[derive(Debug)]
pub(super) enum Books {
    /// All in one.
    Whole(Tally),
    /// By lock object.
    ByObject(Objects),
}

/// A tally for each lock object.
#[derive(Debug)]
pub(super) struct Objects {
    keys: Vec<Key>,
    tallies: HashMap<LockId, Tally, FastHash>,
    /// Rows of all of them.
    rows: usize,
    /// Length of the parts of the recording.
    interval: Nanos,
    most: Most,
}

/// Parts of a recording that are told apart at most, and as many as stay apart should there be too many rows.
const PARTS: u64 = 1024;
const FEW_PARTS: u64 = 32;

/// One tally, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book<'t> {
    pub(super) tally: &'t Tally,
    object: Option<LockId>,
}

impl Default for Books {
    fn default() -> Self {
        Self::by_object(&[], Most::default())
    }
}

impl Books {
    /// For a recording that was read before.
    pub(super) fn whole(keys: &[Key]) -> Self {
        let mut tally = Tally::by(keys);
        tally.most = ROWS;
        Self::Whole(tally)
    }

    /// For one under way.
    pub(super) fn by_object(keys: &[Key], most: Most) -> Self {
        Self::ByObject(Objects {
            keys: keys.to_vec(),
            tallies: HashMap::default(),
            rows: 0,
            interval: INTERVAL,
            most,
        })
    }

    /// Counts a stay.
    pub(super) fn add(&mut self, stay: &Stay, atlas: &mut Atlas<'_>) {
        match self {
            Self::Whole(tally) => tally.add(stay, atlas),
            Self::ByObject(objects) => objects.add(stay, atlas),
        }
    }

    /// Length of the parts of the recording that are values of [`Key::Time`].
    pub(super) fn interval(&self) -> Nanos {
        match self {
            Self::Whole(tally) => tally.interval,
            Self::ByObject(objects) => objects.interval,
        }
    }

    pub(super) fn keys(&self) -> &[Key] {
        match self {
            Self::Whole(tally) => &tally.keys,
            Self::ByObject(objects) => &objects.keys,
        }
    }

    /// The tallies of what reports show.
    pub(super) fn shown(&self, atlas: &Atlas<'_>) -> Vec<Book<'_>> {
        let objects = match self {
            Self::Whole(tally) => {
                return vec![Book {
                    tally,
                    object: None,
                }];
            }
            Self::ByObject(objects) => objects,
        };
        let is_shown = |id: LockId| id == OTHERS || atlas.index_of(id).is_some();
        let shown = objects.tallies.iter().filter(|(id, _)| is_shown(**id));
        let mut shown: Vec<_> = shown.collect();
        shown.sort_unstable_by_key(|(id, _)| **id);
        let book = |(&id, tally)| Book {
            tally,
            object: Some(id),
        };
        shown.into_iter().map(book).collect()
    }
}

impl Objects {
    fn add(&mut self, stay: &Stay, atlas: &mut Atlas<'_>) {
        if self.keys.contains(&Key::Time) {
            self.make_room(stay);
        }
        let is_known =
            self.tallies.contains_key(&stay.lock) || self.tallies.len() < self.most.objects;
        let object = if is_known { stay.lock } else { OTHERS };
        let tally = self.tallies.entry(object);
        let interval = self.interval;
        let tally = tally.or_insert_with(|| Tally::of_object(&self.keys, interval));
        let before = tally.rows.len();
        tally.most = before.saturating_add(self.most.rows.saturating_sub(self.rows));
        tally.add(stay, atlas);
        self.rows += tally.rows.len() - before;
    }
}

impl Objects {
    /// The parts of the recording become longer until there are not too many.
    fn make_room(&mut self, stay: &Stay) {
        let end = stay.pieces.last().map_or(0, |piece| piece.to.0);
        let parts = |interval: Nanos| end / interval.0;
        while parts(self.interval) >= PARTS
            || self.rows >= self.most.rows && parts(self.interval) >= FEW_PARTS
        {
            self.interval = doubled(self.interval);
            self.tallies.values_mut().for_each(Tally::widen);
            self.rows = self.tallies.values().map(|tally| tally.rows.len()).sum();
        }
    }
}

impl Book<'_> {
    /// What a code stands for in the end.
    pub(super) fn settled(&self, key: Key, code: u64, atlas: &mut Atlas<'_>) -> u64 {
        let Some(object) = self.object.filter(|_| code == OWN) else {
            return code;
        };
        match key {
            Key::Lock | Key::LockClass | Key::Type if object == OTHERS => REST,
            Key::Lock => atlas.lock_of(object),
            Key::LockClass => atlas.class_of(object),
            Key::Type => atlas.type_of(object),
            _ => code,
        }
    }
}
