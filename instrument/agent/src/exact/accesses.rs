//! Accesses to fields and atomics: from the probes' records to what the trace is told.
//!
//! They go through the same line as the events of monitors, so that each thread's doings stay in order.

use super::arena::Note;
use super::probe::kind;
use locklens_trace::Event;
use locklens_trace::access::{Access, Phase, VALUE_BITS};

/// The number that goes with an event is of an access.
const MARK: u64 = 1 << 63;
/// Its time is not that of the access.
pub(crate) const LATE: u64 = 1 << 62;
/// Below it the identity hash, …
const ARGUMENT_SHIFT: u32 = 31;
/// … above it the phase, whether there is a value, and the value.
const ARGUMENT_BITS: u32 = VALUE_BITS + 4;
const HAS_VALUE: u32 = 8;

/// Whether a record is of an access.
pub(super) fn is_of_access(note: &Note) -> bool {
    note.kind == kind::ACCESS
}

/// A record in the one number that goes with an event.
pub(super) fn packed(note: &Note) -> u64 {
    let (phase, value) = (note.argument & 15, note.argument >> kind::ACCESS_VALUE);
    let argument = u64::from(value << 4 | phase);
    let hash = u64::from(note.hash) & ((1 << ARGUMENT_SHIFT) - 1);
    MARK | argument << ARGUMENT_SHIFT | hash
}

/// What the trace is told of it; none if this number is not that of an access.
pub(crate) fn access(event: &Event, packed: u64) -> Option<Access> {
    let argument = (packed >> ARGUMENT_SHIFT) as u32 & ((1 << ARGUMENT_BITS) - 1);
    let phase = Phase::ALL.get((argument & 7) as usize);
    let phase = phase.filter(|_| packed & MARK != 0)?;
    Some(Access {
        at: event.at,
        thread: event.thread,
        phase: *phase,
        object: (packed & ((1 << ARGUMENT_SHIFT) - 1)) as u32,
        stack: event.stack,
        value: (argument & HAS_VALUE != 0).then_some(argument >> 4),
        late: packed & LATE != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::{EventKind, Nanos, Owner, StackId, ThreadId};

    const HASH: u32 = i32::MAX as u32;

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
                chain: 0,
                at: 5,
                hash: HASH,
                site: 3,
                tid: 1,
                kind: kind::ACCESS,
                argument: 0x00ab_cdef << kind::ACCESS_VALUE | 8 | number,
            };
            assert!(is_of_access(&note));
            let none = Note {
                chain: 0,
                argument: number,
                ..note
            };
            assert_eq!(access(&event, packed(&none)).and_then(|a| a.value), None);
            let told = access(&event, packed(&note)).expect("an access");
            assert_eq!((told.phase, told.object, told.late), (phase, HASH, false));
            assert_eq!(told.value, Some(0x00ab_cdef));
            let late = access(&event, packed(&note) | LATE).expect("an access");
            assert!(late.late);
        }
        assert_eq!(access(&event, u64::from(u32::MAX)), None);
    }
}
