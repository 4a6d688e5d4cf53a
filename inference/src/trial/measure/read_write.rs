//! Candidates for READ-WRITE, and what can be measured of one: preference and re-entry.

use super::super::bench::Bench;
use super::super::lab::{Lab, THREADS};
use super::super::probe::{Allowed, Level, Probes, Waiting};
use super::super::spec::{Machine, ReadWrite};
use super::Candidate;
use super::kinds::are_apart;
use crate::types::Role;

/// Those of the four operations whose order tells something.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Ends {
    pub(in super::super) read_lock: usize,
    pub(in super::super) write_lock: usize,
    pub(in super::super) write_unlock: usize,
}

/// READ-WRITE.
pub(in super::super) fn find<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for Waiting {
        operation: write,
        passes,
        ..
    } in probes.waiting()
    {
        if passes != 1 || !allowed.allows(Role::WriteLock, write) {
            continue;
        }
        let reads = probes
            .others(write)
            .filter(|&r| allowed.allows(Role::ReadLock, r));
        let reads = reads.filter(|&r| is_shared(&probes.levels[r]));
        let reads = reads.filter(|&r| probes.lab.bench().are_told_apart(r, write));
        let reads = reads.filter(|&r| shares(&probes.lab, r, write));
        let reads = reads.filter(|&r| !has_third(probes, r, write));
        for read in reads.collect::<Vec<_>>() {
            found.extend(unlocks(probes, allowed, read, write));
        }
    }
    found
}

/// Readers one may stop counting: permits of which a writer takes all are as good a reading of a lock that lets in fewer.
const READERS: u32 = 4;

/// How many readers it lets in, if there is a bound. One of more readers than ever come is none to them: as many as there are bits left.
fn most<B>(level: &Level<B>) -> Option<u32> {
    match level {
        Level::Waits { passes, .. } => Some(*passes),
        _ => None,
    }
}

fn is_shared<B>(level: &Level<B>) -> bool {
    most(level).is_none_or(|most| most > 1)
}

/// What a writer gives back is what readers take: permits, of which he takes all.
fn is_one_number<B: Bench>(
    lab: &Lab<'_, B>,
    (read, most): (usize, u32),
    write_unlock: usize,
) -> bool {
    let most = most as usize;
    let mut session = lab.session();
    (0..most).all(|thread| session.passes(thread, read))
        && session.passes(most + 1, write_unlock)
        && session.passes(most, read)
}

/// Readers share and keep writers out; a writer keeps readers out.
fn shares<B: Bench>(lab: &Lab<'_, B>, read: usize, write: usize) -> bool {
    let mut shared = lab.session();
    let shares = shared.passes(0, read) && shared.passes(1, read) && shared.waits(2, write);
    let mut exclusive = lab.session();
    shares && exclusive.passes(0, write) && exclusive.waits(1, read)
}

/// Others share as well, and neither readers nor writers come in while they do, or they while those: not readers and writers
/// but a room for one group at a time.
fn has_third<B: Bench>(probes: &Probes<'_, B>, read: usize, write: usize) -> bool {
    let lab = &probes.lab;
    let mut others = probes.others(write).filter(|&op| op != read);
    others.any(|op| {
        let mut session = lab.session();
        let shared = session.passes(0, op) && session.passes(1, op);
        shared && are_apart(lab, op, read) && are_apart(lab, op, write)
    })
}

fn unlocks<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
    read: usize,
    write: usize,
) -> Vec<Candidate> {
    let ends_read = |&op: &usize| last_reader_opens(&probes.lab, read, write, op);
    let ends_write = |&op: &usize| {
        let mut session = probes.lab.session();
        session.passes(0, write) && session.waits(1, read) && session.frees(0, op, 1)
    };
    let others = || (0..probes.levels.len()).filter(|&op| op != read && op != write);
    let of = |role: Role| others().filter(move |&op| allowed.allows(role, op));
    let reads: Vec<_> = of(Role::ReadUnlock).filter(ends_read).collect();
    let writes: Vec<_> = of(Role::WriteUnlock).filter(ends_write).collect();
    let pairs = reads
        .iter()
        .flat_map(|&r| writes.iter().map(move |&w| (r, w)));
    let most = most(&probes.levels[read]);
    let pairs = pairs.filter(|&(_, write_unlock)| {
        let few = most.filter(|&most| most < READERS);
        few.is_none_or(|few| !is_one_number(&probes.lab, (read, few), write_unlock))
    });
    let candidate = |(read_unlock, write_unlock)| {
        let cast = [
            (Role::ReadLock, read),
            (Role::ReadUnlock, read_unlock),
            (Role::WriteLock, write),
            (Role::WriteUnlock, write_unlock),
        ];
        let bound = most
            .map(|most| most as usize)
            .filter(|most| *most < THREADS);
        let machine = ReadWrite::bounded(bound);
        Candidate::new(vec![Machine::ReadWrite(machine)], cast)
    };
    pairs.map(candidate).collect()
}

fn last_reader_opens<B: Bench>(lab: &Lab<'_, B>, read: usize, write: usize, unlock: usize) -> bool {
    let mut session = lab.session();
    session.passes(0, read)
        && session.passes(1, read)
        && session.waits(2, write)
        && !session.frees(0, unlock, 2)
        && session.frees(1, unlock, 2)
}

/// Who goes first: "readers", "writers" or "fair"; none if it is none of these.
pub(in super::super) fn preference<B: Bench>(lab: &Lab<'_, B>, ends: Ends) -> Option<&'static str> {
    let mut session = lab.session();
    session.call(0, ends.read_lock);
    session.call(1, ends.write_lock);
    if session.passes(2, ends.read_lock) {
        return Some("readers");
    }
    let after = |coming, woken| next_after_writer(lab, ends, coming, woken);
    let reader_first = after([Next::Reader, Next::Writer], Woken::InOrder)?;
    let writer_first = after([Next::Writer, Next::Reader], Woken::InOrder)?;
    match (reader_first, writer_first) {
        (Next::Writer, Next::Writer) => Some("writers"),
        // A matter of who runs first, not of who came first: a writer who waits keeps out new readers, and that is all.
        (Next::Reader, Next::Writer)
            if after([Next::Reader, Next::Writer], Woken::LastFirst) == Some(Next::Writer) =>
        {
            Some("writers")
        }
        // Who came first; or by turns: whoever waits behind a writer reads before the next one writes.
        (Next::Reader, _) => Some("fair"),
        (Next::Writer, Next::Reader) => None,
    }
}

/// In which order those run whom a notifyAll has woken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Woken {
    InOrder,
    LastFirst,
}

/// Who is in next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Reader,
    Writer,
}

/// Who goes when a writer leaves and both wait, having come in this order; none if both go, or nobody.
fn next_after_writer<B: Bench>(
    lab: &Lab<'_, B>,
    ends: Ends,
    coming: [Next; 2],
    woken: Woken,
) -> Option<Next> {
    let mut session = lab.session();
    if woken == Woken::LastFirst {
        session.turn_round();
    }
    session.call(0, ends.write_lock);
    for (thread, who) in (1..).zip(coming) {
        let operation = match who {
            Next::Reader => ends.read_lock,
            Next::Writer => ends.write_lock,
        };
        session.call(thread, operation);
    }
    let reaction = session.call(0, ends.write_unlock);
    match (reaction.let_go(1), reaction.let_go(2)) {
        (true, false) => Some(coming[0]),
        (false, true) => Some(coming[1]),
        _ => None,
    }
}

/// A holder may lock again: a writer to write, or a reader to read though a writer waits.
pub(in super::super) fn is_reentrant<B: Bench>(
    lab: &Lab<'_, B>,
    ends: Ends,
    preference: Option<&str>,
) -> bool {
    let mut write = lab.session();
    let writes = write.passes(0, ends.write_lock)
        && write.passes(0, ends.write_lock)
        && write.waits(1, ends.read_lock)
        && !write.frees(0, ends.write_unlock, 1)
        && write.frees(0, ends.write_unlock, 1);
    let mut read = lab.session();
    let reads = preference != Some("readers")
        && read.passes(0, ends.read_lock)
        && read.waits(1, ends.write_lock)
        && read.passes(0, ends.read_lock);
    writes || reads
}
