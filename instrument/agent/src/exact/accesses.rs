//! Accesses to fields and atomics: from the probes' records to what the trace is told.
//!
//! They go through the same line as the events of monitors, so that each thread's doings stay in order.

use super::arena::Note;
use super::probe::kind;
use locklens_trace::Event;
use locklens_trace::access::{Access, Phase};

/// The number that goes with an event is of an access.
const MARK: u64 = 1 << 63;
/// Its time is not that of the access.
pub(crate) const LATE: u64 = 1 << 62;
/// What is accessed is a volatile field.
const VOLATILE: u64 = 1 << 61;
const PHASE_SHIFT: u32 = 32;

/// Whether a record is of an access.
pub(super) fn is_of_access(note: &Note) -> bool {
    note.kind == kind::ACCESS
}

/// A record in the one number that goes with an event.
pub(super) fn packed(note: &Note, is_volatile: bool) -> u64 {
    let volatile = if is_volatile { VOLATILE } else { 0 };
    MARK | volatile | u64::from(note.argument & 7) << PHASE_SHIFT | u64::from(note.hash)
}

/// What the trace is told of it; none if this number is not that of an access.
pub(crate) fn access(event: &Event, packed: u64) -> Option<Access> {
    let phase = (packed >> PHASE_SHIFT & 7) as usize;
    let phase = Phase::ALL.get(phase).filter(|_| packed & MARK != 0)?;
    Some(Access {
        at: event.at,
        thread: event.thread,
        phase: *phase,
        object: packed as u32,
        stack: event.stack,
        late: packed & LATE != 0,
        is_volatile: packed & VOLATILE != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::{EventKind, Nanos, Owner, StackId, ThreadId};

    #[test]
    fn a_record_says_what_was_accessed_how_and_whether_it_came_in_time() {
        let event = Event {
            at: Nanos(5),
            thread: ThreadId(1),
            kind: EventKind::Entered,
            lock: None,
            stack: Some(StackId(2)),
            owner: Owner::Unknown,
            seq: None,
        };
        for (number, phase) in (0..).zip(Phase::ALL) {
            let note = Note {
                at: 5,
                hash: u32::MAX,
                site: 3,
                tid: 1,
                kind: kind::ACCESS,
                argument: number,
            };
            assert!(is_of_access(&note));
            let told = access(&event, packed(&note, true)).expect("an access");
            assert_eq!(
                (told.phase, told.object, told.late, told.is_volatile),
                (phase, u32::MAX, false, true)
            );
            let late = access(&event, packed(&note, false) | LATE).expect("an access");
            assert!(late.late && !late.is_volatile);
        }
        assert_eq!(access(&event, u64::from(u32::MAX)), None);
    }
}
