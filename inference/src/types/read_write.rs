//! READ-WRITE: many readers or one writer.
//!
//! Holds are kept per thread, so that one region may unlock both, and a holder may come again.
//! What is held since before the history began is an interval until a writer gets in.

mod state;

use super::case::{Case, Checker, Explanation};
use super::interval::MANY;
use super::lock::NEVER_AGAIN;
use super::log::{End, Entry, Log, Stay};
use super::pairing::Holders;
use super::score::{Score, Stakes};
use super::search::{NONE, Roles};
use super::waiters::FAIR_COST;
use super::{Detail, LockType, Role};
use state::State;
use std::collections::BTreeSet;

/// The checker.
pub(super) struct ReadWrite;

const READ: u8 = 1;
const WRITE: u8 = 2;
const UNREAD: u8 = 3;
const UNWRITE: u8 = 4;
/// Gives back whichever the thread holds.
const UNLOCK: u8 = 5;

/// Two readers must have been inside together, and a writer kept out by one: else nothing
/// tells it from a simpler lock.
const NEVER_SHARED: f64 = -6.0;

/// A region that unlocks both is a further assumption.
const JOINT: f64 = -2.0;

impl Checker for ReadWrite {
    fn lock_type(&self) -> LockType {
        LockType::ReadWrite
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        match code {
            READ => &[Role::ReadLock],
            WRITE => &[Role::WriteLock],
            UNREAD => &[Role::ReadUnlock],
            UNWRITE => &[Role::WriteUnlock],
            UNLOCK => &[Role::ReadUnlock, Role::WriteUnlock],
            _ => &[],
        }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        let has = |role| roles.contains(&role);
        match (has(Role::ReadUnlock), has(Role::WriteUnlock)) {
            // Which of the two it was, no event says.
            _ if has(Role::ReadLock) && has(Role::WriteLock) => NONE,
            _ if has(Role::ReadLock) => READ,
            _ if has(Role::WriteLock) => WRITE,
            (true, true) => UNLOCK,
            (true, false) => UNREAD,
            (false, true) => UNWRITE,
            (false, false) => NONE,
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        let (waiting, quiet) = (case.waiting(5), case.quiet(6));
        let mut all = Vec::new();
        for &write in &waiting {
            for &read in waiting.iter().chain(&quiet).filter(|&&read| read != write) {
                all.extend(start(case, read, write, &quiet));
            }
        }
        all
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        if case.waited(region) {
            vec![READ, WRITE]
        } else {
            vec![READ, WRITE, UNREAD, UNWRITE, UNLOCK]
        }
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        let has = |codes: &[u8]| roles.iter().any(|r| codes.contains(r));
        let whole =
            has(&[READ]) && has(&[WRITE]) && has(&[UNREAD, UNLOCK]) && has(&[UNWRITE, UNLOCK]);
        if !whole {
            return Score::IMPOSSIBLE;
        }
        let joint = roles.iter().filter(|&&r| r == UNLOCK).count() as f64;
        run(log, roles).score().plus(JOINT * joint)
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        run(log, roles).explain()
    }
}

/// Unlocks are what follows the locks in the same thread.
fn start(case: &Case, read: usize, write: usize, quiet: &[usize]) -> Option<Roles> {
    let others: Vec<usize> = quiet
        .iter()
        .copied()
        .filter(|&q| q != read && q != write)
        .collect();
    let unread = case.followers.best(read, &others)?;
    let unwrite = case.followers.best(write, &others)?;
    let mut roles = case.nobody();
    (roles[read], roles[write]) = (READ, WRITE);
    (roles[unread], roles[unwrite]) = (UNREAD, UNWRITE);
    if unread == unwrite {
        roles[unread] = UNLOCK;
    }
    Some(roles)
}

/// Evidence gathered over all instances.
struct Run {
    /// Predictions that do not depend on who is preferred.
    common: Score,
    /// A reader came while only waiting writers were in the way: if readers are preferred …
    readers_first: Score,
    /// … if writers are …
    writers_first: Score,
    /// … and if it is whoever came first.
    in_line: Score,
    holders: Holders,
    /// A reader passed another reader.
    shared: u32,
    /// A writer waited for a reader.
    kept_out: u32,
    /// A holder came again.
    again: u32,
    /// Somebody came who held nothing.
    first: u32,
}

impl Run {
    fn score(&self) -> Score {
        let preferred = self.preferred().1;
        let shared = self.shared > 0 && self.kept_out > 0;
        let sum = Score {
            llr: self.common.llr + preferred.llr,
            confirmed: self.common.confirmed + preferred.confirmed,
            contradicted: self.common.contradicted + preferred.contradicted,
        };
        sum.plus(self.holders.llr())
            .plus(if shared { 0.0 } else { NEVER_SHARED })
    }

    /// Who is preferred, and by how much that explains more than anything else would.
    fn preferred(&self) -> (&'static str, Score, f64) {
        let mut ways = [
            ("readers", self.readers_first),
            ("writers", self.writers_first),
            ("fair", self.in_line.plus(-FAIR_COST)),
        ];
        ways.sort_by(|a, b| b.1.llr.total_cmp(&a.1.llr));
        let [(word, best), (_, next), _] = ways;
        (word, best, best.llr - next.llr)
    }

    fn explain(&self) -> Explanation {
        let mut out = Explanation::default();
        let (word, _, difference) = self.preferred();
        if difference > 3.0 {
            out.details
                .insert("preference", Detail::Word(word.to_owned()));
        }
        if self.again > 1 {
            out.details.insert("reentrant", Detail::Flag(true));
        } else if self.again == 0 && self.first >= NEVER_AGAIN {
            out.details.insert("reentrant", Detail::Flag(false));
            out.pro.push(format!(
                "never taken again by who holds it in {} acquisitions",
                self.first
            ));
        }
        out.pro.push(format!(
            "a reader joined another {} times, a writer waited for readers {} times",
            self.shared, self.kept_out
        ));
        out
    }
}

fn run(log: &Log, roles: &[u8]) -> Run {
    let gives = |r: usize| matches!(roles[r], UNREAD | UNWRITE | UNLOCK);
    let mut machine = Machine {
        roles,
        stakes: Stakes::new(log),
        state: State::unknown(log.threads),
        run: Run {
            common: Score::default(),
            readers_first: Score::default(),
            writers_first: Score::default(),
            in_line: Score::default(),
            holders: Holders::new(log, gives),
            shared: 0,
            kept_out: 0,
            again: 0,
            first: 0,
        },
    };
    for instance in log.instances.iter().filter(|i| i.complete) {
        machine.begin(log.threads);
        for entry in &instance.entries {
            match entry {
                Entry::Stay(stay) => machine.step(stay),
                Entry::Reset => machine.forget(log.threads),
                Entry::SubjectEnded => {}
            }
        }
    }
    machine.run
}

struct Machine<'a> {
    roles: &'a [u8],
    stakes: Stakes,
    state: State,
    run: Run,
}

impl Machine<'_> {
    fn begin(&mut self, threads: usize) {
        self.state = State::unknown(threads);
        self.run.holders.forget();
    }

    fn forget(&mut self, threads: usize) {
        self.state.forget(threads);
        self.run.holders.forget();
    }

    fn step(&mut self, stay: &Stay) {
        let t = stay.thread as usize;
        let unsure = stay.may_have_given_up() || stay.end == End::Unknown;
        match self.roles[usize::from(stay.region)] {
            READ if unsure => self.maybe_read(stay.thread),
            WRITE if unsure => self.maybe_write(stay.thread),
            READ => self.read(stay, t),
            WRITE => self.write(stay, t),
            UNREAD => self.give(stay, t, false),
            UNWRITE => self.give(stay, t, true),
            UNLOCK => {
                let writing = self.state.reads[t] == 0 && self.state.writes[t] > 0;
                self.give(stay, t, writing);
            }
            _ => {}
        }
    }

    fn read(&mut self, stay: &Stay, t: usize) {
        let queued = self.state.queued(t);
        let holds = self.state.reads[t] + self.state.writes[t] > 0;
        let written = self.state.written_by_other(t);
        match (written, queued) {
            (Some(true), _) => self.stakes.settle(&mut self.run.common, stay, true),
            (Some(false), Some(false)) => self.stakes.settle(&mut self.run.common, stay, false),
            (Some(false), Some(true)) if !holds => {
                let after = self.state.comes_after(t, true);
                self.stakes.settle(&mut self.run.readers_first, stay, false);
                self.stakes.settle(&mut self.run.writers_first, stay, true);
                self.stakes.settle(&mut self.run.in_line, stay, after);
            }
            _ => {}
        }
        self.state.stand(t, false, stay.waits());
        if stay.waits() {
            match (written, queued) {
                (Some(false), Some(false)) => self.state.doubt(),
                (None, Some(false)) => self.state.old_writes.lo = 1,
                _ => {}
            }
            return;
        }
        self.run.shared += u32::from(self.state.other_reads(t) > 0);
        self.run.again += u32::from(holds);
        self.run.first += u32::from(!holds);
        self.acquire_read(stay.thread);
    }

    fn write(&mut self, stay: &Stay, t: usize) {
        let (read, written) = (self.state.read_by_other(t), self.state.written_by_other(t));
        let busy = match (read, written) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        // A reader that wants to write may be let in, or not.
        let upgrading = self.state.reads[t] > 0 && self.state.writes[t] == 0;
        let holds = self.state.reads[t] + self.state.writes[t] > 0;
        let after = !holds && self.state.comes_after(t, false);
        match busy.filter(|_| !upgrading) {
            Some(false) if after => {
                self.stakes.settle(&mut self.run.readers_first, stay, false);
                self.stakes.settle(&mut self.run.writers_first, stay, false);
                self.stakes.settle(&mut self.run.in_line, stay, true);
            }
            Some(busy) => self.stakes.settle(&mut self.run.common, stay, busy),
            None => {}
        }
        self.state.stand(t, true, stay.waits());
        self.state.set_pending(t, stay.waits());
        if stay.waits() {
            self.run.kept_out += u32::from(self.state.other_reads(t) > 0);
            if busy == Some(false) && !upgrading {
                self.state.doubt();
            }
            return;
        }
        self.run.again += u32::from(self.state.writes[t] > 0);
        self.run.first += u32::from(!holds);
        self.acquire_write(stay.thread);
    }

    fn acquire_read(&mut self, thread: u32) {
        let t = thread as usize;
        self.state.no_other_writer(t);
        self.state.reads[t] += 1;
        self.state.all_reads += 1;
        self.run.holders.take(thread, 1);
    }

    fn acquire_write(&mut self, thread: u32) {
        let t = thread as usize;
        self.state.no_other_reader(t);
        self.state.no_other_writer(t);
        self.state.writes[t] += 1;
        self.state.all_writes += 1;
        self.run.holders.take(thread, 1);
    }

    /// Left when its time was up: succeeded if it could.
    fn maybe_read(&mut self, thread: u32) {
        self.state.stand(thread as usize, false, false);
        match self.state.written_by_other(thread as usize) {
            Some(false) => self.acquire_read(thread),
            Some(true) => {}
            None => self.state.old_reads.hi = MANY,
        }
    }

    fn maybe_write(&mut self, thread: u32) {
        let t = thread as usize;
        self.state.set_pending(t, false);
        self.state.stand(t, true, false);
        match (self.state.written_by_other(t), self.state.read_by_other(t)) {
            (Some(false), Some(false)) => self.acquire_write(thread),
            (Some(true), _) | (_, Some(true)) => {}
            _ => self.state.old_writes.hi = 1,
        }
    }

    fn give(&mut self, stay: &Stay, t: usize, writing: bool) {
        self.run.holders.give(stay.thread, 1);
        let state = &mut self.state;
        let (own, all, old) = if writing {
            (
                &mut state.writes[t],
                &mut state.all_writes,
                &mut state.old_writes,
            )
        } else {
            (
                &mut state.reads[t],
                &mut state.all_reads,
                &mut state.old_reads,
            )
        };
        if *own > 0 {
            *own -= 1;
            *all -= 1;
        } else {
            old.add(-1);
        }
    }
}
