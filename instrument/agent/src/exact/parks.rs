//! Parks: what the probes of `LockSupport` leave, laid side by side.
//!
//! A thread has one *permit* at most: an unpark gives it, a park takes it, and without one waits for it. So of the
//! unparks of a thread the first one since it went on last is what ends its park, or keeps it from waiting at
//! all. Records come by ring; before they are laid side by side they are sorted by time.
//!
//! An unpark that came before a park begins may have ended another one, which nobody told of: one that had begun before
//! the recording (its thread went on in the code without probes), or whose records were lost. So it counts only for
//! threads that were seen going on since, and that are followed from there.
//!
//! Those that were parked when the probes came wrote no record of that; looks find them ([`stood`]).

mod stood;

use super::arena::Note;
use super::probe::kind;
use crate::scattered::Map;
use locklens_trace::kin::{Kin, Tie};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::target_key;
use locklens_trace::{Event, LockId, Nanos, Record, StackId, ThreadId};
use std::collections::BTreeMap;
pub(crate) use stood::{Seen, Stood};

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
    looks: stood::Looks,
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
    /// A look says so.
    Stood(Seen),
}

/// A thread that is parked, or that has been unparked.
#[derive(Clone, Copy, Default)]
struct State {
    parks: Option<Step>,
    permit: Option<Unpark>,
    /// It has been parked since before there were probes: it goes on in code that has none.
    stood: bool,
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
        let (word, bit) = place(thread);
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
        self.looks.forget_before(mark);
    }

    /// Tells the rest, and who is parked still.
    pub(super) fn finish(&mut self, end: u64, start: u64, emit: &mut impl FnMut(Record)) {
        self.looks.end = Some(end);
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
                let unpark = Unpark {
                    stack: step.stack,
                    by: step.thread,
                    at: Nanos(step.at.saturating_sub(start)),
                };
                let state = self.threads.entry(target).or_default();
                state.permit.get_or_insert(unpark);
                match state.stood {
                    true => self.goes_on(target, (step.at, start)),
                    false => None,
                }
            }
            Deed::Park(..) => {
                let followed = self.follow(step.thread, step.at);
                let stood = self.goes_on_unseen(&step, start);
                let state = self.threads.entry(step.thread).or_default();
                if !followed {
                    state.permit = None;
                }
                if stood.is_some() {
                    state.parks = Some(step);
                    return stood;
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
            Deed::Stood(seen) => self.stood(step, seen, start),
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

/// Where the bit of a thread is.
fn place(thread: ThreadId) -> (usize, u64) {
    (thread.0 as usize / 64, 1 << (thread.0 % 64))
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
mod tests;
