//! What the current thread of the system is known to be about: who is running in it, and on which
//! lock that one has begun to block or to wait.
//!
//! The end of blocking or waiting follows its beginning in the same thread, on the same lock, so
//! the second event of each pair needs no look at the object. That holds for platform threads only: a
//! virtual thread may come back on another carrier, and then what this carrier remembers is of an
//! earlier time. Of a virtual thread nothing but its id is therefore kept here, and that under its tid. Nor does an end follow its beginning
//! where events were switched off in between: then a new era begins, and all seats are empty.

use crate::ring::What;
use locklens_trace::{LockId, ThreadId};
use std::cell::Cell;

thread_local! {
    static SEAT: Cell<Seat> = const { Cell::new(Seat::EMPTY) };
}

/// See the module.
#[derive(Clone, Copy)]
pub(crate) struct Seat {
    /// Era of the recording this is about.
    era: u64,
    tid: u64,
    thread: ThreadId,
    platform: bool,
    begun: Option<(What, LockId)>,
}

impl Seat {
    const EMPTY: Self = Self {
        era: 0,
        tid: 0,
        thread: ThreadId(0),
        platform: false,
        begun: None,
    };

    /// Of the current thread, if the Java thread with this tid is still the one running in it.
    pub(crate) fn of(era: u64, tid: u64) -> Option<Self> {
        let seat = SEAT.get();
        (seat.era == era && seat.tid == tid).then_some(seat)
    }

    /// A thread sits down.
    pub(crate) fn new(era: u64, tid: u64, thread: ThreadId, platform: bool) -> Self {
        Self {
            era,
            tid,
            thread,
            platform,
            begun: None,
        }
    }

    /// The thread running.
    pub(crate) fn thread(self) -> ThreadId {
        self.thread
    }

    /// A platform thread, which stays.
    pub(crate) fn is_platform(self) -> bool {
        self.platform
    }

    /// The lock of the beginning that `what` is the end of.
    pub(crate) fn lock_ended_by(self, what: What) -> Option<LockId> {
        let (begun, lock) = self.begun?;
        let pair = matches!(
            (begun, what),
            (What::Enter, What::Entered) | (What::Wait, What::Waited)
        );
        pair.then_some(lock)
    }

    /// Whether anything has begun.
    pub(crate) fn has_begun(self) -> bool {
        self.begun.is_some()
    }

    /// Remembers what has begun, or that nothing has.
    pub(crate) fn keep(&self, begun: Option<(What, LockId)>) {
        let begun = begun.filter(|_| self.platform);
        SEAT.set(Self { begun, ..*self });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: ThreadId = ThreadId(3);
    const LOCK: LockId = LockId(4);

    #[test]
    fn an_end_belongs_to_the_beginning_of_its_kind() {
        assert!(Seat::of(7, 20).is_none());
        Seat::new(7, 20, THREAD, true).keep(Some((What::Wait, LOCK)));
        let seat = Seat::of(7, 20).expect("just kept");
        assert_eq!(seat.thread(), THREAD);
        assert_eq!(seat.lock_ended_by(What::Waited), Some(LOCK));
        assert_eq!(seat.lock_ended_by(What::Entered), None);
        seat.keep(None);
        let seat = Seat::of(7, 20).expect("still there");
        assert_eq!(seat.lock_ended_by(What::Waited), None);
    }

    #[test]
    fn another_recording_or_another_thread_finds_nothing() {
        Seat::new(7, 20, THREAD, true).keep(None);
        assert!(Seat::of(8, 20).is_none() && Seat::of(7, 21).is_none());
    }

    #[test]
    fn of_a_virtual_thread_nothing_but_the_id_is_kept() {
        Seat::new(7, 20, THREAD, false).keep(Some((What::Enter, LOCK)));
        let seat = Seat::of(7, 20).expect("just kept");
        assert_eq!(seat.lock_ended_by(What::Entered), None);
    }
}
