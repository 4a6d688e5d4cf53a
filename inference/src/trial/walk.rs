//! Random walks: the lock and the reference machine take the same steps and must agree.

use super::bench::{Bench, Outcome, Reaction, Returned};
use super::chance::Chance;
use super::lab::{Lab, Session};
use super::spec::{Call, Cast, Guard, Machine, Member};
use super::tally::Tally;
use crate::types::Role;

/// In so many of a hundred steps a timed waiter, if there is one, gives up.
const IMPATIENT: usize = 12;
/// In so many of a hundred steps the preferred role is called, if it may be.
const WILFUL: usize = 80;

/// Why a walk ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The lock did what the machine does not do.
    Refuted(String),
    /// A step could not be followed.
    Stuck,
    /// The lock did what the machine does not do, if what was guessed is right.
    Void,
    /// What should happen next cannot be said, and that is nobody's fault.
    Open,
}

/// A lock and its reference machine, side by side.
pub(super) struct Walk<'w, 'l, 'b, B> {
    lab: &'l Lab<'b, B>,
    cast: &'w Cast,
    session: Session<'l, 'b, B>,
    machine: Machine,
    waiting: Vec<Waiter>,
    tally: Tally,
    /// The role it prefers, and for how many steps.
    mood: (Option<Role>, usize),
}

#[derive(Clone, Debug)]
struct Waiter {
    call: Call,
    timed: bool,
}

/// One walk of the extent its machine asks for.
pub(super) fn walk<B: Bench>(
    lab: &Lab<'_, B>,
    machine: &Machine,
    cast: &Cast,
    seed: u64,
) -> (Tally, Option<End>) {
    let mut chance = Chance::new(seed);
    let mut walk = Walk::new(lab, machine.clone(), cast);
    let mut end = None;
    for _ in 0..machine.spec().extent().steps {
        match walk.random_step(&mut chance) {
            Ok(true) => {}
            Ok(false) => break,
            Err(why) => {
                end = Some(why);
                break;
            }
        }
    }
    let guessed = walk.session.has_guessed();
    walk.tally.walks = 1;
    walk.tally.guessed = u32::from(guessed);
    let end = match end {
        Some(End::Refuted(_)) if guessed => Some(End::Void),
        end => end,
    };
    (walk.tally, end)
}

impl<'w, 'l, 'b, B: Bench> Walk<'w, 'l, 'b, B> {
    /// A fresh lock and a fresh machine.
    pub(super) fn new(lab: &'l Lab<'b, B>, machine: Machine, cast: &'w Cast) -> Self {
        Self {
            lab,
            cast,
            session: lab.session(),
            machine,
            waiting: Vec::new(),
            tally: Tally::default(),
            mood: (None, 0),
        }
    }

    /// The lock as it stands.
    pub(super) fn session(&self) -> &Session<'l, 'b, B> {
        &self.session
    }

    /// A step that the protocol allows; false if there is none.
    pub(super) fn random_step(&mut self, chance: &mut Chance) -> Result<bool, End> {
        if let Some(thread) = self.impatient(chance) {
            return self.give_up(thread).map(|()| true);
        }
        self.change_mind(chance);
        let calls = self.legal();
        let preferred = self.preferred(&calls);
        let wilful = chance.percent(WILFUL);
        let next = chance.pick(&preferred).filter(|_| wilful);
        match next.or_else(|| chance.pick(&calls)) {
            Some(call) => self.call(call).map(|()| true),
            None => Ok(false),
        }
    }

    /// Prefers another role for some steps: otherwise a queue would never be full.
    fn change_mind(&mut self, chance: &mut Chance) {
        if self.mood.1 == 0 {
            let roles: Vec<Role> = self.cast.keys().copied().collect();
            let steps = self.machine.spec().extent().steps;
            self.mood = (chance.pick(&roles), 1 + chance.below(steps * 2 / 3));
        }
        self.mood.1 -= 1;
    }

    /// The last idle thread had better not wait as well.
    fn preferred(&self, calls: &[Call]) -> Vec<Call> {
        let last = calls.iter().all(|c| c.thread == calls[0].thread);
        let waiting = self.calls();
        let passes = |c: &Call| self.machine.spec().guard(c, &waiting) != Guard::Shut;
        let wanted = |c: &&Call| {
            if last {
                passes(c)
            } else {
                Some(c.role) == self.mood.0
            }
        };
        calls.iter().filter(wanted).cloned().collect()
    }

    fn impatient(&self, chance: &mut Chance) -> Option<usize> {
        let timed = self.waiting.iter().filter(|w| w.timed);
        let timed: Vec<_> = timed.map(|w| w.call.thread).collect();
        let goes = self.machine.spec().may_leave() && chance.percent(IMPATIENT);
        chance.pick(&timed).filter(|_| goes)
    }

    /// Everything idle threads may call now.
    fn legal(&self) -> Vec<Call> {
        let threads = 0..self.machine.spec().extent().threads;
        let idle = threads.filter(|&t| self.waiting.iter().all(|w| w.call.thread != t));
        let mut calls = Vec::new();
        for thread in idle {
            for (&role, members) in self.cast {
                let made = members.iter().map(|m| self.made(thread, role, m));
                calls.extend(made.filter(|c| self.machine.spec().allows(c)));
            }
        }
        calls
    }

    fn made(&self, thread: usize, role: Role, member: &Member) -> Call {
        Call {
            thread,
            role,
            member: member.clone(),
            token: self.session.next_token(),
        }
    }

    /// An idle thread that may call in a role now, with this guard and nobody waiting.
    pub(super) fn finds(&self, role: Role, guard: Guard) -> Option<usize> {
        let mut calls = self.legal().into_iter().filter(|c| c.role == role);
        let fits = |c: &Call| {
            let mut machine = self.machine.clone();
            machine.spec_mut().arrive(c);
            machine.spec().guard(c, &[]) == guard
        };
        let found = calls.find(fits)?;
        self.waiting.is_empty().then_some(found.thread)
    }

    /// Makes a call and compares.
    fn call(&mut self, call: Call) -> Result<(), End> {
        let reaction = self.session.call(call.thread, call.member.operation);
        self.machine.spec_mut().arrive(&call);
        let predicted = self.machine.spec().guard(&call, &self.calls());
        let before = self.waiting.len();
        let mut done = self.released(&reaction)?;
        let freed = done.len();
        match &reaction.own {
            Outcome::Stuck => return Err(End::Stuck),
            Outcome::Threw if self.may_fail(&call) && predicted == Guard::Open => {
                done.push((call.clone(), Returned::Other));
            }
            Outcome::Threw => return Err(self.refuted(&call, "threw an exception")),
            Outcome::Waits { timed } => self.waits(&call, predicted, *timed)?,
            Outcome::Passed(value) if call.member.refusal == Some(*value) => {
                self.refused(&call, predicted)?;
            }
            Outcome::Passed(value) => done.push((call.clone(), *value)),
        }
        let passed = matches!(done.last(), Some((c, _)) if *c == call);
        self.explain(done).map_err(|()| self.unexplained(&call))?;
        self.quiet(&call)?;
        self.count(&call, passed, predicted, before - freed, freed);
        Ok(())
    }

    fn may_fail(&self, call: &Call) -> bool {
        self.machine.spec().may_fail(call.role)
    }

    fn calls(&self) -> Vec<Call> {
        self.waiting.iter().map(|w| w.call.clone()).collect()
    }

    /// Takes out the waiters that a step let go.
    fn released(&mut self, reaction: &Reaction) -> Result<Vec<(Call, Returned)>, End> {
        let mut done = Vec::new();
        for (thread, outcome) in &reaction.others {
            let found = self.waiting.iter().position(|w| w.call.thread == *thread);
            let Some(at) = found else { continue };
            let waiter = self.waiting.remove(at);
            match outcome {
                Outcome::Passed(value) => done.push((waiter.call, *value)),
                Outcome::Threw if self.may_fail(&waiter.call) => {
                    done.push((waiter.call, Returned::Other));
                }
                Outcome::Threw => return Err(self.refuted(&waiter.call, "threw after waiting")),
                Outcome::Waits { .. } => self.waiting.insert(at, waiter),
                Outcome::Stuck => return Err(End::Stuck),
            }
        }
        Ok(done)
    }

    fn waits(&mut self, call: &Call, predicted: Guard, timed: bool) -> Result<(), End> {
        if predicted == Guard::Open {
            return Err(self.refuted(call, "waited where it had to pass"));
        }
        if predicted == Guard::Either {
            self.machine.spec_mut().waits(call);
        }
        self.waiting.push(Waiter {
            call: call.clone(),
            timed,
        });
        Ok(())
    }

    fn refused(&self, call: &Call, predicted: Guard) -> Result<(), End> {
        match predicted {
            Guard::Open => Err(self.refuted(call, "was refused where it had to pass")),
            _ => Ok(()),
        }
    }

    /// Finds an order in which all of these can have passed.
    fn explain(&mut self, done: Vec<(Call, Returned)>) -> Result<(), ()> {
        let Some(ordered) = order(&self.machine, done, &self.calls()) else {
            return Err(());
        };
        self.machine = ordered.machine;
        self.tally.carried += ordered.carried;
        Ok(())
    }

    /// Nobody waits who need not.
    fn quiet(&self, last: &Call) -> Result<(), End> {
        let calls = self.calls();
        let spec = self.machine.spec();
        let others = |of: &Call| -> Vec<Call> {
            let not = calls.iter().filter(|c| c.thread != of.thread);
            not.cloned().collect()
        };
        let kept = calls
            .iter()
            .find(|c| spec.guard(c, &others(c)) == Guard::Open);
        match kept {
            _ if spec.is_stalled(&calls) => Err(self.refuted(last, "let nobody go")),
            None => Ok(()),
            Some(_) if spec.forgives(&calls) => Err(End::Open),
            Some(c) => {
                let after = format!(
                    "still waited after {}",
                    self.lab.name(last.member.operation)
                );
                Err(self.refuted(c, &after))
            }
        }
    }

    fn count(&mut self, call: &Call, passed: bool, predicted: Guard, kept: usize, freed: usize) {
        self.tally.steps += 1;
        self.tally.released += freed as u32;
        self.tally.kept += kept as u32;
        let blocks = self.machine.spec().blocks(call.role);
        let used = self
            .tally
            .uses
            .entry((call.role, call.member.operation))
            .or_default();
        match (passed, predicted) {
            (true, Guard::Open) => {
                used.passed += 1;
                self.tally.passed += u32::from(blocks);
            }
            (false, Guard::Shut) => {
                used.waited += 1;
                self.tally.waited += 1;
            }
            _ => {}
        }
    }

    /// A timed waiter's time is up: it goes as if it had not come.
    fn give_up(&mut self, thread: usize) -> Result<(), End> {
        let reaction = self.session.expire(thread);
        let mut done = self.released(&reaction)?;
        let lets_go = self.machine.spec_mut().outlast();
        let Some(at) = self.waiting.iter().position(|w| w.call.thread == thread) else {
            return Err(End::Open);
        };
        match reaction.own {
            // How it fails cannot be followed; all before that went as it had to.
            Outcome::Stuck => return Err(End::Open),
            Outcome::Waits { timed } => self.waiting[at].timed = timed,
            Outcome::Passed(value) if lets_go => {
                done.push((self.waiting.remove(at).call, value));
            }
            Outcome::Passed(_) | Outcome::Threw => _ = self.waiting.remove(at),
        }
        self.tally.steps += 1;
        self.explain(done).map_err(|()| End::Open)
    }

    fn unexplained(&self, call: &Call) -> End {
        self.refuted(call, "passed, or let somebody pass, who had to wait")
    }

    fn refuted(&self, call: &Call, what: &str) -> End {
        let step = self.tally.steps + 1;
        let name = self.lab.name(call.member.operation);
        End::Refuted(format!("at step {step} {name} {what}"))
    }
}

/// The machine after calls have passed.
struct Ordered {
    machine: Machine,
    carried: u32,
}

/// Depth first: some call whose guard is not shut passes, then the rest.
fn order(machine: &Machine, done: Vec<(Call, Returned)>, waiting: &[Call]) -> Option<Ordered> {
    if done.is_empty() {
        let machine = machine.clone();
        return Some(Ordered {
            machine,
            carried: 0,
        });
    }
    for first in 0..done.len() {
        let mut rest = done.clone();
        let (call, value) = rest.remove(first);
        let guard = machine.spec().guard(&call, waiting);
        if guard == Guard::Shut {
            continue;
        }
        let mut next = machine.clone();
        if guard == Guard::Either {
            next.spec_mut().passes(&call);
        }
        let Ok(carried) = next.spec_mut().complete(&call, value) else {
            continue;
        };
        if let Some(mut ordered) = order(&next, rest, waiting) {
            ordered.carried += u32::from(carried);
            return Some(ordered);
        }
    }
    None
}
