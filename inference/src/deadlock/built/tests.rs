//! What operations are told as, and what refutes them.

use super::*;

const ONE: ThreadId = ThreadId(1);
const TWO: ThreadId = ThreadId(2);
const MONITOR: LockId = LockId(5);
const NUMBER: Lock = Lock(7);
const TAKE: StackId = StackId(1);
const GIVE: StackId = StackId(2);
const READ: StackId = StackId(3);
const OTHER: StackId = StackId(4);

fn built<'a>(takes: Mode, permits: Option<u32>) -> Built<'a> {
    let acts = [
        ((0, TAKE), Some(Act::Takes(takes))),
        ((0, GIVE), Some(Act::Gives)),
        ((0, READ), Some(Act::Takes(Mode::Shared))),
        ((0, OTHER), None),
    ];
    let plan = Plan {
        acts: BTreeMap::new(),
        permits,
        is_semaphore: permits.is_some(),
        queues: false,
    };
    Built {
        objects: FastMap::from_iter([(MONITOR, 0)]),
        plans: BTreeMap::from([(0, plan)]),
        acts: FastMap::from_iter(acts),
        ..Built::default()
    }
}

fn saw(built: &mut Built<'_>, thread: ThreadId, kind: EventKind, stack: StackId) -> Option<Op> {
    let change = built.saw((thread, MONITOR), kind, Some(stack), || NUMBER);
    change.and_then(|change| change.op)
}

/// An operation from its beginning to its end: what it wants first, and what it has changed then.
fn does(built: &mut Built<'_>, thread: ThreadId, stack: StackId) -> [Option<Op>; 2] {
    [EventKind::Entered, EventKind::Exit].map(|kind| saw(built, thread, kind, stack))
}

fn request(mode: Mode) -> Option<Op> {
    Some(Op::Request {
        lock: NUMBER,
        mode,
        timed: false,
    })
}

fn turn(mode: Mode) -> Option<Op> {
    Some(Op::Turn { lock: NUMBER, mode })
}

fn is_refuted(built: &Built<'_>) -> bool {
    built.refuted.contains(&MONITOR)
}

#[test]
fn permits_are_wanted_first_and_had_after_the_monitor_until_they_are_given_back() {
    let permit = Mode::Permit;
    let mut all = built(permit(1), Some(3));
    let took = does(&mut all, ONE, TAKE);
    assert_eq!(took, [request(permit(1)), turn(permit(1))]);
    let again = does(&mut all, ONE, TAKE);
    assert_eq!(again, [request(permit(1)), turn(permit(2))]);
    assert_eq!(does(&mut all, TWO, OTHER), [None, None]);
    assert_eq!(does(&mut all, ONE, GIVE), [None, turn(permit(1))]);
    let last = does(&mut all, ONE, GIVE);
    assert_eq!(last, [None, Some(Op::Release(NUMBER))]);
    all.ended(ONE);
    assert!(!is_refuted(&all));
}

#[test]
fn what_is_entered_inside_an_operation_is_part_of_it() {
    let mut all = built(Mode::Exclusive, None);
    saw(&mut all, ONE, EventKind::Entered, TAKE);
    assert_eq!(does(&mut all, ONE, GIVE), [None, None]);
    let over = saw(&mut all, ONE, EventKind::Exit, TAKE);
    assert_eq!(over, turn(Mode::Exclusive));
}

#[test]
fn who_gives_up_waiting_has_nothing() {
    let mut all = built(Mode::Exclusive, None);
    for (gives_up, has) in [(true, None), (false, turn(Mode::Exclusive))] {
        saw(&mut all, ONE, EventKind::Entered, TAKE);
        all.back(ONE, MONITOR, true);
        all.back(ONE, MONITOR, gives_up);
        assert_eq!(saw(&mut all, ONE, EventKind::Exit, TAKE), has);
    }
    assert!(!is_refuted(&all));
}

#[test]
fn what_a_lock_does_not_do_refutes_it() {
    let handed_on: [(ThreadId, StackId); 2] = [(ONE, TAKE), (TWO, GIVE)];
    let both = [(ONE, TAKE), (TWO, TAKE)];
    let read_and_written = [(ONE, READ), (TWO, TAKE)];
    let two_readers = [(ONE, READ), (TWO, READ)];
    for (mode, permits, acts, refuted) in [
        (Mode::Permit(1), Some(2), handed_on, true),
        (Mode::Permit(1), Some(1), both, true),
        (Mode::Permit(1), Some(2), both, false),
        (Mode::Permit(1), None, both, false),
        (Mode::Exclusive, None, both, true),
        (Mode::Exclusive, None, read_and_written, true),
        (Mode::Exclusive, None, two_readers, false),
    ] {
        let mut all = built(mode, permits);
        for (thread, stack) in acts {
            does(&mut all, thread, stack);
        }
        assert_eq!(is_refuted(&all), refuted, "{mode:?} {permits:?} {acts:?}");
    }
}

#[test]
fn a_thread_that_ends_with_it_refutes_it() {
    let mut all = built(Mode::Permit(1), None);
    does(&mut all, ONE, TAKE);
    all.ended(ONE);
    assert!(is_refuted(&all));
}

#[test]
fn who_cannot_wait_there_or_only_for_a_time_gives_up() {
    let effects = |may_wait, may_wait_for_ever| Effects {
        may_wait: Some(may_wait),
        may_wait_for_ever: Some(may_wait_for_ever),
        ..Effects::default()
    };
    let [waits, in_time, at_once] =
        [(true, true), (true, false), (false, false)].map(|(some, ever)| effects(some, ever));
    let unknown = Effects::default();
    for (takers, tries) in [
        (
            vec![waits, in_time, at_once, unknown],
            vec![false, true, true, false],
        ),
        (vec![in_time, at_once], vec![true, true]),
        // The waiting is done elsewhere.
        (vec![at_once, at_once], vec![false, false]),
        (vec![at_once, unknown], vec![false, false]),
    ] {
        let region = |at: usize| Region {
            method: locklens_trace::MethodId(at as u32),
            ..Region::UNPLACED
        };
        let regions = (0..takers.len()).map(|at| (region(at), Act::Takes(Mode::Exclusive)));
        let mut plan = Plan {
            acts: regions.collect(),
            permits: None,
            is_semaphore: false,
            queues: false,
        };
        plan.try_where(|region| takers[region.method.0 as usize]);
        let found = plan.acts.values().map(|act| matches!(act, Act::Tries(_)));
        assert_eq!(found.collect::<Vec<_>>(), tries);
    }
}

#[test]
fn who_tries_wants_it_for_a_time_and_has_what_he_got() {
    let mut all = built(Mode::Exclusive, None);
    let tries = Some(Act::Tries(Mode::Exclusive));
    all.acts.insert((0, TAKE), tries);
    let wanted = Op::Request {
        lock: NUMBER,
        mode: Mode::Exclusive,
        timed: true,
    };
    assert_eq!(
        does(&mut all, ONE, TAKE),
        [Some(wanted), turn(Mode::Exclusive)]
    );
    assert_eq!(
        does(&mut all, TWO, TAKE),
        [Some(wanted), turn(Mode::Exclusive)]
    );
    assert!(is_refuted(&all));
}
