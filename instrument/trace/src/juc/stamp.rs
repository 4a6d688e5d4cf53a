//! What the stamps of a `StampedLock` stand for.

/// The bits of a stamp that say so, and the one of a hold alone (JDK 8 to 25).
const STAMP: u32 = 255;
const WRITES: u32 = 128;

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// By one thread.
    Alone,
    /// By several together.
    Shared,
}

/// What a stamp stands for; none for one that is only to be validated.
#[must_use]
pub fn held_by(stamp: u32) -> Option<Hold> {
    match stamp & STAMP {
        0 => None,
        WRITES => Some(Hold::Alone),
        _ => Some(Hold::Shared),
    }
}
