//! Time by bucket, for each thread, logical lock and deed, in bounded memory.
//!
//! The first pass has said how long the recording is. Where time goes beyond the last bucket all the same, or all strips
//! together keep too much, buckets get twice as wide.

use super::model::Deed;
use crate::collect::FastHash;
use crate::pressure::series::{LATEST, Series};
use std::collections::HashMap;
use std::hint::black_box;

/// Width of a bucket at least, ns.
const NARROWEST: u64 = 1 << 10;
/// Buckets there are at most.
pub(super) const MOST: u32 = 1 << 12;
/// Buckets that are left, however much there is in them.
const LEAST: u64 = 1 << 6;
/// Rows of threads that have strips of their own; what threads met later do goes into one more.
pub(super) const ROWS: u32 = 1 << 16;

/// How wide buckets of a recording of that length are.
pub(super) fn width_of(length: u64) -> u64 {
    let enough = length.min(LATEST) / u64::from(MOST) + 1;
    enough.next_power_of_two().max(NARROWEST)
}

/// Of what a strip is: row of the thread, row of the lock, and deed.
pub(super) type Key = (u32, u32, Deed);

/// Spans put off: with thousands of threads each is of another strip, far away in memory. What these need is touched before, so
/// that loads overlap.
const AT_ONCE: usize = 64;
/// Number of a strip that is not there yet.
const NEW: u32 = u32::MAX;

/// A span to be added.
#[derive(Clone, Copy, Debug)]
struct Span {
    key: Key,
    from: u64,
    to: u64,
    /// So far the recording had come.
    last: u64,
}

/// A strip as it is looked for.
fn short((row, lock, deed): Key) -> (u32, u32) {
    (row, lock << 2 | deed as u32)
}

/// See the module.
#[derive(Debug)]
pub(super) struct Strips {
    pub(super) width: u64,
    /// The first time that is in no bucket.
    reach: u64,
    pub(super) all: Vec<Series>,
    pub(super) keys: Vec<Key>,
    known: HashMap<(u32, u32), u32, FastHash>,
    put_off: Vec<Span>,
    /// How long the thread of each row lived.
    pub(super) alive: Vec<Series>,
    /// What they keep together, and may.
    kept: usize,
    budget: usize,
    last: u64,
}

impl Strips {
    /// Strips that keep something of so many buckets together, of a recording that is said to be so long.
    pub(super) fn new(budget: usize, length: u64) -> Self {
        let width = width_of(length);
        Self {
            width,
            reach: width.saturating_mul(MOST.into()),
            all: Vec::new(),
            keys: Vec::new(),
            known: HashMap::default(),
            put_off: Vec::new(),
            alive: Vec::new(),
            kept: 0,
            budget,
            last: 0,
        }
    }

    /// The recording has come so far.
    pub(super) fn passed(&mut self, at: u64) {
        if at >= self.reach {
            self.catch_up();
        }
        while at >= self.reach {
            self.widen();
        }
        self.last = self.last.max(at);
    }

    /// Adds a span to a strip, sooner or later. Its end has passed.
    pub(super) fn put(&mut self, key: Key, from: u64, to: u64) {
        let last = self.last;
        self.put_off.push(Span {
            key,
            from,
            to,
            last,
        });
        if self.put_off.len() >= AT_ONCE {
            self.catch_up();
        }
    }

    /// Adds what was put off, in its order.
    pub(super) fn catch_up(&mut self) {
        let mut spans = std::mem::take(&mut self.put_off);
        let mut strips = [NEW; AT_ONCE];
        for (strip, span) in strips.iter_mut().zip(&spans) {
            *strip = self.known.get(&short(span.key)).copied().unwrap_or(NEW);
        }
        let known = strips.iter().filter(|strip| **strip != NEW);
        let touch = known.map(|&strip| self.all[strip as usize].kept());
        black_box(touch.fold(0, |sum, kept| sum ^ kept));
        for (strip, span) in strips.into_iter().zip(&spans) {
            let strip = match strip {
                NEW => self.of(span.key),
                known => known,
            };
            self.add(strip, span);
        }
        spans.clear();
        self.put_off = spans;
    }

    /// The number of a strip.
    fn of(&mut self, key: Key) -> u32 {
        let (row, lock, deed) = key;
        let new = self.all.len() as u32;
        let strip = *self.known.entry(short(key)).or_insert(new);
        if strip == new {
            self.all.push(Series::default());
            self.keys.push((row, lock, deed));
            self.kept += 1;
        }
        strip
    }

    fn add(&mut self, strip: u32, span: &Span) {
        let series = &mut self.all[strip as usize];
        let before = series.kept();
        series.add(span.from, span.to, self.width);
        self.kept = self.kept + series.kept() - before;
        if self.kept > self.budget {
            self.make_room(span.last);
        }
    }

    /// The thread of that row lived so long.
    pub(super) fn lived(&mut self, row: u32, from: u64, to: u64) {
        self.catch_up();
        let wanted = row as usize + 1;
        if self.alive.len() < wanted {
            self.alive.resize_with(wanted, Series::default);
        }
        self.alive[row as usize].add(from, to, self.width);
    }

    #[cold]
    fn make_room(&mut self, last: u64) {
        while self.kept > self.budget && last / self.width > LEAST {
            self.widen();
        }
    }

    fn widen(&mut self) {
        for series in self.all.iter_mut().chain(&mut self.alive) {
            series.widen(self.width);
        }
        self.width = self.width.saturating_mul(2);
        self.reach = self.reach.saturating_mul(2);
        self.kept = self.all.iter().map(Series::kept).sum();
    }
}
