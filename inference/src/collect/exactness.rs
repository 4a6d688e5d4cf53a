//! Whether an exact recording has every acquisition, and what speaks against it.

use crate::model::{Doubt, Recording};
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos};
use std::collections::BTreeMap;

/// When the probes were switched off, if that is told by now. Older recordings tell only that the original bytes are back: nothing
/// has come since the probes' `last` word.
pub(super) fn probes_off(target: &BTreeMap<String, String>, last: Nanos) -> Option<Nanos> {
    let told = target.get(target_key::EXACT_UNTIL);
    let told = told.and_then(|at| at.parse().ok().map(Nanos));
    let back = [target_key::EXACT_RESTORED, target_key::EXACT_DORMANT];
    let is_over = back.iter().any(|key| target.contains_key(*key));
    told.or_else(|| is_over.then_some(last))
}

/// Classes whose probes another agent took away.
fn replaced(target: &BTreeMap<String, String>) -> Option<Doubt> {
    let names = target.get(target_key::EXACT_REPLACED)?;
    let since = target.get(target_key::EXACT_REPLACED_SINCE);
    Some(Doubt::Replaced {
        classes: names.lines().map(str::to_owned).collect(),
        since: Nanos(since.and_then(|at| at.parse().ok()).unwrap_or(0)),
    })
}

/// Code without probes. Older recordings do not say whether it uses monitors.
fn unprobed(target: &BTreeMap<String, String>) -> Option<Doubt> {
    let told = target.get(target_key::EXACT_UNPROBED);
    let names = told.or_else(|| target.get(target_key::EXACT_REFUSED))?;
    let names = names.lines().filter(|name| *name != "0");
    let names: Vec<String> = names.map(str::to_owned).collect();
    (!names.is_empty()).then_some(Doubt::Unprobed(names))
}

/// Locks waited on where no probe can tell of it.
fn bare(target: &BTreeMap<String, String>) -> Option<Doubt> {
    let ids = target.get(target_key::EXACT_BARE)?.lines();
    let ids = ids.filter_map(|id| id.parse().ok().map(LockId));
    Some(Doubt::Bare(ids.collect()))
}

/// Why acquisitions may be missing from a recording that is exact.
pub(super) fn doubts(target: &BTreeMap<String, String>, recording: &Recording) -> Vec<Doubt> {
    if !recording.exact {
        return Vec::new();
    }
    let fact = |key: &str| target.get(key).filter(|said| *said != "0").cloned();
    // Looked for several times; the last word counts.
    let looks = target_key::EXACT_OLD_CODE.iter().rev();
    let last_look = looks.filter_map(|key| target.get(*key)).next();
    let old_code = last_look.filter(|said| *said != "0").cloned();
    let doubts = [
        (!recording.ended).then_some(Doubt::CutOff),
        fact(target_key::EXACT_CHOSEN)
            .filter(|chosen| chosen == "methods")
            .map(|_| Doubt::Chosen),
        fact(target_key::GUARD).map(|_| Doubt::Guarded),
        (recording.lost > 0).then_some(Doubt::Lost(recording.lost)),
        (recording.gaps > 0).then_some(Doubt::Gaps(recording.gaps)),
        unprobed(target),
        fact(target_key::EXACT_ELSEWHERE).map(Doubt::Elsewhere),
        old_code.map(Doubt::OldCode),
        (recording.unmet > 0).then_some(Doubt::Unmet(recording.unmet)),
        bare(target),
        replaced(target),
    ];
    doubts.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_waited_on_without_a_probe_are_told_by_their_ids() {
        let target = [(target_key::EXACT_BARE.to_owned(), "3\n7".to_owned())];
        let told = Doubt::Bare([3, 7].map(LockId).into());
        assert_eq!(bare(&target.into()), Some(told));
    }

    #[test]
    fn what_was_left_out_matters_if_it_uses_monitors_or_nobody_can_tell() {
        let doubts = |facts: &[(&'static str, &str)]| {
            let facts = facts.iter();
            let target = facts.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            let recording = Recording {
                exact: true,
                ended: true,
                ..Recording::default()
            };
            doubts(&target.collect(), &recording)
        };
        let refused = (
            target_key::EXACT_REFUSED,
            "a.B: too small\na.C.m()V: too large",
        );
        let used = |names| [refused, (target_key::EXACT_UNPROBED, names)];
        assert_eq!(doubts(&used("0")), []);
        let one = Doubt::Unprobed(vec!["a.C.m()V: too large".to_owned()]);
        assert_eq!(doubts(&used("a.C.m()V: too large")), [one]);
        let all = refused.1.lines().map(str::to_owned);
        assert_eq!(doubts(&[refused]), [Doubt::Unprobed(all.collect())]);
        assert_eq!(doubts(&[]), []);
    }
}
