//! Who held a lock of `java.util.concurrent` when somebody began to be parked on it, as [`super::Blamer`] has it: for
//! those who keep stays one by one.

use super::parks::Parks;
use super::pieces::Wanted;
use super::stay::{Holder, Stay};
use crate::collect::Collected;
use crate::grip::Grip;
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, Record, ThreadId};

/// How long nobody may have had it before the next did, so that this was at once: who goes to park has found it held.
const AT_ONCE: u64 = 20_000;

/// A stay that is over, and who held the lock when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) thread: ThreadId,
    pub(crate) lock: LockId,
    pub(crate) from: Nanos,
    pub(crate) length: u64,
    pub(crate) owner: Owner,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Owners(Parks);

impl Owners {
    /// None where parks were not recorded.
    pub(crate) fn of(collected: &Collected) -> Option<Self> {
        let parks = collected.recording.parks.as_ref();
        parks.map(|_| {
            let mut parks = Parks::new(collected);
            parks.want(Wanted::Beginning);
            Self(parks)
        })
    }

    /// A thread has held a lock since then.
    pub(crate) fn hold(&mut self, thread: ThreadId, lock: LockId, (grip, since): (Grip, Nanos)) {
        self.0.holds().hold(thread, lock, (grip, since));
    }

    /// Takes in the next record: stays that are over.
    pub(crate) fn see(&mut self, record: &Record) -> Vec<Begun> {
        match record {
            Record::Operation(operation) => self.0.operation(operation),
            Record::Parked(parked) => drop(self.0.found(parked)),
            Record::Park(park) => return begun(&self.0.parked(park)),
            Record::Tick(tick) => return begun(&self.0.until(tick.at)),
            _ => {}
        }
        Vec::new()
    }

    /// Records are missing.
    pub(crate) fn lost(&mut self) {
        self.0.lost();
    }

    /// There is no more: the rest of the stays.
    pub(crate) fn rest(&mut self) -> Vec<Begun> {
        begun(&self.0.until(Nanos(u64::MAX)))
    }
}

fn begun(stays: &[Stay]) -> Vec<Begun> {
    let told = |stay: &Stay| {
        let (first, last) = (stay.pieces.first()?, stay.pieces.last()?);
        Some(Begun {
            thread: stay.waiter,
            lock: stay.lock,
            from: first.from,
            length: last.to.since(first.from).0,
            owner: owner(stay)?,
        })
    };
    stays.iter().filter_map(told).collect()
}

/// None if it is not known.
fn owner(stay: &Stay) -> Option<Owner> {
    let mut pieces = stay.pieces.iter();
    let first = pieces.next()?;
    let free = first.holder == Holder::Nobody && first.ns() < AT_ONCE;
    let next = pieces.next().filter(|_| free);
    match next.unwrap_or(first).holder {
        Holder::Thread(thread) => Some(Owner::Thread(thread)),
        Holder::Nobody | Holder::Empty => Some(Owner::Nobody),
        Holder::Cycle | Holder::Unknown(_) => None,
    }
}
