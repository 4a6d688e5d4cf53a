//! Virtual threads that were made and of which nobody has heard yet: who made them is told once they have begun.
//!
//! Most begin a moment later. Some are made and left lying, so of many it may take long: they are looked for now and then, and
//! only so many are waited for.

use super::arena::Note;

/// So many are waited for: who made others is not told.
const MOST: usize = 1 << 14;
/// Time between two searches, ns.
const PAUSE: u64 = 20_000_000;

/// See the module.
#[derive(Debug)]
pub(super) struct Makings {
    /// Since when it is waited for each.
    waiting: Vec<(u64, Note)>,
    due: u64,
    /// The earliest of their times.
    first: u64,
}

impl Default for Makings {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            due: 0,
            first: u64::MAX,
        }
    }
}

impl Makings {
    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < MOST
    }

    /// Waits for one.
    pub(super) fn push(&mut self, now: u64, note: Note) {
        self.first = self.first.min(note.at);
        self.waiting.push((now, note));
    }

    /// Those that need not be waited for any longer, if it is time to look.
    pub(super) fn done(
        &mut self,
        now: u64,
        waits: impl Fn(u64, &Note) -> bool,
    ) -> Vec<(u64, Note)> {
        if now < self.due {
            return Vec::new();
        }
        self.due = now.saturating_add(PAUSE);
        let done = self
            .waiting
            .extract_if(.., |(since, note)| !waits(*since, note));
        let done = done.collect();
        let times = self.waiting.iter().map(|(_, note)| note.at);
        self.first = times.min().unwrap_or(u64::MAX);
        done
    }

    /// When the first of them was made.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<(u64, Note)>()
    }

    pub(super) fn shrink(&mut self) {
        self.waiting.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(at: u64) -> Note {
        Note {
            chain: 0,
            at,
            ..Note::default()
        }
    }

    #[test]
    fn they_are_looked_for_now_and_then() {
        let mut makings = Makings::default();
        makings.push(5, note(3));
        makings.push(6, note(2));
        assert_eq!((makings.first(), makings.waiting.len()), (2, 2));
        let done = makings.done(7, |_, note| note.at == 3);
        assert_eq!(done, [(6, note(2))]);
        assert_eq!((makings.first(), makings.waiting.len()), (3, 1));
        assert_eq!(makings.done(8, |_, _| false), []);
        assert_eq!(makings.done(7 + PAUSE, |_, _| false), [(5, note(3))]);
        assert_eq!((makings.first(), makings.waiting.len()), (u64::MAX, 0));
    }

    #[test]
    fn there_is_room_for_so_many() {
        let mut makings = Makings::default();
        (0..MOST as u64).for_each(|at| makings.push(at, note(at)));
        assert!(!makings.has_room());
        makings.done(1, |_, note| note.at != 7);
        assert!(makings.has_room());
    }
}
