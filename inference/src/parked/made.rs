//! What a lock's class does not tell of it and the code that makes it does: permits, counts, parties, room.

use super::Seen;
use super::kind::Kind;
use crate::statics::{Made, Makings};
use crate::types::Detail;
use locklens_trace::{LockId, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter, by the key of the detail.
pub(super) type Number = (&'static str, Detail);

/// The parameter that all objects of a logical lock were made with, as far as the code at the places of their use leads to
/// where they are made, and nothing that was seen of them contradicts.
pub(super) fn number(group: &[&Seen<'_>], makings: &mut Makings<'_>) -> Option<Number> {
    let kind = &group.first()?.kind;
    // Of each object some place must be known; an object of a queue or a barrier has several parts.
    let mut known: BTreeMap<LockId, bool> = BTreeMap::new();
    let mut all: BTreeSet<Made> = BTreeSet::new();
    for one in group {
        let places = one.frames();
        let made = places.filter_map(|(method, bci)| {
            let at = (MethodId(method), bci?);
            makings.of_called(at, &kind.class)
        });
        let before = known.entry(one.whole).or_default();
        for made in made {
            *before = true;
            all.insert(made);
        }
    }
    let first = all.pop_first()?;
    if !all.is_empty() || known.values().any(|known| !known) {
        return None;
    }
    let (key, detail) = parameter(kind, &first)?;
    let most = group.iter().filter_map(|one| most_seen(key, one)).max();
    let fits = match (&detail, most) {
        (Detail::Count(number), Some(most)) => most <= *number,
        _ => true,
    };
    fits.then_some((key, detail))
}

/// What the arguments of a constructor say.
fn parameter(kind: &Kind, made: &Made) -> Option<Number> {
    let name = kind.class.strip_prefix("java.util.concurrent.")?;
    let unbounded = || Detail::Word("unbounded".to_owned());
    let first = || {
        let number = made.arguments.first().copied().flatten()?;
        u64::try_from(number).ok()
    };
    let takes_number = made.descriptor.starts_with("(I");
    let number = || first().filter(|_| takes_number).map(Detail::Count);
    match name {
        "Semaphore" => Some(("permits", number()?)),
        "CountDownLatch" => Some(("count", number()?)),
        "CyclicBarrier" => Some(("parties", number()?)),
        "ArrayBlockingQueue" => Some(("capacity", number()?)),
        "LinkedBlockingQueue" | "LinkedBlockingDeque" => {
            let capacity = match takes_number {
                true if first()? < i32::MAX as u64 => number()?,
                _ => unbounded(),
            };
            Some(("capacity", capacity))
        }
        _ => None,
    }
}

/// The most that were seen of what a parameter is the most of.
fn most_seen(key: &str, one: &Seen<'_>) -> Option<u64> {
    if !["permits", "count"].contains(&key) {
        return None;
    }
    let state = one.log.def.and_then(|def| def.state);
    let free = state.and_then(|state| u64::try_from(state.high).ok());
    let out = one.log.uses.as_ref().map(|uses| uses.most);
    free.max(out)
}
