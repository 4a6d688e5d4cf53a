//! What listening to the VM's own probes says of itself.

use locklens_trace::Nanos;
use locklens_trace::record::target_key;
use std::collections::BTreeMap;

/// The VM's own probes were listened to: notifies that found somebody waiting and exits that woke a successor were observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VmProbesSeen {
    /// From then on.
    pub since: Nanos,
    /// Notifies in the trace.
    pub notifies: u64,
    /// Notify-alls.
    pub notify_alls: u64,
    /// Exits.
    pub exits: u64,
    /// Events that are not in the trace, as their lock is in no other event.
    pub other_locks: u64,
    /// The same, as their thread is not known.
    pub other_threads: u64,
    /// Places in the JVM's code that were not what they were taken for.
    pub wrong: u64,
    /// The recording has an end: what is missing was counted.
    pub counted: bool,
}

impl VmProbesSeen {
    /// What the trace says; none if nobody listened.
    pub(super) fn of(target: &BTreeMap<String, String>, ended: bool) -> Option<Self> {
        let number = |key: &str| target.get(key)?.parse::<u64>().ok();
        let count = |key: &str| number(key).unwrap_or(0);
        Some(Self {
            since: Nanos(number(target_key::VM_PROBES_SINCE)?),
            notifies: count(target_key::VM_PROBES_NOTIFIES),
            notify_alls: count(target_key::VM_PROBES_NOTIFY_ALLS),
            exits: count(target_key::VM_PROBES_EXITS),
            other_locks: count(target_key::VM_PROBES_OTHER_LOCKS),
            other_threads: count(target_key::VM_PROBES_OTHER_THREADS),
            wrong: count(target_key::VM_PROBES_WRONG),
            // Declined later on, they were there for a part of it.
            counted: ended && declined(target).is_none(),
        })
    }

    /// Whether nothing is known to be missing: then a wait that nobody was seen to end was not ended by a notify.
    #[must_use]
    pub fn has_every_notify(&self) -> bool {
        self.counted && self.other_locks == 0 && self.other_threads == 0 && self.wrong == 0
    }
}

/// Why nobody listened although it was asked for; none if somebody did, or nobody asked.
pub(super) fn declined(target: &BTreeMap<String, String>) -> Option<String> {
    let said = target.get(target_key::VM_PROBES)?;
    (said != "on").then(|| said.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
        pairs.collect()
    }

    #[test]
    fn what_was_declined_is_said_and_nothing_was_seen() {
        let target = target(&[(target_key::VM_PROBES, "no such point")]);
        assert_eq!(VmProbesSeen::of(&target, true), None);
        assert_eq!(declined(&target).as_deref(), Some("no such point"));
    }

    #[test]
    fn notifies_are_complete_unless_something_says_otherwise() {
        let since = (target_key::VM_PROBES_SINCE, "7");
        let on = (target_key::VM_PROBES, "on");
        let whole = target(&[on, since, (target_key::VM_PROBES_NOTIFIES, "3")]);
        let seen = VmProbesSeen::of(&whole, true).expect("on");
        assert_eq!((seen.since, seen.notifies), (Nanos(7), 3));
        assert!(seen.has_every_notify() && declined(&whole).is_none());
        let cut = VmProbesSeen::of(&whole, false).expect("on");
        assert!(!cut.has_every_notify());
        let missing = target(&[on, since, (target_key::VM_PROBES_OTHER_THREADS, "1")]);
        let seen = VmProbesSeen::of(&missing, true).expect("on");
        assert!(!seen.has_every_notify());
    }
}
