//! Locks of `java.util.concurrent` that are known by their class alone.

use crate::text::count;
use locklens_inference::model::Model;

/// Numbers that are named.
const NAMED: usize = 8;

/// That no call chain tells where they are used, and what that leaves open.
pub(super) fn placeless(model: &Model) -> Option<String> {
    let locks = model.locks.iter();
    let placeless = locks.filter(|lock| lock.sampled.is_some() && lock.regions.is_empty());
    let ids: Vec<String> = placeless.map(|lock| lock.id.to_string()).collect();
    let shown = &ids[..ids.len().min(NAMED)];
    let which = match (ids.len() - shown.len(), ids.len()) {
        (_, 0) => return None,
        (_, 1) => format!("lock {} is used: it", shown.join("")),
        (0, _) => format!("locks {} are used: each", shown.join(", ")),
        (more, _) => format!(
            "locks {} and {} more are used: each",
            shown.join(", "),
            count(more as u64)
        ),
    };
    let how = match model.recording.parks {
        Some(_) => " --all-app tells it of every operation.",
        None => "",
    };
    Some(format!(
        "No call chain tells where {which} is called by its class alone, and may be several locks or belong to another row.{how}"
    ))
}
