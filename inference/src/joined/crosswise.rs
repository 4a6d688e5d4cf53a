//! A queue with a monitor for each end: whoever has got through one of them tells the other.

use super::{Place, Timelines, nearly_all, visit_at, visits};
use crate::region::RegionId;
use crate::visit::{Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The histories of the whole, one for each pair of monitors; none if they are no such pairs.
pub(crate) fn crosswise(all: &[History]) -> Option<Vec<History>> {
    let waits = |visit: &&Visit| matches!(visit.finish, Finish::Waits { .. });
    let ends: Vec<&History> = all
        .iter()
        .filter(|h| super::waits(std::slice::from_ref(h)))
        .collect();
    let ends: Vec<History> = ends.into_iter().cloned().collect();
    let steps = ends.iter().flat_map(visits).map(|(_, visit)| visit);
    let waiting: BTreeSet<RegionId> = steps.filter(waits).map(|v| v.region).collect();
    let lines = Timelines::of(&ends);
    let mut tells: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut told, mut linked) = (0, 0);
    for (to, end) in ends.iter().enumerate() {
        for (_, visit) in visits(end).filter(|(_, v)| !waiting.contains(&v.region)) {
            told += 1;
            let from = comes_from(&ends, &lines, (visit.thread, visit.at, to));
            let from = from.filter(|&place| {
                visit_at(&ends, place).is_some_and(|v| waiting.contains(&v.region))
            });
            if let Some(from) = from {
                linked += 1;
                *tells.entry((from.object, to)).or_default() += 1;
            }
        }
    }
    if !nearly_all(linked, told) {
        return None;
    }
    let mut pairs = Vec::new();
    for (&(a, b), &times) in tells.iter().filter(|((a, b), _)| a < b) {
        let back = tells.get(&(b, a)).copied().unwrap_or(0);
        pairs.push((times + back, back > 0, a, b));
    }
    let mutual: usize = pairs.iter().filter(|p| p.1).map(|p| p.0).sum();
    let used: Vec<usize> = pairs
        .iter()
        .filter(|p| p.1)
        .flat_map(|p| [p.2, p.3])
        .collect();
    let once = used.iter().collect::<BTreeSet<_>>().len() == used.len();
    if !once || !nearly_all(mutual, told) {
        return None;
    }
    let pairs = pairs.into_iter().filter(|p| p.1);
    Some(
        pairs
            .map(|(_, _, a, b)| join([&ends[a], &ends[b]], &waiting))
            .collect(),
    )
}

/// The visit to another monitor that a thread began last before one to this.
fn comes_from(
    ends: &[History],
    lines: &Timelines,
    (thread, at, object): (ThreadId, Nanos, usize),
) -> Option<Place> {
    let before = Nanos(at.0.checked_sub(1)?);
    let place = lines.before(thread, before)?;
    let left = visit_at(ends, place)?.finish == Finish::Left;
    (left && place.object != object).then_some(place)
}

/// Who gets through either end, in order of time; what it tells the other end is a part of that.
fn join(ends: [&History; 2], waiting: &BTreeSet<RegionId>) -> History {
    let mut steps: Vec<(Nanos, Step)> = Vec::new();
    for step in ends.iter().flat_map(|end| &end.steps) {
        match step {
            Step::Visit(visit) if waiting.contains(&visit.region) => {
                let passes = visit.finish == Finish::Left;
                let notified = if passes {
                    Notified::All(Mark::Observed)
                } else {
                    Notified::No
                };
                steps.push((visit.at, Step::Visit(Visit { notified, ..*visit })));
            }
            Step::Visit(_) => {}
            Step::Reset(at) | Step::SubjectEnded(at) => steps.push((*at, *step)),
        }
    }
    steps.sort_by_key(|step| step.0);
    History {
        lock: ends[0].lock,
        steps: steps.into_iter().map(|(_, step)| step).collect(),
        complete: ends.iter().all(|end| end.complete),
        still_waiting: Vec::new(),
    }
}
