//! Whether a history that is said to be complete can be.

use super::log::Entry;

/// Waits were ended while nobody came, and none while somebody did: who notifies has the monitor, so he stands where no probe tells
/// of him, and may have come at any time.
pub(super) fn ends_unseen(entries: &[Entry]) -> bool {
    // The thread that waits and since whose wait nobody has come.
    let mut last = None;
    let (mut told, mut unseen) = (0, 0);
    for entry in entries {
        let stay = match entry {
            Entry::Stay(stay) => stay,
            Entry::Reset => {
                last = None;
                continue;
            }
            // The JVM notifies, and tells nobody.
            Entry::SubjectEnded => return false,
        };
        let alone = last == Some(stay.thread);
        if !stay.fresh && !stay.timed_out {
            *(if alone { &mut unseen } else { &mut told }) += 1;
        }
        last = stay.waits().then_some(stay.thread);
    }
    unseen > 0 && told == 0
}

#[cfg(test)]
mod tests {
    use super::super::log::{End, Stay};
    use super::*;

    fn stay(thread: u32, fresh: bool, end: End) -> Stay {
        Stay {
            at: 0,
            thread,
            region: 0,
            fresh,
            timed_out: false,
            interrupted: false,
            timed: false,
            end,
            notified: false,
            notified_all: false,
        }
    }

    #[test]
    fn a_wait_that_ends_has_been_ended() {
        let (waits, goes_on) = (stay(1, true, End::Waits), stay(1, false, End::Left));
        let comes = stay(2, true, End::Left);
        let ran_out = Stay {
            timed_out: true,
            ..goes_on
        };
        let unseen = |stays: &[Stay]| {
            let entries: Vec<Entry> = stays.iter().copied().map(Entry::Stay).collect();
            ends_unseen(&entries)
        };
        assert!(unseen(&[waits, goes_on]));
        assert!(unseen(&[comes, waits, goes_on]), "he came too early");
        assert!(!unseen(&[waits, comes, goes_on]));
        assert!(!unseen(&[waits, ran_out]));
        // Now and then a wait ends by itself.
        assert!(!unseen(&[waits, comes, goes_on, waits, goes_on]));
        let thread = [
            Entry::Stay(waits),
            Entry::SubjectEnded,
            Entry::Stay(goes_on),
        ];
        assert!(!ends_unseen(&thread));
    }
}
