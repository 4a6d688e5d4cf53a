//! What the fold adds to a completed sequence.

use super::*;
use crate::region::RegionId;

const A: ThreadId = ThreadId(1);

fn seen(us: u64, kind: EventKind, region: Option<u32>) -> Completed {
    Completed {
        what: What::Event(kind),
        thread: Some(A),
        mark: Mark::Observed,
        not_before: Nanos(us),
        not_after: Nanos(us),
        region: region.map(RegionId),
        region_mark: Mark::Observed,
    }
}

fn fold(events: &[Completed], complete: bool) -> Vec<Step> {
    history(LockId(1), &[events.to_vec()], complete, None).steps
}

#[test]
fn a_visit_of_unknown_region_is_left_out_or_forgets() {
    let events = [
        seen(1, EventKind::Entered, Some(1)),
        seen(2, EventKind::Exit, Some(1)),
        seen(3, EventKind::Entered, None),
        seen(4, EventKind::Exit, None),
    ];
    assert_eq!(fold(&events, false).len(), 1);
    assert_eq!(fold(&events, true)[1], Step::Reset(Nanos(3)));
}

#[test]
fn nested_levels_are_one_visit_and_notify_all_outweighs_one() {
    let steps = fold(
        &[
            seen(1, EventKind::Entered, Some(1)),
            seen(2, EventKind::Entered, Some(2)),
            seen(3, EventKind::NotifyAll, Some(1)),
            seen(4, EventKind::Notify, Some(1)),
            seen(5, EventKind::Exit, Some(2)),
            seen(6, EventKind::Exit, Some(1)),
        ],
        true,
    );
    let [Step::Visit(visit)] = steps[..] else {
        panic!("one visit: {steps:?}");
    };
    assert_eq!((visit.region, visit.finish), (RegionId(1), Finish::Left));
    assert_eq!(visit.notified, Notified::All(Mark::Observed));
}

#[test]
fn the_subjects_end_stands_where_it_happened() {
    let sequence = vec![
        seen(1, EventKind::Entered, Some(1)),
        seen(2, EventKind::Wait { timeout: None }, Some(1)),
        seen(9, EventKind::Waited { timed_out: false }, Some(1)),
        seen(9, EventKind::Resumed, Some(1)),
    ];
    let steps = history(LockId(1), &[sequence], false, Some(Nanos(5))).steps;
    assert!(matches!(
        steps[..],
        [Step::Visit(_), Step::SubjectEnded(_), Step::Visit(_)]
    ));
}

/// It waits, thread 2 takes the monitor and notifies, and ends when the first has gone on.
fn told(subject: u32) -> Vec<Step> {
    let by = |thread, event: Completed| Completed {
        thread: Some(ThreadId(thread)),
        ..event
    };
    let sequence = vec![
        seen(1, EventKind::Entered, Some(1)),
        seen(2, EventKind::Wait { timeout: None }, Some(1)),
        by(2, seen(3, EventKind::Entered, Some(2))),
        by(2, seen(4, EventKind::NotifyAll, Some(2))),
        by(2, seen(5, EventKind::Exit, Some(2))),
        seen(6, EventKind::Resumed, Some(1)),
        seen(7, EventKind::Exit, Some(1)),
    ];
    let mut history = history(LockId(1), &[sequence], true, Some(Nanos(9)));
    history.end_as_told(ThreadId(subject));
    history.steps
}

#[test]
fn a_thread_that_tells_of_its_end_ends_there() {
    let ends_at = |steps: &[Step]| {
        let ended = |step: &Step| matches!(step, Step::SubjectEnded(_));
        steps.iter().position(ended)
    };
    assert_eq!(ends_at(&told(2)), Some(2));
    assert_eq!(ends_at(&told(1)), Some(3), "it told nobody");
    assert_eq!(ends_at(&told(3)), Some(3), "it never came");
}

#[test]
fn windows_are_separated_by_a_reset() {
    let window = |us| {
        vec![
            seen(us, EventKind::Entered, Some(1)),
            seen(us + 1, EventKind::Exit, Some(1)),
        ]
    };
    let steps = history(LockId(1), &[window(1), vec![], window(100)], false, None).steps;
    assert!(matches!(
        steps[..],
        [Step::Visit(_), Step::Reset(_), Step::Visit(_)]
    ));
}

#[test]
fn a_timed_wait_that_nobody_ended_ran_out_even_if_its_end_was_not_told() {
    let timeout = Some(Nanos(1_000));
    let resumed_by_timeout = |timeout, between: &[EventKind], complete| {
        let mut events = vec![
            seen(1, EventKind::Entered, Some(1)),
            seen(2, EventKind::Wait { timeout }, Some(1)),
        ];
        for &kind in between {
            let mut other = seen(3, kind, Some(1));
            other.thread = Some(ThreadId(2));
            events.push(other);
        }
        events.push(seen(9, EventKind::Resumed, Some(1)));
        let steps = fold(&events, complete);
        let Some(Step::Visit(last)) = steps.last() else {
            panic!("a visit: {steps:?}");
        };
        last.begin == Begin::Resumed { timed_out: true }
    };
    assert!(resumed_by_timeout(timeout, &[], true));
    assert!(!resumed_by_timeout(None, &[], true));
    assert!(!resumed_by_timeout(timeout, &[], false));
    let notify = [EventKind::Entered, EventKind::Notify, EventKind::Exit];
    assert!(!resumed_by_timeout(timeout, &notify, true));
}
