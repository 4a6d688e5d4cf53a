use super::*;

const PARK: Deed = Deed::Park(Some(LockId(7)), None);

fn step(at: u64, thread: ThreadId, what: Deed) -> Step {
    Step {
        at,
        thread,
        what,
        stack: None,
    }
}

fn told(steps: &[(u64, u32, Deed)]) -> Vec<(u64, u64, ParkEnd, Option<u64>)> {
    let mut parks = Parks::default();
    for &(at, thread, what) in steps {
        let thread = ThreadId(thread);
        parks.hold(step(at, thread, what));
    }
    let mut told = Vec::new();
    parks.finish(1_000_000, 0, &mut |record| {
        if let Record::Park(park) = record {
            let unpark = park.unpark.map(|unpark| unpark.at.0);
            told.push((park.from.0, park.to.0, park.end, unpark));
        }
    });
    told
}

#[test]
fn the_first_unpark_since_the_last_park_ends_it() {
    let steps = [
        (10, 1, PARK),
        (20, 2, Deed::Unpark(ThreadId(1))),
        (25, 3, Deed::Unpark(ThreadId(1))),
        (30, 1, Deed::Parked(false)),
        // Before the next one begins: that does not wait.
        (40, 2, Deed::Unpark(ThreadId(1))),
        (50, 1, PARK),
        (51, 1, Deed::Parked(true)),
        (60, 1, PARK),
    ];
    let expected = [
        (10, 30, ParkEnd::Unparked, Some(20)),
        (50, 51, ParkEnd::Unparked, Some(40)),
        (60, 1_000_000, ParkEnd::Open, None),
    ];
    assert_eq!(told(&steps), expected);
    let backwards: Vec<_> = steps.into_iter().rev().collect();
    assert_eq!(told(&backwards), expected, "in whatever order they come");
}

#[test]
fn an_unpark_of_a_park_that_began_before_the_recording_ends_no_other_one() {
    let steps = [
        // Goes on where there are no probes.
        (10, 2, Deed::Unpark(ThreadId(1))),
        (20, 1, PARK),
        (30, 3, Deed::Unpark(ThreadId(1))),
        (31, 1, Deed::Parked(false)),
        (35, 2, Deed::Unpark(ThreadId(1))),
        (40, 1, PARK),
        (41, 1, Deed::Parked(false)),
    ];
    let expected = [
        (20, 31, ParkEnd::Unparked, Some(30)),
        (40, 41, ParkEnd::Unparked, Some(35)),
    ];
    assert_eq!(told(&steps), expected);
}

#[test]
fn after_a_loss_nobody_knows_what_the_unparks_before_it_ended() {
    let mut parks = Parks::default();
    let mut told = Vec::new();
    let mut follow = |parks: &mut Parks, steps: &[(u64, Deed)], mark| {
        for &(at, what) in steps {
            let thread = ThreadId(1);
            parks.hold(step(at, thread, what));
        }
        parks.release(mark, 0, &mut |record| {
            if let Record::Park(park) = record {
                told.push((park.from.0, park.end));
            }
        });
    };
    let unpark = Deed::Unpark(ThreadId(1));
    follow(
        &mut parks,
        &[(1, PARK), (2, Deed::Parked(false)), (3, unpark)],
        10,
    );
    parks.lose_track(10);
    follow(&mut parks, &[(20, PARK), (90, Deed::Parked(false))], 100);
    let steps = [(110, unpark), (120, PARK), (121, Deed::Parked(false))];
    follow(&mut parks, &steps, 200);
    // Of what is held back nobody knows on which side of a loss it is.
    follow(&mut parks, &[(210, PARK), (215, Deed::Parked(false))], 205);
    parks.lose_track(240);
    let steps = [
        (230, unpark),
        (250, PARK),
        (255, Deed::Parked(false)),
        (260, unpark),
        (270, PARK),
        (275, Deed::Parked(false)),
    ];
    follow(&mut parks, &steps, 300);
    let expected = [
        (1, ParkEnd::Unknown),
        (20, ParkEnd::Unknown),
        (120, ParkEnd::Unparked),
        (210, ParkEnd::Unknown),
        (250, ParkEnd::Unknown),
        (270, ParkEnd::Unparked),
    ];
    assert_eq!(told, expected);
}

#[test]
fn who_goes_on_without_an_unpark_timed_out_was_interrupted_or_nobody_knows() {
    let limit = |micros| Deed::Park(None, Some(micros));
    let steps = [
        (0, 1, limit(3)),
        (2_000, 1, Deed::Parked(false)),
        (3_000, 1, limit(3)),
        (4_999, 1, Deed::Parked(false)),
        (5_000, 1, limit(3)),
        (5_100, 1, Deed::Parked(true)),
        (6_000, 1, limit(kind::LONGEST)),
        (7_000, 1, Deed::Parked(false)),
        (8_000, 1, limit(0)),
        (8_000, 1, Deed::Parked(false)),
        (9_000, 1, Deed::Park(None, None)),
        (9_900, 1, Deed::Parked(false)),
    ];
    let ends: Vec<ParkEnd> = told(&steps).iter().map(|park| park.2).collect();
    let expected = [
        ParkEnd::TimedOut,
        ParkEnd::Unknown,
        ParkEnd::Interrupted,
        ParkEnd::Unknown,
        ParkEnd::TimedOut,
        ParkEnd::Unknown,
    ];
    assert_eq!(ends, expected);
}

#[test]
fn a_limit_of_nothing_is_a_limit() {
    let note = |argument| Note {
        chain: 0,
        at: 1,
        hash: 0,
        site: 0,
        tid: 1,
        kind: kind::PARK,
        argument,
    };
    let limits = [0, kind::NO_TIME, 1, kind::LONGEST].map(|argument| limit(&note(argument)));
    assert_eq!(limits, [None, Some(0), Some(1), Some(kind::LONGEST)]);
}

#[test]
fn a_start_that_was_long_on_its_way_into_the_ring_is_of_when_it_came_there() {
    let note = |kind, argument| Note {
        chain: 0,
        at: 5,
        hash: 7,
        site: 0,
        tid: 1,
        kind,
        argument,
    };
    let at = |note, since| placed(note, since).at;
    for bit in [kind::STARTS, kind::MAKES] {
        assert_eq!(at(note(kind::UNPARK, bit), 9), 9);
        assert_eq!(at(note(kind::UNPARK, bit), 3), 5);
    }
    assert_eq!(at(note(kind::UNPARK, kind::JOINED), 9), 5);
    let limited = note(kind::UNPARK, kind::JOINED | kind::IN_TIME | 3);
    assert_eq!(tie(&limited), Some(Tie::JoinedInTime));
    assert_eq!(unparked(&limited), 3 << 32 | 7);
    assert_eq!(at(note(kind::PARKED, 1), 9), 5);
}

#[test]
fn what_is_missing_is_said_and_never_made_up() {
    let steps = [
        (5, 1, Deed::Parked(false)),
        (10, 1, PARK),
        (15, 2, Deed::Unpark(ThreadId(1))),
        (20, 1, PARK),
        (30, 1, Deed::Parked(false)),
    ];
    let expected = [
        (10, 10, ParkEnd::Unseen, None),
        (20, 30, ParkEnd::Unknown, None),
    ];
    assert_eq!(told(&steps), expected);
}
