//! Candidates for types that begin shut: one waits at once, another lets it go. PRODUCER-CONSUMER,
//! SEMAPHORE without permits, LATCH.

use super::super::bench::{Bench, Outcome, Returned};
use super::super::lab::{Lab, Session};
use super::super::probe::{Allowed, Level, Probes, Waiting};
use super::super::spec::{Counting, Drain, Ends, Giving, Latch, Machine, Queue, Semaphore};
use super::Candidate;
use crate::types::Role;
use std::collections::BTreeSet;

/// Most count-downs of a latch that are looked for.
const COUNTS: u32 = 16;
/// Permits, or things, beyond which all that is given is said to be kept.
const FEW: u32 = 40;
/// A thread that has done nothing yet.
const NEWCOMER: usize = 40;

/// One that waits at once and one whose calls let it go.
struct Pair {
    waits: usize,
    gives: usize,
    /// Calls of the second until the first goes.
    count: u32,
    /// The next one passes without waiting.
    stays_open: bool,
}

/// LATCH.
pub(in super::super) fn latches<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let found = pairs(probes, allowed, Role::Await, Role::CountDown);
    let open = found.into_iter().filter(|p| p.stays_open);
    let candidate = |pair: Pair| {
        let countings = match probes.lab.operations()[pair.gives].once {
            true => vec![Counting::Shut],
            false => vec![Counting::Anybody, Counting::Shut, Counting::OnceEach],
        };
        let machines = countings.into_iter();
        let machines = machines.map(|c| Machine::Latch(Latch::new(pair.count, c)));
        let cast = [(Role::Await, pair.waits), (Role::CountDown, pair.gives)];
        Candidate::new(machines.collect(), cast)
    };
    open.map(candidate).collect()
}

/// SEMAPHORE without permits.
pub(in super::super) fn semaphores<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let found = consumed(probes, allowed, Role::Acquire, Role::Release);
    let candidate = |pair: Pair| {
        let most = most(&probes.lab, &pair);
        let machine = Machine::Semaphore(Semaphore::new(0, Giving::Anybody).keeping(most));
        let cast = [(Role::Acquire, pair.waits), (Role::Release, pair.gives)];
        Candidate::new(vec![machine], cast)
    };
    found.map(candidate).collect()
}

/// What is kept, given that more is given than it keeps.
fn most<B: Bench>(lab: &Lab<'_, B>, pair: &Pair) -> Option<u32> {
    let mut session = lab.session();
    for _ in 0..=FEW {
        if !session.passes(0, pair.gives) {
            return None;
        }
    }
    let kept = (0..=FEW)
        .take_while(|_| session.passes(1, pair.waits))
        .count();
    // One that is kept is a flag, which is another matter.
    u32::try_from(kept)
        .ok()
        .filter(|kept| (2..=FEW).contains(kept))
}

/// PRODUCER-CONSUMER.
pub(in super::super) fn queues<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let found = consumed(probes, allowed, Role::Take, Role::Put);
    found.map(|pair| queue(probes, &pair)).collect()
}

fn queue<B: Bench>(probes: &Probes<'_, B>, pair: &Pair) -> Candidate {
    let (capacity, refusal) = match probes.levels[pair.gives] {
        Level::Waits { passes, .. } => (Some(passes), None),
        Level::Refuses { passes, value } => (Some(passes), Some(value)),
        _ => (None, None),
    };
    let never_waits = capacity.is_none();
    let machine = match second_take(&probes.lab, pair, capacity) {
        Second::Passes if never_waits && let Some(kept) = most(&probes.lab, pair) => {
            Queue::new(Some(kept), Drain::One, true)
        }
        Second::Passes => Queue::new(capacity, Drain::One, false),
        Second::Drained => Queue::new(capacity, Drain::All, false),
        Second::Replaced => Queue::new(Some(1), Drain::One, true),
    };
    let cast = [(Role::Take, pair.waits), (Role::Put, pair.gives)];
    let mut kinds = vec![machine.clone()];
    if machine.drain == Drain::One && !machine.replaces && capacity != Some(1) {
        if let Some(full) = capacity {
            let low = low_water(&probes.lab, pair, full).into_iter();
            kinds.extend(low.map(|low| machine.clone().down_to(low)));
            kinds.push(machine.clone().stretching());
        }
        kinds.push(Queue::new(capacity, Drain::Some, false));
    }
    let uses = [Ends::Open, Ends::OneTakes, Ends::OneEach];
    let machines = kinds
        .iter()
        .flat_map(|kind| uses.map(|ends| kind.clone().used(ends)));
    let machines = machines.map(Machine::Queue).collect();
    let mut candidate = Candidate::new(machines, cast);
    let puts = candidate.cast.get_mut(&Role::Put);
    puts.into_iter().flatten().for_each(|m| m.refusal = refusal);
    candidate
}

/// What is left of a full queue when it lets in who waits for room, if not the first to take makes that room.
fn low_water<B: Bench>(lab: &Lab<'_, B>, pair: &Pair, full: u32) -> Option<u32> {
    let mut session = lab.session();
    let filled = (0..full).all(|_| session.passes(0, pair.gives)) && session.waits(1, pair.gives);
    if !filled {
        return None;
    }
    let lets_in = (1..=full).find(|_| session.call(2, pair.waits).let_go(1))?;
    (lets_in > 1).then_some(full - lets_in)
}

/// What a second take finds after two puts.
enum Second {
    Passes,
    /// The first take took everything.
    Drained,
    /// The second put replaced what the first had put.
    Replaced,
}

fn second_take<B: Bench>(lab: &Lab<'_, B>, pair: &Pair, capacity: Option<u32>) -> Second {
    if capacity == Some(1) {
        return Second::Passes;
    }
    let mut session = lab.session();
    session.call(0, pair.gives);
    session.call(1, pair.gives);
    let first = session.call(2, pair.waits).own;
    let passes = session.passes(3, pair.waits);
    match first {
        _ if passes => Second::Passes,
        Outcome::Passed(Returned::Token(_)) => Second::Replaced,
        Outcome::Passed(Returned::Other) => Second::Drained,
        _ => Second::Passes,
    }
}

/// Pairs where what one has given is gone when another has had it.
fn consumed<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
    waits: Role,
    gives: Role,
) -> impl Iterator<Item = Pair> {
    let found = pairs(probes, allowed, waits, gives).into_iter();
    found.filter(|p| p.count == 1 && !p.stays_open)
}

fn pairs<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
    waits: Role,
    gives: Role,
) -> Vec<Pair> {
    let mut found = Vec::new();
    for Waiting {
        operation: wait,
        passes,
        blocked,
        ..
    } in probes.waiting()
    {
        if passes > 0 || !allowed.allows(waits, wait) {
            continue;
        }
        let gives = probes.others(wait).filter(|&g| allowed.allows(gives, g));
        let gives = gives.filter(|&g| !probes.waits_at_once(g));
        found.extend(gives.filter_map(|give| pair(&blocked, wait, give)));
    }
    found
}

fn pair<B: Bench>(blocked: &Session<'_, '_, B>, waits: usize, gives: usize) -> Option<Pair> {
    let mut session = blocked.clone();
    for count in 1..=COUNTS {
        let reaction = session.call(count as usize, gives);
        if !matches!(reaction.own, Outcome::Passed(_)) {
            return None;
        }
        if reaction.let_go(0) {
            let stays_open = session.passes(NEWCOMER, waits);
            return Some(Pair {
                waits,
                gives,
                count,
                stays_open,
            });
        }
    }
    None
}

/// An operation that shuts an open latch, or asks for more count-downs.
pub(in super::super) fn shuts<B: Bench>(
    lab: &Lab<'_, B>,
    (waits, gives, count): (usize, usize, u32),
    operation: usize,
) -> bool {
    let open = |session: &mut Session<'_, '_, B>| {
        for thread in 1..=count as usize {
            session.call(thread, gives);
        }
    };
    let mut after = lab.session();
    open(&mut after);
    let opens = after.clone().passes(NEWCOMER, waits);
    let shut = opens && after.passes(NEWCOMER, operation) && after.waits(NEWCOMER + 1, waits);
    let mut before = lab.session();
    let passed = before.passes(NEWCOMER, operation);
    open(&mut before);
    shut || passed && before.waits(NEWCOMER + 1, waits)
}

/// An operation after which one of two waiters goes and the next to come waits: the first took
/// what it came with.
pub(in super::super) fn feeds<B: Bench>(lab: &Lab<'_, B>, waits: usize, operation: usize) -> bool {
    let mut session = lab.session();
    session.waits(0, waits) && session.waits(1, waits) && {
        let reaction = session.call(2, operation);
        let passed = matches!(reaction.own, Outcome::Passed(_));
        passed && reaction.let_go(0) != reaction.let_go(1) && session.waits(NEWCOMER, waits)
    }
}

/// Of two things that are handed in one after the other each comes out again, once.
pub(in super::super) fn gives_back<B: Bench>(
    lab: &Lab<'_, B>,
    (puts, takes): (usize, usize),
) -> bool {
    let mut session = lab.session();
    let first = session.next_token();
    if !session.passes(0, puts) || !session.passes(0, puts) {
        return false;
    }
    let mut taken = [session.call(1, takes).own, session.call(1, takes).own].map(token);
    taken.sort_unstable();
    taken == [Some(first), Some(first + 1)]
}

/// It is counted down with one thing after the other, and always with one of them sooner: what opens it is what is handed
/// in, not how often.
pub(in super::super) fn opens_sooner<B: Bench>(
    lab: &Lab<'_, B>,
    (waits, gives, count): (usize, usize, u32),
) -> bool {
    let operations = lab.operations();
    let other = |&op: &usize| {
        operations[op].regions == operations[gives].regions && !operations[op].alternates
    };
    let opens = |op: usize| {
        let mut session = lab.session();
        session.waits(0, waits) && (1..count as usize).any(|thread| session.frees(thread, op, 0))
    };
    let mut others = (0..operations.len()).filter(other);
    operations[gives].alternates && others.any(opens)
}

/// Once it is open, one more count-down changes which of the things handed in a waiter gets.
pub(in super::super) fn moves<B: Bench>(
    lab: &Lab<'_, B>,
    (waits, gives, count): (usize, usize, u32),
) -> bool {
    let mut session = lab.session();
    for thread in 1..=count as usize {
        session.call(thread, gives);
    }
    let first = session.call(NEWCOMER, waits).own;
    session.call(count as usize + 1, gives);
    let second = session.call(NEWCOMER, waits).own;
    matches!((token(first), token(second)), (Some(a), Some(b)) if a != b)
}

/// The thing handed in with a call, if that is what was returned.
fn token(outcome: Outcome) -> Option<u32> {
    match outcome {
        Outcome::Passed(Returned::Token(token)) => Some(token),
        _ => None,
    }
}

/// Another operation waits on when the latch is open, for something that opens the latch as well:
/// both wait for phases of one state.
pub(in super::super) fn has_phases<B: Bench>(
    lab: &Lab<'_, B>,
    (waits, gives, count): (usize, usize, u32),
    roles: &BTreeSet<usize>,
) -> bool {
    let all = 0..lab.operations().len();
    let mut others = all.clone().filter(|op| !roles.contains(op));
    others.any(|later| {
        let mut open = lab.session();
        for thread in 1..=count as usize {
            open.call(thread, gives);
        }
        open.waits(NEWCOMER, later)
            && all.clone().any(|op| {
                let mut session = lab.session();
                session.waits(0, waits) && session.waits(1, later) && {
                    let reaction = session.call(2, op);
                    reaction.let_go(0) && reaction.let_go(1)
                }
            })
    })
}

/// The same method, called in another way, waits on when the latch is open: it waits for more.
pub(in super::super) fn waits_for_more<B: Bench>(
    lab: &Lab<'_, B>,
    (waits, gives, count): (usize, usize, u32),
) -> bool {
    let regions = |op: usize| &lab.operations()[op].regions;
    let variants = 0..lab.operations().len();
    let mut others = variants.filter(|&op| op != waits && regions(op) == regions(waits));
    others.any(|op| {
        let mut session = lab.session();
        for thread in 1..=count as usize {
            session.call(thread, gives);
        }
        session.waits(NEWCOMER, op)
    })
}
