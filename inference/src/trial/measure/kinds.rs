//! Who is kept out by what he comes for and not by how many are inside: candidates for a room for one group at a time, and
//! what of a lock or a semaphore shows that it is none.

use super::super::bench::Bench;
use super::super::lab::Lab;
use super::super::probe::{Allowed, Level, Probes};
use super::super::spec::{Machine, Member, Room};
use super::Candidate;
use crate::types::Role;
use std::collections::BTreeSet;

/// Candidates that are looked at.
const MOST: usize = 6;
/// Ways of calling one method that are compared.
const WAYS: usize = 6;
/// Calls of one thread that may pass before it waits.
const MANY: usize = 130;

/// CONDITION: one group at a time, or several things at once.
pub(in super::super) fn rooms<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut found = groups(probes, allowed);
    found.extend(things(probes, allowed));
    found.truncate(MOST);
    found
}

/// Two kinds that each share what the other is kept out of, the ways in and out of each.
fn groups<B: Bench>(probes: &Probes<'_, B>, allowed: &Allowed) -> Vec<Candidate> {
    let lab = &probes.lab;
    let enters = |&op: &usize| allowed.allows(Role::Wait, op) && is_shared(lab, op);
    let shared: Vec<_> = (0..probes.levels.len()).filter(enters).collect();
    let pairs = shared.iter().enumerate().flat_map(|(at, &one)| {
        let others = shared[at + 1..].iter();
        others.map(move |&other| (one, other))
    });
    let pairs = pairs.filter(|&(one, other)| are_apart(lab, one, other));
    let candidate = |(one, other): (usize, usize)| {
        let out = |mine, theirs| {
            let empties = |op: usize| empties(lab, (mine, theirs), op);
            leaving(probes, allowed, [mine, theirs], empties)
        };
        let machine = Room::of_groups([one, other].map(|op| most(&probes.levels[op])));
        let ways = [(one, out(one, other)?), (other, out(other, one)?)];
        Some(candidate(machine, &ways))
    };
    pairs.filter_map(candidate).take(MOST).collect()
}

/// Three ways to take something, the middle one apart from both others, and what gives back each.
fn things<B: Bench>(probes: &Probes<'_, B>, allowed: &Allowed) -> Vec<Candidate> {
    let lab = &probes.lab;
    let enters = (0..probes.levels.len()).filter(|&op| allowed.allows(Role::Wait, op));
    let chains: BTreeSet<_> = enters.filter_map(|op| chain(lab, op)).collect();
    let candidate = |chain: [usize; 3]| {
        let out = |way| {
            // Again and again, by two threads: what gives back something else each time may once be right.
            let frees = |op: usize| {
                let mut session = lab.session();
                let taken = session.passes(0, way);
                let mut next =
                    |one, other| session.waits(other, way) && session.frees(one, op, other);
                taken && next(0, 1) && next(1, 0) && next(0, 1)
            };
            leaving(probes, allowed, chain, frees)
        };
        let mut ways = Vec::new();
        for way in chain {
            ways.push((way, out(way)?));
        }
        Some(candidate(Room::of_things(), &ways))
    };
    chains.into_iter().filter_map(candidate).collect()
}

/// The first operation that does this and is none of the ways in.
fn leaving<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
    entering: impl AsRef<[usize]>,
    leaves: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut all = (0..probes.levels.len()).filter(|op| !entering.as_ref().contains(op));
    all.find(|&op| allowed.allows(Role::Notify, op) && leaves(op))
}

/// The ways in and out of each kind.
fn candidate(machine: Room, ways: &[(usize, usize)]) -> Candidate {
    let member = |(operation, kind)| Member {
        weight: kind,
        ..Member::plain(operation)
    };
    let entering = ways.iter().map(|way| way.0).zip(machine.kinds());
    let leaving = ways.iter().map(|way| way.1).zip(machine.kinds());
    let cast = [
        (Role::Wait, entering.map(member).collect()),
        (Role::Notify, leaving.map(member).collect()),
    ];
    Candidate {
        machines: vec![Machine::Room(machine)],
        cast: cast.into(),
    }
}

fn most<B>(level: &Level<B>) -> Option<u32> {
    match level {
        Level::Waits { passes, .. } => Some(*passes),
        _ => None,
    }
}

/// Several can come in so.
fn is_shared<B: Bench>(lab: &Lab<'_, B>, enter: usize) -> bool {
    let mut session = lab.session();
    session.passes(0, enter) && session.passes(1, enter)
}

/// Each keeps out the other.
pub(super) fn are_apart<B: Bench>(lab: &Lab<'_, B>, one: usize, other: usize) -> bool {
    keeps_out(lab, one, other) && keeps_out(lab, other, one)
}

fn keeps_out<B: Bench>(lab: &Lab<'_, B>, one: usize, other: usize) -> bool {
    let mut session = lab.session();
    session.passes(0, one) && session.waits(1, other)
}

/// The other waits until the last of two of this kind has left.
fn empties<B: Bench>(lab: &Lab<'_, B>, (one, other): (usize, usize), leave: usize) -> bool {
    let mut session = lab.session();
    session.passes(0, one)
        && session.passes(1, one)
        && session.waits(2, other)
        && !session.frees(0, leave, 2)
        && session.frees(1, leave, 2)
}

/// Others, of whom several can be inside as well, wait though permits are left, and the other way round: who shares this
/// is not a matter of number.
pub(in super::super) fn keeps_out_others<B: Bench>(lab: &Lab<'_, B>, take: usize) -> bool {
    let mut others = (0..lab.operations().len()).filter(|&op| op != take);
    others.any(|op| is_shared(lab, op) && are_apart(lab, take, op))
}

/// Of three ways of taking it, one keeps out two that let each other in: what is taken is neither one thing nor one of
/// several, but some of them at once.
pub(in super::super) fn takes_several<B: Bench>(lab: &Lab<'_, B>, take: usize) -> bool {
    chain(lab, take).is_some()
}

/// Called otherwise, the same method lets several calls of one thread pass, and then none of another one: it is by what is
/// asked for that they are kept out.
pub(in super::super) fn is_by_amount<B: Bench>(lab: &Lab<'_, B>, take: usize) -> bool {
    let operations = lab.operations();
    let same = |&op: &usize| op != take && operations[op].regions == operations[take].regions;
    let alike = |&op: &usize| lab.bench().is_alike(op);
    let mut ways = (0..operations.len()).filter(same).filter(alike).take(WAYS);
    ways.any(|way| {
        let mut session = lab.session();
        let passed = (0..=MANY).take_while(|_| session.passes(0, way)).count();
        (2..=MANY).contains(&passed) && {
            let mut full = lab.session();
            (0..passed).all(|_| full.passes(0, way)) && full.waits(1, way)
        }
    })
}

/// Ways of calling a method of which each keeps out itself, and the middle one the others, who let each other in.
fn chain<B: Bench>(lab: &Lab<'_, B>, take: usize) -> Option<[usize; 3]> {
    let operations = lab.operations();
    let same = |&op: &usize| operations[op].regions == operations[take].regions;
    let ways = (0..operations.len()).filter(same).take(WAYS);
    let ways: Vec<_> = ways.filter(|&op| keeps_out(lab, op, op)).collect();
    let apart = |a: usize, b: usize| lab.bench().are_told_apart(a, b);
    let lets_in = |a: usize, b: usize| {
        let mut session = lab.session();
        session.passes(0, a) && session.passes(1, b)
    };
    ways.iter().find_map(|&middle| {
        let kept = ways.iter().copied().filter(|&w| apart(middle, w));
        let kept: Vec<_> = kept.filter(|&w| are_apart(lab, middle, w)).collect();
        kept.iter().find_map(|&a| {
            let mut others = kept.iter().filter(|&&b| apart(a, b));
            let other = others.find(|&&b| lets_in(a, b))?;
            Some([a, middle, *other])
        })
    })
}
