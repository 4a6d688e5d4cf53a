//! A recording of a JVM as steps: what probes told of monitors, the starts and joins of threads, and what is missing.
//!
//! Only acquisitions whose release is told count (exact recordings, or the locks of a recording that probes told of);
//! what is known from call chains is in the nesting graph. An acquisition that only the JVM told is no hold.
//!
//! Who started a thread no JVM reports: it is inferred as in the nesting graph, from what the whole recording shows, so
//! only the second pass has it.

mod names;

use super::accesses::Accesses;
use super::apart::{self, Apart};
use super::asked::Asked;
use super::built::Built;
use super::foreign::foreign;
use super::ran::Ran;
use super::scan::Scan;
use super::step::{Lock, Mode, Op, Site, Step, Thread};
use super::stood::Stood;
use super::unread::Unread;
use super::unseen::Unseen;
use super::uses::{Uses, is_stamped};
use crate::analysis::Analysis;
use crate::collect::parks::is_under_way;
use crate::collect::{Collected, FastMap};
use crate::model::Doubt;
use crate::nesting::{Lives, Scout};
use crate::parked::is_concurrent;
use locklens_trace::park::Park;
use locklens_trace::record::{Frame, LockObject, MethodDef, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

/// Joined threads remembered of one that joins.
const JOINED: usize = 256;

/// Numbers for ids, in the order in which they are met.
#[derive(Debug)]
pub(super) struct Numbers<I> {
    pub(super) ids: Vec<I>,
    pub(super) known: FastMap<I, u32>,
}

impl<I> Default for Numbers<I> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            known: FastMap::default(),
        }
    }
}

impl<I: Copy + Eq + Hash> Numbers<I> {
    pub(super) fn number(&mut self, id: I) -> u32 {
        *self.known.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() as u32 - 1
        })
    }
}

/// What a thread is in the middle of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    /// Its latest event.
    pub(super) last: Nanos,
    /// It was heard of.
    known: bool,
    /// The lock whose `wait` it has not come back from; whether that has ended, and by its time-out.
    pub(super) waiting: Option<(LockId, Option<bool>)>,
    /// Parts of the file that were missing when it was last heard of.
    pub(super) holes: u64,
    /// Whether the join that it is in has a limit; none if its beginning was not seen.
    in_time: Option<bool>,
    /// Whose end it has seen last, if it has done nothing since: a join may be told by its wait, by its probe, and by that of another
    /// one that it goes through.
    saw_end: Option<ThreadId>,
    /// Locks of the excerpt it is in, where only what is new was told; and whether something may be missing from the last one.
    inside: u32,
    unsure: bool,
    /// When it last did something, in rounds of those who stood when the recording began.
    round: u32,
}

/// Makes steps of events.
#[derive(Debug)]
pub struct Jvm<'a> {
    pub(super) collected: &'a Collected,
    pub(super) analysis: &'a Analysis,
    scout: &'a Scout,
    pub(super) threads: Numbers<ThreadId>,
    pub(super) locks: Numbers<LockId>,
    sites: Numbers<StackId>,
    pub(super) ways: FastMap<ThreadId, Way>,
    /// Parts of the file that could not be read.
    pub(super) holes: u64,
    pub(super) lives: Lives,
    /// By starter: up to when its doings came before the start of which thread, the latest first.
    pub(super) forks: BTreeMap<ThreadId, Vec<(Nanos, ThreadId)>>,
    /// Who started a thread, as far as is inferred.
    pub(super) starters: FastMap<ThreadId, ThreadId>,
    /// Threads whose starter was told.
    pub(super) started: BTreeSet<ThreadId>,
    /// The first pass is over.
    pub(super) again: bool,
    /// By thread, those whose end it has waited for.
    pub(super) joined: FastMap<ThreadId, Vec<ThreadId>>,
    pub(super) accesses: Accesses,
    /// Accesses were asked for.
    pub(super) accesses_asked: bool,
    /// Where accesses are recorded, threads that have done something since the latest one began.
    pub(super) busy: BTreeSet<ThreadId>,
    /// What no probe tells of in the recorded code, and what may come between two places, once somebody has asked.
    pub(super) unseen: OnceCell<Unseen>,
    pub(super) ran: OnceCell<Ran<'a>>,
    pub(super) unread: OnceCell<Unread<'a>>,
    pub(super) between: RefCell<HashMap<[Option<StackId>; 2], Option<String>>>,
    /// What code asks, once somebody wants to know.
    asked: OnceCell<Asked<'a>>,
    pub(super) of_object: FastMap<LockId, usize>,
    /// Of the report's locks, those that are called by the JDK's classes alone.
    foreign: Vec<bool>,
    /// From when on there were probes, where threads were under way before that.
    probed: Nanos,
    pub(super) uses: Uses,
    pub(super) stood: Stood,
    pub(super) built: Built<'a>,
    /// Where only what is new was told: who was there when.
    apart: Option<Apart>,
    /// The latest event of all.
    pub(super) last: Nanos,
    /// Up to when all is told.
    pub(super) ticked: Nanos,
}

impl<'a> Jvm<'a> {
    /// For a recording that was collected and analysed.
    #[must_use]
    pub fn new(collected: &'a Collected, analysis: &'a Analysis, scout: &'a Scout) -> Self {
        let guarded = collected.recording.incomplete.contains(&Doubt::Guarded);
        let objects = (0..).zip(&analysis.objects);
        let of_object = objects.flat_map(|(ix, locks)| locks.iter().map(move |&lock| (lock, ix)));
        Self {
            collected,
            analysis,
            scout,
            threads: Numbers::default(),
            locks: Numbers::default(),
            sites: Numbers::default(),
            ways: FastMap::default(),
            holes: 0,
            lives: Lives::default(),
            forks: BTreeMap::new(),
            starters: FastMap::default(),
            started: BTreeSet::new(),
            again: false,
            joined: FastMap::default(),
            accesses: Accesses::default(),
            accesses_asked: collected.target.contains_key(target_key::ACCESSES_OF),
            busy: BTreeSet::new(),
            unseen: OnceCell::new(),
            ran: OnceCell::new(),
            unread: OnceCell::new(),
            between: RefCell::default(),
            asked: OnceCell::new(),
            of_object: of_object.collect(),
            foreign: foreign(&analysis.model),
            probed: collected.probed_since(),
            uses: Uses::of(collected, scout.has_kin()),
            stood: Stood::default(),
            built: match guarded {
                true => Built::default(),
                false => Built::of(collected, analysis),
            },
            apart: guarded.then(|| Apart::new(scout.lives())),
            last: Nanos(0),
            ticked: Nanos(0),
        }
    }

    /// A first pass over its steps.
    #[must_use]
    pub fn scan(&mut self) -> Scan {
        let locks = self.collected.parked.keys();
        for &lock in locks.filter(|&&lock| is_stamped(self.collected, lock)) {
            self.locks.number(lock);
        }
        let mut scan = Scan::of(self.apart.is_some());
        if self.is_under_way() {
            scan = scan.from_under_way();
        }
        scan.know(self.natures());
        scan
    }

    /// The recording began when threads were under way: what they were in the middle of is not in it.
    pub(super) fn is_under_way(&self) -> bool {
        self.collected.was_under_way() && self.apart.is_none()
    }

    /// Whether a park was under way when the probes came.
    pub(super) fn began_before(&self, park: &Park) -> bool {
        let parks = self.collected.recording.parks;
        parks.is_some_and(|parks| is_under_way(park, parks.since))
    }

    /// From the beginning, with the same numbers, and with what the first pass has shown of starts.
    pub fn rewind(&mut self) {
        self.ways.clear();
        self.holes = 0;
        self.again = true;
        self.joined.clear();
        self.rewind_stood();
        self.uses.rewind();
        self.built.rewind();
        self.last = Nanos(0);
        if let Some(apart) = &mut self.apart {
            apart.rewind();
        }
        self.accesses.rewind();
        self.busy.clear();
        let lives = std::mem::take(&mut self.lives);
        let forks = lives.into_order(&self.collected.ends).forks;
        let inferred = forks
            .into_iter()
            .filter(|(child, _)| !self.started.contains(child));
        for (child, (starter, until)) in inferred {
            self.starters.insert(child, starter);
            self.forks.entry(starter).or_default().push((until, child));
        }
        for forks in self.forks.values_mut() {
            forks.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// Takes in the next event of the file, and gives the steps that it means.
    pub fn push(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        if self.apart.is_some() && is_life(event.kind) {
            // Told late: what it means was noted at its time.
            return;
        }
        self.keep_apart(event, each);
        self.fork_before(event, each);
        self.missing(event, each);
        self.goes_on_from_join(event.thread);
        match event.kind {
            EventKind::Entered => self.goes(event.thread, true),
            EventKind::Exit => self.goes(event.thread, false),
            _ => {}
        }
        self.acts(event.thread, event.kind == EventKind::ThreadEnd);
        self.last = event.at;
        match (event.kind, event.lock) {
            (EventKind::ThreadStart, _) => {
                self.lives.started(event.thread, event.at);
                // What it took before there were probes is not told, as of those that were there already.
                if event.at >= self.probed {
                    self.tell(event, Op::Begin, each);
                }
                self.presumed(event, each);
                self.may_follow(event, each);
            }
            (EventKind::ThreadEnd, _) => {
                self.built.ended(event.thread);
                self.member_ends(event, each);
                self.tell(event, Op::End, each);
            }
            (_, Some(lock)) => self.on_lock(event, lock, each),
            (_, None) => {}
        }
    }

    pub(super) fn keep_apart(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        let Some(apart) = &mut self.apart else {
            return;
        };
        for (later, before) in apart.note(event.thread, event.at) {
            let pair = [later, before].map(|id| Thread(self.threads.number(id)));
            each(&apart::step((pair[0], pair[1])));
        }
    }

    pub(super) fn tell(&mut self, event: &Event, op: Op, each: &mut dyn FnMut(&Step)) {
        let thread = Thread(self.threads.number(event.thread));
        let site = event.stack.map(|stack| Site(self.sites.number(stack)));
        each(&Step { thread, op, site });
    }

    /// Where events are missing, what a thread holds and is in the middle of is not known any more.
    pub(super) fn missing(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        let holes = self.holes;
        let way = self.ways.entry(event.thread).or_default();
        let first = !way.known;
        let born = !way.known && event.kind == EventKind::ThreadStart;
        let losses = &self.collected.losses;
        // An excerpt is whole: only what is missing right before it matters.
        let last = match self.apart {
            Some(_) => self.last.max(way.last),
            None => way.last,
        };
        let lost = !losses.is_empty() && losses.between(last, event.at) || way.holes < holes;
        *way = Way {
            last: event.at,
            known: true,
            holes,
            ..*way
        };
        self.stood.does(event.thread, &mut way.round);
        if lost && !born {
            way.waiting = None;
            way.unsure = true;
            self.built.forget(event.thread);
            self.uses.forget(event.thread);
            self.accesses.ends(event.thread);
            self.tell(event, Op::Forget, each);
        } else if self.apart.is_some() && way.inside == 0 && std::mem::take(&mut way.unsure) {
            self.tell(event, Op::Begin, each);
        }
        if first {
            self.hears(event);
            self.goes_on_at_last(event, each);
        }
    }

    /// It goes into a lock, or out of it.
    pub(super) fn goes(&mut self, thread: ThreadId, inside: bool) {
        if let Some(way) = self.ways.get_mut(&thread) {
            way.inside = match inside {
                true => way.inside.saturating_add(1),
                false => way.inside.saturating_sub(1),
            };
        }
    }

    /// Whoever does something else has come back from his wait, whether that was told or not.
    pub(super) fn back_from_elsewhere(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        let waiting = self.ways.get(&event.thread).and_then(|way| way.waiting);
        if let Some((on, ended)) = waiting {
            self.back(event, on, ended.unwrap_or(true), each);
        }
    }

    /// Whether the releases of a lock are told.
    fn is_exact(&self, lock: LockId, at: Nanos) -> bool {
        self.collected.recording.exact || self.scout.is_exact(lock, at)
    }

    fn on_lock(&mut self, event: &Event, lock: LockId, each: &mut dyn FnMut(&Step)) {
        let joined = match event.kind {
            EventKind::Wait { .. } | EventKind::Waited { .. } => self.thread_of(lock),
            _ => None,
        };
        // Who waits on himself by code of his own waits for what others bring him, and not for his end.
        let joined = joined.filter(|&joined| joined != event.thread || self.is_in_join(event));
        self.lives(event, joined);
        if event.is_from_before() || !self.is_exact(lock, event.at) {
            return self.joins(event, joined, each);
        }
        let returning = self.ways.get(&event.thread).and_then(|way| way.waiting);
        let inside = matches!(
            event.kind,
            EventKind::Enter | EventKind::Entered | EventKind::Waited { .. }
        );
        match returning {
            Some((on, _)) if on == lock && inside => {
                if let EventKind::Waited { timed_out } = event.kind {
                    self.waits(event.thread, Some((lock, Some(timed_out))));
                }
                return self.joins(event, joined, each);
            }
            // Seen elsewhere, it has come back, whether that was told or not.
            Some((on, ended)) if on != lock || !returns(event.kind) => {
                self.back(event, on, ended.unwrap_or(true), each);
            }
            _ => {}
        }
        let [before, after] = self.change(event, lock);
        self.tell_change(event, before, each);
        self.plain(event, lock, joined, each);
        self.tell_change(event, after, each);
    }

    /// Whether it is `Thread.join` that waits.
    fn is_in_join(&self, event: &Event) -> bool {
        let catalog = &self.collected.catalog;
        let stack = event.stack.and_then(|stack| catalog.stacks.get(&stack));
        let methods = stack.into_iter().flat_map(|stack| &stack.frames);
        let mut methods = methods.filter_map(|frame| catalog.methods.get(&frame.method));
        let name = |method: &MethodDef| catalog.class_name(method.class);
        let waits = methods.find(|method| name(method) != "java.lang.Object");
        waits.is_some_and(|method| name(method) == "java.lang.Thread" && method.name == "join")
    }

    fn plain(
        &mut self,
        event: &Event,
        lock: LockId,
        joined: Option<ThreadId>,
        each: &mut dyn FnMut(&Step),
    ) {
        let number = Lock(self.locks.number(lock));
        let mode = Mode::Exclusive;
        let op = match event.kind {
            EventKind::Enter => Op::Request {
                lock: number,
                mode,
                timed: false,
            },
            // A probe tells each acquisition, with its site. The release of what the JVM alone tells nobody tells.
            EventKind::Entered if event.stack.is_none() && self.collected.recording.exact => return,
            EventKind::Entered => Op::Acquire { lock: number, mode },
            EventKind::Exit => Op::Release(number),
            EventKind::Wait { timeout } => {
                self.waits(event.thread, Some((lock, None)));
                Op::Wait {
                    lock: number,
                    gives: Some(number),
                    timed: timeout.is_some(),
                    joins: joined.map(|joined| Thread(self.threads.number(joined))),
                }
            }
            EventKind::Resumed | EventKind::Interrupted => {
                let ended = self.ways.get(&event.thread).and_then(|way| way.waiting?.1);
                let timed_out = ended == Some(true) || event.kind == EventKind::Interrupted;
                return self.back(event, lock, timed_out, each);
            }
            EventKind::Notify => Op::Notify {
                lock: number,
                all: false,
            },
            EventKind::NotifyAll => Op::Notify {
                lock: number,
                all: true,
            },
            // Of a wait from before the recording.
            EventKind::Waited { .. } => return self.joins(event, joined, each),
            EventKind::ThreadStart | EventKind::ThreadEnd => return,
        };
        if matches!(op, Op::Notify { .. }) {
            self.may_let_go(event, lock, each);
        }
        self.tell(event, op, each);
    }

    fn waits(&mut self, thread: ThreadId, waiting: Option<(LockId, Option<bool>)>) {
        if let Some(way) = self.ways.get_mut(&thread) {
            way.waiting = waiting;
        }
    }

    fn back(&mut self, event: &Event, lock: LockId, timed_out: bool, each: &mut dyn FnMut(&Step)) {
        self.waits(event.thread, None);
        self.built.back(event.thread, lock, timed_out);
        let lock = Lock(self.locks.number(lock));
        let by = Event {
            stack: event.stack.filter(|_| returns(event.kind)),
            ..*event
        };
        self.tell(&by, Op::Returned { lock, timed_out }, each);
    }

    /// Whether it has been heard of.
    pub(super) fn is_known(&self, thread: ThreadId) -> bool {
        self.ways.get(&thread).is_some_and(|way| way.known)
    }

    /// The end of a wait on a thread that has ended is a join.
    fn joins(&mut self, event: &Event, joined: Option<ThreadId>, each: &mut dyn FnMut(&Step)) {
        if let (EventKind::Waited { timed_out: false }, Some(joined)) = (event.kind, joined)
            && joined != event.thread
            && self
                .collected
                .ends
                .get(&joined)
                .is_some_and(|&end| end <= event.at)
        {
            let known = self.joined.entry(event.thread).or_default();
            if known.len() < JOINED {
                known.push(joined);
            }
            // Of one that was under way when the recording began that is not known.
            let in_time = self.ways.get(&event.thread).and_then(|way| way.in_time);
            let timed = in_time.unwrap_or(true);
            self.sees_end(event, joined, timed, each);
        }
    }

    /// It has come back from a join of a thread that had ended.
    pub(super) fn sees_end(
        &mut self,
        event: &Event,
        of: ThreadId,
        timed: bool,
        each: &mut dyn FnMut(&Step),
    ) {
        let way = self.ways.entry(event.thread).or_default();
        if way.saw_end.replace(of) != Some(of) {
            let child = Thread(self.threads.number(of));
            self.tell(event, Op::Join { child, timed }, each);
        }
    }

    /// It does something else than to come back from a join.
    pub(super) fn goes_on_from_join(&mut self, thread: ThreadId) {
        if let Some(way) = self.ways.get_mut(&thread) {
            way.saw_end = None;
        }
    }

    fn lives(&mut self, event: &Event, joined: Option<ThreadId>) {
        let Some(joined) = joined else {
            return;
        };
        match event.kind {
            EventKind::Wait { timeout } => {
                self.lives.waits_for(event.thread, joined, event.at);
                if let Some(way) = self.ways.get_mut(&event.thread) {
                    way.in_time = Some(timeout.is_some());
                }
            }
            EventKind::Waited { timed_out: false } => {
                self.lives.wait_ended(event.thread, joined, event.at);
            }
            _ => {}
        }
    }

    /// The thread a lock object is.
    pub(super) fn thread_of(&self, lock: LockId) -> Option<ThreadId> {
        match self.collected.catalog.locks.get(&lock)?.object {
            LockObject::Thread(thread) => Some(thread),
            LockObject::Plain | LockObject::ClassMirror(_) => None,
        }
    }
}

impl Jvm<'_> {
    /// Whether a frame is inside the JDK's own locks.
    pub(super) fn parks(&self, frame: &Frame) -> bool {
        let catalog = &self.collected.catalog;
        let method = catalog.methods.get(&frame.method);
        method.is_some_and(|method| is_concurrent(&catalog.class_name(method.class)))
    }
}

impl<'a> Jvm<'a> {
    pub(super) fn asked(&self) -> &Asked<'a> {
        self.asked
            .get_or_init(|| Asked::of(&self.collected.catalog))
    }
}

fn is_life(kind: EventKind) -> bool {
    matches!(kind, EventKind::ThreadStart | EventKind::ThreadEnd)
}

/// Events that end a wait.
fn returns(kind: EventKind) -> bool {
    matches!(kind, EventKind::Resumed | EventKind::Interrupted)
}
