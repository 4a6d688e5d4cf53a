//! Whether what is taken from what looks like a queue is asked for by name: who asks for one thing is not served with
//! another, and each name has one place, in which the next thing replaces the last.

use super::super::bench::{Bench, Outcome};
use super::super::lab::Lab;

/// Ways of calling each side that are looked at.
const WAYS: usize = 6;
/// Threads that call: some are told apart by who they are.
const CALLERS: [usize; 2] = [1, 2];
/// Another one.
const BYSTANDER: usize = 3;

/// Who comes for one thing keeps out who comes for the same, and nobody else; and the same with another thing.
pub(in super::super) fn locks_by_name<B: Bench>(
    lab: &Lab<'_, B>,
    (lock, unlock): (usize, usize),
) -> bool {
    let unlocks = same(lab, unlock);
    told_apart(lab, lock).into_iter().any(|(a, b)| {
        let mut session = lab.session();
        let held = session.passes(0, a) && session.passes(1, b);
        let kept_out = held && session.waits(2, a) && session.waits(3, b);
        let frees = |by: usize, mine: usize, other: usize| {
            unlocks.iter().any(|&unlock| {
                let reaction = session.clone().call(by, unlock);
                reaction.let_go(mine) && !reaction.let_go(other)
            })
        };
        kept_out && frees(0, 2, 3) && frees(1, 3, 2) && !opens(lab, a, &unlocks)
    })
}

/// Two ways of calling an operation that ask for different things.
fn told_apart<B: Bench>(lab: &Lab<'_, B>, operation: usize) -> Vec<(usize, usize)> {
    let ways = same(lab, operation);
    let pairs = ways.iter().flat_map(|&a| ways.iter().map(move |&b| (a, b)));
    let apart = pairs.filter(|&(a, b)| lab.bench().are_told_apart(a, b));
    apart.collect()
}

/// Who comes for what he has taken it for already goes on, while who comes for something else waits: that is its owner, whoever he is.
pub(in super::super) fn lets_in_again<B: Bench>(lab: &Lab<'_, B>, lock: usize) -> bool {
    told_apart(lab, lock).into_iter().any(|(a, b)| {
        let mut session = lab.session();
        session.passes(0, a) && session.passes(0, a) && session.waits(1, b)
    })
}

/// Given back in some way it keeps out nobody any more: what it was taken for is done.
fn opens<B: Bench>(lab: &Lab<'_, B>, lock: usize, unlocks: &[usize]) -> bool {
    unlocks.iter().any(|&unlock| {
        let mut session = lab.session();
        session.passes(0, lock)
            && session.waits(1, lock)
            && session.frees(0, unlock, 1)
            && session.passes(2, lock)
    })
}

/// Ways of calling the method of this operation.
fn same<B: Bench>(lab: &Lab<'_, B>, operation: usize) -> Vec<usize> {
    let operations = lab.operations();
    let all = 0..operations.len();
    let same = all.filter(|&op| operations[op].regions == operations[operation].regions);
    same.take(WAYS).collect()
}

/// A thread calls an operation in one of its ways.
#[derive(Clone, Copy)]
struct Call {
    operation: usize,
    thread: usize,
}

/// What was put for one is not taken by who asks for another, and the other way round; and of two things put for the
/// same only one is there.
pub(in super::super) fn asks_by_name<B: Bench>(
    lab: &Lab<'_, B>,
    (take, put): (usize, usize),
) -> bool {
    let (takes, puts) = (ways(lab, take), ways(lab, put));
    let rows = puts.iter().map(|&put| {
        let row = takes.iter().map(|&take| after(lab, &[put], take));
        (put, row.collect::<Vec<_>>())
    });
    let rows: Vec<_> = rows.collect();
    let apart = |one: &[After], other: &[After]| {
        let mut both = one.iter().zip(other).enumerate();
        both.find(|(_, (a, b))| (**a, **b) == (After::Passes, After::Waits))
            .map(|(at, _)| at)
    };
    rows.iter().any(|(put, one)| {
        rows.iter().any(|(_, other)| {
            let mine = apart(one, other).filter(|_| apart(other, one).is_some());
            mine.is_some_and(|mine| has_one_place(lab, *put, takes[mine]))
        })
    })
}

/// Of two who wait it lets go the one or the other, by what it is called with, though both came alike: whoever waits has a name
/// of his own.
pub(in super::super) fn answers_by_name<B: Bench>(
    lab: &Lab<'_, B>,
    (take, put): (usize, usize),
) -> bool {
    let [one, other] = CALLERS;
    let mut session = lab.session();
    if !session.waits(one, take) || !session.waits(other, take) {
        return false;
    }
    let let_go = same(lab, put).into_iter().map(|put| {
        let reaction = session.clone().call(BYSTANDER, put);
        (reaction.let_go(one), reaction.let_go(other))
    });
    let let_go: Vec<_> = let_go.collect();
    let_go.contains(&(true, false)) && let_go.contains(&(false, true))
}

/// What a call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Passes,
    Waits,
    Unclear,
}

/// What a take comes to after these puts; unclear if they cannot all be made.
fn after<B: Bench>(lab: &Lab<'_, B>, puts: &[Call], take: Call) -> After {
    let mut session = lab.session();
    if !puts.iter().all(|p| session.passes(p.thread, p.operation)) {
        return After::Unclear;
    }
    match session.call(take.thread, take.operation).own {
        Outcome::Passed(_) => After::Passes,
        Outcome::Waits { .. } => After::Waits,
        Outcome::Threw | Outcome::Stuck => After::Unclear,
    }
}

/// Two things are put for the same, and only one can be taken.
fn has_one_place<B: Bench>(lab: &Lab<'_, B>, put: Call, take: Call) -> bool {
    let mut session = lab.session();
    session.passes(put.thread, put.operation)
        && session.passes(put.thread, put.operation)
        && session.passes(take.thread, take.operation)
        && session.waits(take.thread, take.operation)
}

/// The ways in which the method of an operation is called, if there are several.
fn ways<B: Bench>(lab: &Lab<'_, B>, operation: usize) -> Vec<Call> {
    let ways = same(lab, operation);
    if ways.len() < 2 {
        return Vec::new();
    }
    let calls = ways
        .iter()
        .flat_map(|&operation| CALLERS.map(|thread| Call { operation, thread }));
    calls.collect()
}
