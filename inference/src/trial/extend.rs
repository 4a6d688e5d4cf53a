//! Further operations for the roles of a finding: timed variants, tries, other amounts.

use super::bench::{Bench, Outcome, Returned};
use super::chance::Chance;
use super::conform::{Finding, conform};
use super::lab::{Lab, Session, THREADS};
use super::probe::Allowed;
use super::spec::{ALL, Cast, Guard, Machine, Member};
use super::walk::Walk;
use crate::types::{LockType, Role};

/// Most units one operation moves that are looked for.
const UNITS: u32 = 4;
/// Walks on which a state is looked for in which a role must pass, or must not.
const LOOKS: u64 = 12;

/// Adds every operation that goes well in a role.
pub(super) fn extend<B: Bench>(lab: &Lab<'_, B>, mut found: Finding, allowed: &Allowed) -> Finding {
    let roles: Vec<Role> = found.cast.keys().copied().collect();
    let taken = found.operations();
    for role in roles {
        let states = States::find(lab, &found, role);
        for operation in (0..lab.operations().len()).filter(|op| !taken.contains(op)) {
            if allowed.allows(role, operation) {
                found = states.add(lab, found, role, operation);
            }
        }
    }
    take_back(lab, &mut found, allowed);
    found
}

/// Adds what gives back all that somebody has, or what is out for too long: how much that is differs from call to call.
fn take_back<B: Bench>(lab: &Lab<'_, B>, found: &mut Finding, allowed: &Allowed) {
    let (takes, gives, permits) = match &found.machine {
        Machine::Lock(_) => (Role::Lock, Role::Unlock, 1),
        Machine::Semaphore(s) if s.initial > 0 => (Role::Acquire, Role::Release, s.initial),
        _ => return,
    };
    let taken = found.operations();
    let take = found.first(takes);
    let is_plain = |m: &Member| m.operation == take && m.weight == 1;
    let others = 0..lab.operations().len();
    let others: Vec<usize> = others
        .filter(|op| !taken.contains(op) && allowed.allows(gives, *op))
        .collect();
    let fits = (permits as usize) < THREADS - 1;
    let plain = found
        .cast
        .get(&takes)
        .is_some_and(|all| all.iter().any(is_plain));
    if !fits || !plain || others.is_empty() {
        return;
    }
    let Some(full) = used_up(lab, take, permits as usize) else {
        return;
    };
    let back = others
        .into_iter()
        .filter(|&op| takes_back(lab, &full, (take, op), permits as usize));
    let back: Vec<Member> = back.map(Member::plain).collect();
    found.cast.entry(gives).or_default().extend(back);
}

/// A lock of which each of the first threads has taken one, and the next one waits.
fn used_up<'l, 'b, B: Bench>(
    lab: &'l Lab<'b, B>,
    take: usize,
    permits: usize,
) -> Option<Session<'l, 'b, B>> {
    let mut session = lab.session();
    let taken = (0..permits).all(|thread| session.passes(thread, take));
    (taken && session.waits(permits, take)).then_some(session)
}

/// On a lock of which nobody has anything it changes nothing. On one that is used up, called at once or much later, by a stranger or by
/// one who has something, it lets in who waits, and no more then have something than ever.
fn takes_back<B: Bench>(
    lab: &Lab<'_, B>,
    full: &Session<'_, '_, B>,
    (take, operation): (usize, usize),
    permits: usize,
) -> bool {
    let stranger = permits + 1;
    let Some(got) = returned(&lab.session(), stranger, take) else {
        return false;
    };
    [false, true].into_iter().any(|late| {
        let wait = |session: &mut Session<'_, '_, B>| {
            if late {
                session.idle();
            }
        };
        let mut unused = lab.session();
        wait(&mut unused);
        let idle = unused.passes(stranger, operation)
            && (0..permits).all(|thread| unused.passes(thread, take))
            && unused.waits(permits, take)
            && !unused.has_guessed();
        idle && [stranger, 0].into_iter().any(|by| {
            let mut session = full.clone();
            wait(&mut session);
            let frees = lets_in(&mut session, (by, operation), (permits, got));
            let mut newcomers = (0..permits).map(|n| (stranger + 1 + n) % THREADS);
            frees && newcomers.any(|n| session.waits(n, take)) && !session.has_guessed()
        })
    })
}

/// A call that returns and lets the one who waits have what others `got`: he may have been turned away.
fn lets_in<B: Bench>(
    session: &mut Session<'_, '_, B>,
    (by, operation): (usize, usize),
    (waiter, got): (usize, Returned),
) -> bool {
    let reaction = session.call(by, operation);
    let mut others = reaction.others.iter();
    let value = others.find_map(|(thread, outcome)| match outcome {
        Outcome::Passed(value) if *thread == waiter => Some(*value),
        _ => None,
    });
    matches!(reaction.own, Outcome::Passed(_)) && value.is_some_and(|value| !tells(got, value))
}

/// A lock in which calls of a role pass, and one in which they do not.
struct States<'l, 'b, B> {
    open: Option<(Session<'l, 'b, B>, usize)>,
    shut: Option<(Session<'l, 'b, B>, usize)>,
}

impl<'l, 'b, B: Bench> States<'l, 'b, B> {
    fn find(lab: &'l Lab<'b, B>, found: &Finding, role: Role) -> Self {
        Self {
            open: state(lab, found, role, Guard::Open),
            shut: state(lab, found, role, Guard::Shut),
        }
    }

    /// The finding with the operation in the role if that goes well, else as it was.
    fn add(&self, lab: &Lab<'_, B>, found: Finding, role: Role, operation: usize) -> Finding {
        let blocks = found.machine.spec().blocks(role);
        let Some(refusal) = self.refusal(&found.machine, role, operation) else {
            return found;
        };
        for weight in weights(&found.machine, role) {
            let member = Member {
                operation,
                weight,
                refusal,
            };
            let cast = with(&found.cast, role, member);
            let Ok(tally) = conform(lab, &found.machine, &cast) else {
                continue;
            };
            let used = tally.of(role, operation);
            if (used.passed > 1 || role == Role::Arrive) && (used.waited > 0 || !blocks) {
                return Finding {
                    tally,
                    cast,
                    ..found
                };
            }
        }
        found
    }

    /// What it returns instead of waiting, if anything; none: it does not suit the role.
    fn refusal(&self, machine: &Machine, role: Role, operation: usize) -> Option<Option<Returned>> {
        let spec = machine.spec();
        let value = match &self.open {
            Some((session, thread)) => Some(returned(session, *thread, operation)?),
            // Nobody passes a barrier without others.
            None => None,
        };
        let Some((session, thread)) = self.shut.as_ref().filter(|_| spec.blocks(role)) else {
            return Some(None);
        };
        match session.clone().call(*thread, operation).own {
            Outcome::Waits { .. } => Some(None),
            Outcome::Passed(other) if value.is_some_and(|v| tells(v, other)) => {
                // To look whether it is open is not to wait for it.
                (role != Role::Await).then_some(Some(other))
            }
            _ => None,
        }
    }
}

/// A caller can tell by the second value that nothing was done.
fn tells(done: Returned, refused: Returned) -> bool {
    done != refused && matches!(refused, Returned::Number(_) | Returned::Null)
}

fn returned<B: Bench>(
    session: &Session<'_, '_, B>,
    thread: usize,
    operation: usize,
) -> Option<Returned> {
    match session.clone().call(thread, operation).own {
        Outcome::Passed(value) => Some(value),
        _ => None,
    }
}

fn weights(machine: &Machine, role: Role) -> Vec<u32> {
    if let Machine::Room(room) = machine {
        return room.kinds().collect();
    }
    match (machine.lock_type(), role) {
        (LockType::Semaphore, _) => (1..=UNITS).collect(),
        (LockType::ProducerConsumer, Role::Take) => vec![1, ALL],
        // Some give back all at once, however often they have taken it.
        (_, Role::Unlock) if matches!(machine, Machine::Lock(lock) if lock.reentrant) => {
            vec![1, ALL]
        }
        _ => vec![1],
    }
}

fn with(cast: &Cast, role: Role, member: Member) -> Cast {
    let mut cast = cast.clone();
    cast.entry(role).or_default().push(member);
    cast
}

/// A lock after some steps, nobody waiting, and an idle thread for which the guard is this.
fn state<'l, 'b, B: Bench>(
    lab: &'l Lab<'b, B>,
    found: &Finding,
    role: Role,
    guard: Guard,
) -> Option<(Session<'l, 'b, B>, usize)> {
    for seed in 0..LOOKS {
        let mut chance = Chance::new(seed);
        let mut walk = Walk::new(lab, found.machine.clone(), &found.cast);
        for _ in 0..found.machine.spec().extent().steps {
            if let Some(thread) = walk.finds(role, guard) {
                return Some((walk.session().clone(), thread));
            }
            if !matches!(walk.random_step(&mut chance), Ok(true)) {
                break;
            }
        }
    }
    None
}
