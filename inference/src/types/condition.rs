//! CONDITION: waits and notifies that are nothing more special.
//!
//! Besides the catch-all there are three machines, so that common conditions have a likelihood of
//! their own and other types don't win for lack of a rival: the *pulse* (whoever comes waits,
//! whoever is woken goes on), the *gate* (opened and closed again: pause, resettable event) and the *turn*
//! ([`turn`]).

use super::case::{Candidate, Case, Cast};
use super::log::{End, Entry, Instance, Log, Stay};
use super::score::{Score, Stakes};
use super::search::{NONE, Roles, search, value};
use super::{Detail, EVENT, LockType, Role, WAIT_GROUP, turn};

const AWAIT: u8 = 1;
const OPEN: u8 = 2;
const CLOSE: u8 = 3;

/// Somebody waits and is woken, or notifies: that is all the catch-all asks for. The more often
/// it happens, and is nothing more special, the better.
const CATCH_ALL: f64 = 1.0;
const CATCH_ALL_MOST: f64 = 3.5;

/// Any of the machines is a further assumption: its price, in nats.
const MACHINE_COST: f64 = 2.0;

/// Proposes everything that waits or notifies.
pub(super) fn propose(case: &Case) -> Option<Candidate> {
    if case.log.waits() == 0 {
        return None;
    }
    let mut candidate = Candidate::new(LockType::Condition, cast(case));
    candidate.exact.llr = catch_all(&case.exact);
    candidate.watched.log_odds = if case.partial.waits() > 0 {
        CATCH_ALL
    } else {
        0.0
    };
    let plain = better(pulse(&case.exact), unchanged(&case.exact));
    let plain = turn::turns(case).map_or(plain, |turns| better(plain, turns));
    let gates = [Gate::Set, Gate::Counted].into_iter();
    let gates = gates.filter_map(|kind| Some((kind, gate(case, kind)?)));
    let best = gates.reduce(|a, b| if b.1.0.llr > a.1.0.llr { b } else { a });
    if let Some((kind, (score, gate))) = best.filter(|g| g.1.0.llr > plain.llr) {
        add(&mut candidate, score);
        let (form, text) = kind.told();
        let form = Detail::Word(form.to_owned());
        candidate.details.insert("form", form);
        candidate.pro.push(text.to_owned());
        include(&mut candidate.cast, &gate);
    } else {
        add(&mut candidate, plain);
    }
    Some(candidate)
}

fn better(a: Score, b: Score) -> Score {
    if b.llr > a.llr { b } else { a }
}

fn catch_all(log: &Log) -> f64 {
    if log.waits() == 0 {
        return 0.0;
    }
    let notifies: u32 = log.usage.iter().map(|u| u.notifies).sum();
    let known = if notifies > 0 {
        f64::from(log.waits())
    } else {
        0.0
    };
    (CATCH_ALL + (1.0 + known).ln() / 2.0).min(CATCH_ALL_MOST)
}

fn add(candidate: &mut Candidate, score: Score) {
    if score.llr > 0.0 {
        candidate.exact.llr += score.llr;
        candidate.exact.confirmed += score.confirmed;
        candidate.exact.contradicted += score.contradicted;
    }
}

fn include(cast: &mut Cast, gate: &[u8]) {
    let opens = |&(_, &code): &(usize, &u8)| code == OPEN;
    let openers = gate.iter().enumerate().filter(opens).map(|(r, _)| r);
    cast.entry(Role::Notify).or_default().extend(openers);
}

/// A region notifies if it does so regularly (now and then: a misplaced one), or its code can.
fn cast(case: &Case) -> Cast {
    let mut cast = Cast::new();
    for region in 0..case.regions.len() {
        let usage = case.usage(region);
        if usage.waits > 0 {
            cast.entry(Role::Wait).or_default().insert(region);
        }
        let regularly = usage.notifies * 20 > usage.stays;
        let can = case.free_to_notify(region);
        if can == Some(true) || can.is_none() && regularly {
            cast.entry(Role::Notify).or_default().insert(region);
        }
    }
    if case.is_rest() {
        let ended = cast.get(&Role::Wait).into_iter().flatten();
        let ended: Vec<usize> = ended.flat_map(|&r| case.ended_by_taken(r)).collect();
        if !cast.contains_key(&Role::Notify) && !ended.is_empty() {
            // Nobody but who does it in passing.
            cast.insert(Role::Notify, ended.into_iter().collect());
        }
        // Who lets go of what was accepted before waiting here tells those who wait for that.
        let waits = cast.get(&Role::Wait).cloned().unwrap_or_default();
        if let Some(notify) = cast.get_mut(&Role::Notify)
            && !notify.is_subset(&waits)
        {
            notify.retain(|region| !waits.contains(region));
        }
    }
    cast
}

/// Somebody came and waited after somebody else had waited and gone on. What is waited for but once opens for good,
/// which these machines would predict as well: they do not count that.
fn is_used_again(instance: &Instance) -> bool {
    let mut opened = false;
    let again = |stay: &Stay| {
        opened |= !stay.fresh && stay.end == End::Left && !stay.timed_out;
        opened && stay.fresh && stay.waits()
    };
    instance.complete && instance.stays().any(again)
}

/// Any condition whatever: where somebody had to wait, whoever comes there has to wait too as long
/// as nobody has been elsewhere, or got through. Other types predict these waits as well, and must
/// do better than that.
fn unchanged(log: &Log) -> Score {
    let stakes = Stakes::new(log);
    let mut score = Score::default().plus(-MACHINE_COST);
    for instance in log.instances.iter().filter(|i| is_used_again(i)) {
        let mut closed = None;
        for stay in instance.stays() {
            if closed == Some(stay.region) && stay.waits() {
                stakes.settle(&mut score, stay, true);
            }
            closed = stay.waits().then_some(stay.region);
        }
    }
    score
}

/// Whoever comes waits; whoever is woken goes on. Summed over the regions it suits.
fn pulse(log: &Log) -> Score {
    let stakes = Stakes::new(log);
    let mut by_region = vec![Score::default(); log.usage.len()];
    for stay in log
        .instances
        .iter()
        .filter(|i| is_used_again(i))
        .flat_map(|i| i.stays())
    {
        let region = usize::from(stay.region);
        if log.usage[region].waits > 0 && !stay.may_have_given_up() && stay.end != End::Unknown {
            stakes.settle(&mut by_region[region], stay, stay.fresh);
        }
    }
    let mut sum = Score::default();
    for score in by_region.iter().filter(|s| s.llr > 0.0) {
        sum.llr += score.llr - MACHINE_COST;
        sum.confirmed += score.confirmed;
        sum.contradicted += score.contradicted;
    }
    sum
}

/// What opens a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gate {
    /// One step, whatever has closed it.
    Set,
    /// As many steps as have closed it.
    Counted,
}

impl Gate {
    /// The form that it is of, and a sentence for it.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Set => (EVENT, "waits exactly while closed; opened and closed again"),
            Self::Counted => (WAIT_GROUP, "waits exactly while somebody is inside"),
        }
    }

    /// How many have closed it, if that is known, after one more step.
    fn step(self, inside: Option<u32>, opens: bool) -> Option<u32> {
        match (self, opens) {
            (Self::Set, true) => Some(0),
            (Self::Set, false) => Some(1),
            (Self::Counted, true) => inside?.checked_sub(1),
            (Self::Counted, false) => inside.map(|inside| inside + 1),
        }
    }

    /// How many have closed it, as far as somebody shows who comes and waits or not.
    fn shown(self, inside: Option<u32>, waits: bool) -> Option<u32> {
        match (self, waits) {
            (_, false) => Some(0),
            (Self::Set, true) => Some(1),
            (Self::Counted, true) => inside.filter(|&inside| inside > 0),
        }
    }
}

fn gate(case: &Case, kind: Gate) -> Option<(Score, Roles)> {
    let (waiting, quiet) = (case.waiting(4), case.quiet(5));
    let mut starts = Vec::new();
    for &a in &waiting {
        for &open in &quiet {
            for &close in quiet.iter().filter(|&&c| c != open) {
                let mut roles = case.nobody();
                (roles[a], roles[open], roles[close]) = (AWAIT, OPEN, CLOSE);
                starts.push(roles);
            }
        }
    }
    let options: Vec<Vec<u8>> = (0..case.regions.len())
        .map(|r| {
            if case.waited(r) {
                vec![NONE, AWAIT]
            } else {
                vec![NONE, OPEN, CLOSE]
            }
        })
        .collect();
    let fit = |log: &Log, roles: &[u8]| gate_fit(log, roles, kind);
    let (roles, _) = search(&case.windows, starts, &options, &fit)
        .into_iter()
        .next()?;
    let score = fit(&case.exact, &roles);
    let net = Score {
        llr: value(&score, &roles),
        ..score
    };
    Some((net, roles))
}

fn gate_fit(log: &Log, roles: &[u8], kind: Gate) -> Score {
    let stakes = Stakes::new(log);
    let mut score = Score::default();
    for instance in log.instances.iter().filter(|i| i.complete) {
        let mut inside = None;
        for entry in &instance.entries {
            let Entry::Stay(stay) = entry else {
                inside = None;
                continue;
            };
            match roles[usize::from(stay.region)] {
                OPEN => inside = kind.step(inside, true),
                CLOSE => inside = kind.step(inside, false),
                AWAIT if !stay.may_have_given_up() && stay.end != End::Unknown => {
                    if let Some(inside) = inside {
                        stakes.settle(&mut score, stay, inside > 0);
                    }
                    inside = kind.shown(inside, stay.waits());
                }
                _ => {}
            }
        }
    }
    score
}
