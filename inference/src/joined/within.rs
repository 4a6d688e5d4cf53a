//! Who waits on the inner monitor holds the outer one.

use super::{Place, Timelines, nearly_all, visits};
use crate::visit::{Finish, History, Notified, Step, Visit};
use locklens_trace::Nanos;
use std::collections::{BTreeMap, BTreeSet};

/// The histories of the whole, one for each outer object; none if nobody who waits on the inner ones holds an outer one, or
/// they are not one to one.
pub(crate) fn within(outer: &[History], inner: &[History]) -> Option<Vec<History>> {
    if super::waits(outer) {
        return None;
    }
    let lines = Timelines::of(outer);
    let mut rooms: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut around: BTreeMap<(usize, usize), Place> = BTreeMap::new();
    let mut waits = 0;
    for (object, room) in inner.iter().enumerate() {
        for (step, visit) in visits(room) {
            let place = lines.before(visit.thread, visit.at);
            let Some(place) = place.filter(|p| p.to >= visit.until) else {
                continue;
            };
            around.insert((object, step), place);
            rooms.entry(object).or_default().insert(place.object);
            waits += usize::from(matches!(visit.finish, Finish::Waits { .. }));
        }
    }
    let one = rooms.values().all(|outer| outer.len() == 1);
    let used: BTreeSet<usize> = rooms.values().flatten().copied().collect();
    let to_one = used.len() == rooms.len() && rooms.len() == inner.len();
    if !one || !to_one || !nearly_all(waits, waits) {
        return None;
    }
    let joined = rooms.iter().filter_map(|(&room, outer_of)| {
        let &guard = outer_of.first()?;
        let around = around.range((room, 0)..(room + 1, 0));
        let around: BTreeMap<usize, Place> = around.map(|(at, place)| (at.1, *place)).collect();
        Some(join(&outer[guard], &inner[room], &around))
    });
    Some(joined.collect())
}

/// Visits of both in order of time. One to the inner monitor within one to the outer is a part of that.
fn join(outer: &History, inner: &History, around: &BTreeMap<usize, Place>) -> History {
    let mut parts: BTreeMap<usize, Vec<Visit>> = BTreeMap::new();
    let mut steps: Vec<(Nanos, Step)> = Vec::new();
    for (at, step) in inner.steps.iter().enumerate() {
        match (step, around.get(&at)) {
            (Step::Visit(visit), Some(place)) => parts.entry(place.step).or_default().push(*visit),
            (Step::Visit(visit), None) => steps.push((visit.at, *step)),
            (Step::Reset(when) | Step::SubjectEnded(when), _) => steps.push((*when, *step)),
        }
    }
    for (at, step) in outer.steps.iter().enumerate() {
        match step {
            Step::Visit(visit) => {
                let whole = whole(*visit, parts.get(&at).map_or(&[], Vec::as_slice));
                steps.extend(
                    whole
                        .into_iter()
                        .map(|visit| (visit.at, Step::Visit(visit))),
                );
            }
            Step::Reset(when) | Step::SubjectEnded(when) => steps.push((*when, *step)),
        }
    }
    steps.sort_by_key(|step| step.0);
    History {
        lock: outer.lock,
        steps: steps.into_iter().map(|(_, step)| step).collect(),
        complete: outer.complete && inner.complete,
        still_waiting: Vec::new(),
    }
}

/// A visit to the outer monitor, cut where it waits on the inner one.
fn whole(visit: Visit, parts: &[Visit]) -> Vec<Visit> {
    let mut pieces = Vec::new();
    let mut piece = Visit {
        at: parts.first().map_or(visit.at, |part| part.at),
        ..visit
    };
    let mut waiting = false;
    for part in parts {
        if part.begin.is_resumed() {
            piece = Visit {
                at: part.at,
                begin: part.begin,
                notified: Notified::No,
                ..visit
            };
        }
        if part.notified != Notified::No {
            piece.notified = part.notified;
        }
        waiting = matches!(part.finish, Finish::Waits { .. });
        if waiting {
            pieces.push(Visit {
                finish: part.finish,
                until: part.until,
                ..piece
            });
        }
    }
    if !waiting {
        pieces.push(piece);
    }
    pieces
}
