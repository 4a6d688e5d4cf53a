//! Lists of work that end when nobody is at work any more: whoever comes for more waits only while another one is.

use super::bench::{Bench, Outcome, Reaction, Returned};
use super::lab::THREADS;

/// A thread that sessions do not use.
const WORKER: usize = THREADS;
/// Things of which he takes all.
const FEW: usize = 8;

/// The lock where somebody is at work with what he took from it, if that is why the next one waits: he would be told that there
/// is nothing more to come if nobody were at work.
pub(super) fn at_work<B: Bench>(fresh: &B) -> Option<B> {
    let all = 0..fresh.operations().len();
    let mut pairs = all
        .clone()
        .flat_map(|take| all.clone().map(move |put| (put, take)));
    pairs.find_map(|(put, take)| {
        let busy = emptied(fresh, put, take).filter(|_| put != take)?;
        let mut served = busy.clone();
        served.call(0, take, 1);
        let told = served.clone();
        let given = |(_, outcome): &(usize, Outcome)| {
            matches!(outcome, Outcome::Passed(Returned::Token(_)))
        };
        let serves = served.call(1, put, 2).others.first().is_some_and(given);
        let is_told = is_nothing(&fresh.clone().call(WORKER, take, 0).own)
            || all
                .clone()
                .any(|done| ![put, take].contains(&done) && tells(&mut told.clone(), done));
        (serves && is_told).then_some(busy)
    })
}

/// A worker has taken everything, and the next one waits. Where there is nothing at first he puts it in himself.
fn emptied<B: Bench>(fresh: &B, put: usize, take: usize) -> Option<B> {
    let mut busy = fresh.clone();
    if is_nothing(&busy.clone().call(WORKER, take, 0).own) {
        busy.call(WORKER, put, 0);
    }
    for _ in 0..FEW {
        let took = busy.call(WORKER, take, 0).own;
        if !matches!(took, Outcome::Passed(_)) || is_nothing(&took) {
            return None;
        }
        if matches!(busy.clone().call(0, take, 1).own, Outcome::Waits { .. }) {
            return Some(busy);
        }
    }
    None
}

/// Once the worker has called it for each thing that he took, the one who waits gets nothing.
fn tells<B: Bench>(told: &mut B, done: usize) -> bool {
    let mut calls = (0..FEW).map(|_| told.call(WORKER, done, 0));
    let lets_go = |reaction: &Reaction| reaction.others.iter().any(|(_, o)| is_nothing(o));
    let last = calls.find(|call| lets_go(call) || !matches!(call.own, Outcome::Passed(_)));
    last.is_some_and(|call| lets_go(&call))
}

/// It returned without anything.
fn is_nothing(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Passed(Returned::Null | Returned::Number(..=0))
    )
}
