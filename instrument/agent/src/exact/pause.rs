//! How long the rings are left alone.
//!
//! Each look costs a change of threads and a dozen calls of the system, whatever there is to be taken: hundreds of looks a second
//! cost a program that keeps all processors busy a few hundredths of its time. So a look is put off while rings and queue have filled by
//! little since the last one. What fills in less than the time of a look is too fast for any pause.

use std::time::Duration;

/// While they fill.
const SHORTEST: Duration = Duration::from_millis(2);
/// At most, however large they are.
const LONGEST: Duration = Duration::from_millis(10);
/// After a quiet time a thread may come that leaves records as fast as this, ns: with a bit of work under each lock.
const RECORD: u64 = 300;
/// What fills to this part in a pause is looked at after the shortest one; half as full, and it stays as it is.
const PART: u64 = 16;

/// See the module.
#[derive(Debug)]
pub(super) struct Pause {
    now: Duration,
    longest: Duration,
}

impl Default for Pause {
    fn default() -> Self {
        Self::within(0)
    }
}

impl Pause {
    /// For rings, and a queue, that have so many places at least.
    pub(super) fn within(places: u64) -> Self {
        let fills = Duration::from_nanos(places.saturating_mul(RECORD));
        Self {
            now: SHORTEST,
            longest: fills.clamp(SHORTEST, LONGEST),
        }
    }

    /// Takes in how full they all are after a pause: of so many places so many have something. The fullest counts.
    pub(super) fn note(&mut self, filled: impl Iterator<Item = (u64, u64)>) {
        let longer = (self.now + SHORTEST).min(self.longest);
        let after = |(full, places): (u64, u64)| {
            let full = full.saturating_mul(PART);
            match () {
                () if full > places => SHORTEST,
                () if full > places / 2 => self.now,
                () => longer,
            }
        };
        self.now = filled.map(after).min().unwrap_or(longer);
    }

    /// How long to the next look.
    pub(super) fn length(&self) -> Duration {
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_become_rare_while_little_comes() {
        let mut pause = Pause::within(1 << 20);
        let mut after = |full: u64| {
            pause.note([(0, 1 << 20), (full, 32_768)].into_iter());
            pause.length().as_millis()
        };
        assert_eq!(
            [0, 10, 1_000, 1_100, 2_000].map(&mut after),
            [4, 6, 8, 8, 8]
        );
        assert_eq!([0, 0, 0].map(&mut after), [10, 10, 10]);
        assert_eq!([2_049, 1_500, 100].map(&mut after), [2, 2, 4]);
    }

    #[test]
    fn small_rings_are_looked_at_as_often_as_ever() {
        for (places, longest) in [(1_000, 2), (16_384, 4), (32_768, 9)] {
            let mut pause = Pause::within(places);
            (0..9).for_each(|_| pause.note([(0, places)].into_iter()));
            assert_eq!(pause.length().as_millis(), longest);
        }
    }
}
