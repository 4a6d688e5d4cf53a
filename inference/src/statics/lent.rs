//! A count with a bound below and above is a queue as far as its waits go. Where nothing passes through it, and the same method counts up
//! and then down again, what is counted is lent: it is a semaphore that also waits when something is given back that nobody has taken, and
//! of one thing a lock.

use super::StaticModel;
use super::judge::queue::ONLY_COUNTED;
use super::program::MethodIx;
use super::together::called_in_turn;
use crate::region::RegionId;
use crate::types::{Detail, Details, Evidence, Hypothesis, LockType, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Readings with those that are lent told as what they are.
pub(super) fn tell(model: &StaticModel, readings: &mut Vec<(Hypothesis, Evidence)>) {
    let mut lent = Vec::new();
    for (queue, evidence) in readings.iter_mut() {
        if evidence.contra.iter().any(|text| text == ONLY_COUNTED.1)
            && let Some(found) = lends(model, queue)
        {
            evidence.contra.retain(|text| text != ONLY_COUNTED.1);
            let text =
                "the same method takes one and then gives it back, and nothing passes through";
            evidence.pro.push(text.to_owned());
            *queue = found.clone();
            lent.push(found);
        }
    }
    // What they were read as besides is the same.
    for found in lent {
        let mut first = true;
        readings.retain(|(reading, _)| {
            let same = reading.lock_type == found.lock_type && reading.roles == found.roles;
            !same || std::mem::take(&mut first)
        });
    }
}

fn lends(model: &StaticModel, queue: &Hypothesis) -> Option<Hypothesis> {
    if queue.lock_type != LockType::ProducerConsumer {
        return None;
    }
    let Some(&Detail::Count(most)) = queue.details.get("capacity") else {
        return None;
    };
    let (takes, gives) = (queue.roles.get(&Role::Put)?, queue.roles.get(&Role::Take)?);
    let (first, second) = (methods(model, takes), methods(model, gives));
    // Who gives before he takes has something of his own to give.
    let in_turn = |a, b| called_in_turn(&model.program, a, b);
    if most == 0 || !in_turn(&first, &second) || in_turn(&second, &first) {
        return None;
    }
    let (lock_type, roles, details) = match most {
        1 => (LockType::Lock, [Role::Lock, Role::Unlock], Details::new()),
        _ => {
            let permits = Details::from([("permits", Detail::Count(most))]);
            (LockType::Semaphore, [Role::Acquire, Role::Release], permits)
        }
    };
    Some(Hypothesis {
        lock_type,
        roles: BTreeMap::from([(roles[0], takes.clone()), (roles[1], gives.clone())]),
        details,
    })
}

fn methods(model: &StaticModel, regions: &BTreeSet<RegionId>) -> BTreeSet<MethodIx> {
    let known = regions.iter().filter_map(|id| model.regions.get(id));
    known.map(|region| region.method).collect()
}
