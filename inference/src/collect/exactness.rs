//! Whether an exact recording has every acquisition, and what speaks against it.

use crate::model::{Doubt, Recording};
use locklens_trace::Nanos;
use locklens_trace::record::target_key;
use std::collections::BTreeMap;

/// Classes whose probes another agent took away.
fn replaced(target: &BTreeMap<String, String>) -> Option<Doubt> {
    let names = target.get(target_key::EXACT_REPLACED)?;
    let since = target.get(target_key::EXACT_REPLACED_SINCE);
    Some(Doubt::Replaced {
        classes: names.lines().map(str::to_owned).collect(),
        since: Nanos(since.and_then(|at| at.parse().ok()).unwrap_or(0)),
    })
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
        fact(target_key::EXACT_ELSEWHERE).map(Doubt::Elsewhere),
        old_code.map(Doubt::OldCode),
        (recording.unmet > 0).then_some(Doubt::Unmet(recording.unmet)),
        replaced(target),
    ];
    doubts.into_iter().flatten().collect()
}
