//! Who is charged with the time that a thread was parked, by the operations on the lock.

use super::holds::Holds;
use super::pieces::{Pieces, Wanted};
use super::stay::{Holder, Piece, Why};
use crate::collect::Collector;
use crate::model::Options;
use crate::parked::Owned;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos, Record, StackId, ThreadId};
use std::collections::BTreeMap;

const LOCK: LockId = LockId(7);
const WAITER: ThreadId = ThreadId(9);

fn operation(at: u64, thread: u32, act: Act, count: u32) -> Operation {
    Operation {
        at: Nanos(at),
        thread: ThreadId(thread),
        lock: LOCK,
        act,
        outcome: Outcome::Done,
        count,
        tries: false,
        stack: None,
    }
}

fn pieces(
    mode: &str,
    owned: Owned,
    steps: &[(u64, u32, Act, u32)],
) -> Option<Vec<(u64, u64, Holder)>> {
    let mut collector = Collector::new(Options::default());
    let mode = (target_key::MODE.to_owned(), mode.to_owned());
    collector.push(Record::Target(vec![mode]));
    let steps = steps
        .iter()
        .map(|&(at, thread, act, n)| operation(at, thread, act, n));
    let steps: Vec<Operation> = steps.collect();
    steps
        .iter()
        .for_each(|&step| collector.push(Record::Operation(step)));
    let mut holds = Holds::of(&collector.finish());
    steps.iter().for_each(|step| holds.take_in(step));
    let span = (Nanos(100), Nanos(200));
    let pieces = holds.pieces((LOCK, owned), WAITER, span, &mut Pieces::default())?;
    let said = pieces.iter().map(|p| (p.from.0, p.to.0, p.holder));
    Some(said.collect())
}

/// Of an operation that takes or gives back a lock the place is known, if nothing more is.
#[test]
fn who_has_given_it_back_held_it_where_he_did_and_who_waits_where_he_took_it() {
    let at = |act, given: Option<u32>| {
        let mut collector = Collector::new(Options::default());
        let steps = [(50, Act::Lock, Some(3)), (150, act, given)];
        let steps = steps.map(|(at, act, stack)| Operation {
            stack: stack.map(StackId),
            ..operation(at, 1, act, 1)
        });
        let records = steps.iter().copied().map(Record::Operation);
        records.for_each(|record| collector.push(record));
        let mut holds = Holds::of(&collector.finish());
        steps.iter().for_each(|step| holds.take_in(step));
        let (of, span) = ((LOCK, Owned::Alone), (Nanos(100), Nanos(140)));
        let pieces = holds.pieces(of, WAITER, span, &mut Pieces::default());
        pieces.unwrap()[0].chain.unwrap().stack
    };
    assert_eq!(at(Act::Unlock, Some(4)), StackId(4));
    assert_eq!(at(Act::Unlock, None), StackId(3));
    assert_eq!(at(Act::Await, Some(4)), StackId(3));
}

/// What each held, all in all, is the same whether its pieces are told one by one or together.
#[test]
fn joined_pieces_come_to_what_single_ones_do() {
    let mut state = 11_u64;
    let mut next = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % most
    };
    for round in 0..200 {
        let mut holds = Holds::of(&Collector::new(Options::default()).finish());
        let (mut at, mut held) = (next(100), Vec::new());
        for _ in 0..next(60) {
            at += next(4);
            let thread = 7 + next(4) as u32;
            let act = match held.iter().position(|other| *other == thread) {
                Some(known) => {
                    held.remove(known);
                    Act::Unlock
                }
                // One at a time in every other round.
                None if round % 2 == 0 && !held.is_empty() => continue,
                None => {
                    held.push(thread);
                    Act::Lock
                }
            };
            holds.take_in(&Operation {
                stack: (next(2) == 0).then_some(StackId(1)),
                ..operation(at, thread, act, 1)
            });
        }
        let sums = |wanted| {
            let mut found = Pieces::default();
            found.want(wanted);
            let span = (Nanos(100), Nanos(180));
            let pieces = holds.pieces((LOCK, Owned::Alone), WAITER, span, &mut found);
            let mut sums: BTreeMap<_, u64> = BTreeMap::new();
            let pieces = pieces.unwrap_or_default();
            let ends = (pieces.first().map(|p| p.from), pieces.last().map(|p| p.to));
            let thread = |p: &&Piece| matches!(p.holder, Holder::Thread(_));
            let last = pieces.iter().rev().find(thread);
            let last = last.map(|p| (p.holder, p.from, p.to));
            for piece in pieces {
                *sums.entry(piece.charge()).or_default() += piece.ns();
            }
            (sums, ends, last)
        };
        assert_eq!(sums(Wanted::All), sums(Wanted::Holders), "{round}");
    }
}

fn of(thread: u32) -> Holder {
    Holder::Thread(ThreadId(thread))
}

#[test]
fn one_after_the_other_is_charged_with_what_it_held() {
    let steps = [
        (50, 1, Act::Lock, 1),
        (60, 1, Act::Lock, 1),
        (120, 1, Act::Unlock, 1),
        (140, 1, Act::Unlock, 1),
        (150, 2, Act::Lock, 1),
        (190, 2, Act::Unlock, 1),
    ];
    let expected = [
        (100, 140, of(1)),
        (140, 150, Holder::Nobody),
        (150, 190, of(2)),
        (190, 200, Holder::Nobody),
    ];
    assert_eq!(pieces("live", Owned::Alone, &steps).unwrap(), expected);
}

#[test]
fn readers_share_what_they_held_together() {
    let steps = [
        (50, 1, Act::Share, 1),
        (60, 2, Act::Share, 1),
        (160, 1, Act::Unshare, 1),
        (180, 2, Act::Unshare, 1),
    ];
    let mut expected = vec![(100, 130, of(1)), (130, 160, of(2)), (160, 180, of(2))];
    let held = pieces("launch", Owned::Shared, &steps).unwrap();
    expected.push((180, 200, Holder::Nobody));
    assert_eq!(held, expected);
    // Others may have held it since before anybody watched.
    let live = pieces("live", Owned::Shared, &steps).unwrap();
    assert_eq!(live[3], (180, 200, Holder::Unknown(Why::Shared)));
}

#[test]
fn who_has_a_permit_that_somebody_else_gave_back_nobody_knows() {
    let steps = [
        (50, 1, Act::Share, 1),
        (60, 2, Act::Unshare, 1),
        (150, 3, Act::Share, 2),
    ];
    assert_eq!(pieces("launch", Owned::Permit, &steps), None);
}

#[test]
fn a_writer_that_comes_through_ends_the_doubt_about_readers_of_before() {
    let steps = [
        (50, 1, Act::Share, 1),
        (60, 2, Act::Unshare, 1),
        (120, 1, Act::Unshare, 1),
        (130, 3, Act::Lock, 1),
        (150, 3, Act::Unlock, 1),
        (160, 2, Act::Share, 1),
    ];
    let expected = [
        (100, 120, Holder::Unknown(Why::Before)),
        (120, 130, Holder::Unknown(Why::Before)),
        (130, 150, of(3)),
        (150, 160, Holder::Nobody),
        (160, 200, of(2)),
    ];
    assert_eq!(pieces("live", Owned::Shared, &steps).unwrap(), expected);
    // Nobody can tell before, and again after somebody gave back what he was not seen to take.
    assert_eq!(pieces("live", Owned::Shared, &steps[..3]), None);
    let mut again = steps.to_vec();
    again.push((170, 4, Act::Unshare, 1));
    assert_eq!(pieces("live", Owned::Shared, &again), None);
}

#[test]
fn permits_of_before_that_were_given_back_are_no_doubt_later() {
    let steps = [
        (50, 1, Act::Share, 1),
        (120, 2, Act::Unshare, 1),
        (150, 2, Act::Share, 1),
    ];
    let expected = [
        (100, 120, Holder::Unknown(Why::Before)),
        (120, 150, of(1)),
        (150, 175, of(1)),
        (175, 200, of(2)),
    ];
    assert_eq!(pieces("live", Owned::Permit, &steps).unwrap(), expected);
    // Thread 2 gives back what it took, and one more: whose was that?
    let mut more = steps.to_vec();
    more.push((160, 2, Act::Unshare, 2));
    assert_eq!(pieces("live", Owned::Permit, &more), None);
}

#[test]
fn before_the_first_operation_nobody_knows() {
    let steps = [(150, 1, Act::Lock, 1)];
    let expected = [(100, 150, Holder::Unknown(Why::Before)), (150, 200, of(1))];
    assert_eq!(pieces("live", Owned::Alone, &steps).unwrap(), expected);
}
