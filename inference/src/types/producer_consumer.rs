//! PRODUCER-CONSUMER: items and free slots. take waits while there is no item, put while there is
//! no slot; an unbounded queue is one whose slots never run out.
//!
//! Items and slots are two counters with the same updates in opposite directions; where both are
//! known, their sum is the capacity, and it must be the same each time.

use super::case::{Case, Checker, Explanation};
use super::interval::{Interval, MANY};
use super::log::{End, Entry, Log, Stay};
use super::score::{Score, Stakes};
use super::search::{NONE, Roles};
use super::tokens::{amount, amounts_cost, code, role, usual};
use super::{Detail, LockType, Role};
use std::collections::{BTreeMap, BTreeSet};

/// The checker.
pub(super) struct ProducerConsumer;

const PUT: u8 = 1;
const TAKE: u8 = 2;
/// Puts if there is room, else leaves without.
const OFFER: u8 = 3;
/// Takes if there is something, else leaves without.
const POLL: u8 = 4;
/// Takes all there is.
const DRAIN: u8 = 5;
/// Puts as it comes, whatever it waits for then: what it asked for, perhaps.
const ASK: u8 = 6;

impl Checker for ProducerConsumer {
    fn lock_type(&self) -> LockType {
        LockType::ProducerConsumer
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        match role(code) {
            PUT | OFFER | ASK => &[Role::Put],
            TAKE | POLL | DRAIN => &[Role::Take],
            _ => &[],
        }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Put) {
            PUT
        } else if roles.contains(&Role::Take) {
            TAKE
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        let (waiting, quiet) = (case.waiting(6), case.quiet(6));
        let mut all = Vec::new();
        for &take in &waiting {
            for &put in waiting.iter().chain(&quiet).filter(|&&put| put != take) {
                for taking in [TAKE, DRAIN] {
                    let mut roles = case.nobody();
                    (roles[put], roles[take]) = (PUT, taking);
                    all.push(roles);
                }
            }
        }
        all
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        let waiting = [PUT, TAKE, DRAIN, code(PUT, 2), code(TAKE, 2), ASK];
        let quiet = [PUT, POLL, OFFER, DRAIN, code(PUT, 2), code(PUT, 3)];
        if case.waited(region) {
            waiting.to_vec()
        } else if case.can_wait(region) {
            [&waiting[..], &quiet[1..4]].concat()
        } else {
            quiet.to_vec()
        }
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        let has = |wanted| roles.iter().any(|&r| role(r) == wanted);
        if !(has(PUT) || has(ASK)) || !(has(TAKE) || has(DRAIN)) {
            return Score::IMPOSSIBLE;
        }
        let assumed = |wanted| roles.iter().filter(|&&r| role(r) == wanted).count() as f64;
        let (drains, asks) = (assumed(DRAIN), assumed(ASK));
        let run = run(log, roles);
        let empty = if run.empty > 0 { BEGINS_EMPTY } else { 0.0 };
        run.score
            .plus(empty - amounts_cost(roles) - DRAIN_COST * drains - ASK_COST * asks)
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let run = run(log, roles);
        let mut out = Explanation::default();
        if let Some(capacity) = capacity(log, roles, &run) {
            out.details.insert("capacity", capacity);
        }
        if disjoint(log, roles) {
            out.pro.push("those who put never take".to_owned());
        }
        out
    }
}

fn waits_in(log: &Log, roles: &[u8], wanted: u8) -> u32 {
    let plays = |&(r, _): &(usize, &u8)| role(roles[r]) == wanted;
    roles
        .iter()
        .enumerate()
        .filter(plays)
        .map(|(r, _)| log.usage[r].waits)
        .sum()
}

/// Bounded if put ever waited; unbounded if it never did and nobody ever tells those who put.
fn capacity(log: &Log, roles: &[u8], run: &Run) -> Option<Detail> {
    if waits_in(log, roles, PUT) > 0 {
        // A queue without room is none that holds what is put: steps do not show it.
        let some = usual(&run.capacities).filter(|&room| room > 0);
        return some.map(Detail::Count);
    }
    let takers = (0..roles.len()).filter(|&r| matches!(role(roles[r]), TAKE | DRAIN));
    let (stays, notifies) = takers.fold((0, 0), |(s, n), r| {
        (s + log.usage[r].stays, n + log.usage[r].notifies)
    });
    (notifies * 10 < stays).then(|| Detail::Word("unbounded".to_owned()))
}

fn disjoint(log: &Log, roles: &[u8]) -> bool {
    let threads = |side: &[u8]| -> BTreeSet<u32> {
        let plays = |r: &usize| side.contains(&role(roles[*r]));
        (0..roles.len())
            .filter(plays)
            .flat_map(|r| log.usage[r].threads.keys().copied())
            .collect()
    };
    let (put, take) = (threads(&[PUT, OFFER, ASK]), threads(&[TAKE, POLL, DRAIN]));
    !put.is_empty() && !take.is_empty() && put.is_disjoint(&take)
}

/// Taking everything at once is a further assumption.
const DRAIN_COST: f64 = 2.0;

/// So is that who waits has put something before.
const ASK_COST: f64 = 4.0;

/// A queue whose history begins with it being empty, rather than full: only this and names tell
/// the two sides of a bounded buffer apart.
const BEGINS_EMPTY: f64 = 1.0;

struct Run {
    score: Score,
    /// Histories that begin with an empty queue.
    empty: u32,
    /// Items plus slots, wherever both are known: value and how often.
    capacities: BTreeMap<i64, u32>,
}

fn run(log: &Log, roles: &[u8]) -> Run {
    let mut machine = Machine {
        roles,
        stakes: Stakes::new(log),
        items: Interval::UNKNOWN,
        slots: Interval::UNKNOWN,
        net: None,
        run: Run {
            score: Score::default(),
            empty: 0,
            capacities: BTreeMap::new(),
        },
    };
    for instance in log.instances.iter().filter(|i| i.complete) {
        machine.begin();
        for entry in &instance.entries {
            match entry {
                Entry::Stay(stay) => machine.step(stay),
                Entry::Reset => machine.forget(),
                Entry::SubjectEnded => {}
            }
        }
    }
    machine.run
}

struct Machine<'a> {
    roles: &'a [u8],
    stakes: Stakes,
    items: Interval,
    slots: Interval,
    /// Net number of items put since the history began; none once that is lost.
    net: Option<i64>,
    run: Run,
}

impl Machine<'_> {
    fn begin(&mut self) {
        self.forget();
        self.net = Some(0);
    }

    fn forget(&mut self) {
        (self.items, self.slots) = (Interval::UNKNOWN, Interval::UNKNOWN);
        self.net = None;
    }

    /// The first time the number of items is certain, so is what the history began with.
    fn look_back(&mut self) {
        let (Some(items), Some(net)) = (self.items.known(), self.net) else {
            return;
        };
        self.run.empty += u32::from(items == net);
        self.net = None;
    }

    fn step(&mut self, stay: &Stay) {
        let code = self.roles[usize::from(stay.region)];
        let n = amount(code);
        let unsure = stay.may_have_given_up() || stay.end == End::Unknown;
        match role(code) {
            PUT => self.guarded(stay, n, unsure, true),
            TAKE => self.guarded(stay, n, unsure, false),
            OFFER => self.guarded(stay, n, true, true),
            POLL => self.guarded(stay, n, true, false),
            DRAIN => self.drain(stay),
            ASK => self.ask(stay),
            _ => return,
        }
        self.look_back();
        if let (Some(items), Some(slots)) = (self.items.known(), self.slots.known()) {
            *self.run.capacities.entry(items + slots).or_default() += 1;
        }
    }

    /// Puts at once; there is room, and what it waits for afterwards is another matter.
    fn ask(&mut self, stay: &Stay) {
        if stay.fresh {
            self.items.add(1);
            self.slots.add(-1);
            self.net = self.net.map(|net| net + 1);
        }
    }

    /// Takes everything, or waits while there is nothing; if it never waits, what there is.
    fn drain(&mut self, stay: &Stay) {
        if let Some(some) = self
            .items
            .at_least(1)
            .filter(|_| stay.waits() || !stay.timed_out)
        {
            self.stakes.settle(&mut self.run.score, stay, !some);
        }
        if stay.waits() {
            self.items.learn_below(1);
            return;
        }
        self.slots.add(self.items.lo);
        self.slots.hi = if self.items.known().is_some() {
            self.slots.hi
        } else {
            MANY
        };
        self.items = Interval::exactly(0);
        self.net = None;
    }

    /// One side moves `n` from one counter to the other, or waits while there are too few.
    fn guarded(&mut self, stay: &Stay, n: i64, unsure: bool, putting: bool) {
        let (from, to) = if putting {
            (&mut self.slots, &mut self.items)
        } else {
            (&mut self.items, &mut self.slots)
        };
        let enough = from.at_least(n);
        if unsure {
            self.net = None;
            return shift_if(enough, from, to, n);
        }
        if let Some(enough) = enough {
            self.stakes.settle(&mut self.run.score, stay, !enough);
        }
        if stay.waits() {
            if !from.learn_below(n) {
                *to = Interval::UNKNOWN;
            }
            return;
        }
        if !from.learn_at_least(n) {
            *to = Interval::UNKNOWN;
        }
        from.add(-n);
        to.add(n);
        self.net = self.net.map(|net| if putting { net + n } else { net - n });
    }
}

/// Moves `n` if there was enough, leaves both if not, and widens if that is not known.
fn shift_if(enough: Option<bool>, from: &mut Interval, to: &mut Interval, n: i64) {
    match enough {
        Some(true) => {
            from.add(-n);
            to.add(n);
        }
        Some(false) => {}
        None => {
            from.maybe_sub(n);
            to.hi = to.hi.saturating_add(n).min(MANY);
        }
    }
}
