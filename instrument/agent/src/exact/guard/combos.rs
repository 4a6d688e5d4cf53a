//! Which dependencies have been told, in tables of fixed size.
//!
//! A *way* is the sites at which the locks held were taken and the one at which another was wanted; a *combination* is a way
//! with the objects. Every way has room for a few combinations. Where there are more, only those with some objects are
//! kept: with one whose hash ends in so many zeros, so many more the more there are (and among equals by the others of it). One is
//! enough: where a lock that lives long is taken together with many that are used once, the latter decide. Which objects these are is the same for
//! all ways and all threads: who takes two locks in one order and who takes them in the other are both looked at.
//!
//! A combination is told with each of the first threads that do it, and again after one second, two, four and so on: that shows who
//! still does it, and with whom it can come together, at a cost that grows with the logarithm of time.

use crate::idmap::scatter;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// Combinations kept of one way.
const OF_ONE_WAY: usize = 256;
/// Threads with which a combination is told: as many as a cycle may have, for each to be another one.
const THREADS: usize = 4;
/// Time until a combination is told again, nanoseconds; each time it is twice as long.
const AGAIN: u64 = 1_000_000_000;
/// How long it is remembered without looking that something need not be told, nanoseconds.
const RECENT_FOR: u64 = AGAIN / 2;
/// Entries of that memory: a power of two.
const RECENT: usize = 1 << 12;
/// More zeros than a hash may end in.
const RAREST: u32 = 65;
/// Bytes that a combination takes, with its share of the tables and of what is remembered to name it.
const EACH: usize = 512;

/// Locks held and wanted, in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    ways: u64,
    locks: u64,
    /// Zeros at the end of the hashes: the most of any object, and the fewest.
    most: u32,
    fewest: u32,
}

impl Mark {
    /// Of nothing.
    pub(super) const NONE: Self = Self {
        ways: 0,
        locks: 0,
        most: 0,
        fewest: u32::MAX,
    };

    /// With one more lock, taken in that way.
    pub(super) fn with(self, lock: u32, way: u64) -> Self {
        let zeros = scatter(u64::from(lock)).trailing_zeros();
        Self {
            ways: scatter(self.ways.rotate_left(7) ^ way),
            locks: scatter(self.locks.rotate_left(7) ^ u64::from(lock) << 1),
            most: self.most.max(zeros),
            fewest: self.fewest.min(zeros),
        }
    }

    /// Among how few this is: see the module.
    fn rarity(self) -> u32 {
        self.most * RAREST + self.fewest.min(RAREST)
    }

    /// The combination; another one if it is not known whether that is all.
    fn combination(self, sure: bool) -> u64 {
        scatter(self.ways ^ self.locks.rotate_left(32)) ^ u64::from(sure)
    }
}

/// The hash of what is a hash already.
#[derive(Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type Map<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

#[derive(Debug, Default)]
struct Way {
    /// Combinations of objects less rare are looked past.
    rarity: u32,
    kept: Vec<u64>,
}

#[derive(Debug)]
struct Combination {
    way: u64,
    rarity: u32,
    /// It has been seen again: its objects last.
    lasts: bool,
    threads: [u64; THREADS],
    /// When it is to be told again, and how long after the last time that is.
    again: (u64, u64),
}

/// What came of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// It is to be told. The number takes it back: see [`Combos::forget`].
    Tell(u64),
    /// It has been.
    Known,
}

/// See the module.
pub(super) struct Combos {
    ways: Map<Way>,
    all: Map<Combination>,
    recent: Box<[u64]>,
    recent_since: u64,
    most: usize,
    /// Dependencies that found no room, and those of objects that are looked past.
    pub(super) left_out: u64,
    pub(super) passed: u64,
}

impl Combos {
    /// Tables within so many bytes.
    pub(super) fn within(bytes: usize) -> Self {
        Self {
            ways: Map::default(),
            all: Map::default(),
            recent: vec![0; RECENT].into(),
            recent_since: 0,
            most: (bytes / EACH).clamp(256, 1 << 16),
            left_out: 0,
            passed: 0,
        }
    }

    /// Combinations known.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Time goes on.
    pub(super) fn turn(&mut self, now: u64) {
        if now.saturating_sub(self.recent_since) >= RECENT_FOR {
            self.recent_since = now;
            self.recent.fill(0);
        }
    }

    /// A thread has made a dependency.
    pub(super) fn note(&mut self, mark: Mark, sure: bool, tid: u64, now: u64) -> News {
        let key = mark.combination(sure);
        let seen = scatter(key ^ tid) | 1;
        let place = (seen >> 8) as usize % RECENT;
        if self.recent[place] == seen {
            return News::Known;
        }
        let news = self.look(mark, key, tid, now);
        if news == News::Known {
            self.recent[place] = seen;
        }
        news
    }

    fn look(&mut self, mark: Mark, key: u64, tid: u64, now: u64) -> News {
        if let Some(known) = self.all.get_mut(&key) {
            known.lasts = true;
            return match known.is_news(tid, now) {
                true => News::Tell(key),
                false => News::Known,
            };
        }
        let room = self.all.len() < self.most;
        let new_way = room && self.has_room_for_way();
        let way = match self.ways.entry(mark.ways) {
            Entry::Vacant(_) if !new_way => return left(&mut self.left_out),
            way => way.or_default(),
        };
        if mark.rarity() < way.rarity {
            return left(&mut self.passed);
        }
        if !room {
            return left(&mut self.left_out);
        }
        way.kept.push(key);
        let combination = Combination {
            way: mark.ways,
            rarity: mark.rarity(),
            lasts: false,
            threads: [tid, 0, 0, 0],
            again: (now.saturating_add(AGAIN), AGAIN),
        };
        self.all.insert(key, combination);
        self.thin(mark.ways);
        News::Tell(key)
    }

    /// Looks past more objects of a way that has too many: of those that are not seen again at first.
    fn thin(&mut self, of: u64) {
        let Some(way) = self.ways.get_mut(&of) else {
            return;
        };
        let mut spared = true;
        while way.kept.len() > OF_ONE_WAY {
            let all = &mut self.all;
            let known = way.kept.iter().filter_map(|key| all.get(key));
            let going = known.filter(|known| !(spared && known.lasts));
            let least = going.map(|known| known.rarity).min();
            way.rarity = way.rarity.max(least.unwrap_or(way.rarity)) + 1;
            way.kept.retain(|key| {
                let stays =
                    |known: &Combination| known.rarity >= way.rarity || spared && known.lasts;
                let keep = all.get(key).is_some_and(stays);
                if !keep {
                    all.remove(key);
                }
                keep
            });
            spared = false;
        }
    }

    /// What was to be told could not be: it is news the next time.
    pub(super) fn forget(&mut self, key: u64) {
        if let Some(gone) = self.all.remove(&key)
            && let Some(way) = self.ways.get_mut(&gone.way)
        {
            way.kept.retain(|kept| *kept != key);
            if way.kept.is_empty() && way.rarity == 0 {
                self.ways.remove(&gone.way);
            }
        }
    }

    /// Whether there is room for another way, if need be that of those of which nothing is kept.
    fn has_room_for_way(&mut self) -> bool {
        if self.ways.len() >= self.most {
            self.ways.retain(|_, way| !way.kept.is_empty());
        }
        self.ways.len() < self.most
    }
}

impl Combination {
    fn is_news(&mut self, tid: u64, now: u64) -> bool {
        let place = self.threads.iter_mut().find(|at| **at == tid || **at == 0);
        match place {
            Some(free) if *free == 0 => {
                *free = tid;
                true
            }
            _ => {
                let (due, gap) = self.again;
                let is_due = now >= due;
                if is_due {
                    let gap = gap.saturating_mul(2);
                    self.again = (now.saturating_add(gap), gap);
                }
                is_due
            }
        }
    }
}

fn left(count: &mut u64) -> News {
    *count += 1;
    News::Known
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn pair(outer: u32, inner: u32) -> Mark {
        Mark::NONE.with(outer, 1).with(inner, 2)
    }

    fn is_told(combos: &mut Combos, mark: Mark, tid: u64, now: u64) -> bool {
        combos.turn(now);
        matches!(combos.note(mark, true, tid, now), News::Tell(_))
    }

    #[test]
    fn a_combination_is_told_with_each_of_four_threads_and_then_ever_less_often() {
        let mut combos = Combos::within(1 << 20);
        let mut told = |tid, now| is_told(&mut combos, pair(5, 6), tid, now);
        assert_eq!([1, 2, 3, 4].map(|tid| told(tid, 0)), [true; 4]);
        assert!(!told(1, 0) && !told(5, 0));
        let again: Vec<u64> = (1..100).filter(|s| told(1, s * SECOND)).collect();
        assert_eq!(again, [1, 3, 7, 15, 31, 63]);
    }

    #[test]
    fn of_many_objects_the_same_few_are_kept_in_both_orders() {
        let (mut forth, mut back) = (Vec::new(), Vec::new());
        let mut combos = Combos::within(64 << 20);
        for (n, inner) in (1..40_000).enumerate() {
            let outer = scatter(n as u64) as u32 % 200;
            let inner = inner % 200;
            let there = Mark::NONE.with(outer, 1).with(inner, 2);
            let other = Mark::NONE.with(inner, 3).with(outer, 4);
            if is_told(&mut combos, there, 1, 0) {
                forth.push((outer, inner));
            }
            if is_told(&mut combos, other, 2, 0) {
                back.push((outer, inner));
            }
        }
        assert_eq!(forth, back);
        assert!(forth.len() < 2_000 && combos.len() <= 2 * OF_ONE_WAY);
        assert!(combos.passed > 0 && combos.left_out == 0);
    }

    #[test]
    fn a_lock_that_lives_long_and_many_that_are_used_once_are_found_in_both_orders() {
        for pool in 1..40 {
            let mut combos = Combos::within(64 << 20);
            let there = |conn| Mark::NONE.with(pool, 1).with(conn, 2);
            let back = |conn| Mark::NONE.with(conn, 3).with(pool, 4);
            for conn in 1_000..101_000 {
                is_told(&mut combos, there(conn), 1, 0);
            }
            let both = (101_000..201_000).filter(|&conn| {
                let one = is_told(&mut combos, there(conn), 1, 0);
                is_told(&mut combos, back(conn), 2, 0) && one
            });
            assert!(both.count() >= 50, "{pool}");
            assert!(combos.len() <= 2 * OF_ONE_WAY && combos.passed > 0);
        }
    }

    #[test]
    fn ways_of_which_nothing_is_kept_go() {
        let mut combos = Combos::within(0);
        for site in 0..10_000 {
            let mark = Mark::NONE.with(1, site).with(2, site);
            if let News::Tell(key) = combos.note(mark, true, 1, 0) {
                combos.forget(key);
            }
        }
        assert!(combos.ways.is_empty() && combos.left_out == 0);
        for way in 0..5_000 {
            let kept = Vec::new();
            combos.ways.insert(way, Way { rarity: 9, kept });
        }
        assert!(is_told(&mut combos, pair(1, 2), 1, 0));
        assert_eq!(combos.ways.len(), 1);
    }

    #[test]
    fn what_is_done_again_outlasts_objects_that_are_used_once() {
        let mut combos = Combos::within(64 << 20);
        let lasting = pair(1, 2);
        for n in 0..100_000 {
            is_told(&mut combos, lasting, 1, 0);
            is_told(&mut combos, pair(1, 1000 + n), 1, 0);
            combos.recent.fill(0);
        }
        assert!(combos.len() <= OF_ONE_WAY + 1 && combos.passed > 90_000);
        assert!(is_told(&mut combos, lasting, 1, SECOND), "told again");
    }

    #[test]
    fn full_tables_count_and_what_could_not_be_told_is_news_again() {
        let mut combos = Combos::within(0);
        let told = (0..1000).filter(|&n| {
            let mark = Mark::NONE.with(1, n).with(2, n + 5000);
            is_told(&mut combos, mark, 1, 0)
        });
        assert_eq!(told.count(), 256);
        assert_eq!((combos.len(), combos.left_out), (256, 744));
        let News::Tell(key) = combos.note(Mark::NONE.with(1, 3).with(2, 5003), true, 9, 0) else {
            panic!("another thread is news");
        };
        combos.forget(key);
        assert_eq!(combos.len(), 255);
        assert!(is_told(
            &mut combos,
            Mark::NONE.with(1, 3).with(2, 5003),
            9,
            0
        ));
    }
}
