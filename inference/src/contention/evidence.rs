//! Who held a monitor, as far as contention alone tells.
//!
//! A JVM reports only threads that block. Of who holds the monitor they say it in three ways: who was about to
//! block saw the owner (ENTER); who comes through holds it from then on (ENTERED); who waits held it until then
//! (WAIT). Where the VM's own probes are listened to, who lets go of it and wakes somebody held it until then, too (EXIT). In between, somebody may have taken it in passing, before the next in the queue was awake: that makes no
//! event. So a stretch between two such *observations* is somebody's only for a reason:
//!
//! - *sole*: of all threads ever seen on this monitor every other one was blocked on it or waiting for it;
//! - *agreed*: the observation before the stretch and that behind it name the same thread;
//! - *expected*: the thread named last, as nothing contradicts it;
//!
//! and for certain where the thread named last was held up elsewhere all the time, as it can't have moved.
//!
//! How often each of these reasons is wrong is measured, lock by lock ([`Trust`]): everyone who comes to block looks
//! in at a moment that nobody chose, and what it sees either bears the reason out or does not. The share of looks
//! that do not is the share of time for which the reason would be wrong. A reason counts only where that is less than
//! [`MOST_WRONG`].
//!
//! That takes threads that come independently of who holds it. Threads that keep time with each other always come while the
//! same one does. So looks at the owner, which the agent takes at moments of its own, test the reasons once more
//! ([`Sights`]): those that found another thread than a reason says must not stand for more of the time either. Where there are few
//! of them, one such look is enough to give a reason up; where none of few finds another, what it says is told as inferred and *not tested*.
//! The agent does not look for virtual threads: where mostly these are blocked, and few looks were taken, no reason counts.

use super::out::Out;
use super::stay::Chain;
use crate::collect::{FastMap, Slots};
use locklens_trace::held::Held;
use locklens_trace::record::Owner;
use locklens_trace::{Nanos, ThreadId};

/// Share of time that may be charged to the wrong thread.
pub(super) const MOST_WRONG: f64 = 0.03;

/// Looks at the owner without which nothing is tested: of so many, one that finds another would be three in a hundred.
const TESTED: u64 = 32;

/// Pairs of thread and call chain that are kept of a monitor.
const STANDS: usize = 4096;

/// Where threads were seen at a monitor, and how often.
pub(super) type Stands = FastMap<(ThreadId, Chain), u32>;

/// Who was seen to hold a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saw {
    /// Nobody did.
    Nobody,
    /// This thread did.
    Thread(ThreadId),
}

impl Saw {
    pub(super) fn of(owner: Owner) -> Option<Self> {
        match owner {
            Owner::Unknown => None,
            Owner::Nobody => Some(Self::Nobody),
            Owner::Thread(thread) => Some(Self::Thread(thread)),
        }
    }

    fn is(self, thread: ThreadId) -> bool {
        self == Self::Thread(thread)
    }
}

/// So many looks may be a matter of the moment: who held it is read a little after the time that it is told for.
const FEW: f64 = 1.0;
/// Owners told apart of one stretch: an owner that changes without events is unknown anyway.
const OWNERS: usize = 64;
/// Errors of a count by chance that it may be off by.
const ERRORS: f64 = 2.0;

/// Looks at the owner while a reason said who it was, and the blocked time that they stand for, ns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sights {
    looks: u64,
    weight: u64,
    /// Those which found another thread.
    others: u64,
    wrong: u64,
    /// Those of them that saw it own the monitor before and after its call chain was taken.
    sure: u64,
}

impl Sights {
    fn add(&mut self, is_right: bool, seen: Sight) {
        self.looks += seen.looks;
        self.weight = self.weight.saturating_add(seen.weight);
        if !is_right {
            self.others += seen.looks;
            self.wrong = self.wrong.saturating_add(seen.weight);
            self.sure += seen.sure;
        }
    }

    /// They are enough to say something of what no look contradicts.
    fn are_enough(&self) -> bool {
        self.looks >= TESTED
    }

    /// They bear it out alone, as none of them found another thread.
    fn bear_out(&self) -> bool {
        self.are_enough() && self.others == 0
    }

    /// They stand for more time than may be wrong, and are more than chance would have of that much. Of few looks it is enough
    /// that one found another for certain: so many that all this could be chance would take more of them.
    fn contradict(&self) -> bool {
        if !self.are_enough() && self.sure > 0 {
            return true;
        }
        let expected = MOST_WRONG * self.looks as f64;
        let most = (expected + ERRORS * expected.sqrt()).max(FEW);
        self.others as f64 > most && self.wrong as f64 > MOST_WRONG * self.weight as f64
    }
}

/// Looks of a stretch that found the same owner.
#[derive(Clone, Copy, Debug)]
struct Sight {
    owner: ThreadId,
    looks: u64,
    weight: u64,
    /// Looks that have its call chain.
    sure: u64,
}

/// How often a reason was put to the test, and how often it failed. Each test counts as often as there were threads
/// blocked, for so many lose that time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Score {
    tests: u64,
    weight: u64,
    wrong: u64,
    sights: Sights,
}

impl Score {
    pub(super) fn add(&mut self, is_right: bool, blocked: usize) {
        self.tests += 1;
        self.weight += blocked as u64;
        self.wrong += if is_right { 0 } else { blocked as u64 };
    }

    /// The share to be expected of a further test (by the rule of succession): little is known after few tests.
    pub(super) fn wrong(&self) -> f64 {
        let each = self.weight as f64 / self.tests.max(1) as f64;
        let each = each.max(1.0);
        (self.wrong as f64 + each) / (self.weight as f64 + 2.0 * each)
    }

    /// Those who came to block bear it out, or looks do and none of those contradicts it.
    fn is_borne_out(&self) -> bool {
        self.wrong() <= MOST_WRONG || self.wrong == 0 && self.sights.bear_out()
    }

    fn holds(&self) -> bool {
        self.is_borne_out() && !self.sights.contradict()
    }
}

/// What reasons are worth on one monitor, over a whole recording.
#[derive(Clone, Debug, Default)]
pub(super) struct Trust {
    /// Threads seen on it, those of them seen again, and how many there are of each.
    met: Slots,
    met_again: Slots,
    threads: usize,
    again: usize,
    /// All their ids, one upon the other.
    folded: u32,
    /// Looks at who holds it, by those who come.
    looks: u64,
    /// Threads that came to block and that the agent does not look for, those it looks for, …
    unlooked: u64,
    looked: u64,
    /// … and looks of its own.
    sights: u64,
    sole: Score,
    agreed: Score,
    expected: Score,
    /// Where threads were seen at it, and how often.
    stands: Stands,
    /// There are more than can be kept.
    has_more: bool,
}

impl Trust {
    /// A thread was seen at it there.
    pub(super) fn stand(&mut self, thread: ThreadId, chain: Chain) {
        if let Some(count) = self.stands.get_mut(&(thread, chain)) {
            *count = count.saturating_add(1);
        } else if self.stands.len() < STANDS {
            self.stands.insert((thread, chain), 1);
        } else {
            self.has_more = true;
        }
    }

    /// Where each thread was seen, and how often; nothing if there are more than could be kept.
    pub(super) fn stands(self) -> Stands {
        match self.has_more {
            true => Stands::default(),
            false => self.stands,
        }
    }

    /// A thread was seen on it.
    pub(super) fn meet(&mut self, thread: ThreadId) {
        if self.met.insert(thread.0) {
            self.folded ^= thread.0;
            self.threads += 1;
        } else if self.met_again.insert(thread.0) {
            self.again += 1;
        }
    }

    /// A thread comes to block, which the agent looks for or not.
    pub(super) fn comes(&mut self, is_looked_for: bool) {
        let of = match is_looked_for {
            true => &mut self.looked,
            false => &mut self.unlooked,
        };
        *of += 1;
    }

    /// The agent's looks can have found what contradicts a reason.
    fn is_tested(&self) -> bool {
        self.unlooked <= self.looked || self.sights >= TESTED
    }

    /// That no thread holds it which was never seen: the share of looks that found somebody who was seen only once
    /// stands for those never seen.
    fn knows_all(&self) -> bool {
        let once = self.threads - self.again;
        let unseen = (once as f64 + 1.0) / (self.looks as f64 + 2.0);
        unseen <= MOST_WRONG
    }

    /// The reasons that count.
    pub(super) fn judge(&self) -> Reasons {
        let Self {
            sole,
            agreed,
            expected,
            ..
        } = self;
        let tested = sole.tests == 0 || sole.is_borne_out();
        let named = agreed.is_borne_out() || expected.is_borne_out();
        if !self.is_tested() {
            return self.so_far();
        }
        Reasons {
            threads: self.threads,
            folded: self.folded,
            sole: tested && !sole.sights.contradict() && self.knows_all(),
            agreed: named && !agreed.sights.contradict(),
            expected: expected.holds(),
            tested: Tested {
                sole: sole.sights.are_enough(),
                // Where the one named last may be taken to hold it, the more so where it is named again.
                agreed: agreed.sights.are_enough()
                    || expected.holds() && expected.sights.are_enough(),
                expected: expected.sights.are_enough(),
            },
        }
    }

    /// What is needed to say who is left, by what has been seen so far; no reason counts.
    pub(super) fn so_far(&self) -> Reasons {
        Reasons {
            threads: self.threads,
            folded: self.folded,
            ..Reasons::default()
        }
    }

    /// Looks at the owner in a stretch that is over test what is said of it.
    fn test(&mut self, stretch: &Stretch, seen: Sight) {
        self.sights += seen.looks;
        let test = |score: &mut Score, said: Option<ThreadId>| {
            if let Some(thread) = said {
                score.sights.add(thread == seen.owner, seen);
            }
        };
        test(&mut self.sole, stretch.sole);
        test(&mut self.expected, stretch.expected);
        let agrees = |thread: &ThreadId| stretch.saw.is_some_and(|saw| saw.is(*thread));
        test(&mut self.agreed, stretch.expected.filter(agrees));
    }
}

/// The reasons that count on a monitor, and what they need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reasons {
    threads: usize,
    folded: u32,
    pub(super) sole: bool,
    pub(super) agreed: bool,
    pub(super) expected: bool,
    tested: Tested,
}

/// Of which reasons looks have shown that they hold, where they hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tested {
    sole: bool,
    agreed: bool,
    expected: bool,
}

/// A stretch between two events of a monitor, and what speaks for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: Nanos,
    pub(super) to: Nanos,
    /// The one left when those are taken away who can't have held it.
    pub(super) sole: Option<ThreadId>,
    /// The one named last.
    pub(super) expected: Option<ThreadId>,
    /// What the event at its end says.
    pub(super) saw: Option<Saw>,
}

impl Stretch {
    /// Who held the monitor, if a reason for that counts, and whether looks have tested one that says so.
    pub(super) fn holder(&self, reasons: &Reasons) -> Option<(ThreadId, bool)> {
        let tested = reasons.tested;
        let (counts, is_tested) = match self.saw {
            Some(saw) => {
                let agrees = self.expected.is_some_and(|thread| saw.is(thread));
                (agrees && reasons.agreed, tested.agreed)
            }
            None => (reasons.expected, tested.expected),
        };
        let sole = self.sole.filter(|_| reasons.sole);
        let kept = self.expected.filter(|_| counts);
        let holder = sole.or(kept)?;
        let is_tested = sole.is_some() && tested.sole || kept == Some(holder) && is_tested;
        Some((holder, is_tested))
    }
}

/// What is known of one monitor at the moment.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Those who do not hold it: blocked there or waiting.
    out: Out,
    since: Nanos,
    /// Not the same threads were out all the time since then.
    is_mixed: bool,
    expected: Option<ThreadId>,
    /// When it was named.
    named: Nanos,
    /// The last two looks, if nobody came through since the first of them.
    looks: [Option<Saw>; 2],
    /// What looks at the owner have found since the last event.
    sights: Vec<Sight>,
}

impl Evidence {
    /// The agent looked at its owner. What it says of a thread that is out was read just before or after the moment; that
    /// nobody had it says nothing of who holds it.
    pub(super) fn sighted(&mut self, held: &Held) {
        let Owner::Thread(owner) = held.owner else {
            return;
        };
        if held.at < self.since || self.out.contains(owner) {
            return;
        }
        let (looks, weight) = (1, held.weight());
        let sure = u64::from(held.stack.is_some());
        let is_full = self.sights.len() >= OWNERS;
        match self.sights.iter_mut().find(|sight| sight.owner == owner) {
            Some(sight) => {
                sight.looks += looks;
                sight.weight = sight.weight.saturating_add(weight);
                sight.sure += sure;
            }
            None if is_full => {}
            None => self.sights.push(Sight {
                owner,
                looks,
                weight,
                sure,
            }),
        }
    }

    /// A stretch is over: looks in it test what is said of it.
    pub(super) fn test(&mut self, stretch: &Stretch, trust: &mut Trust) {
        for seen in self.sights.drain(..) {
            trust.test(stretch, seen);
        }
    }

    /// The recording goes on, or is over within a stretch: looks in that test what is said up to now.
    pub(super) fn test_so_far(&self, trust: &Trust) -> Option<Trust> {
        if self.sights.is_empty() {
            return None;
        }
        let mut trust = trust.clone();
        let stretch = Stretch {
            from: self.since,
            to: self.since,
            sole: self.sole(&trust.so_far()).filter(|_| !self.is_mixed),
            expected: self.expected,
            saw: None,
        };
        let sights = self.sights.iter();
        sights.for_each(|&seen| trust.test(&stretch, seen));
        Some(trust)
    }

    /// A thread is about to block, and saw who held the monitor. What is known so far is put to the test.
    pub(super) fn enter(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        saw: Option<Saw>,
        reasons: &Reasons,
    ) -> Stretch {
        if self.out.blocked == 0 {
            self.forget(at);
        }
        let stretch = self.end(at, saw, reasons);
        match saw {
            Some(saw) => self.look(at, saw),
            // Whoever blocks does not hold it.
            None if self.expected == Some(thread) => self.expected = None,
            None => {}
        }
        self.out.put(thread, false);
        stretch
    }

    /// A thread came through.
    pub(super) fn entered(&mut self, at: Nanos, thread: ThreadId, reasons: &Reasons) -> Stretch {
        let stretch = self.end(at, None, reasons);
        self.out.take(thread);
        self.expected = Some(thread);
        self.named = at;
        self.looks = [Some(Saw::Thread(thread)), None];
        stretch
    }

    /// A thread gives it up to wait.
    pub(super) fn wait(&mut self, at: Nanos, thread: ThreadId, reasons: &Reasons) -> Stretch {
        let stretch = self.end(at, Some(Saw::Thread(thread)), reasons);
        self.out.put(thread, true);
        self.expected = None;
        self.looks = [None; 2];
        stretch
    }

    /// The thread gave it up and woke somebody: it held it until then, if it was named last. Who comes next is not known:
    /// the one woken, or another in passing. Told when it is over, it may come behind who took it next, and then says nothing.
    pub(super) fn exit(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        reasons: &Reasons,
    ) -> Option<Stretch> {
        if self.expected != Some(thread) || self.out.blocked == 0 {
            return None;
        }
        let stretch = self.end(at, Some(Saw::Thread(thread)), reasons);
        self.expected = None;
        self.looks = [None; 2];
        Some(stretch)
    }

    /// The wait is over: from now on the thread may hold it. Gives the stretch up to then, if it is known whose it is.
    pub(super) fn waited(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        reasons: &Reasons,
    ) -> Option<Stretch> {
        let sole = self.sole(reasons).filter(|_| reasons.sole);
        let stretch = sole.map(|_| self.end(at, None, reasons));
        self.is_mixed = sole.is_none();
        self.out.take(thread);
        stretch
    }

    /// The recording is over, or a thread that was blocked is so no more.
    pub(super) fn break_off(
        &mut self,
        at: Nanos,
        gone: Option<ThreadId>,
        saw: Option<Saw>,
        reasons: &Reasons,
    ) -> Stretch {
        let stretch = self.end(at, saw, reasons);
        gone.into_iter().for_each(|thread| self.out.take(thread));
        stretch
    }

    /// Who was named last, and when.
    pub(super) fn expected(&self) -> Option<(ThreadId, Nanos)> {
        Some((self.expected?, self.named))
    }

    /// Events are missing: nothing is known any more.
    pub(super) fn forget(&mut self, at: Nanos) {
        self.since = self.since.max(at);
        self.is_mixed = false;
        self.expected = None;
        self.looks = [None; 2];
        self.sights.clear();
    }

    /// Tests the reasons by what somebody saw who is about to block.
    pub(super) fn score(&self, saw: Saw, trust: &mut Trust) {
        trust.looks += 1;
        let blocked = self.out.blocked;
        if blocked == 0 {
            return;
        }
        if let Some(sole) = self.sole(&trust.so_far()) {
            trust.sole.add(saw.is(sole), blocked);
        }
        if let Some(expected) = self.expected {
            trust.expected.add(saw.is(expected), blocked);
        }
        if let [Some(before), Some(between)] = self.looks
            && before == saw
        {
            trust.agreed.add(between == saw, blocked);
        }
    }

    fn look(&mut self, at: Nanos, saw: Saw) {
        self.named = at;
        match saw {
            Saw::Thread(thread) => self.expected = Some(thread),
            Saw::Nobody => self.expected = None,
        }
        self.looks = [self.looks[1].or(self.looks[0]), Some(saw)];
    }

    fn end(&mut self, at: Nanos, saw: Option<Saw>, reasons: &Reasons) -> Stretch {
        let to = at.max(self.since);
        let stretch = Stretch {
            from: self.since,
            to,
            sole: self.sole(reasons).filter(|_| !self.is_mixed),
            expected: self.expected,
            saw,
        };
        self.since = to;
        self.is_mixed = false;
        stretch
    }

    /// The only thread seen on the monitor that is neither blocked on it nor waiting.
    fn sole(&self, reasons: &Reasons) -> Option<ThreadId> {
        let is_one = reasons.threads == self.out.len() + 1;
        is_one.then_some(ThreadId(reasons.folded ^ self.out.folded))
    }
}
