//! Who tries again after a wait outside the region, in a loop around it, has made one visit all the same.

use crate::region::RegionId;
use crate::visit::{Begin, Finish, History, Step, Visit};
use locklens_trace::ThreadId;
use std::collections::{BTreeMap, BTreeSet};

/// Of a visit that leaves a region after its wait only to enter it again (`again`: regions of which the code says so),
/// and the next one in the region makes one that is resumed when the next one begins.
pub(super) fn ask_once(history: &mut History, again: &BTreeSet<RegionId>) {
    if again.is_empty() {
        return;
    }
    let mut asking: BTreeMap<ThreadId, (usize, Visit)> = BTreeMap::new();
    let mut left_out = BTreeSet::new();
    for (at, step) in history.steps.iter_mut().enumerate() {
        let Step::Visit(visit) = step else {
            // What came in between is not known, or there is nothing to ask for any more.
            asking.clear();
            continue;
        };
        // By itself: one that was asked for again and found what it wanted ends there.
        let resumed = visit.begin.is_resumed();
        if let Some((asked, before)) = asking.remove(&visit.thread)
            && before.region == visit.region
            && matches!(visit.begin, Begin::Fresh { .. })
        {
            left_out.insert(asked);
            visit.begin = before.begin;
            visit.begin_mark = before.begin_mark;
        }
        if resumed && visit.finish == Finish::Left && again.contains(&visit.region) {
            asking.insert(visit.thread, (at, *visit));
        }
    }
    let mut at = 0..;
    history
        .steps
        .retain(|_| at.next().is_none_or(|at| !left_out.contains(&at)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::{Mark, Notified};
    use locklens_trace::Nanos;

    const FRESH: Begin = Begin::Fresh { blocked: false };
    const RESUMED: Begin = Begin::Resumed { timed_out: false };

    fn visit((thread, region): (u32, u32), at: u64, begin: Begin) -> Step {
        Step::Visit(Visit {
            thread: ThreadId(thread),
            region: RegionId(region),
            at: Nanos(at),
            until: Nanos(at + 1),
            begin,
            begin_mark: Mark::Observed,
            finish: Finish::Left,
            finish_mark: Mark::Observed,
            notified: Notified::No,
        })
    }

    /// Times and beginnings of the visits that are left.
    fn asked(steps: &[Step], again: &[u32]) -> Vec<(u64, Begin)> {
        let steps = steps.to_vec();
        let mut history = History {
            steps,
            ..History::default()
        };
        ask_once(&mut history, &again.iter().copied().map(RegionId).collect());
        let left = history.steps.into_iter();
        left.filter_map(|step| match step {
            Step::Visit(visit) => Some((visit.at.0, visit.begin)),
            Step::Reset(_) | Step::SubjectEnded(_) => None,
        })
        .collect()
    }

    #[test]
    fn who_leaves_after_a_wait_only_to_come_again_was_there_once() {
        let (one, other) = ((1, 7), (2, 7));
        let steps = [
            visit(one, 10, RESUMED),
            visit(other, 20, FRESH),
            visit(one, 30, FRESH),
            visit(one, 40, FRESH),
        ];
        let once = [(20, FRESH), (30, RESUMED), (40, FRESH)];
        assert_eq!(asked(&steps, &[7]), once);
        assert_eq!(asked(&steps, &[8]).len(), 4, "the code does not say so");
    }

    #[test]
    fn who_was_elsewhere_or_out_of_sight_in_between_has_come_twice() {
        let (one, elsewhere) = ((1, 7), (1, 9));
        let between = [visit(elsewhere, 20, FRESH), Step::Reset(Nanos(20))];
        for step in between {
            let steps = [visit(one, 10, RESUMED), step, visit(one, 30, FRESH)];
            let left = asked(&steps, &[7]);
            assert_eq!(left.first(), Some(&(10, RESUMED)), "{step:?}");
            assert_eq!(left.last(), Some(&(30, FRESH)), "{step:?}");
        }
    }
}
