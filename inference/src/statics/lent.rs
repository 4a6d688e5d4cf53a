//! A count with a bound below and above is a queue as far as its waits go. Where nothing passes through it, and the same method counts up
//! and then down again, what is counted is lent: it is a semaphore that also waits when something is given back that nobody has taken, and
//! of one thing a lock. And where who takes a thing gives that thing back, whatever happens, those are lent, though others bring new ones.

use super::StaticModel;
use super::judge::queue::ONLY_COUNTED;
use super::program::MethodIx;
use super::together::{called_in_turn, handed_back};
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
    let pools = readings.iter().enumerate();
    let pools = pools.filter_map(|(at, (queue, _))| Some((at, goes_round(model, queue)?)));
    let pools: Vec<(usize, Hypothesis)> = pools.collect();
    for (at, found) in pools.into_iter().rev() {
        let text = "who takes a thing gives it back, whichever way he goes on".to_owned();
        let mut others = readings.iter_mut();
        // How many there are the code may tell, or a run.
        match others.find(|(other, _)| is_same_pool(other, &found)) {
            Some((other, evidence)) => {
                other.details.extend(found.details);
                evidence.pro.push(text);
                readings.remove(at);
            }
            None => {
                let (queue, evidence) = &mut readings[at];
                evidence.pro.push(text);
                *queue = found.clone();
                lent.push(found);
            }
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

/// A semaphore of a known number of permits with the same takers, to whom the same give back, if not all of them.
fn is_same_pool(other: &Hypothesis, found: &Hypothesis) -> bool {
    let permits = other.details.get("permits");
    let is_known = permits.is_some_and(|permits| *permits != Detail::Count(0));
    let given = |of: &Hypothesis| of.roles.get(&Role::Release).cloned().unwrap_or_default();
    is_known
        && other.lock_type == LockType::Semaphore
        && other.roles.get(&Role::Acquire) == found.roles.get(&Role::Acquire)
        && !given(other).is_empty()
        && given(other).is_subset(&given(found))
}

/// A queue of which those who take a thing put it in again is a pool.
fn goes_round(model: &StaticModel, queue: &Hypothesis) -> Option<Hypothesis> {
    let unbounded = Detail::Word("unbounded".to_owned());
    let is_queue = queue.lock_type == LockType::ProducerConsumer;
    if !is_queue || queue.details.get("capacity") != Some(&unbounded) {
        return None;
    }
    let (puts, takes) = (queue.roles.get(&Role::Put)?, queue.roles.get(&Role::Take)?);
    let (first, second) = (methods(model, takes), methods(model, puts));
    let pool = Details::from([("form", Detail::Word("object pool".to_owned()))]);
    handed_back(&model.program, &first, &second).then(|| Hypothesis {
        lock_type: LockType::Semaphore,
        roles: BTreeMap::from([
            (Role::Acquire, takes.clone()),
            (Role::Release, puts.clone()),
        ]),
        details: pool,
    })
}

fn methods(model: &StaticModel, regions: &BTreeSet<RegionId>) -> BTreeSet<MethodIx> {
    let known = regions.iter().filter_map(|id| model.regions.get(id));
    known.map(|region| region.method).collect()
}
