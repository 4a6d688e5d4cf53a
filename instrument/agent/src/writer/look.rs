//! Threads that block or wait without any event: since before the recording, or for ever.
//!
//! The JVM reports the *beginning* of blocking and waiting. In a program that is stuck already nothing
//! begins, and nothing would be recorded. So the writer looks twice. Soon after the recording has
//! begun it takes note of the threads that are blocked or in `Object.wait` ([`Look::begin`]); a moment
//! later those that have not moved since, and of which no event has come, are told as events at time
//! zero ([`Look::go_on`]). When the recording ends it asks who holds what the blocked threads want
//! ([`Ending`]), and what these owners are doing: owners change while somebody waits.
//!
//! What they stand at is found out by [`super::sight`]; what was not looked at is counted.

use super::describe::Describer;
use super::output::Output;
use super::parked::LastLook;
use super::sight::{Candidate, Sight};
use super::stays::owner_lines;
use super::{Writer, tell};
use crate::clock;
use crate::recording::{Mode, Recording};
use crate::vm::{Doing, Ref, Vm};
use locklens_trace::record::{Owner, StandingStill, target_key};
use locklens_trace::{Event, Nanos, Record, ThreadId};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// How long a thread must not have moved to be looked at.
pub(super) const STILL: Duration = Duration::from_millis(200);
/// The same where the recording may cost so much and no more: until it is over events can't be switched off.
const STILL_ENOUGH: Duration = Duration::from_millis(50);
/// Longest time spent on looking between two other duties.
const SLICE: Duration = Duration::from_millis(10);
/// Longest time spent on it altogether.
const MOST: Duration = Duration::from_millis(500);
/// Longest time spent at the end on those that are blocked, and as long again on what their owners are doing: many that
/// are blocked must not leave these none.
pub(super) const LAST: Duration = Duration::from_millis(100);
/// Owners of monitors whose call chains are taken at the end, and as many of what others are parked on.
pub(super) const OWNERS: usize = 16;
/// Groups of threads that belong to the JDK and are idle as a rule.
const SYSTEM_GROUPS: [&str; 2] = ["system", "InnocuousThreadGroup"];

/// The look at the beginning of a recording.
pub(super) struct Look<'vm, 'r> {
    sight: Option<Sight<'vm, 'r>>,
    began: u64,
    still: Duration,
    spent: Duration,
    candidates: Vec<Candidate<'vm>>,
    counts: StandingStill,
}

impl<'vm, 'r> Look<'vm, 'r> {
    /// Takes note of who stands still. None where nobody can have been before us.
    pub(super) fn begin(
        vm: Vm<'vm>,
        recording: &'r Recording,
        describer: &mut Describer,
    ) -> Option<Self> {
        let options = &recording.options;
        if recording.mode == Mode::Launch || options.exact || options.sample.is_some() {
            return None;
        }
        describer.stays.heard = Some(HashSet::new());
        let mut look = Self {
            sight: Sight::new(vm, recording),
            began: 0,
            still: options.overhead.map_or(STILL, |_| STILL_ENOUGH),
            spent: Duration::ZERO,
            candidates: Vec::new(),
            counts: StandingStill::default(),
        };
        survey(vm, recording, describer, &mut look.counts, |found| {
            let sight = look.sight.as_ref();
            let candidate = sight
                .zip(found.thread)
                .and_then(|(sight, thread)| sight.candidate(found.reference, thread, found.doing));
            let seen = candidate.is_some();
            look.candidates.extend(candidate);
            seen
        });
        count_pinned(look.sight.as_ref(), &mut look.counts);
        look.began = clock::monotonic();
        Some(look)
    }

    /// Whether they have stood still long enough, and everything that happened until they were noted
    /// has been told.
    fn is_due(&self, mark: u64) -> bool {
        mark >= self.began && clock::monotonic() >= self.began + self.still.as_nanos() as u64
    }

    /// The next event to tell, with the owner's word; none when all are told, or it is time for
    /// something else.
    fn next(&mut self, moved: impl Fn(ThreadId) -> bool, until: Instant) -> Option<(Event, u64)> {
        let sight = self.sight.as_mut()?;
        while Instant::now() < until {
            let candidate = self.candidates.pop()?;
            if moved(candidate.thread) {
                continue;
            }
            match sight.event(&candidate) {
                Ok(Some(told)) => return Some(told),
                Ok(None) => {}
                Err(()) => self.counts.unread += 1,
            }
        }
        None
    }

    /// Gives up on those that are left.
    fn give_up(&mut self) {
        self.counts.unread += self.candidates.drain(..).count() as u64;
    }
}

/// A thread that is blocked or waits.
struct Found<'vm> {
    reference: Ref<'vm>,
    thread: Option<ThreadId>,
    doing: Doing,
}

/// Counts what the platform threads are doing, and shows those that are blocked or wait; one whose lock
/// cannot be found out is counted for that.
fn survey<'vm>(
    vm: Vm<'vm>,
    recording: &Recording,
    describer: &Describer,
    counts: &mut StandingStill,
    mut show: impl FnMut(Found<'vm>) -> bool,
) {
    let known = describer.by_tid();
    let own = vm.current_thread().map(|own| recording.tid_of(vm, &own));
    for reference in vm.all_threads().unwrap_or_default() {
        let tid = recording.tid_of(vm, &reference);
        // What the JVM says of a carrier may be meant for the virtual thread on it.
        if Some(tid) == own || recording.roots.is_carrier(vm, &reference) {
            continue;
        }
        let Ok(doing) = vm.doing(&reference) else {
            continue;
        };
        let thread = known.get(&tid).copied();
        let group = thread.and_then(|id| describer.threads.get(&id)?.group.as_deref());
        let idle = group.is_some_and(|group| SYSTEM_GROUPS.contains(&group));
        let count = match doing {
            Doing::Blocked => &mut counts.blocked,
            Doing::Waiting { .. } if !idle => &mut counts.waiting,
            Doing::Parked if !idle => &mut counts.parked,
            _ => continue,
        };
        *count += 1;
        let found = Found {
            reference,
            thread,
            doing,
        };
        if doing != Doing::Parked && !show(found) {
            counts.unread += 1;
        }
    }
}

fn count_pinned(sight: Option<&Sight<'_, '_>>, counts: &mut StandingStill) {
    let pinned = sight.map_or(0, Sight::pinned);
    counts.blocked += pinned;
    counts.unread += pinned;
}

impl Writer<'_> {
    /// Tells of those that have stood still, as many as there is time for.
    pub(super) fn look_on(&mut self) {
        let mark = self.order.mark();
        if self.look.as_ref().is_some_and(|look| look.is_due(mark)) {
            self.tell_still(SLICE);
        }
    }

    /// The recording ends: those not told yet are told now or not at all.
    pub(super) fn end_look(&mut self) {
        if self.look.is_some() {
            self.tell_still(LAST);
        }
        if let Some(look) = &mut self.look {
            look.give_up();
            self.tell_still(Duration::ZERO);
        }
    }

    fn tell_still(&mut self, slice: Duration) {
        let Some(mut look) = self.look.take() else {
            return;
        };
        let began = Instant::now();
        loop {
            let (stays, order) = (&self.describer.stays, &self.order);
            let moved = |thread| stays.is_heard(thread) || order.holds(thread);
            let Some((event, word)) = look.next(moved, began + slice) else {
                break;
            };
            self.define();
            tell(
                self.recording,
                &mut self.describer,
                &mut self.output,
                &(event, word),
            );
        }
        look.spent += began.elapsed();
        if let (Some(holders), Some(sight)) = (&mut self.holders, &look.sight) {
            holders.remember(sight.asked());
        }
        if look.spent >= MOST || look.sight.is_none() {
            look.give_up();
        }
        if look.candidates.is_empty() {
            self.describer.stays.heard = None;
            push_count(&mut self.output, target_key::THREADS_START, look.counts);
        } else {
            self.look = Some(look);
        }
    }
}

fn push_count(output: &mut Output, key: &str, counts: StandingStill) {
    output.push(&Record::Target(vec![(key.to_owned(), counts.to_string())]));
}

fn push_lines(output: &mut Output, key: &str, lines: &[String]) {
    if !lines.is_empty() {
        let pair = (key.to_owned(), lines.join("\n"));
        output.push(&Record::Target(vec![pair]));
    }
}

/// The look at the end of a recording.
pub(super) struct Ending {
    began: Nanos,
    counts: StandingStill,
    /// Threads that are blocked, with the word of whoever owns what they want.
    blocked: Vec<(ThreadId, u64)>,
    /// Owners of it, each with its call chain.
    chains: Vec<(ThreadId, u32)>,
    /// What the last look at parked threads says.
    parked: LastLook,
}

impl Ending {
    /// Looks at the threads that are blocked. What is known of what others are parked on is told with it.
    pub(super) fn see(
        vm: Vm<'_>,
        recording: &Recording,
        describer: &Describer,
        parked: LastLook,
    ) -> Self {
        let mut ending = Self {
            began: Nanos(clock::monotonic().saturating_sub(recording.start)),
            counts: StandingStill::default(),
            blocked: Vec::new(),
            chains: Vec::new(),
            parked,
        };
        let mut sight = Sight::new(vm, recording);
        let mut owned = HashMap::new();
        let until = Instant::now() + LAST;
        survey(vm, recording, describer, &mut ending.counts, |found| {
            let Some((sight, thread)) = sight.as_mut().zip(found.thread) else {
                return false;
            };
            if found.doing != Doing::Blocked {
                return true;
            }
            let word = sight
                .candidate(found.reference, thread, found.doing)
                .filter(|_| Instant::now() < until)
                .map(|candidate| (sight.owner_word(&candidate), candidate))
                .filter(|(_, candidate)| sight.is_still_there(candidate));
            let Some((word, candidate)) = word else {
                return false;
            };
            ending.blocked.push((thread, word));
            if let Owner::Thread(owner) = describer.owners.owner(word)
                && owned.len() < OWNERS
            {
                owned.entry(owner).or_insert(candidate);
            }
            true
        });
        count_pinned(sight.as_ref(), &mut ending.counts);
        if let Some(sight) = &mut sight {
            ending.see_owners(vm, recording, describer, (sight, owned));
        }
        ending
    }

    /// Takes the call chains of those who own what others are blocked on; of each owner one of these.
    fn see_owners<'vm>(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        describer: &Describer,
        (sight, mut owned): (&mut Sight<'vm, '_>, HashMap<ThreadId, Candidate<'vm>>),
    ) {
        if owned.is_empty() {
            return;
        }
        let until = Instant::now() + LAST;
        let known = describer.by_tid();
        for reference in vm.all_threads().unwrap_or_default() {
            let owner = known.get(&recording.tid_of(vm, &reference));
            let Some((owner, blocked)) = owner.and_then(|owner| owned.remove_entry(owner)) else {
                continue;
            };
            // What the JVM says of a carrier may be meant for the virtual thread on it.
            if Instant::now() >= until || recording.roots.is_carrier(vm, &reference) {
                continue;
            }
            let chain = sight.owner_chain(&reference);
            // What it does once it has let go keeps nobody out.
            let still = sight.is_still_there(&blocked)
                && describer.owners.owner(sight.owner_word(&blocked)) == Owner::Thread(owner);
            if chain != 0 && still {
                self.chains.push((owner, chain));
            }
        }
    }

    /// Says what was seen, when all events have been told: only of threads that these, too, leave
    /// blocked, and since before the look. Else one that was seen at one lock could be told of the next; and of all
    /// who are told, each has held throughout what the others saw it hold.
    pub(super) fn tell(self, describer: &Describer, output: &mut Output) {
        let owner_of = |word| describer.owners.owner(word);
        let is_virtual = |thread| {
            let def = describer.threads.get(&thread);
            def.is_some_and(|def| def.is_virtual)
        };
        let lines = owner_lines(
            &describer.stays,
            self.began,
            &self.blocked,
            owner_of,
            is_virtual,
        );
        push_lines(output, target_key::END_OWNERS, &lines);
        let line = |&(owner, chain): &(ThreadId, u32)| format!("{} {chain}", owner.0);
        let LastLook { owners, still } = self.parked;
        let chains = owners.chains.iter().chain(&self.chains).map(line);
        push_lines(output, target_key::END_CHAINS, &chains.collect::<Vec<_>>());
        let ids = |threads: &[ThreadId]| -> Vec<String> {
            threads.iter().map(|thread| thread.0.to_string()).collect()
        };
        push_lines(output, target_key::END_ENDED, &ids(&owners.ended));
        if let Some(still) = still {
            let pair = (target_key::END_STILL.to_owned(), ids(&still).join("\n"));
            output.push(&Record::Target(vec![pair]));
        }
        push_count(output, target_key::THREADS_END, self.counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn being_blocked_counts_before_waiting_and_parking() {
        let doing = Doing::of;
        assert_eq!(doing(0x401), Doing::Blocked);
        assert_eq!(doing(0x1b1), Doing::Waiting { timed: true });
        assert_eq!(doing(0x191), Doing::Waiting { timed: false });
        assert_eq!(doing(0x291), Doing::Parked);
        assert_eq!(doing(5), Doing::Other);
    }
}
