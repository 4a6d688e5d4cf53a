//! LATCH: opens once, when it has been counted down, and never closes again.

use super::case::{Case, Checker, Explanation};
use super::interval::{Interval, MANY};
use super::log::{Entry, Instance, Log, Stay};
use super::score::{Score, Stakes};
use super::search::{NONE, Roles};
use super::{Detail, LockType, Role, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The checker.
pub(super) struct Latch;

pub(super) const AWAIT: u8 = 1;
const DOWN: u8 = 2;

/// What one more instance that opened and was left alone is worth, and all of them at most: a
/// lock that can be used again would have been, now and then. Whoever waits on a latch goes on when woken, which is what
/// a condition predicts as well: what it says besides (`condition::CATCH_ALL_MOST`) must not outweigh this.
const USED_ONCE: f64 = 0.35;
const USED_ONCE_MOST: f64 = 200.0;

/// Objects that must show the same initial count for it to be taken as known, and what that further
/// assumption costs, in nats.
const AGREED: u32 = 3;
const COUNT_COST: f64 = 2.0;

/// An open latch never closes: what an object costs that does.
const CLOSED_AGAIN: f64 = -8.0;

impl Checker for Latch {
    fn lock_type(&self) -> LockType {
        LockType::Latch
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        match code {
            AWAIT => &[Role::Await],
            DOWN => &[Role::CountDown],
            _ => &[],
        }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Await) {
            AWAIT
        } else if roles.contains(&Role::CountDown) {
            DOWN
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        let quiet = case.quiet(5);
        let mut all = Vec::new();
        for &a in &case.waiting(5) {
            for &b in &quiet {
                let mut roles = case.nobody();
                (roles[a], roles[b]) = (AWAIT, DOWN);
                all.push(roles);
            }
        }
        all
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        if case.waited(region) {
            vec![AWAIT]
        } else {
            vec![DOWN, AWAIT]
        }
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        if !roles.contains(&DOWN) || !roles.contains(&AWAIT) {
            return Score::IMPOSSIBLE;
        }
        let run = run(log, roles);
        if run.closed_again * 10 > run.opened {
            return run.score.plus(CLOSED_AGAIN * f64::from(run.closed_again));
        }
        run.score
            .plus((USED_ONCE * f64::from(run.opened)).min(USED_ONCE_MOST))
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let run = run(log, roles);
        let mut out = Explanation::default();
        if run.opened > 0 {
            out.pro.push(format!(
                "{} opened and nobody waited afterwards",
                objects(run.opened)
            ));
        }
        if run.closed_again > 0 {
            out.contra.push(format!(
                "{}: waited again after opening",
                objects(run.closed_again)
            ));
        }
        if let Some(count) = tokens::usual(&run.counts) {
            out.details.insert("count", Detail::Count(count));
        }
        out
    }
}

/// What a run over complete instances found.
pub(super) struct Run {
    pub(super) score: Score,
    /// Instances that were waited on and opened, and nobody waited afterwards.
    pub(super) opened: u32,
    /// Instances waited on after they had opened.
    pub(super) closed_again: u32,
    /// Initial count of instances where it is certain.
    counts: BTreeMap<i64, u32>,
    /// Count-downs before the first who had to wait went on.
    downs: BTreeMap<i64, u32>,
}

/// Runs the machine over complete instances (for the others see [`watched`]): not knowing how often
/// each must be counted down and, if they agree on that, once more knowing it.
pub(super) fn run(log: &Log, roles: &[u8]) -> Run {
    let blind = run_with(log, roles, Interval::UNKNOWN);
    let Some(count) = blind.agreed() else {
        return blind;
    };
    let knowing = run_with(log, roles, Interval::exactly(count));
    match knowing.score.credible() - COUNT_COST > blind.score.credible() {
        true => Run {
            score: knowing.score.plus(-COUNT_COST),
            ..blind
        },
        false => blind,
    }
}

fn run_with(log: &Log, roles: &[u8], left: Interval) -> Run {
    let stakes = Stakes::new(log);
    let mut run = Run {
        score: Score::default(),
        opened: 0,
        closed_again: 0,
        counts: BTreeMap::new(),
        downs: BTreeMap::new(),
    };
    for instance in log.instances.iter().filter(|i| i.complete) {
        let mut one = One {
            roles,
            left,
            ..One::new(&stakes)
        };
        one.run(instance, &mut run.score);
        run.opened += u32::from(one.waited && one.opened && !one.again);
        run.closed_again += u32::from(one.again);
        if let Some(count) = one.count().and_then(|c| i64::try_from(c).ok()) {
            *run.counts.entry(count).or_default() += 1;
        }
        if let Some(downs) = one.at_pass.filter(|_| one.waited) {
            *run.downs.entry(downs.min(MANY as u64) as i64).or_default() += 1;
        }
    }
    run
}

impl Run {
    /// The count-downs that open it, if on enough objects somebody waited for them and nearly all agree.
    fn agreed(&self) -> Option<i64> {
        let all: u32 = self.downs.values().sum();
        let (&count, &most) = self.downs.iter().max_by_key(|c| c.1)?;
        (most >= AGREED && most * 10 >= all * 9).then_some(count)
    }
}

/// One lock object.
struct One<'a> {
    roles: &'a [u8],
    stakes: &'a Stakes,
    /// Count-downs still to come before it opens.
    left: Interval,
    waited: bool,
    opened: bool,
    again: bool,
    /// Count-downs so far; after the first wait and before the first pass, for the count.
    downs: u64,
    /// Count-downs at the last wait before opening, and at the first pass.
    at_wait: Option<u64>,
    at_pass: Option<u64>,
    /// Count-downs when somebody first waited, and when one first notified.
    first_wait: Option<u64>,
    first_told: Option<u64>,
}

impl<'a> One<'a> {
    fn new(stakes: &'a Stakes) -> Self {
        Self {
            roles: &[],
            stakes,
            left: Interval::UNKNOWN,
            waited: false,
            opened: false,
            again: false,
            downs: 0,
            at_wait: None,
            at_pass: None,
            first_wait: None,
            first_told: None,
        }
    }

    fn run(&mut self, instance: &Instance, score: &mut Score) {
        for (at, entry) in instance.entries.iter().enumerate() {
            match entry {
                Entry::Stay(stay) if self.is_claim(stay, &instance.entries[at + 1..]) => {}
                Entry::Stay(stay) => self.step(stay, score),
                Entry::Reset => self.forget(),
                Entry::SubjectEnded => {}
            }
        }
    }

    /// The first who comes finds that nobody has begun, does it himself and opens the latch: a value that is made when it is
    /// asked for.
    fn is_claim(&self, stay: &Stay, later: &[Entry]) -> bool {
        let role = |s: &Stay| self.roles[usize::from(s.region)];
        let first = role(stay) == AWAIT && !stay.waits() && stay.fresh;
        if !first || self.waited || self.opened || self.downs > 0 {
            return false;
        }
        let next = later.iter().find_map(|entry| match entry {
            Entry::Stay(s) if role(s) == DOWN => Some(s.thread == stay.thread),
            Entry::Reset => Some(false),
            _ => None,
        });
        next == Some(true)
    }

    /// Count-downs may have been missed; open stays open.
    fn forget(&mut self) {
        self.left.lo = 0;
        (self.at_wait, self.at_pass) = (None, None);
        (self.first_wait, self.first_told) = (None, None);
        self.downs = u64::MAX / 2;
    }

    fn step(&mut self, stay: &Stay, score: &mut Score) {
        match self.roles[usize::from(stay.region)] {
            DOWN => {
                self.left.add(-1);
                self.downs += 1;
                if stay.notified {
                    self.first_told = self.first_told.or(Some(self.downs));
                }
            }
            AWAIT if stay.may_have_given_up() || stay.end == super::log::End::Unknown => {}
            AWAIT => self.wait(stay, score),
            _ => {}
        }
    }

    fn wait(&mut self, stay: &Stay, score: &mut Score) {
        if let Some(closed) = self.left.at_least(1) {
            self.stakes.settle(score, stay, closed);
        }
        if stay.waits() {
            self.again |= !self.left.learn_at_least(1);
            self.waited = true;
            self.at_wait = Some(self.downs);
            self.first_wait = self.first_wait.or(Some(self.downs));
        } else {
            self.left.learn_below(1);
            self.opened = true;
            self.at_pass = self.at_pass.or(Some(self.downs));
        }
    }

    /// The initial count, if a wait just before and a pass just after the opening fix it; or if the only count-down that
    /// tells of anything comes just before the pass: had one before it opened the latch, who waited would have been told.
    fn count(&self) -> Option<u64> {
        let (wait, pass) = (self.at_wait?, self.at_pass?);
        let told = self.first_told == Some(pass) && self.first_wait.is_some_and(|w| w < pass);
        (!self.again && (wait + 1 == pass || told) && pass < u64::MAX / 4).then_some(pass)
    }
}

/// Waits of one thread on an object that could still be one stay: watching can't tell a loop
/// inside from coming back. More than that is no latch, unless the monitor has other uses, whose
/// notifies wake everybody in vain.
const LOOPS: u32 = 16;
/// So many times nobody is woken in vain, whatever else the monitor is used for.
const PATIENCE: u32 = 100;

/// What watching shows of objects used as a latch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watched {
    /// Objects on which waits ended for good and nobody began to wait afterwards.
    pub(super) opened: u32,
    /// Objects on which somebody did, or waited again and again.
    pub(super) closed_again: u32,
    /// Objects on which a thread was woken over and over, and waited on.
    pub(super) restless: u32,
}

/// The waits of one thread on one object, as far as they may be one stay.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    waits: u32,
    /// Times it was woken, not by time-out.
    woken: u32,
    began: usize,
    /// Went on at this step, not by time-out.
    ended: Option<usize>,
    /// Was seen outside since.
    left: bool,
}

/// Looks at incomplete instances. Who went on for good has seen the latch open: whoever begins
/// to wait after that refutes it.
pub(super) fn watched(log: &Log, roles: &[u8]) -> Watched {
    let mut out = Watched::default();
    for instance in log.instances.iter().filter(|i| !i.complete) {
        let mut chains: BTreeMap<u32, Chain> = BTreeMap::new();
        let mut again = false;
        let mut other_uses = false;
        for (index, stay) in instance.stays().enumerate() {
            let chain = chains.entry(stay.thread).or_default();
            other_uses |= roles[usize::from(stay.region)] == NONE;
            if roles[usize::from(stay.region)] == AWAIT {
                again |= chain.step(stay, index);
            } else {
                chain.left = true;
            }
        }
        let open = chains.values().filter_map(|c| c.ended).min();
        let late = |c: &Chain| c.waits > 0 && open.is_some_and(|open| c.began > open);
        again |= chains
            .values()
            .any(|c| late(c) || c.waits > LOOPS && !other_uses);
        out.closed_again += u32::from(again);
        let restless = chains.values().any(|c| c.woken > PATIENCE);
        out.restless += u32::from(restless);
        out.opened += u32::from(!again && open.is_some());
    }
    out
}

impl Chain {
    /// Takes a stay in; true if it waits again after it had certainly gone on and left.
    fn step(&mut self, stay: &Stay, index: usize) -> bool {
        let mut again = false;
        if !stay.fresh {
            self.ended = (!stay.timed_out).then_some(index);
            self.woken += u32::from(!stay.timed_out);
        }
        if stay.waits() {
            again = self.left && self.ended.is_some();
            self.began = if self.waits == 0 { index } else { self.began };
            self.waits += 1;
            self.ended = None;
            self.left = false;
        } else if stay.fresh {
            self.left = true;
        }
        again
    }
}
/// So many objects, in words.
pub(super) fn objects(count: u32) -> String {
    match count {
        1 => "1 object".to_owned(),
        _ => format!("{count} objects"),
    }
}

#[cfg(test)]
mod tests {
    use super::objects;

    #[test]
    fn one_object_is_no_plural() {
        let said = [0, 1, 2].map(objects);
        assert_eq!(said, ["0 objects", "1 object", "2 objects"]);
    }
}
