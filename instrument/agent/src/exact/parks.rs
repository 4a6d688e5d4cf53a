//! Parks: what the probes of `LockSupport` leave, laid side by side.
//!
//! A thread has one *permit* at most: an unpark gives it, a park takes it, and without one waits for it. So of the
//! unparks of a thread the first one since it went on last is what ends its park, or keeps it from waiting at
//! all. Records come by ring; before they are laid side by side they are sorted by time.
//!
//! An unpark that came before a park begins may have ended another one, which nobody told of: one that had begun before
//! the recording (its thread went on in the code without probes), or whose records were lost. So it counts only for
//! threads that were seen going on since, and that are followed from there.

use super::arena::Note;
use super::probe::kind;
use crate::scattered::Map;
use locklens_trace::kin::{Kin, Tie};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::target_key;
use locklens_trace::{Event, LockId, Nanos, Record, StackId, ThreadId};
use std::collections::BTreeMap;

/// See the module.
#[derive(Default)]
pub(super) struct Parks {
    held: Vec<Step>,
    /// Everything before was laid side by side.
    mark: u64,
    threads: Map<ThreadId, State>,
    /// Those that were seen parking or going on, with nothing lost since: a bit for each id.
    followed: Vec<u64>,
    /// Up to here there are losses.
    lost: u64,
    told: u64,
    unparks: u64,
}

/// What a probe saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) at: u64,
    pub(super) thread: ThreadId,
    pub(super) what: Deed,
    /// The call chain by which it did.
    pub(super) stack: Option<StackId>,
}

/// See [`Step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// About to park on a lock, for so many microseconds at most.
    Park(Option<LockId>, Option<u32>),
    /// Going on; whether interrupted.
    Parked(bool),
    /// About to unpark.
    Unpark(ThreadId),
}

/// A thread that is parked, or that has been unparked.
#[derive(Clone, Copy, Default)]
struct State {
    parks: Option<Step>,
    permit: Option<Unpark>,
}

/// Whether a record is of a park.
pub(super) fn is_of_park(note: &Note) -> bool {
    matches!(note.kind, kind::PARK | kind::PARKED | kind::UNPARK) && tie(note).is_none()
}

/// What a record says that a thread did to the life of another one.
pub(super) fn tie(note: &Note) -> Option<Tie> {
    match note.argument & kind::MAKES {
        kind::STARTS | kind::MAKES if note.kind == kind::UNPARK => Some(Tie::Starts),
        kind::JOINED if note.kind == kind::UNPARK => Some(match note.argument & kind::IN_TIME {
            0 => Tie::Joined,
            _ => Tie::JoinedInTime,
        }),
        _ => None,
    }
}

/// Whether it is that a thread has made a virtual one.
pub(super) fn is_of_making(note: &Note) -> bool {
    tie(note) == Some(Tie::Starts) && note.argument & kind::MAKES == kind::MAKES
}

/// A record that was reserved since a time. A start comes before all that its thread does, and the other one, once it was reserved: where
/// the thread lost the processor before that, this is its place, too.
pub(super) fn placed(note: Note, since: u64) -> Note {
    match tie(&note) {
        Some(Tie::Starts) => Note {
            at: note.at.max(since),
            ..note
        },
        _ => note,
    }
}

/// Whether the number that goes with an event tells of a start.
pub(crate) fn is_start(packed: u64) -> bool {
    packed >> 32 == 0
}

/// The number that goes with an event of a start or an end.
pub(super) fn packed_tie(tie: Tie, other: u32) -> u64 {
    (tie as u64) << 32 | u64::from(other)
}

/// What the trace is told of a start or an end, from that number.
pub(crate) fn kin(event: &Event, packed: u64) -> Kin {
    Kin {
        at: event.at,
        thread: event.thread,
        other: ThreadId(packed as u32),
        tie: [Tie::Joined, Tie::JoinedInTime]
            .into_iter()
            .find(|tie| *tie as u64 == packed >> 32)
            .unwrap_or(Tie::Starts),
    }
}

/// The tid that a record of an unpark, or of a start or an end, names.
pub(super) fn unparked(note: &Note) -> u64 {
    let high = note.argument & !(kind::MAKES | kind::IN_TIME);
    u64::from(high) << 32 | u64::from(note.hash)
}

/// For how many microseconds at most a record says that a thread meant to park; none if there is no limit.
pub(super) fn limit(note: &Note) -> Option<u32> {
    match note.argument {
        0 => None,
        kind::NO_TIME => Some(0),
        micros => Some(micros),
    }
}

impl Parks {
    /// Takes one in.
    pub(super) fn hold(&mut self, step: Step) {
        let at = step.at.max(self.mark);
        self.held.push(Step { at, ..step });
    }

    /// Records were lost, of whomever, at some time before this. What was held back may be of before or of after them.
    pub(super) fn lose_track(&mut self, at: u64) {
        self.followed.clear();
        self.lost = self.lost.max(at);
    }

    /// Follows a thread from a time on, if nothing was lost after it; whether it was followed before.
    fn follow(&mut self, thread: ThreadId, at: u64) -> bool {
        if at <= self.lost {
            return false;
        }
        let (word, bit) = (thread.0 as usize / 64, 1 << (thread.0 % 64));
        if self.followed.len() <= word {
            self.followed.resize(word + 1, 0);
        }
        self.followed.get_mut(word).is_some_and(|bits| {
            let before = *bits & bit != 0;
            *bits |= bit;
            before
        })
    }

    /// Who came before this time is not waited for where there is no room for more and waiting makes none.
    pub(super) fn patience_from(&self) -> u64 {
        let step = self.held.get(self.held.len() / 2);
        step.map_or(0, |step| step.at.max(self.mark + 1))
    }

    /// Gives back the memory of what is no longer held.
    pub(super) fn shrink(&mut self) {
        self.held.shrink_to_fit();
    }

    /// Bytes of what is held back.
    pub(super) fn bytes(&self) -> usize {
        self.held.capacity() * size_of::<Step>()
    }

    /// Tells the parks that ended before `mark`.
    pub(super) fn release(&mut self, mark: u64, start: u64, emit: &mut impl FnMut(Record)) {
        self.mark = self.mark.max(mark);
        self.held.sort_by_key(|step| step.at);
        let ripe = self.held.partition_point(|step| step.at < mark);
        let mut held = std::mem::take(&mut self.held);
        for step in held.drain(..ripe) {
            if let Some(park) = self.take(step, start) {
                self.told += 1;
                emit(Record::Park(park));
            }
        }
        self.held = held;
    }

    /// Tells the rest, and who is parked still.
    pub(super) fn finish(&mut self, end: u64, start: u64, emit: &mut impl FnMut(Record)) {
        self.release(u64::MAX, start, emit);
        let mut open: Vec<Step> = self.threads.drain().filter_map(|(_, s)| s.parks).collect();
        open.sort_by_key(|step| (step.at, step.thread));
        for step in open {
            self.told += 1;
            let park = park(step, (step.at.max(end), start), ParkEnd::Open, None);
            park.into_iter().for_each(|park| emit(Record::Park(park)));
        }
    }

    fn take(&mut self, step: Step, start: u64) -> Option<Park> {
        match step.what {
            Deed::Unpark(target) => {
                self.unparks += 1;
                let permit = &mut self.threads.entry(target).or_default().permit;
                permit.get_or_insert(Unpark {
                    stack: step.stack,
                    by: step.thread,
                    at: Nanos(step.at.saturating_sub(start)),
                });
                None
            }
            Deed::Park(..) => {
                let followed = self.follow(step.thread, step.at);
                let state = self.threads.entry(step.thread).or_default();
                if !followed {
                    state.permit = None;
                }
                let before = state.parks.replace(step)?;
                // The record of its end was lost, or an error of the JVM ended it. What unparked it then says
                // nothing of this one.
                state.permit = None;
                park(before, (before.at, start), ParkEnd::Unseen, None)
            }
            Deed::Parked(interrupted) => {
                self.follow(step.thread, step.at);
                let state = self.threads.remove(&step.thread)?;
                let begun = state.parks?;
                let end = match state.permit {
                    Some(_) => ParkEnd::Unparked,
                    None if interrupted => ParkEnd::Interrupted,
                    None if is_over(&begun, step.at) => ParkEnd::TimedOut,
                    None => ParkEnd::Unknown,
                };
                park(begun, (step.at, start), end, state.permit)
            }
        }
    }

    /// What the trace is to say of them.
    pub(super) fn facts(&self) -> BTreeMap<&'static str, String> {
        BTreeMap::from([
            (target_key::PARKS, self.told.to_string()),
            (target_key::PARKS_UNPARKS, self.unparks.to_string()),
        ])
    }
}

/// Whether the time that a thread wanted to park at most was over. The limit was rounded up.
fn is_over(begun: &Step, at: u64) -> bool {
    let Deed::Park(_, Some(micros)) = begun.what else {
        return false;
    };
    let limit = u64::from(micros.saturating_sub(1)) * 1000;
    micros < kind::LONGEST && at.saturating_sub(begun.at) >= limit
}

fn park(
    begun: Step,
    (to, start): (u64, u64),
    end: ParkEnd,
    unpark: Option<Unpark>,
) -> Option<Park> {
    let Deed::Park(lock, limit) = begun.what else {
        return None;
    };
    let at = |time: u64| Nanos(time.saturating_sub(start));
    Some(Park {
        stack: begun.stack,
        thread: begun.thread,
        lock,
        from: at(begun.at),
        to: at(to),
        limit: limit.map(|micros| Nanos(u64::from(micros) * 1000)),
        end,
        unpark,
    })
}

#[cfg(test)]
mod tests {
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
}
