//! What had happened when the trace ended: threads that wait for each other, and threads that nobody is left to notify.

use super::candidates::Node;
use super::finding::{Finding, Kind, Memory, Names, Outlook, Part, Tier, first_by_name, stable_id};
use super::follow::{Held, State};
use super::part::{Writer, resource};
use super::scan::Scan;
use super::step::{Lock, Mode, Site, Thread};
use super::waits::{Stranded, Unserved};
use crate::nesting::graph::ThreadName;
use std::collections::{BTreeMap, BTreeSet};

/// Threads told of that want one object.
const WANTING: usize = 64;
/// The same of those that have permits of one semaphore.
const HOLDERS: usize = 16;

const TOO_EARLY: &str = "the trace may end too early, or lack a thread that would notify";
const EXITED: &str = "the program was made to end: who ended it, or what it still had to do, is not in the recording";
const BROKEN: &str = "the recording breaks off: who still came is not in it";
const INTERRUPT: &str =
    "an interrupt could free it: not all threads of the program are known to be stuck";
const GOES_ON: &str =
    "the program went on: a shutdown hook, the handler of a signal or a new thread may still come";

/// All of it.
pub(super) fn happened(scan: &Scan, names: &dyn Names) -> Vec<Finding> {
    let writer = Writer { names };
    let blocked = Ends::of(scan).stuck();
    let is_over = |(thread, state): (Thread, &State)| {
        state.ended
            || state.is_unseen()
            || names.is_jvms_own(thread)
            || blocked.contains_key(&thread)
    };
    let all = (0..).map(Thread).zip(&scan.follower.threads);
    let nobody_else = names.outlook() != Outlook::Unknown && all.into_iter().all(is_over);
    let rings = rings(&blocked)
        .into_iter()
        .map(|ring| writer.ring(scan, ring, nobody_else));
    let threads = &scan.follower.threads;
    let doubt = match names.outlook() {
        Outlook::Unknown => None,
        Outlook::GoesOn => Some(Some(GOES_ON)),
        Outlook::Exits => Some(Some(EXITED)),
        Outlook::Breaks => Some(Some(BROKEN)),
        Outlook::Steps => Some((!are_all_known(threads)).then_some(TOO_EARLY)),
    };
    let stranded = scan.waits.stranded(threads, |id| names.is_jvms_own(id));
    // A daemon that waits for work when the program ends waits for no one who should have come.
    let ends = names.outlook() == Outlook::Exits;
    let is_told = |stranded: &&Stranded| {
        !(names.lock(stranded.lock).hidden || ends && names.is_daemon(stranded.thread))
    };
    let told = stranded.iter().filter(is_told);
    let told = told.filter_map(|stranded| Some(writer.stranded(stranded, doubt?)));
    rings.chain(told).collect()
}

/// What may happen where one notify serves two roles: it wakes one whose condition is not so, who waits again, and nobody is woken.
pub(super) fn two_roles(scan: &Scan, names: &dyn Names) -> Vec<Finding> {
    let writer = Writer { names };
    let role = |lock, site| names.waiting_role(lock, site);
    let life = |thread| scan.life(thread).into();
    let found = scan.waits.of_two_roles(role, life);
    let shown = found
        .into_iter()
        .filter(|&(lock, _)| !names.lock(lock).hidden);
    shown
        .map(|(lock, sides)| writer.two_roles(lock, sides))
        .collect()
}

/// A wait that may come too late for the notify that ended it.
pub(super) struct Late {
    pub(super) lock: Lock,
    /// Who waits, where he takes the monitor, and where he waits.
    pub(super) waits: (Thread, Option<Site>, Option<Site>),
    pub(super) by: (Thread, Option<Site>),
    /// Why it may be that he never does.
    pub(super) doubt: Option<String>,
}

/// Who held what when the trace ended, and who wanted it, by object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stands {
    /// Who held it alone, as far as no step of him is missing, and where he took it.
    pub held: BTreeMap<String, Standing>,
    /// Who wanted it, and where: [`WANTING`] of them at most.
    pub wanted: BTreeMap<String, Vec<Standing>>,
}

/// A thread at a place: its frames, the innermost first, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The thread.
    pub thread: ThreadName,
    /// The place.
    pub at: Vec<String>,
}

pub(super) fn stands(scan: &Scan, names: &dyn Names) -> Stands {
    let mut stands = Stands::default();
    let threads = (0..).map(Thread).zip(&scan.follower.threads);
    for (thread, state) in threads.filter(|(_, state)| !state.ended) {
        let at = |site: Option<Site>| Standing {
            thread: names.thread(thread),
            at: site.map_or_else(Vec::new, |site| names.chain(site)),
        };
        let alone = state
            .held
            .iter()
            .filter(|held| held.mode == Mode::Exclusive);
        for held in alone.filter(|_| !state.gap) {
            if let Some(object) = names.lock(held.lock).object {
                stands.held.insert(object, at(held.site));
            }
        }
        let wants = state
            .pending
            .map(|(lock, _, site)| (names.lock(lock).object, site));
        if let Some((Some(object), site)) = wants {
            let all = stands.wanted.entry(object).or_default();
            if all.len() < WANTING {
                all.push(at(site));
            }
        }
    }
    stands
}

/// How a thread holds what the one before it in the ring wants.
fn holds(scan: &Scan, thread: Thread, node: Node) -> Mode {
    let held = &scan.follower.threads[thread.0 as usize].held;
    let held = held.iter().find(|held| Node::Lock(held.lock) == node);
    held.map_or(Mode::Exclusive, |held| held.mode)
}

/// Whether no thread can be missing: all but one were seen to be started, so that further ones would be, too.
fn are_all_known(threads: &[State]) -> bool {
    let roots = threads
        .iter()
        .filter(|state| !state.is_unseen() && !state.was_forked);
    threads.len() > 1 && roots.count() <= 1
}

/// A thread that wants something it will never get.
#[derive(Clone, Copy, Debug)]
struct Blocked {
    node: Node,
    mode: Mode,
    site: Option<Site>,
    by: Thread,
}

/// A blocked thread of a ring.
type Link = (Thread, Blocked);

/// Who stands where when the trace ends.
struct Ends<'s> {
    scan: &'s Scan,
    holders: BTreeMap<Lock, Vec<(Thread, Mode)>>,
    wants: BTreeMap<Thread, (Lock, Mode, Option<Site>)>,
    /// Who waits for whose end.
    joins: BTreeMap<Thread, (Thread, Option<Site>)>,
}

impl<'s> Ends<'s> {
    fn of(scan: &'s Scan) -> Self {
        let mut ends = Self {
            scan,
            holders: BTreeMap::new(),
            wants: BTreeMap::new(),
            joins: BTreeMap::new(),
        };
        for (thread, state) in (0..).map(Thread).zip(&scan.follower.threads) {
            // What it held before steps of it were missing, and whether it does still, is not known.
            for held in state.held.iter().filter(|_| !state.gap) {
                let holders = ends.holders.entry(held.lock).or_default();
                holders.push((thread, held.mode));
            }
            let returning = || state.waiting.and_then(|waiting| waiting.wants_back());
            let wants = state.pending.or_else(returning);
            ends.wants.extend(wants.map(|wants| (thread, wants)));
            let joins = state.waiting.filter(|_| state.pending.is_none());
            let joins = joins.and_then(|waiting| Some((waiting.wants_end()?, waiting.site)));
            ends.joins.extend(joins.map(|joins| (thread, joins)));
        }
        ends
    }

    /// Those that none but each other could free: the largest such set.
    fn stuck(&self) -> BTreeMap<Thread, Blocked> {
        let wait = self.wants.keys().chain(self.joins.keys());
        let mut left: BTreeSet<Thread> = wait.copied().collect();
        loop {
            let stuck: BTreeMap<Thread, Blocked> = left
                .iter()
                .filter_map(|&thread| Some((thread, self.blocked(thread, &left)?)))
                .collect();
            if stuck.len() == left.len() {
                return stuck;
            }
            left = stuck.into_keys().collect();
        }
    }

    fn blocked(&self, thread: Thread, left: &BTreeSet<Thread>) -> Option<Blocked> {
        if let Some(&(by, site)) = self.joins.get(&thread) {
            return left.contains(&by).then_some(Blocked {
                node: Node::End(by),
                mode: Mode::Exclusive,
                site,
                by,
            });
        }
        let &(lock, mode, site) = self.wants.get(&thread)?;
        let holders = self.holders.get(&lock).map_or(&[][..], Vec::as_slice);
        let (node, by) = match mode {
            Mode::Exclusive => (Node::Lock(lock), self.alone(thread, lock, holders, left)?),
            Mode::Shared => self.shared(lock, holders, left)?,
            Mode::Permit(count) => (Node::Lock(lock), self.permits((lock, count), thread, left)?),
        };
        Some(Blocked {
            node,
            mode,
            site,
            by,
        })
    }

    /// By anybody who has it. Who has it himself is in his own way only if he never gets it so.
    fn alone(
        &self,
        thread: Thread,
        lock: Lock,
        holders: &[(Thread, Mode)],
        left: &BTreeSet<Thread>,
    ) -> Option<Thread> {
        let nature = self.scan.nature(lock);
        let by_itself = nature.never_turns || !nature.reentrant;
        let mut found = holders
            .iter()
            .filter(|(holder, _)| left.contains(holder) && (by_itself || *holder != thread));
        found.next().map(|(holder, _)| *holder)
    }

    /// By who has it alone; or by those that wait to have it alone, where they go first and none of them ever will.
    fn shared(
        &self,
        lock: Lock,
        holders: &[(Thread, Mode)],
        left: &BTreeSet<Thread>,
    ) -> Option<(Node, Thread)> {
        if holders.iter().any(|(_, mode)| *mode == Mode::Exclusive) {
            let by = owner(holders, left)?;
            return Some((Node::Lock(lock), by));
        }
        let writers = self
            .wants
            .iter()
            .filter(|(_, wants)| (wants.0, wants.1) == (lock, Mode::Exclusive));
        let writers: Vec<Thread> = writers.map(|(&thread, _)| thread).collect();
        let none = !self.scan.nature(lock).queues || !writers.iter().all(|w| left.contains(w));
        let by = writers.first().filter(|_| !none)?;
        Some((Node::Turn(lock), *by))
    }

    /// By those that hold so many permits that too few are left, if it is known how many there are.
    fn permits(
        &self,
        (lock, count): (Lock, u32),
        thread: Thread,
        left: &BTreeSet<Thread>,
    ) -> Option<Thread> {
        // What the code makes it with is the most that there can be.
        let all = self.scan.nature(lock).permits?.all?;
        let holders = self.holders.get(&lock)?.iter();
        let stuck: Vec<_> = holders
            .filter(|(holder, _)| left.contains(holder))
            .collect();
        let held: u64 = stuck
            .iter()
            .map(|(_, mode)| u64::from(mode.permits()))
            .sum();
        let another = stuck.iter().find(|(holder, _)| *holder != thread);
        let by = another.or(stuck.first())?.0;
        (held + u64::from(count) > u64::from(all)).then_some(by)
    }
}

/// Who has it alone and is stuck.
fn owner(holders: &[(Thread, Mode)], left: &BTreeSet<Thread>) -> Option<Thread> {
    let mut found = holders
        .iter()
        .filter(|(thread, mode)| *mode == Mode::Exclusive && left.contains(thread));
    found.next().map(|(thread, _)| *thread)
}

/// Threads around each ring, each blocked by the next.
fn rings(blocked: &BTreeMap<Thread, Blocked>) -> Vec<Vec<Link>> {
    let mut done: BTreeSet<Thread> = BTreeSet::new();
    let mut found = Vec::new();
    for &start in blocked.keys() {
        let mut walk: Vec<Link> = Vec::new();
        let mut thread = start;
        while let (true, Some(&at)) = (done.insert(thread), blocked.get(&thread)) {
            walk.push((thread, at));
            thread = at.by;
        }
        if let Some(at) = walk.iter().position(|(walked, _)| *walked == thread) {
            found.push(walk.split_off(at));
        }
    }
    found
}

/// What a ring is made of.
fn kind(ring: &[Link]) -> Kind {
    let has = |is: fn(&Mode) -> bool| ring.iter().any(|(_, at)| is(&at.mode));
    let turn = ring.iter().any(|(_, at)| matches!(at.node, Node::Turn(_)));
    let joins = ring.iter().any(|(_, at)| matches!(at.node, Node::End(_)));
    let same = ring.windows(2).all(|two| two[0].1.node == two[1].1.node);
    match (same, has(|mode| mode.permits() > 0)) {
        _ if joins => Kind::Join,
        (_, true) => Kind::Permit,
        // All of them have what all of them want.
        (true, false) => Kind::Upgrade,
        _ if turn || has(|mode| *mode == Mode::Shared) => Kind::ReadWrite,
        _ => Kind::Order,
    }
}

impl Writer<'_> {
    /// `nobody_else`: all others of the program have ended, or are stuck as well.
    fn ring(&self, scan: &Scan, mut ring: Vec<Link>, nobody_else: bool) -> Finding {
        let wanted: Vec<String> = ring
            .iter()
            .map(|(_, at)| resource(self.names, at.node).name)
            .collect();
        // What a thread holds of the ring is what the one before it wants.
        let by = (first_by_name(&wanted) + 1) % wanted.len();
        ring.rotate_left(by);
        let before = ring.iter().cycle().skip(ring.len() - 1);
        let held: Vec<Node> = before.map(|(_, at)| at.node).take(ring.len()).collect();
        let modes = ring.iter().zip(&held);
        let modes: Vec<Mode> = modes
            .map(|((thread, _), &node)| holds(scan, *thread, node))
            .collect();
        let parts = ring.iter().zip(&held).map(|(&(thread, at), &held)| {
            let state = &scan.follower.threads[thread.0 as usize];
            self.blocked(thread, held, (at.mode, at.site), &state.held)
        });
        let shared = modes.contains(&Mode::Shared);
        let kind = match kind(&ring) {
            Kind::Order if shared => Kind::ReadWrite,
            kind => kind,
        };
        let mut finding = self.happened(kind, &held, parts.collect());
        for (lock, mode) in finding.locks.iter_mut().zip(modes) {
            lock.mode = mode.name();
        }
        let permits = held.iter().filter_map(|node| match node {
            Node::Lock(lock) if finding.kind == Kind::Permit => Some(*lock),
            _ => None,
        });
        let holders = permits.collect::<BTreeSet<Lock>>().into_iter();
        let holders = holders.filter_map(|lock| self.holders(scan, lock));
        finding.remarks.extend(holders);
        // Monitors and `lock` heed no interrupt.
        if finding.kind == Kind::Join && !nobody_else {
            finding.tier = Tier::T4;
            finding.remarks.push(INTERRUPT.to_owned());
        }
        finding
    }

    /// Who has permits of a semaphore, and where each took them.
    fn holders(&self, scan: &Scan, lock: Lock) -> Option<String> {
        let threads = (0..).map(Thread).zip(&scan.follower.threads);
        let held = threads.filter_map(|(thread, state)| {
            let held = state
                .held
                .iter()
                .find(|held| held.lock == lock && held.mode.permits() > 0)?;
            let at = self.chain(held.site).into_iter().next();
            let at = at.map_or_else(String::new, |at| format!(" (taken at {at})"));
            Some(format!("{}{at}", self.names.thread(thread).name))
        });
        let held: Vec<String> = held.collect();
        let told = held
            .iter()
            .take(HOLDERS)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = match held.len().saturating_sub(HOLDERS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!held.is_empty()).then(|| {
            format!(
                "permits of {} have: {told}{more}",
                self.names.lock(lock).name
            )
        })
    }

    fn blocked(
        &self,
        thread: Thread,
        node: Node,
        (mode, site): (Mode, Option<Site>),
        held: &[Held],
    ) -> Part {
        let lock = match node {
            Node::Lock(lock) => Some(lock),
            _ => None,
        };
        let at = held
            .iter()
            .find(|h| Some(h.lock) == lock)
            .and_then(|h| h.site);
        let besides = held.iter().filter(|h| Some(h.lock) != lock);
        Part {
            thread: self.names.thread(thread),
            holds_at: self.chain(at),
            wants_at: self.chain(site),
            wants_object: None,
            mode: mode.name(),
            count: 1,
            timed: false,
            also_at: Vec::new(),
            also_holds: besides.map(|h| self.names.lock(h.lock).name).collect(),
        }
    }

    fn two_roles(&self, lock: Lock, sides: [(Thread, Site); 2]) -> Finding {
        let at = Node::Notice(lock);
        let part = |(thread, site)| self.blocked(thread, at, (Mode::Exclusive, Some(site)), &[]);
        let edges = sides.map(part).into();
        self.unserved((lock, Tier::T4), Unserved::TwoRoles, edges, Vec::new())
    }

    /// A wait that may begin when it has been notified.
    pub(super) fn late(&self, late: Late) -> Finding {
        let at = Node::Notice(late.lock);
        let (thread, took_at, waits_at) = late.waits;
        let blocked = self.blocked(thread, at, (Mode::Exclusive, waits_at), &[]);
        let edge = Part {
            holds_at: self.chain(took_at),
            ..blocked
        };
        let tier = late.doubt.as_ref().map_or(Tier::T4, |_| Tier::T5);
        let notified = self.notified("notified", late.by);
        let remarks = [notified].into_iter().chain(late.doubt).collect();
        self.unserved((late.lock, tier), Unserved::Late, vec![edge], remarks)
    }

    fn notified(&self, how: &str, (thread, site): (Thread, Option<Site>)) -> String {
        let at = self.chain(site).first().cloned();
        let at = at.map_or(String::new(), |at| format!(" at {at}"));
        format!("{how} by \"{}\"{at}", self.names.thread(thread).name)
    }

    /// One that has not happened.
    fn unserved(
        &self,
        (lock, tier): (Lock, Tier),
        why: Unserved,
        edges: Vec<Part>,
        remarks: Vec<String>,
    ) -> Finding {
        let node = resource(self.names, Node::Notice(lock));
        Finding {
            id: stable_id(Kind::UnservedWaiter, std::slice::from_ref(&node.name)),
            tier,
            kind: Kind::UnservedWaiter,
            stall: false,
            locks: vec![node],
            edges,
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved: Some(why),
            memory: Memory::Unjudged,
            remarks,
        }
    }

    fn stranded(&self, stranded: &Stranded, doubt: Option<&str>) -> Finding {
        let at = match stranded.to_have {
            true => Node::Lock(stranded.lock),
            false => Node::Notice(stranded.lock),
        };
        let node = resource(self.names, at);
        let by = stranded.by.map(|by| self.notified("last notified", by));
        Finding {
            id: stable_id(Kind::UnservedWaiter, std::slice::from_ref(&node.name)),
            tier: doubt.map_or(Tier::T0, |_| Tier::T5),
            kind: Kind::UnservedWaiter,
            stall: false,
            locks: vec![node],
            edges: vec![self.blocked(stranded.thread, at, (Mode::Exclusive, stranded.site), &[])],
            patterns: 1,
            others: Vec::new(),
            alike: 1,
            numbered: 0,
            unserved: Some(stranded.why),
            memory: Memory::Unjudged,
            remarks: by.into_iter().chain(doubt.map(str::to_owned)).collect(),
        }
    }
}
