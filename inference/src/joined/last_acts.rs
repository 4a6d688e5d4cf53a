//! Objects that stand for what a thread does: it tells of its end as its last act.

use super::visits;
use crate::visit::{Finish, History, Notified, Step};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Objects that must be told by a thread of their own.
const SUBJECTS: usize = 3;
/// How soon after that its end must follow.
const SOON: Nanos = Nanos(5_000_000);

/// Puts the end of what is waited for where it is told, if nearly every object was told by a thread of its own, which ended
/// right after.
pub(crate) fn last_acts(histories: &mut [History], ends: &BTreeMap<ThreadId, Nanos>) {
    let acts: Vec<_> = histories.iter().map(|h| last_act(h, ends)).collect();
    let threads: BTreeSet<ThreadId> = acts.iter().flatten().map(|act| act.1).collect();
    let waited = histories
        .iter()
        .filter(|h| super::waits(std::slice::from_ref(h)));
    if threads.len() < SUBJECTS || threads.len() * 10 < waited.count() * 9 {
        return;
    }
    for (history, act) in histories.iter_mut().zip(acts) {
        if let Some((step, _, at)) = act {
            history.steps.insert(step + 1, Step::SubjectEnded(at));
        }
    }
}

/// The first to tell whoever waits, if its thread ended right after: the step, the thread, and when.
fn last_act(
    history: &History,
    ends: &BTreeMap<ThreadId, Nanos>,
) -> Option<(usize, ThreadId, Nanos)> {
    let mut tells = visits(history).filter(|(_, v)| v.notified != Notified::No);
    let (at, visit) = tells.find(|(_, v)| v.finish == Finish::Left)?;
    let end = ends.get(&visit.thread)?;
    let soon = end.0.checked_sub(visit.until.0)? <= SOON.0;
    soon.then_some((at, visit.thread, visit.until))
}
