//! The second pass: what the judgement of candidates needs of the whole trace.
//!
//! Of every lock that several threads use its critical sections, in order; between threads the edges that say what
//! came before what; and the moments at which candidates were about to wait. Sixteen to twenty-eight bytes each, in place of
//! a vector clock for every event: a clock is what following the edges back comes to.

use super::finding::Names;
use super::firsts::Firsts;
use super::follow::{Act, Follower, Held, Moment, Watch};
use super::missed;
use super::moments::Moments;
use super::openers::Openers;
use super::scan::Scan;
use super::step::{Bond, Lock, Mode, Step, Thread};
use super::table::Index;
use crate::collect::FastMap;
use std::collections::BTreeSet;

/// Sections and edges kept.
const KEPT: usize = 64_000_000;
/// What one thread runs for others, each within the one before.
const DEPTH: usize = 256;
/// Notifies of one thread at one lock that are kept.
const NOTICES: usize = 1 << 16;
/// A release that was never seen.
pub(super) const NEVER: u32 = u32::MAX;

/// A critical section of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) lock: Lock,
    /// Its place in the order of all sections.
    pub(super) order: u32,
    pub(super) from: u32,
    /// The step that left it.
    pub(super) to: u32,
    /// Sections that come after it was left have at least this place in the order.
    pub(super) over: u32,
    pub(super) mode: Mode,
}

/// A step of a thread comes after a step of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) at: u32,
    pub(super) thread: Thread,
    pub(super) after: u32,
    pub(super) by: Bond,
    /// Up to here it does so in every run; later steps come after it in those runs only in which it has run the same before.
    pub(super) until: u32,
}

/// What is kept of one thread.
#[derive(Debug, Default)]
pub(super) struct Track {
    pub(super) sections: Vec<Section>,
    pub(super) edges: Vec<Edge>,
    /// Sections under way.
    open: Vec<(Lock, usize)>,
    /// What it runs for others, each within the one before, with the edge that comes of it.
    within: Vec<(Lock, Option<usize>)>,
    /// Up to where each other thread is known to have come before, for this reason.
    known: FastMap<(Thread, Bond), u32>,
}

impl Track {
    /// What began there, and all that began within it, was over at a step at the latest.
    fn end_from(&mut self, from: usize, at: u32) {
        for (_, edge) in self.within.drain(from..) {
            let edge = edge.and_then(|edge| self.edges.get_mut(edge));
            edge.into_iter().for_each(|edge| edge.until = at);
        }
    }
}

/// See the module.
#[derive(Debug)]
pub struct History<'s> {
    pub(super) scan: &'s Scan,
    /// Away while it follows a step.
    follower: Option<Box<Follower>>,
    pub(super) tracks: Vec<Track>,
    /// Candidate dependencies.
    candidates: Index,
    /// Of each of them the moments.
    pub(super) moments: FastMap<u32, Moments>,
    /// When somebody notified whom a candidate waits for, or who might let it go on, by lock and thread.
    notices: FastMap<(Lock, Thread), Vec<u32>>,
    pub(super) firsts: Firsts,
    pub(super) openers: Openers,
    order: u32,
    kept: usize,
    /// Not everything found room.
    pub(super) cut: bool,
}

impl<'s> History<'s> {
    pub(super) fn new(
        scan: &'s Scan,
        candidates: &BTreeSet<u32>,
        notifiers: &BTreeSet<(Lock, Thread)>,
    ) -> Self {
        let firsts = Firsts::of(notifiers, scan.served.inside());
        let notifiers = notifiers.iter().copied();
        Self {
            scan,
            follower: Some(Box::new(Follower::again(&scan.follower))),
            tracks: Vec::new(),
            candidates: scan.table.some(candidates.iter().copied()),
            moments: candidates
                .iter()
                .map(|&index| (index, Moments::default()))
                .collect(),
            notices: notifiers.map(|who| (who, Vec::new())).collect(),
            firsts,
            openers: Openers::default(),
            order: 0,
            kept: 0,
            cut: false,
        }
    }

    /// Whether there is anything to be judged: if not, the second pass can be left out.
    #[must_use]
    pub fn is_needed(&self, names: &dyn Names) -> bool {
        !self.moments.is_empty() || missed::any(self.scan, names)
    }

    /// Takes in the next step of the trace, once more.
    pub fn push(&mut self, step: &Step) {
        if let Some(mut follower) = self.follower.take() {
            follower.push(step, self);
            self.follower = Some(follower);
        }
    }

    fn notified(&mut self, moment: Moment, lock: Lock) {
        let notices = self.notices.get_mut(&(lock, moment.thread));
        if let Some(notices) = notices.filter(|notices| notices.len() <= NOTICES) {
            notices.push(moment.at);
        }
    }

    /// When somebody notified, each time: none if that is not known.
    pub(super) fn all_notices(&self, who: (Lock, Thread)) -> Option<&[u32]> {
        let all = self.notices.get(&who)?;
        (all.len() <= NOTICES).then_some(all)
    }

    /// When somebody notified who might let a candidate go on, the how manieth times: none if that is not known.
    pub(super) fn notices(&self, who: (Lock, Thread), times: &[(u32, u32)]) -> Option<Vec<u32>> {
        let all = self.all_notices(who)?;
        let run = |&(first, last): &(u32, u32)| all.get(first as usize - 1..last as usize);
        let runs: Option<Vec<&[u32]>> = times.iter().map(run).collect();
        Some(runs?.concat()).filter(|moments| !moments.is_empty())
    }

    fn track(&mut self, thread: Thread) -> &mut Track {
        let index = thread.0 as usize;
        if index >= self.tracks.len() {
            self.tracks.resize_with(index + 1, Track::default);
        }
        &mut self.tracks[index]
    }

    /// Whether there is room for one more.
    fn room(&mut self) -> bool {
        self.kept += 1;
        self.cut |= self.kept > KEPT;
        !self.cut
    }

    fn took(&mut self, moment: Moment, lock: Lock, mode: Mode) {
        if !self.scan.is_shared(lock) || !self.room() {
            return;
        }
        let order = self.order;
        self.order = self.order.saturating_add(1);
        let track = self.track(moment.thread);
        track.open.push((lock, track.sections.len()));
        track.sections.push(Section {
            lock,
            order,
            from: moment.at,
            to: NEVER,
            over: NEVER,
            mode,
        });
    }

    /// A section is over; of one whose end is lost the end stays unknown.
    fn left(&mut self, moment: Moment, lock: Lock, seen: bool) {
        let over = self.order;
        let track = self.track(moment.thread);
        let Some(index) = track.open.iter().rposition(|(open, _)| *open == lock) else {
            return;
        };
        let (_, section) = track.open.remove(index);
        if seen {
            track.sections[section].to = moment.at;
            track.sections[section].over = over;
        }
    }

    fn within(&mut self, moment: Moment, lock: Lock, after: Option<(Thread, u32)>) {
        let after = after.filter(|_| self.room());
        let track = self.track(moment.thread);
        // Of what is not followed to its end nothing is known.
        if track.within.len() >= DEPTH {
            return;
        }
        let edge = after.map(|(thread, after)| {
            track.edges.push(Edge {
                at: moment.at,
                thread,
                after,
                by: Bond::Must,
                until: NEVER,
            });
            track.edges.len() - 1
        });
        track.within.push((lock, edge));
    }

    fn outside(&mut self, moment: Moment, lock: Lock) {
        let track = self.track(moment.thread);
        if let Some(from) = track.within.iter().rposition(|(on, _)| *on == lock) {
            track.end_from(from, moment.at);
        }
    }

    fn after(&mut self, moment: Moment, edge: Edge) {
        let known = &mut self.track(moment.thread).known;
        let known = known.entry((edge.thread, edge.by)).or_insert(0);
        // What is known to have come before already need not be said again.
        if *known < edge.after {
            *known = edge.after;
            if self.room() {
                self.track(moment.thread).edges.push(edge);
            }
        }
    }
}

impl Watch for History<'_> {
    fn saw(&mut self, moment: Moment, act: Act, held: &[Held]) {
        self.firsts.saw(moment, act);
        match act {
            Act::Wants { wanted, timed } => {
                let table = &self.scan.table;
                let index = table.find_in(&self.candidates, moment, (wanted, timed), held);
                let of = index.and_then(|index| Some((index, self.moments.get_mut(&index)?)));
                if let Some((index, moments)) = of
                    && !(self.scan.is_first_unsure(index) && moments.is_first())
                {
                    moments.add(moment, held);
                }
            }
            Act::Took(lock, mode) => self.took(moment, lock, mode),
            Act::Left(lock) => self.left(moment, lock, true),
            Act::Lost(lock) => self.left(moment, lock, false),
            Act::After {
                thread,
                at: after,
                by,
            } => {
                let at = moment.at;
                self.after(
                    moment,
                    Edge {
                        at,
                        thread,
                        after,
                        by,
                        until: NEVER,
                    },
                );
            }
            Act::Within { lock, after } => self.within(moment, lock, after),
            Act::Outside(lock) => self.outside(moment, lock),
            Act::Forgot => self.track(moment.thread).end_from(0, moment.at),
            Act::Notified { lock, .. } => {
                self.openers.saw(lock, moment);
                self.notified(moment, lock);
            }
            Act::Opened { lock, .. } => self.notified(moment, lock),
            Act::MayOpen(lock) => self.openers.saw(lock, moment),
            Act::Stands { .. }
            | Act::Waits { .. }
            | Act::Had(_)
            | Act::Gave(_)
            | Act::Fetched { .. }
            | Act::Begun(_)
            | Act::Back(_)
            | Act::Ended => {}
        }
    }
}
