//! What threads wait on of which compiled code has let go, so that a dump does not name it, and which have entered more than one monitor.
//!
//! Mostly it is the one that was entered last. Who waits on another one keeps that one, and whoever is to wake it may be blocked there:
//! just those deadlocks must not be told as something else. So where threads are blocked on it, and nobody else is seen to have it, what
//! is waited on stays unknown; and where it is told, it is told as what it seems.

use super::{Object, Stand, State, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// Adds what can be found out.
pub(super) fn find(threads: &mut [Thread]) {
    let mut owners: BTreeMap<&Object, BTreeSet<usize>> = BTreeMap::new();
    let mut wanted: BTreeSet<&Object> = BTreeSet::new();
    for (ix, thread) in threads.iter().enumerate() {
        let at = thread.stand.as_ref().and_then(Stand::object);
        let kept = thread.entered.iter().map(|(_, object)| object);
        for object in kept.filter(|&object| at != Some(object)) {
            owners.entry(object).or_default().insert(ix);
        }
        if let Some(Stand::Enter(object) | Stand::Reenter(object)) = &thread.stand {
            wanted.insert(object);
        }
    }
    let is_kept = |ix: usize, object: &Object| {
        let mut others = owners.get(object).into_iter().flatten();
        wanted.contains(object) && others.all(|&owner| owner == ix)
    };
    let found: Vec<(usize, Stand)> = threads
        .iter()
        .enumerate()
        .filter(|(_, thread)| thread.stand.is_none())
        .filter_map(|(ix, thread)| {
            let inner = innermost(thread).filter(|object| !is_kept(ix, object))?;
            Some((ix, stand(thread, inner.clone())?))
        })
        .collect();
    for (ix, stand) in found {
        let thread = &mut threads[ix];
        (thread.stand, thread.presumed) = (Some(stand), true);
    }
}

/// How a thread in `Object.wait` stands at that monitor.
pub(super) fn stand(thread: &Thread, object: Object) -> Option<Stand> {
    match thread.state {
        State::Waiting | State::WaitingTimed => Some(Stand::Wait(object)),
        // Back from there.
        State::Blocked if is_in_wait(thread) => Some(Stand::Reenter(object)),
        _ => None,
    }
}

/// The only monitor of the innermost frame that has entered any.
fn innermost(thread: &Thread) -> Option<&Object> {
    let (first, _) = thread.entered.first()?;
    let inner = thread.entered.iter().filter(|(frame, _)| frame == first);
    let inner: BTreeSet<_> = inner.map(|(_, object)| object).collect();
    inner.first().copied().filter(|_| inner.len() == 1)
}

fn is_in_wait(thread: &Thread) -> bool {
    let innermost = thread.frames.first().map(|frame| frame.method.as_str());
    matches!(
        innermost,
        Some("java.lang.Object.wait" | "java.lang.Object.wait0")
    )
}
