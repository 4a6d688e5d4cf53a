//! Candidates for LOCK and for SEMAPHORE with permits: some pass, the next waits, one of the
//! first lets it go.

use super::super::bench::{Bench, Outcome, Returned};
use super::super::lab::{Lab, THREADS};
use super::super::probe::{Allowed, Probes, Waiting};
use super::super::spec::{ALL, Giving, Lock, Machine, Semaphore};
use super::Candidate;
use crate::types::Role;
use std::collections::BTreeSet;

/// LOCK.
pub(in super::super) fn locks<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let pairs = pairs(probes, allowed, Role::Lock, Role::Unlock);
    let single = pairs.into_iter().filter(|p| p.2 == 1);
    let single = single.map(|(lock, unlock, _)| {
        let levels = levels(&probes.lab, lock, unlock);
        (lock, unlock, levels)
    });
    let mut single: Vec<_> = single.collect();
    // Where levels count, another unlock may still give back all of them.
    single.sort_by_key(|p| p.2 != Some(1));
    let candidate = |(lock, unlock, levels): (_, _, Option<u32>)| {
        // What seems so may be so only while nobody waits.
        let again = [true, false].into_iter();
        let again = again.filter(|&again| levels.is_some() || !again);
        let machines = again.map(|again| Machine::Lock(Lock::new(again)));
        let cast = [(Role::Lock, lock), (Role::Unlock, unlock)];
        let mut candidate = Candidate::new(machines.collect(), cast);
        let unlocks = candidate.cast.get_mut(&Role::Unlock);
        for member in unlocks.into_iter().flatten() {
            member.weight = levels.unwrap_or(1);
        }
        candidate
    };
    single.into_iter().map(candidate).collect()
}

/// SEMAPHORE with permits. Those that count the smallest units come first.
pub(in super::super) fn semaphores<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut pairs = pairs(probes, allowed, Role::Acquire, Role::Release);
    pairs.sort_by_key(|p| std::cmp::Reverse(p.2));
    let several = pairs.iter().filter_map(|&(acquire, release, permits)| {
        let gift = gift(&probes.lab, (acquire, release), permits)?;
        let machine = Semaphore::new(permits, Giving::Anybody).given_several();
        let cast = [(Role::Acquire, acquire), (Role::Release, release)];
        let mut candidate = Candidate::new(vec![Machine::Semaphore(machine)], cast);
        let releases = candidate.cast.get_mut(&Role::Release);
        releases.into_iter().flatten().for_each(|m| m.weight = gift);
        Some(candidate)
    });
    let several: Vec<_> = several.collect();
    let candidate = |(acquire, release, permits)| {
        let givings = [Giving::Anybody, Giving::Holder, Giving::OnceEach];
        let plain = givings.map(|g| Semaphore::new(permits, g));
        // One that is filled up with one permit is a flag.
        let refilled = (permits > 1).then(|| Semaphore::new(permits, Giving::Anybody).refilled());
        let plain = plain.into_iter().chain(refilled);
        let dripping = drips(probes, acquire);
        let machines = plain.map(|s| if dripping { s.dripping() } else { s });
        let machines = machines.map(Machine::Semaphore);
        let cast = [(Role::Acquire, acquire), (Role::Release, release)];
        Candidate::new(machines.collect(), cast)
    };
    pairs.into_iter().map(candidate).chain(several).collect()
}

/// How many are let in when something is given, where all permits are taken: more than one, and not all.
fn gift<B: Bench>(lab: &Lab<'_, B>, ends: (usize, usize), permits: u32) -> Option<u32> {
    let gift = given(lab, ends, permits);
    (2..permits).contains(&gift).then_some(gift)
}

/// Whichever way something is given, one is let in, where all permits are taken.
pub(in super::super) fn gives_one_by_one<B: Bench>(
    lab: &Lab<'_, B>,
    (take, give): (usize, usize),
    permits: u32,
) -> bool {
    let operations = lab.operations();
    let same = |&op: &usize| operations[op].regions == operations[give].regions;
    let mut ways = (0..operations.len()).filter(same);
    ways.all(|way| given(lab, (take, way), permits) == 1)
}

/// How many are let in when something is given, where all permits are taken.
fn given<B: Bench>(lab: &Lab<'_, B>, (take, give): (usize, usize), permits: u32) -> u32 {
    let mut session = lab.session();
    let taken = (0..permits).all(|_| session.passes(0, take));
    let given = taken && session.passes(0, give);
    let more = (0..permits).take_while(|_| given && session.passes(0, take));
    more.count() as u32
}

/// Who waits for a permit gets one when much time has passed, and another can have one then.
fn drips<B: Bench>(probes: &Probes<'_, B>, acquire: usize) -> bool {
    let mut waiting = probes.waiting().filter(|w| w.operation == acquire);
    let Some(mut it) = waiting.next().filter(|w| w.passes > 1) else {
        return false;
    };
    let first = probes.lab.session().call(0, acquire).own;
    let other = (it.thread + 1) % THREADS;
    it.blocked.can_expire(it.thread)
        && it.blocked.expire(it.thread).own == first
        && it.blocked.call(other, acquire).own == first
}

/// Who takes, who gives, and how many can take.
fn pairs<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
    takes: Role,
    gives: Role,
) -> Vec<(usize, usize, u32)> {
    let mut found = Vec::new();
    for Waiting {
        operation: take,
        passes,
        thread,
        blocked,
    } in probes.waiting()
    {
        if passes == 0 || !allowed.allows(takes, take) {
            continue;
        }
        let frees = |give: &usize| blocked.clone().frees(0, *give, thread);
        // What waits when there is nothing to give back is the other end of a queue.
        let gives = probes.others(take).filter(|&g| allowed.allows(gives, g));
        let gives = gives.filter(|&g| !probes.waits_at_once(g)).filter(frees);
        found.extend(gives.map(|give| (take, give, passes)));
    }
    found
}

/// The holder may take it once more: one unlock then gives back one level, or all. None: he may not.
pub(in super::super) fn levels<B: Bench>(
    lab: &Lab<'_, B>,
    lock: usize,
    unlock: usize,
) -> Option<u32> {
    let mut session = lab.session();
    let again = session.passes(0, lock) && session.passes(0, lock) && session.waits(1, lock);
    match again {
        true if session.frees(0, unlock, 1) => Some(ALL),
        true if session.frees(0, unlock, 1) => Some(1),
        _ => None,
    }
}

/// A stranger can give back what somebody else has taken.
pub(in super::super) fn strangers_give<B: Bench>(
    lab: &Lab<'_, B>,
    take: usize,
    give: usize,
) -> bool {
    let mut session = lab.session();
    session.passes(0, take) && session.waits(1, take) && session.frees(2, give, 1)
}

/// Giving back what nobody has taken makes room for one more.
pub(in super::super) fn grows<B: Bench>(lab: &Lab<'_, B>, take: usize, give: usize) -> bool {
    let mut session = lab.session();
    session.passes(0, give) && session.passes(1, take) && session.passes(2, take)
}

/// Giving back what nobody has taken keeps out whoever comes then.
pub(in super::super) fn jams<B: Bench>(lab: &Lab<'_, B>, take: usize, give: usize) -> bool {
    let mut session = lab.session();
    session.passes(0, give) && session.waits(1, take)
}

/// Most that is given to a lock to see whether it keeps all.
const MANY: u32 = 40;

/// Giving what nobody has taken goes well, and sooner or later makes no more room.
pub(in super::super) fn gives_in_vain<B: Bench>(
    lab: &Lab<'_, B>,
    (take, give): (usize, usize),
    permits: u32,
) -> bool {
    let mut session = lab.session();
    if !(0..MANY).all(|_| session.passes(0, give)) {
        return false;
    }
    let most = permits + MANY;
    let taken = (0..most).take_while(|_| session.passes(1, take)).count();
    (permits as usize..most as usize).contains(&taken) && session.waits(2, take)
}

/// What was given back comes out again though somebody has it.
pub(in super::super) fn hands_out_twice<B: Bench>(
    lab: &Lab<'_, B>,
    (take, give): (usize, usize),
    permits: u32,
) -> bool {
    let mut session = lab.session();
    session.call(0, take);
    session.call(0, give);
    let mut out = BTreeSet::new();
    (0..permits as usize).any(|thread| match session.call(thread % THREADS, take).own {
        Outcome::Passed(Returned::Token(token)) => !out.insert(token),
        _ => false,
    })
}

/// Each who takes gets a number that nobody else has, and what one gives back the next one gets.
pub(in super::super) fn hands_out_numbers<B: Bench>(
    lab: &Lab<'_, B>,
    (take, give): (usize, usize),
    permits: u32,
) -> bool {
    let takers = permits as usize;
    if !(2..THREADS).contains(&takers) {
        return false;
    }
    let mut session = lab.session();
    let mut number = |thread| match session.call(thread, take).own {
        Outcome::Passed(Returned::Number(number)) => Some(number),
        _ => None,
    };
    let first = number(0);
    let others: BTreeSet<_> = (1..takers).map(&mut number).collect();
    let apart = others.len() == takers - 1 && !others.contains(&first) && !others.contains(&None);
    session.call(0, give);
    let next = session.call(takers, take).own;
    apart && first.is_some_and(|first| next == Outcome::Passed(Returned::Number(first)))
}

/// Another operation waits at first, or makes room for one who waits to take.
pub(in super::super) fn shares<B: Bench>(
    lab: &Lab<'_, B>,
    (take, permits): (usize, u32),
    operation: usize,
) -> bool {
    let mut full = lab.session();
    for thread in 0..permits as usize {
        full.call(thread % THREADS, take);
    }
    let (one, other) = (permits as usize % THREADS, (permits as usize + 1) % THREADS);
    full.waits(one, take) && full.frees(other, operation, one) || lab.session().waits(0, operation)
}

/// So many pass who all ask by one name, of those who pass if each asks by the next one. None where no such call can be made.
pub(in super::super) fn by_one_name<B: Bench>(
    lab: &Lab<'_, B>,
    take: usize,
    permits: u32,
) -> Option<u32> {
    let operations = lab.operations();
    if permits == 0 || !operations[take].alternates {
        return Some(permits);
    }
    let one_name = |&op: &usize| {
        operations[op].regions == operations[take].regions && !operations[op].alternates
    };
    let passes = |op: usize| {
        let mut session = lab.session();
        let passed = (0..permits).take_while(|&n| session.passes(n as usize % THREADS, op));
        let passed = passed.count() as u32;
        // One that was not followed keeps out nobody.
        let counted = passed == permits || {
            let mut full = lab.session();
            (0..passed).all(|n| full.passes(n as usize % THREADS, op))
                && full.waits(passed as usize % THREADS, op)
        };
        (counted && passed > 0).then_some(passed)
    };
    let mut ways = (0..operations.len()).filter(one_name);
    ways.find_map(passes)
}
