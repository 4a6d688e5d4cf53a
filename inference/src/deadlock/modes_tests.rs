//! Locks that are shared and permits that are counted: against every way in which random threads could have gone.
//!
//! The scheduler takes the words by their meaning: a set of threads is stuck if each of them wants what those of the set
//! alone keep from it. Lock 0 is had alone; lock 1 is read and written, and who reads waits behind who waits to write;
//! lock 2 is a semaphore.

use super::finding::Tier;
use super::schedule::{Dice, step};
use super::step::{Lock, Mode, Nature, Op, Permits, Step};
use super::tests::{Numbers, told};
use super::{Scan, Suspects, report};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

const THREADS: usize = 3;
const READ_WRITE: Lock = Lock(1);
const SEMAPHORE: Lock = Lock(2);

type Holds = BTreeMap<(usize, Lock), Mode>;
/// What a thread wants, by thread.
type Wants = BTreeMap<usize, (Lock, Mode)>;

/// A program that nobody wrote, with so many permits.
struct Program {
    permits: u32,
    trace: Vec<Step>,
}

impl Program {
    fn random(seed: u64, steps: usize) -> Self {
        let mut dice = Dice(seed);
        let permits = 1 + dice.roll(2);
        let mut program = Self {
            permits,
            trace: Vec::new(),
        };
        let mut holds = Holds::new();
        while program.trace.len() < steps {
            let thread = dice.roll(THREADS as u32) as usize;
            let lock = Lock(dice.roll(3));
            program.act(
                thread,
                lock,
                dice.roll(5) < 3,
                dice.roll(2) == 0,
                &mut holds,
            );
        }
        program
    }

    /// Takes, gives back, or takes more of something, if that is possible.
    fn act(&mut self, thread: usize, lock: Lock, take: bool, share: bool, holds: &mut Holds) {
        let held = holds.get(&(thread, lock)).copied();
        let mode = match (lock, held, share) {
            (SEMAPHORE, Some(Mode::Permit(n)), _) => Mode::Permit(n + 1),
            (SEMAPHORE, ..) => Mode::Permit(1),
            (READ_WRITE, None, true) => Mode::Shared,
            _ => Mode::Exclusive,
        };
        let mut push = |op| self.trace.push(step(thread as u32, op));
        match (take, held) {
            (false, Some(_)) => {
                push(Op::Release(lock));
                holds.remove(&(thread, lock));
            }
            (true, None) if is_free(self.permits, thread, lock, mode, holds) => {
                push(Op::Acquire { lock, mode });
                holds.insert((thread, lock), mode);
            }
            (true, Some(now))
                if now != mode && is_free(self.permits, thread, lock, mode, holds) =>
            {
                let wanted = more(now, mode);
                let timed = false;
                push(Op::Request {
                    lock,
                    mode: wanted,
                    timed,
                });
                push(Op::Turn { lock, mode });
                holds.insert((thread, lock), mode);
            }
            _ => {}
        }
    }

    fn natures(&self, known: bool) -> BTreeMap<Lock, Nature> {
        let readers = Nature {
            queues: true,
            ..Nature::default()
        };
        let permits = known.then_some(Permits {
            least: self.permits,
            all: Some(self.permits),
        });
        let semaphore = Nature {
            permits,
            ..Nature::default()
        };
        BTreeMap::from([(READ_WRITE, readers), (SEMAPHORE, semaphore)])
    }

    fn findings(&self, known: bool, least: Tier) -> Vec<(BTreeSet<usize>, BTreeSet<Lock>)> {
        let mut scan = Scan::default();
        self.trace.iter().for_each(|step| scan.push(step));
        scan.know(self.natures(known));
        let suspects = Suspects::of(&scan);
        let mut history = suspects.history();
        self.trace.iter().for_each(|step| history.push(step));
        let report = report(&suspects, &history, &Numbers);
        let found = report.findings.iter().filter(|f| f.tier <= least);
        let each = found.map(|finding| {
            let names = finding.locks.iter().map(|lock| lock.name.as_str());
            let locks =
                names.map(|name| Lock(name.trim_start_matches("turn at ").parse().unwrap()));
            let threads = finding.edges.iter().map(|edge| edge.thread.name.clone());
            let others = finding.remarks.iter().filter_map(|remark| {
                let rest = remark.strip_prefix("besides, thread \"")?;
                Some(rest.split('"').next()?.to_owned())
            });
            let threads = threads.chain(others).map(|name| name.parse().unwrap());
            (threads.collect(), locks.collect())
        });
        each.collect()
    }
}

/// How much more one is than the other.
fn more(now: Mode, then: Mode) -> Mode {
    match (now, then) {
        (Mode::Permit(now), Mode::Permit(then)) => Mode::Permit(then.saturating_sub(now)),
        _ => then,
    }
}

/// Whether nobody else keeps a thread from holding it so.
fn is_free(permits: u32, thread: usize, lock: Lock, mode: Mode, holds: &Holds) -> bool {
    let others = || {
        holds
            .iter()
            .filter(|((t, l), _)| *t != thread && *l == lock)
    };
    let out: u32 = others().map(|(_, mode)| mode.permits()).sum();
    match mode {
        Mode::Permit(n) => out + n <= permits,
        Mode::Exclusive => others().count() == 0,
        Mode::Shared => others().all(|(_, mode)| *mode == Mode::Shared),
    }
}

/// How far each thread is, and what of each lock was taken last, where that order is to be kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    at: [usize; THREADS],
    taken: BTreeMap<Lock, usize>,
}

struct Scheduler<'p> {
    program: &'p Program,
    threads: [Vec<usize>; THREADS],
    keep_order: bool,
}

impl<'p> Scheduler<'p> {
    fn of(program: &'p Program, keep_order: bool) -> Self {
        let of = |thread: usize| {
            let mine = |&i: &usize| program.trace[i].thread.0 as usize == thread;
            (0..program.trace.len()).filter(mine).collect()
        };
        Self {
            program,
            threads: [of(0), of(1), of(2)],
            keep_order,
        }
    }

    fn holds(&self, state: &State) -> Holds {
        let mut holds = Holds::new();
        for (thread, steps) in self.threads.iter().enumerate() {
            for &index in &steps[..state.at[thread]] {
                match self.program.trace[index].op {
                    Op::Acquire { lock, mode } | Op::Turn { lock, mode } => {
                        holds.insert((thread, lock), mode);
                    }
                    Op::Release(lock) => drop(holds.remove(&(thread, lock))),
                    _ => {}
                }
            }
        }
        holds
    }

    fn stepped(&self, state: &State, thread: usize, holds: &Holds) -> Option<State> {
        let &index = self.threads[thread].get(state.at[thread])?;
        let mut next = state.clone();
        if let Op::Acquire { lock, mode } | Op::Turn { lock, mode } = self.program.trace[index].op {
            let late = state.taken.get(&lock).is_some_and(|&last| last > index);
            if self.keep_order && late || !is_free(self.program.permits, thread, lock, mode, holds)
            {
                return None;
            }
            if self.keep_order {
                next.taken.insert(lock, index);
            }
        }
        next.at[thread] += 1;
        Some(next)
    }

    fn wants(&self, state: &State, holds: &Holds) -> Wants {
        let want = |thread: usize| {
            let &index = self.threads[thread].get(state.at[thread])?;
            match self.program.trace[index].op {
                Op::Acquire { lock, mode } | Op::Request { lock, mode, .. } => Some((lock, mode)),
                Op::Turn { lock, mode } => Some((lock, more(holds[&(thread, lock)], mode))),
                _ => None,
            }
        };
        (0..THREADS).filter_map(|t| Some((t, want(t)?))).collect()
    }

    /// Every set of threads that can get stuck, with the locks that they want then.
    fn stuck(&self) -> BTreeSet<(BTreeSet<usize>, BTreeSet<Lock>)> {
        let (mut found, mut seen) = (BTreeSet::new(), HashSet::new());
        let mut open = vec![State {
            at: [0; THREADS],
            taken: BTreeMap::new(),
        }];
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let holds = self.holds(&state);
            let wants = self.wants(&state, &holds);
            for set in 1u8..1 << THREADS {
                let set: BTreeSet<usize> = (0..THREADS).filter(|t| set >> t & 1 == 1).collect();
                if set
                    .iter()
                    .all(|&t| self.is_blocked(t, &set, &wants, &holds))
                {
                    let locks = set.iter().map(|t| wants[t].0).collect();
                    found.insert((set, locks));
                }
            }
            open.extend((0..THREADS).filter_map(|t| self.stepped(&state, t, &holds)));
        }
        found
    }

    /// Whether those of the set alone keep from a thread what it wants.
    fn is_blocked(&self, t: usize, set: &BTreeSet<usize>, wants: &Wants, holds: &Holds) -> bool {
        let Some(&(lock, mode)) = wants.get(&t) else {
            return false;
        };
        let of_set = holds
            .iter()
            .filter(|((o, l), _)| set.contains(o) && *l == lock);
        let of_set: Vec<(usize, Mode)> = of_set.map(|(&(o, _), &m)| (o, m)).collect();
        let mut others = of_set.iter().filter(|(o, _)| *o != t);
        match mode {
            Mode::Exclusive => others.next().is_some(),
            Mode::Shared => {
                let writer = |o: &usize| *o != t && wants.get(o) == Some(&(lock, Mode::Exclusive));
                others.any(|(_, m)| *m == Mode::Exclusive) || set.iter().any(writer)
            }
            Mode::Permit(n) => {
                let out: u32 = of_set.iter().map(|(_, m)| m.permits()).sum();
                out + n > self.program.permits
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_modes_permit_a_run_in_the_same_order_can_reach(seed in any::<u64>(), steps in 6usize..18) {
        let program = Program::random(seed, steps);
        let real = Scheduler::of(&program, true).stuck();
        for (threads, locks) in program.findings(true, Tier::T3) {
            let reached = real.iter().any(|(set, wanted)| *set == threads && locks.is_subset(wanted));
            prop_assert!(reached, "{threads:?} {locks:?}, {} permits\n{}", program.permits, told(&program.trace));
        }
    }

    #[test]
    fn nothing_that_can_be_reached_is_excluded(seed in any::<u64>(), steps in 6usize..16) {
        let program = Program::random(seed, steps);
        let found = program.findings(true, Tier::T4);
        for (set, wanted) in Scheduler::of(&program, false).stuck() {
            let told_of = found.iter().any(|(_, locks)| locks.is_subset(&wanted));
            prop_assert!(told_of, "{set:?} {wanted:?}, {} permits\n{}", program.permits, told(&program.trace));
        }
    }

    #[test]
    fn an_unknown_number_of_permits_proves_nothing(seed in any::<u64>(), steps in 6usize..18) {
        let program = Program::random(seed, steps);
        for (_, locks) in program.findings(false, Tier::T4) {
            prop_assert!(!locks.contains(&SEMAPHORE), "{}", told(&program.trace));
        }
    }
}

#[test]
fn random_programs_get_stuck_in_every_mode() {
    let mut seen: BTreeMap<BTreeSet<Lock>, u32> = BTreeMap::new();
    for seed in 0..600 {
        let program = Program::random(seed, 14);
        for (_, locks) in program.findings(true, Tier::T3) {
            *seen.entry(locks).or_default() += 1;
        }
    }
    let with = |locks: &[Lock]| seen.get(&locks.iter().copied().collect()).copied();
    for locks in [
        &[READ_WRITE][..],
        &[SEMAPHORE],
        &[READ_WRITE, SEMAPHORE],
        &[Lock(0), SEMAPHORE],
        &[Lock(0), READ_WRITE],
    ] {
        assert!(with(locks) > Some(2), "{locks:?} {seen:?}");
    }
}
