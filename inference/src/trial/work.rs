//! Locks as they are in use: lists of work that end when nobody is at work any more, where whoever comes for more waits only
//! while another one is; and what hands out nothing until it has been started.

use super::bench::{Bench, Outcome, Reaction, Returned};
use super::lab::THREADS;

/// A thread that sessions do not use.
const WORKER: usize = THREADS;
/// Things of which he takes all.
const FEW: usize = 8;
/// Pairs of one who puts and one who waits nevertheless that are looked at.
const PAIRS: usize = 12;

/// The lock where somebody is at work with what he took from it, if that is why the next one waits: he would be told that there
/// is nothing more to come if nobody were at work.
pub(super) fn at_work<B: Bench>(fresh: &B) -> Option<B> {
    let all = 0..fresh.operations().len();
    let filled: Vec<_> = all.clone().map(|put| filled(fresh, put)).collect();
    let empty = all.clone().map(|take| {
        let first = fresh.clone().call(WORKER, take, 0).own;
        (take, is_nothing(&first))
    });
    let mut pairs = empty.flat_map(|(take, is_empty)| {
        let puts = all.clone().filter(move |&put| put != take);
        puts.map(move |put| (put, take, is_empty))
    });
    pairs.find_map(|(put, take, is_empty)| {
        // By one alone what tells that all is done can't be told from what shuts the whole down.
        let start = filled[put][usize::from(is_empty)].clone()?;
        let (busy, taken) = emptied(start, take)?;
        let mut served = busy.clone();
        served.call(0, take, 1);
        let told = served.clone();
        let given = |(_, outcome): &(usize, Outcome)| {
            matches!(outcome, Outcome::Passed(Returned::Token(_)))
        };
        let serves = served.call(1, put, 2).others.first().is_some_and(given);
        let is_told = is_empty
            || all
                .clone()
                .any(|done| ![put, take].contains(&done) && tells(&mut told.clone(), done, taken));
        (serves && is_told).then_some(busy)
    })
}

/// The lock where it has been started, if nobody got what there was before: who came for it then waited, and got it when that was done.
pub(super) fn started<B: Bench>(fresh: &B) -> Option<B> {
    let all = 0..fresh.operations().len();
    let filled = all.clone().filter_map(|put| {
        let mut filled = fresh.clone();
        let passed = filled.call(WORKER, put, 1).own;
        matches!(passed, Outcome::Passed(_)).then_some((put, filled))
    });
    let waiting = filled.flat_map(|(put, filled)| {
        let takes = all.clone().filter(move |&take| take != put);
        takes.filter_map(move |take| {
            let mut waiting = filled.clone();
            let comes = waiting.call(0, take, 2).own;
            matches!(comes, Outcome::Waits { .. }).then_some((put, take, waiting))
        })
    });
    let mut waiting = waiting.take(PAIRS);
    waiting.find_map(|(put, take, waiting)| {
        let starts = all.clone().filter(|&op| op != put && op != take);
        let gets = |&start: &usize| {
            let others = waiting.clone().call(WORKER, start, 3).others;
            let got =
                |(_, outcome): &(usize, Outcome)| *outcome == Outcome::Passed(Returned::Token(1));
            others.iter().any(got)
        };
        let mut starts = starts.filter(|&start| fresh.is_bare(start)).filter(gets);
        starts.find_map(|start| {
            let mut begun = fresh.clone();
            let passed = begun.call(WORKER, start, 0).own;
            matches!(passed, Outcome::Passed(_)).then_some(begun)
        })
    })
}

/// The lock into which a worker has put one thing himself, and two.
fn filled<B: Bench>(fresh: &B, put: usize) -> [Option<B>; 2] {
    let more = |mut lock: B| {
        let passed = lock.call(WORKER, put, 0).own;
        matches!(passed, Outcome::Passed(_)).then_some(lock)
    };
    let one = more(fresh.clone());
    let two = one.clone().and_then(more);
    [one, two]
}

/// A worker has taken everything, so many things, and the next one waits. Where there is nothing at first he has put two in himself.
fn emptied<B: Bench>(mut busy: B, take: usize) -> Option<(B, usize)> {
    for taken in 1..=FEW {
        let took = busy.call(WORKER, take, 0).own;
        if !matches!(took, Outcome::Passed(_)) || is_nothing(&took) {
            return None;
        }
        if matches!(busy.clone().call(0, take, 1).own, Outcome::Waits { .. }) {
            return (taken > 1).then_some((busy, taken));
        }
    }
    None
}

/// Once the worker has called it for each thing that he took, and not before, the one who waits gets nothing.
fn tells<B: Bench>(told: &mut B, done: usize, taken: usize) -> bool {
    let mut calls = (1..=taken).map(|_| told.call(WORKER, done, 0));
    let lets_go = |reaction: &Reaction| reaction.others.iter().any(|(_, o)| is_nothing(o));
    let last = calls.position(|call| lets_go(&call) || !matches!(call.own, Outcome::Passed(_)));
    last == Some(taken - 1)
}

/// It returned without anything.
fn is_nothing(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Passed(Returned::Null | Returned::Number(..=0))
    )
}
