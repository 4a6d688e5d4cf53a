//! Ids that a callback gave an object in a hurry, while another thread was about to give it one.

use crate::recording::Recording;
use crate::ring::RawEvent;
use crate::vm::{Vm, Weak};
use locklens_trace::record::LossCause;
use locklens_trace::{Event, LockId};
use std::collections::HashMap;

/// By such an id the lock it stands for; none if the object was gone.
#[derive(Default)]
pub(super) struct PutOff(HashMap<LockId, Option<LockId>>);

impl PutOff {
    /// Finds out what an id stands for.
    pub(super) fn identify(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        (id, weak): (LockId, Weak),
    ) {
        let object = vm.upgrade(&weak);
        vm.delete_weak(weak);
        let lock = object.and_then(|object| {
            let lock = recording.lock(vm, &object).ok();
            // Who keeps it from that may be held by a debugger: the others do not wait for him, too.
            if lock.is_none() {
                recording.identity.set_patient(false);
            }
            lock
        });
        self.0.insert(id, lock);
    }

    /// An event with the lock that is meant. None if that is not to be told.
    pub(super) fn meant(
        &self,
        recording: &Recording,
        (event, raw): (Event, RawEvent),
    ) -> Option<(Event, RawEvent)> {
        // What the VM's own probes tell has a hash there.
        let known = self.lock(raw.lock).filter(|_| !raw.what.is_of_vm_probe());
        match known {
            None => Some((event, raw)),
            Some(None) => {
                recording.losses.count(LossCause::Unidentified, raw.at);
                None
            }
            Some(Some(lock)) if recording.hides(lock) => None,
            Some(Some(lock)) => Some(renamed((event, raw), lock)),
        }
    }

    fn lock(&self, id: u32) -> Option<Option<LockId>> {
        match self.0.is_empty() {
            true => None,
            false => self.0.get(&LockId(id)).copied(),
        }
    }
}

/// Its number is of the other id's.
fn renamed((event, raw): (Event, RawEvent), lock: LockId) -> (Event, RawEvent) {
    let event = Event {
        lock: Some(lock),
        seq: None,
        ..event
    };
    let raw = RawEvent {
        lock: lock.0,
        seq: 0,
        ..raw
    };
    (event, raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_stands_for_a_lock_is_told_apart_from_one_that_is_one() {
        let meant = HashMap::from([(LockId(7), Some(LockId(3))), (LockId(8), None)]);
        let put_off = PutOff(meant);
        assert_eq!(put_off.lock(7), Some(Some(LockId(3))));
        assert_eq!((put_off.lock(8), put_off.lock(3)), (Some(None), None));
        assert_eq!(PutOff::default().lock(7), None);
    }
}
