//! What a thread that is parked waits for: to own something, or that something comes about. That tells who may be
//! stuck from who is idle by nature.

use super::kind::{self, Kind};
use super::{Reading, read};
use crate::collect::Collected;
use crate::collect::parked::{OpenPark, ParkedLog};
use crate::model::Wants;
use crate::types::LockType;
use locklens_trace::LockId;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// To own it.
    Own {
        /// Readers were seen to hold it.
        read: bool,
    },
    /// That it comes about.
    Event(Wants),
    /// It is idle, or that is not known.
    Other,
}

/// What a thread wants of what it was parked on when the recording ended.
pub(crate) fn aim(collected: &Collected, lock: LockId, log: &ParkedLog, at: &OpenPark) -> Aim {
    let catalog = &collected.catalog;
    let Some(def) = catalog.locks.get(&lock) else {
        return Aim::Other;
    };
    let class = kind::class_of(catalog, def.class);
    let taken = log.sites.iter().filter(|(stack, _)| stack.is_some());
    let most = || taken.max_by_key(|(_, sums)| sums.samples);
    let stack = at.stack.or_else(|| *most()?.0);
    let chain = stack.and_then(|id| catalog.stacks.get(&id));
    // To JDK 15 not every thread has a chain; its class may say enough.
    let reading = chain.map(|chain| read(&collected.catalog, chain));
    if let Some(reading) = &reading
        && (reading.idle.is_some() || !reading.in_program)
    {
        return Aim::Other;
    }
    let reading = reading.unwrap_or_default();
    let container = reading.container.as_deref();
    let kind = Kind::of_class(catalog, def.class, &class, container, log);
    if kind.blocks {
        let state = log.def.and_then(|def| def.state);
        let read = kind.lock_type == LockType::ReadWrite && state.is_some_and(|seen| seen.high > 0);
        return Aim::Own { read };
    }
    let wants = match kind.lock_type {
        LockType::Semaphore => Some(Wants::Permit),
        LockType::Latch => Some(Wants::Count),
        LockType::Join => Some(Wants::Result),
        LockType::Barrier => Some(Wants::Parties),
        LockType::ProducerConsumer => of_queue(&reading),
        _ => None,
    };
    wants.map_or(Aim::Other, Aim::Event)
}

/// By the method of the queue that the program called.
fn of_queue(reading: &Reading) -> Option<Wants> {
    let method = reading.queue_method.as_deref()?;
    let begins = |with: &[&str]| with.iter().any(|word| method.starts_with(word));
    if begins(&["put", "offer", "transfer", "add"]) {
        Some(Wants::Room)
    } else if begins(&["take", "poll"]) {
        Some(Wants::Elements)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_of_a_queue_its_method_says() {
        let wants = |method: &str| {
            of_queue(&Reading {
                queue_method: Some(method.to_owned()),
                ..Reading::default()
            })
        };
        assert_eq!(wants("putLast"), Some(Wants::Room));
        assert_eq!(wants("takeFirst"), Some(Wants::Elements));
        assert_eq!(wants("xfer"), None);
        assert_eq!(of_queue(&Reading::default()), None);
    }
}
