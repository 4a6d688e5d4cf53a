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
use super::{Writer, tell};
use crate::clock;
use crate::owner::{LAST_MARK, UNREAD};
use crate::recording::{Mode, Recording};
use crate::vm::{Doing, Ref, Vm};
use locklens_trace::record::{Owner, StandingStill, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, ThreadId};
use std::collections::{BTreeMap, HashMap, HashSet};
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

/// Which threads are blocked, by their events, and of which any was heard.
#[derive(Default)]
pub(super) struct Stays {
    blocked: HashMap<ThreadId, (LockId, Nanos)>,
    /// What began before is not known.
    from: Nanos,
    /// Up to this time events are missing: who was blocked before it may have come back unheard.
    lost: Nanos,
    /// When somebody began to be blocked last.
    last: Option<Nanos>,
    /// While somebody wants to know.
    heard: Option<HashSet<ThreadId>>,
    /// Of threads that were looked at, until that is told: when, and where they were by what has been heard since.
    followed: HashMap<ThreadId, (Nanos, Option<Stay>)>,
}

/// What a thread was blocked on, if anything.
type Stay = Option<LockId>;

impl Stays {
    /// Takes in the next event.
    pub(super) fn note(&mut self, event: &Event) {
        self.answer(event);
        match (event.kind, event.lock) {
            (EventKind::Enter, Some(lock)) if event.at >= self.from => {
                self.blocked.insert(event.thread, (lock, event.at));
                self.last = Some(event.at);
            }
            _ => drop(self.blocked.remove(&event.thread)),
        }
        if let Some(heard) = &mut self.heard {
            heard.insert(event.thread);
        }
    }

    /// Whether anybody is blocked by what has been heard, or began to be not longer ago than `recent`.
    pub(super) fn is_blocking(&self, now: Nanos, recent: Nanos) -> bool {
        !self.blocked.is_empty()
            || self
                .last
                .is_some_and(|last| now.0.saturating_sub(last.0) <= recent.0)
    }

    /// From now on somebody wants to know what a thread was blocked on at that time; false if somebody does already.
    pub(super) fn follow(&mut self, thread: ThreadId, at: Nanos) -> bool {
        let is_new = !self.followed.contains_key(&thread);
        if is_new {
            self.followed.insert(thread, (at, None));
        }
        is_new
    }

    /// What it was blocked on then, now that all has been heard up to that time.
    pub(super) fn followed(&mut self, thread: ThreadId) -> Stay {
        let (at, answer) = self.followed.remove(&thread)?;
        answer.unwrap_or_else(|| self.blocked_since(at, thread))
    }

    /// The next event of a thread that is followed: up to then it was where it was.
    fn answer(&mut self, event: &Event) {
        let thread = event.thread;
        let Some(&(at, None)) = self.followed.get(&thread) else {
            return;
        };
        if event.at > at {
            let stay = self.blocked_since(at, thread);
            self.followed.insert(thread, (at, Some(stay)));
        }
    }

    /// Events have been off: who is blocked on what is not known any more.
    pub(super) fn forget(&mut self, until: Nanos) {
        self.blocked.clear();
        self.followed.clear();
        self.last = None;
        self.from = until;
    }

    /// What a thread is blocked on that was so already at that time and has not moved since.
    fn blocked_since(&self, time: Nanos, thread: ThreadId) -> Option<LockId> {
        let &(lock, from) = self.blocked.get(&thread)?;
        (from <= time).then_some(lock)
    }

    /// Events up to a time are missing.
    pub(super) fn lose(&mut self, to: Nanos) {
        self.lost = self.lost.max(to);
    }

    /// All that are blocked since then, and on what.
    fn all_blocked_since(&self, time: Nanos) -> impl Iterator<Item = (ThreadId, LockId)> {
        let all = self.blocked.iter();
        all.filter_map(move |(&thread, &(lock, from))| (from <= time).then_some((thread, lock)))
    }

    /// Whether nothing that is missing can have ended what a thread is blocked on.
    fn is_sure(&self, thread: ThreadId) -> bool {
        let stay = self.blocked.get(&thread);
        stay.is_some_and(|&(_, from)| from > self.lost)
    }

    fn is_heard(&self, thread: ThreadId) -> bool {
        let heard = self.heard.as_ref();
        heard.is_some_and(|heard| heard.contains(&thread))
    }
}

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
                (event, word),
            );
        }
        look.spent += began.elapsed();
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

/// A line of [`target_key::END_OWNERS`] for each thread that is blocked since before a look that began at a time. Of those in
/// `words` the look read who owned what they wanted. Virtual threads are not looked at: those that want the same are told the
/// same, if all that read it agree, as a monitor has one owner.
fn owner_lines(
    stays: &Stays,
    began: Nanos,
    words: &[(ThreadId, u64)],
    owner_of: impl Fn(u64) -> Owner,
    is_virtual: impl Fn(ThreadId) -> bool,
) -> Vec<String> {
    let mut seen: BTreeMap<ThreadId, (LockId, u32)> = BTreeMap::new();
    for &(thread, word) in words {
        let owner = match (owner_of(word), word) {
            (Owner::Thread(owner), _) => owner.0,
            (_, 0) => NOBODY,
            (_, UNREAD..=LAST_MARK) | (Owner::Unknown | Owner::Nobody, _) => continue,
        };
        if let Some(lock) = stays.blocked_since(began, thread) {
            seen.insert(thread, (lock, owner));
        }
    }
    let mut agreed: BTreeMap<LockId, Option<u32>> = BTreeMap::new();
    for &(lock, owner) in seen.values() {
        let known = agreed.entry(lock).or_insert(Some(owner));
        *known = known.filter(|&known| known == owner);
    }
    // Who owns what it is said to be blocked on is not blocked on it: it came back unheard.
    let owns = |thread: ThreadId, lock| agreed.get(&lock) == Some(&Some(thread.0));
    for (thread, lock) in stays.all_blocked_since(began) {
        let sure = is_virtual(thread) && stays.is_sure(thread) && !owns(thread, lock);
        if let (true, Some(&Some(owner))) = (sure, agreed.get(&lock)) {
            seen.entry(thread).or_insert((lock, owner));
        }
    }
    let line = |(thread, (lock, owner)): (ThreadId, (LockId, u32))| {
        format!("{} {} {owner}", thread.0, lock.0)
    };
    seen.into_iter().map(line).collect()
}

/// What no thread has for a number.
const NOBODY: u32 = 0;

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::Nanos;

    fn event(thread: u32, kind: EventKind) -> Event {
        Event {
            at: Nanos(1),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(7)),
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        }
    }

    #[test]
    fn who_came_back_is_not_blocked_and_who_was_heard_has_moved() {
        let mut stays = Stays::default();
        stays.note(&event(1, EventKind::Enter));
        assert!(!stays.is_heard(ThreadId(1)), "nobody asked yet");
        stays.heard = Some(HashSet::new());
        stays.note(&event(2, EventKind::Enter));
        stays.note(&event(2, EventKind::Entered));
        assert_eq!(stays.blocked.len(), 1);
        assert!(stays.is_heard(ThreadId(2)) && !stays.is_heard(ThreadId(1)));
    }

    #[test]
    fn who_has_moved_on_since_a_look_was_not_seen_where_it_is_now() {
        let mut stays = Stays::default();
        let at = |at, lock| Event {
            at: Nanos(at),
            lock: Some(LockId(lock)),
            ..event(1, EventKind::Enter)
        };
        stays.note(&at(5, 7));
        let seen = |stays: &Stays, time| stays.blocked_since(Nanos(time), ThreadId(1));
        assert_eq!(seen(&stays, 5), Some(LockId(7)));
        stays.note(&event(1, EventKind::Entered));
        stays.note(&at(9, 8));
        assert_eq!(
            seen(&stays, 5),
            None,
            "it was at another lock, or at this one earlier"
        );
        assert_eq!(seen(&stays, 9), Some(LockId(8)));
    }

    #[test]
    fn virtual_threads_that_want_the_same_are_told_the_same_owner() {
        let mut stays = Stays::default();
        for (thread, at, lock) in [(1, 1, 7), (2, 2, 7), (3, 3, 8), (4, 9, 7), (5, 4, 7)] {
            stays.note(&Event {
                at: Nanos(at),
                lock: Some(LockId(lock)),
                ..event(thread, EventKind::Enter)
            });
        }
        let owner = |word| match word {
            w if w > LAST_MARK => Owner::Thread(ThreadId((w - LAST_MARK) as u32)),
            _ => Owner::Unknown,
        };
        // The second and the fourth are virtual; the fourth came after the look, and nobody looked at the fifth.
        let is_virtual = |thread: ThreadId| [2, 4].contains(&thread.0);
        let told = |stays: &Stays, words: &[(ThreadId, u64)]| {
            owner_lines(stays, Nanos(5), words, owner, is_virtual)
        };
        let by = |thread, owner| (ThreadId(thread), LAST_MARK + owner);
        let seen = [by(1, 3), by(3, 2)];
        assert_eq!(told(&stays, &seen), ["1 7 3", "2 7 3", "3 8 2"]);
        assert_eq!(told(&stays, &[(ThreadId(1), 0)]), ["1 7 0", "2 7 0"]);
        assert_eq!(told(&stays, &[(ThreadId(1), UNREAD)]), [""; 0]);
        let went_on = [by(1, 3), by(5, 9)];
        assert_eq!(
            told(&stays, &went_on),
            ["1 7 3", "5 7 9"],
            "from one to the other"
        );
        assert_eq!(
            told(&stays, &[by(4, 3)]),
            [""; 0],
            "it wanted something else then"
        );
        assert_eq!(told(&stays, &[by(1, 2)]), ["1 7 2"], "the second has it");
        stays.lose(Nanos(2));
        assert_eq!(
            told(&stays, &seen),
            ["1 7 3", "3 8 2"],
            "it may have come back"
        );
    }

    #[test]
    fn where_a_thread_was_then_is_told_though_it_has_gone_on() {
        let mut stays = Stays::default();
        let at = |at, kind| Event {
            at: Nanos(at),
            ..event(1, kind)
        };
        stays.note(&at(5, EventKind::Enter));
        assert!(stays.follow(ThreadId(1), Nanos(8)));
        assert!(!stays.follow(ThreadId(1), Nanos(9)), "one look at a time");
        stays.note(&at(10, EventKind::Entered));
        stays.note(&at(11, EventKind::Enter));
        assert_eq!(stays.followed(ThreadId(1)), Some(LockId(7)));
        assert_eq!(stays.followed(ThreadId(1)), None, "nobody asks any more");
        assert!(stays.follow(ThreadId(1), Nanos(12)));
        assert_eq!(stays.followed(ThreadId(1)), Some(LockId(7)));
        stays.follow(ThreadId(1), Nanos(14));
        stays.note(&at(13, EventKind::Entered));
        assert_eq!(stays.followed(ThreadId(1)), None, "it had gone on by then");
    }

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
