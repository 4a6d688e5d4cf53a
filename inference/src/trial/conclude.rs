//! What a finding says: parameters, odds, and a sentence. The last scripted steps tell apart what
//! walks within the protocol cannot.

use super::bench::Bench;
use super::conform::Finding;
use super::lab::{Budget, Lab};
use super::measure::{asking, exclusion, kinds, passing, read_write, weights};
use super::spec::{ALL, Barrier, Drain, Ends, Latch, Machine, Queue, SETS, Semaphore};
use crate::types::{self, Detail, Details, LockType, Role};
use std::collections::BTreeSet;

/// Odds of a type that explains everything.
const FULL: f64 = 5.0;
/// Odds of a barrier at which parties meet but once: so goes what counts them and is never set back.
const ONCE: f64 = 2.5;
/// Odds of an event that can be reset.
const EVENT: f64 = 3.5;
/// What may be spent on telling what a finding means, however much the search has cost: what is
/// not measured would read as a measurement that failed.
const MEASURING: Budget = Budget {
    calls: 2_000,
    cost: 200_000,
};
/// Odds of a limiter that begins without permits: nothing but permits is kept in such a way.
const LIMITER: f64 = 4.5;
/// Odds of one permit that only who has it can give back: one too many would keep out everybody.
const JAMS: f64 = 1.0;
/// Odds of a future whose value changes if it is set twice.
const MOVING: f64 = 1.0;

/// A finding with what it means.
#[derive(Clone, Debug)]
pub(super) struct Conclusion {
    pub(super) finding: Finding,
    pub(super) details: Details,
    pub(super) odds: f64,
    /// What it is, with an article: "a semaphore with 3 permits".
    pub(super) what: String,
    /// Further sentences for it.
    pub(super) notes: Vec<String>,
    /// One role is played in several steps, each an operation of its own.
    pub(super) in_steps: bool,
}

/// What a finding says; none if something else is meant by what looks like it.
pub(super) fn conclude<B: Bench>(lab: &Lab<'_, B>, finding: Finding) -> Option<Conclusion> {
    lab.allow(MEASURING);
    match finding.machine.clone() {
        Machine::Lock(lock) => self::lock(lab, finding, lock.reentrant),
        Machine::Semaphore(semaphore) => self::semaphore(lab, finding, &semaphore),
        Machine::Queue(queue) => self::queue(lab, finding, &queue),
        Machine::Handoff(_) => self::handoff(finding),
        Machine::ReadWrite(lock) => Some(self::read_write(lab, finding, lock.most)),
        Machine::Barrier(barrier) => Some(self::barrier(finding, &barrier)),
        Machine::Latch(latch) => self::latch(lab, finding, &latch),
        Machine::Event(_) => event(lab, finding),
        Machine::Room(room) => Some(self::room(finding, room.is_of_groups())),
    }
}

impl Conclusion {
    /// A queue in which what is put replaces the only thing that is there never shows how much room it has.
    pub(super) fn is_silent_on_room(&self) -> bool {
        matches!(&self.finding.machine, Machine::Queue(queue) if queue.replaces && queue.capacity == Some(1))
    }

    /// A lock that only its holder can give back. Where all call it by one name, that does not show.
    pub(super) fn has_holder(&self) -> bool {
        matches!(self.finding.machine, Machine::Lock(_)) && self.odds >= FULL
    }

    /// Groups that keep each other out by what their callers say of themselves: where each is of one member, that is its owner.
    pub(super) fn may_have_owners(&self) -> bool {
        matches!(&self.finding.machine, Machine::Room(room) if room.is_of_groups())
    }

    /// Roles that only one thread may play, where nothing else shows that something is handed over.
    pub(super) fn alone(&self) -> BTreeSet<Role> {
        let ends = match &self.finding.machine {
            Machine::Queue(queue) if self.finding.tally.carried == 0 => queue.ends,
            _ => Ends::Open,
        };
        match ends {
            Ends::Open => BTreeSet::new(),
            Ends::OneTakes => BTreeSet::from([Role::Take]),
            Ends::OneEach => BTreeSet::from([Role::Put, Role::Take]),
        }
    }

    /// It is of this type.
    pub(super) fn is_of(&self, lock_type: LockType) -> bool {
        self.finding.machine.lock_type() == lock_type
    }

    fn new(finding: Finding, odds: f64, what: impl Into<String>) -> Self {
        Self {
            finding,
            details: Details::new(),
            odds,
            what: what.into(),
            notes: Vec::new(),
            in_steps: false,
        }
    }

    fn count(mut self, key: &'static str, value: u32) -> Self {
        self.details.insert(key, Detail::Count(u64::from(value)));
        self
    }

    fn flag(mut self, key: &'static str, value: bool) -> Self {
        self.details.insert(key, Detail::Flag(value));
        self
    }

    fn word(mut self, key: &'static str, value: &str) -> Self {
        self.details.insert(key, Detail::Word(value.to_owned()));
        self
    }

    /// How much there is, of what each takes as much of as what it is handed says.
    fn by_weight(self, key: &'static str, weighed: Weighed) -> Self {
        let made = self.note("how many each takes is a number of what it is handed");
        match weighed {
            Weighed::By(Some(all)) => made.count(key, all),
            _ => made,
        }
    }

    /// The same, of which one role is played in several steps.
    pub(super) fn taken_in_steps(mut self) -> Self {
        self.in_steps = true;
        self
    }

    /// With a further sentence for it.
    pub(super) fn note(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }
}

/// What a lock has that anybody could give back, and that the same method takes and gives back, where nothing else was read.
pub(super) const BY_ONE: (f64, &str) = (1.5, "the same method takes it and gives it back");

fn lock<B: Bench>(lab: &Lab<'_, B>, finding: Finding, reentrant: bool) -> Option<Conclusion> {
    let (lock, unlock) = (finding.first(Role::Lock), finding.first(Role::Unlock));
    if kinds::takes_several(lab, lock) || kinds::is_by_amount(lab, lock) {
        return None;
    }
    let reentrant = reentrant || is_reentrant_otherwise(lab, &finding);
    let grows = exclusion::grows(lab, lock, unlock);
    let before = lab.stuck();
    let strangers = exclusion::strangers_give(lab, lock, unlock);
    // A call that could not be followed is not one that failed.
    let holders = !strangers && lab.stuck() == before && !lab.is_spent();
    let by_one =
        is_one_by(lab, (lock, unlock)) && [lock, unlock].iter().all(|&op| lab.bench().is_bare(op));
    let mut unlocks = finding.cast.get(&Role::Unlock).into_iter().flatten();
    // One that gives back everything may only set what is set already.
    let counts = reentrant && unlocks.any(|m| m.weight != ALL);
    let keyed = asking::locks_by_name(lab, (lock, unlock));
    let odds = match () {
        () if counts || holders => FULL,
        // What anybody can give back, and no method that takes it does.
        () if is_apart_by(lab, (lock, unlock)) => 1.0,
        // Permits are all alike.
        () if keyed => 4.5,
        () if grows => 2.0,
        () => 3.0,
    };
    let what = match reentrant {
        true => "a re-entrant lock",
        false => "a lock",
    };
    // What he says of himself may be known of others as well: whether they are one is not known here.
    let unclear = !reentrant && asking::lets_in_again(lab, lock);
    let made = Conclusion::new(finding, odds, what);
    let made = match unclear {
        true => made.note("who comes with the same value goes on though it is held"),
        false => made.flag("reentrant", reentrant),
    };
    let made = match reentrant && !counts {
        true => made.note("giving it back frees it, however often it was taken"),
        false => made,
    };
    let made = match keyed {
        true => made
            .word("form", "striped lock")
            .note("there is one for each name by which it is asked for"),
        false => made,
    };
    Some(match holders {
        true => made.note("only its holder can give it back"),
        false if strangers && by_one => made.note(BY_ONE.1),
        false => made,
    })
}

/// Another way to take it than the first lets its holder in again.
fn is_reentrant_otherwise<B: Bench>(lab: &Lab<'_, B>, finding: &Finding) -> bool {
    let of = |role| {
        finding
            .cast
            .get(&role)
            .into_iter()
            .flatten()
            .map(|m| m.operation)
    };
    let locks = of(Role::Lock).skip(1);
    let mut pairs = locks.flat_map(|lock| of(Role::Unlock).map(move |unlock| (lock, unlock)));
    pairs.any(|(lock, unlock)| exclusion::levels(lab, lock, unlock).is_some())
}

fn semaphore<B: Bench>(
    lab: &Lab<'_, B>,
    finding: Finding,
    semaphore: &Semaphore,
) -> Option<Conclusion> {
    let carried = finding.tally.carried > 0;
    let take = finding.first(Role::Acquire);
    let odds = match semaphore.initial {
        // It is not by number that others are kept out.
        1 if kinds::takes_several(lab, take) => return None,
        2.. if kinds::keeps_out_others(lab, take) => return None,
        // What was put in came out: a queue.
        0 if carried => return None,
        // Each waits for a permit of his own.
        0 if asks_by_name(lab, &finding) => return None,
        0 if semaphore.most.is_some() && is_apart(lab, &finding) => LIMITER,
        0 => 3.0,
        1 => binary(lab, &finding)?,
        // A buffer that somebody empties now and then fills up like this.
        _ if semaphore.refills || semaphore.by_several => {
            refilled(lab, &finding, semaphore.initial)?
        }
        _ => FULL,
    };
    let permits = semaphore.initial;
    let roles = (finding.first(Role::Acquire), finding.first(Role::Release));
    let named = exclusion::by_one_name(lab, roles.0, permits);
    let weighed = match permits > 1 {
        true => by_weight(lab, take),
        false => Weighed::Alike,
    };
    let what = match permits {
        1 => "a semaphore with 1 permit".to_owned(),
        _ if weighed != Weighed::Alike => "a semaphore".to_owned(),
        _ if named != Some(permits) => format!("a semaphore with {permits} permits in all"),
        _ => format!("a semaphore with {permits} permits"),
    };
    let pool = carried && !exclusion::hands_out_twice(lab, roles, permits)
        || exclusion::hands_out_numbers(lab, roles, permits);
    let capped = permits > 1 && !pool && is_capped(lab, roles, permits);
    let made = Conclusion::new(finding, odds, what);
    let made = match named {
        _ if weighed != Weighed::Alike => made.by_weight("permits", weighed),
        Some(own) if own < permits => made
            .count("permits", own)
            .note("there are so many for each name by which they are asked for"),
        Some(_) => made.count("permits", permits),
        None => made.note("how many there are for each name is not known"),
    };
    Some(match (pool, semaphore.most) {
        _ if capped => made
            .word("form", "rate limiter")
            .note("what is given beyond a bound is lost, and no method both takes and gives"),
        (true, _) => made.word("form", "object pool"),
        (_, Some(_)) => made.word("form", "rate limiter"),
        _ if semaphore.refills || semaphore.drips => made.word("form", "rate limiter"),
        _ => made,
    })
}

/// How much a call takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weighed {
    /// All take alike, as far as it is known.
    Alike,
    /// A number of what it is handed, of so much in all, if that is known.
    By(Option<u32>),
}

fn by_weight<B: Bench>(lab: &Lab<'_, B>, take: usize) -> Weighed {
    match weights::units(lab, take) {
        Some(all) => Weighed::By(all),
        None if lab.bench().is_by_what_is_handed(take) => Weighed::By(None),
        None => Weighed::Alike,
    }
}

fn asks_by_name<B: Bench>(lab: &Lab<'_, B>, finding: &Finding) -> bool {
    let roles = (finding.first(Role::Acquire), finding.first(Role::Release));
    asking::asks_by_name(lab, roles) || asking::answers_by_name(lab, roles)
}

fn is_apart<B: Bench>(lab: &Lab<'_, B>, finding: &Finding) -> bool {
    is_apart_by(
        lab,
        (finding.first(Role::Acquire), finding.first(Role::Release)),
    )
}

/// No method both takes and gives, as far as callers are known.
fn is_apart_by<B: Bench>(lab: &Lab<'_, B>, (take, give): (usize, usize)) -> bool {
    lab.bench().together(take, give) == Some(false)
}

/// Some method takes and gives.
fn is_one_by<B: Bench>(lab: &Lab<'_, B>, (take, give): (usize, usize)) -> bool {
    lab.bench().together(take, give) == Some(true)
}

/// Who gives is not who takes, and what is given again and again is not all kept. What is given one by one may be what was taken,
/// and handed on to who gives it back, unless a clock gives it.
fn is_capped<B: Bench>(lab: &Lab<'_, B>, (take, give): (usize, usize), permits: u32) -> bool {
    is_apart_by(lab, (take, give))
        && exclusion::gives_in_vain(lab, (take, give), permits)
        && (lab.bench().is_by_clock(take, give)
            || !exclusion::gives_one_by_one(lab, (take, give), permits))
}

/// Odds that what is filled up again are permits: nothing else waits for them or makes room.
fn refilled<B: Bench>(lab: &Lab<'_, B>, finding: &Finding, permits: u32) -> Option<f64> {
    let take = finding.first(Role::Acquire);
    let roles = finding.operations();
    let mut others = (0..lab.operations().len()).filter(|op| !roles.contains(op));
    let alone = !others.any(|op| exclusion::shares(lab, (take, permits), op));
    alone.then_some(2.0)
}

/// Odds that one permit is a semaphore's, not a lock's.
fn binary<B: Bench>(lab: &Lab<'_, B>, finding: &Finding) -> Option<f64> {
    let (take, give) = (finding.first(Role::Acquire), finding.first(Role::Release));
    let strangers = exclusion::strangers_give(lab, take, give);
    let grows = exclusion::grows(lab, take, give);
    let told_apart = grows || is_apart(lab, finding);
    let odds = match told_apart {
        _ if exclusion::jams(lab, take, give) => JAMS,
        true => 3.5,
        false => 2.5,
    };
    strangers.then_some(odds)
}

fn queue<B: Bench>(lab: &Lab<'_, B>, finding: Finding, queue: &Queue) -> Option<Conclusion> {
    let carried = finding.tally.carried;
    let bulk = queue.drain == Drain::Some;
    // A flag that is set and reset goes so as well, unless something comes out or there is a bound.
    let vague = carried < 4 && queue.capacity.is_none();
    if bulk && (vague || others_wait(lab, &finding)) {
        return None;
    }
    // Nothing is handed out that somebody did not ask for: answers, not goods.
    if asking::asks_by_name(lab, (finding.first(Role::Take), finding.first(Role::Put))) {
        return None;
    }
    let odds = match (carried, queue.capacity) {
        (4.., _) if bulk => 4.0,
        _ if bulk => 2.5,
        (4.., _) if queue.ends == Ends::Open => FULL,
        (4.., _) => 4.0,
        // Nothing comes out, and they take turns: so do two that only wait for each other.
        (_, Some(1)) => 0.5,
        (_, Some(_)) => 3.5,
        (_, None) => 1.5,
    };
    if carried == 0 && queue.replaces || carried < 4 && queue.stretches {
        return None;
    }
    let weighed = match queue.capacity {
        Some(2..) if !queue.replaces && !queue.stretches => {
            by_weight(lab, finding.first(Role::Put))
        }
        _ => Weighed::Alike,
    };
    let what = match (queue.capacity, queue.drain) {
        _ if weighed != Weighed::Alike => "a bounded queue".to_owned(),
        (Some(n), _) if queue.replaces && n > 1 => {
            format!("a queue of capacity {n}, in which, once full, what is put replaces something")
        }
        _ if queue.replaces => "a queue in which what is put can replace what is there".to_owned(),
        (Some(n), _) if queue.stretches => format!("a queue that takes {n} or more"),
        (Some(n), _) if let Some(low) = queue.low => {
            format!("a queue of capacity {n} that, once full, takes nothing until {low} are left")
        }
        (Some(n), Drain::Some) => format!("a queue of capacity {n}, emptied in pieces of any size"),
        (None, Drain::Some) => "an unbounded queue, emptied in pieces of any size".to_owned(),
        (Some(n), _) => format!("a queue of capacity {n}"),
        (None, Drain::All) => "a queue that is emptied at once".to_owned(),
        (None, Drain::One) => "an unbounded queue".to_owned(),
    };
    let made = Conclusion::new(finding, odds, what);
    let made = match queue.capacity {
        _ if weighed != Weighed::Alike => made.by_weight("capacity", weighed),
        // What is replaced may be what has the same key: that is no matter of room.
        Some(1) if queue.replaces => made,
        _ if queue.stretches => made,
        Some(n) => made.count("capacity", n),
        None => made.word("capacity", "unbounded"),
    };
    let made = match queue.ends {
        Ends::Open => made,
        Ends::OneTakes => made.note("as long as only one thread takes"),
        Ends::OneEach => made.note("as long as one thread puts and one takes"),
    };
    Some(match carried {
        0 => made,
        n => made.note(&format!("{n} things that were put in came out again")),
    })
}

/// A method without a role waits as well: with so little foreseen, everything has to fit. One that
/// has a role may be called so that it asks for nothing.
fn others_wait<B: Bench>(lab: &Lab<'_, B>, finding: &Finding) -> bool {
    let regions = |op: usize| lab.operations()[op].regions.as_slice();
    let cast = finding.operations();
    let known = |op: &usize| cast.iter().any(|&known| regions(known) == regions(*op));
    let mut others = (0..lab.operations().len()).filter(|op| !known(op));
    others.any(|op| lab.session().waits(0, op))
}

/// What is handed over must have been seen: two may also wait for each other to no such end.
fn handoff(finding: Finding) -> Option<Conclusion> {
    let carried = finding.tally.carried;
    let made = Conclusion::new(finding, FULL, "a queue without room")
        .count("capacity", 0)
        .word("form", "rendezvous");
    let note = format!("{carried} things that were put in came out again");
    (carried >= 4).then(|| {
        made.note("who puts and who takes wait for each other")
            .note(&note)
    })
}

fn read_write<B: Bench>(lab: &Lab<'_, B>, finding: Finding, most: Option<usize>) -> Conclusion {
    let ends = read_write::Ends {
        read_lock: finding.first(Role::ReadLock),
        write_lock: finding.first(Role::WriteLock),
        write_unlock: finding.first(Role::WriteUnlock),
    };
    let preference = read_write::preference(lab, ends);
    let reentrant = read_write::is_reentrant(lab, ends, preference);
    let made = Conclusion::new(finding, FULL, "a read-write lock");
    let made = made.flag("reentrant", reentrant);
    let made = match most {
        Some(most) => made.note(&format!("it lets in {most} readers at once")),
        None => made,
    };
    match preference {
        Some(who) => made.word("preference", who),
        None => made,
    }
}

fn barrier(finding: Finding, barrier: &Barrier) -> Conclusion {
    let parties = barrier.parties;
    if barrier.registers {
        let what = "a barrier at which parties register";
        return Conclusion::new(finding, FULL, what).word("form", "phaser");
    }
    let carries = finding.tally.carried > 0;
    let what = format!("a barrier of {parties} parties");
    if barrier.once {
        let made = Conclusion::new(finding, ONCE, what).count("parties", parties);
        return made.note("it stays open once all have come");
    }
    let made = Conclusion::new(finding, FULL, what).count("parties", parties);
    match (parties, carries) {
        (2, true) => made.word("form", "exchanger"),
        (2, false) => made.word("form", "rendezvous"),
        _ => made,
    }
}

fn latch<B: Bench>(lab: &Lab<'_, B>, finding: Finding, latch: &Latch) -> Option<Conclusion> {
    let (waits, gives) = (finding.first(Role::Await), finding.first(Role::CountDown));
    let roles = finding.operations();
    let mut others = (0..lab.operations().len()).filter(|op| !roles.contains(op));
    let it = (waits, gives, latch.count);
    // It can be shut, or gives something to each, or each waits for a value of his own.
    if others.any(|op| passing::shuts(lab, it, op) || passing::feeds(lab, waits, op))
        || passing::waits_for_more(lab, it)
        || passing::has_phases(lab, it, &roles)
    {
        return None;
    }
    // The value could be set again, if anybody did: then it would be a variable.
    let moves = !lab.operations()[gives].once && passing::moves(lab, it);
    let odds = if moves { MOVING } else { 4.0 };
    let future = finding.tally.carried > 0;
    let made = match passing::opens_sooner(lab, it) {
        true => Conclusion::new(finding, odds, "a latch"),
        false => {
            let what = format!("a latch of count {}", latch.count);
            Conclusion::new(finding, odds, what).count("count", latch.count)
        }
    };
    Some(match future {
        true => made.word("form", "future"),
        false => made,
    })
}

/// An event keeps nothing for anybody: what lets only one of two go is something else, whoever of those who wait shows it,
/// and whatever he asks for. So is one of several phases that are waited for, and what holds several things until they are taken.
fn event<B: Bench>(lab: &Lab<'_, B>, finding: Finding) -> Option<Conclusion> {
    let operations = lab.operations();
    let waits: BTreeSet<usize> = finding
        .cast
        .get(&Role::Wait)
        .into_iter()
        .flatten()
        .map(|m| m.operation)
        .collect();
    let same = |op: usize, known: usize| operations[op].regions == operations[known].regions;
    let mut all = (0..operations.len()).filter(|&op| waits.iter().any(|&known| same(op, known)));
    let feeds = all.any(|wait| {
        let mut others = (0..operations.len()).filter(|&op| op != wait);
        others.any(|op| passing::feeds(lab, wait, op))
    });
    let phases = others_wait(lab, &finding);
    let opens = finding.cast.get(&Role::Notify).into_iter().flatten();
    let shuts = || finding.cast.get(&SETS).into_iter().flatten();
    let holds = opens
        .flat_map(|opens| shuts().map(|shuts| (opens.operation, shuts.operation)))
        .any(|ends| passing::gives_back(lab, ends));
    let made = || Conclusion::new(finding, EVENT, "an event that is set and reset");
    (!feeds && !phases && !holds).then(|| made().word("form", types::EVENT))
}

/// No type of the table keeps out some and shares with others.
fn room(finding: Finding, groups: bool) -> Conclusion {
    let (what, note) = match groups {
        true => (
            "a room for one group at a time",
            "those of one kind share it and wait until all of another have left",
        ),
        false => (
            "several things of which some are taken at once",
            "one way of taking it keeps out two that let each other in",
        ),
    };
    Conclusion::new(finding, EVENT, what).note(note)
}
