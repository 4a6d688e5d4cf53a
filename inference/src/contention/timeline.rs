//! Every stay, hold and queue of a recording, told one by one in the order in which they are over; but for stays that
//! looks found, which are told when nothing goes on of them any more.
//!
//! What [`super::Blamer`] counts is told here instead, with who held the lock meanwhile: for pictures over time. Two passes over
//! the file, as there; memory grows with locks, threads, and what happens between two heartbeats. Waits in operations
//! of locks that the program has built are told as the waits they are.

use super::atlas::Atlas;
use super::census::Findings;
use super::exact::Monitor;
use super::follow::Follower;
use super::looks::{Looks, charge};
use super::parks::{Parks, stands};
use super::pieces::Wanted;
use super::places::{Places, places};
use super::room::Keep;
use super::sign::Sign;
use super::span::{By, Happening, Hold, Kind, Length, Queued, Shares, Span, Waker};
use super::stay::{Chain, Group, Holder, Measure, Piece, Stay, Sure};
use super::wait::Waiters;
use crate::analysis::Analysis;
use crate::collect::{Collected, FastHash, IdTable};
use crate::in_time::Queue;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::Parked;
use locklens_trace::record::Frame;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record};
use std::collections::{BTreeSet, HashMap};

/// Pieces of a stay that are remembered with their times: of a longer one, what came last.
const PIECES: usize = 1 << 16;
/// Parks that wait for a heartbeat at most.
const PARKS: usize = 1 << 17;

/// Where a thread is held up.
#[derive(Clone, Copy, Debug)]
struct Stand {
    lock: LockId,
    is_blocked: bool,
    /// Others who were blocked there when it came.
    others: u32,
}

/// See the module.
pub struct Timeline<'a> {
    collected: &'a Collected,
    queue: Queue<Sign>,
    follower: Follower<'a>,
    parks: Parks,
    /// Known-safe blockers, which reports do not show.
    safe: BTreeSet<LockId>,
    looks: Looks,
    /// Parks that nobody is to blame for, until everything before their end is here.
    idle: Vec<Park>,
    places: Places,
    atlas: Atlas<'a>,
    stands: IdTable<Option<Stand>>,
    /// Threads blocked by lock object.
    blocked: IdTable<u32>,
    /// Threads blocked and waiting by logical lock.
    queues: Vec<(u32, u32)>,
    /// Monitors that probes tell of, and when they did last.
    monitors: HashMap<LockId, (Monitor, Nanos), FastHash>,
    sites: HashMap<(Chain, usize), Option<Frame>, FastHash>,
    told: Vec<Happening>,
}

impl<'a> Timeline<'a> {
    /// One for the recording that was collected, analysed and looked through.
    #[must_use]
    pub fn new(collected: &'a Collected, analysis: &'a Analysis, findings: &'a Findings) -> Self {
        let mut atlas = Atlas::new(collected, analysis);
        let places = places(findings, &mut atlas);
        let shown = Some(analysis.objects.iter().flatten().copied().collect());
        let mut follower = Follower::new(collected, &findings.scout, &findings.reasons, shown);
        follower.keep(Keep::Last(PIECES));
        follower.follow_waits(Waiters::default());
        let mut parks = Parks::new(collected);
        parks.tell_holds();
        parks.want(Wanted::Holders);
        Self {
            collected,
            queue: Queue::default(),
            follower,
            parks,
            safe: crate::parked::safe(collected),
            looks: Looks::default(),
            idle: Vec::new(),
            places,
            atlas,
            stands: IdTable::default(),
            blocked: IdTable::default(),
            queues: vec![(0, 0); analysis.objects.len()],
            monitors: HashMap::default(),
            sites: HashMap::default(),
            told: Vec::new(),
        }
    }

    /// Takes in the next record; what it lets be told.
    #[must_use]
    pub fn push(&mut self, record: &Record) -> Vec<Happening> {
        match record {
            Record::Event(event) => {
                let due = self.queue.push(Sign::Event(*event));
                self.follow(&due);
            }
            Record::Held(held) => {
                let due = self.queue.push(Sign::Look(*held));
                self.follow(&due);
            }
            Record::Tick(tick) => self.come_to(tick.at),
            Record::Parked(parked) => self.found(parked),
            Record::Park(park) => self.park(park),
            Record::Operation(operation) => {
                self.parks.operation(operation);
                self.told.push(Happening::Used(*operation));
                let over = self.parks.holds().take_over();
                self.told.extend(over.into_iter().map(Happening::Hold));
            }
            Record::Lost(lost) => {
                if lost.cause.breaks_histories() {
                    self.parks.lost();
                }
                self.told.push(Happening::Lost(*lost));
            }
            _ => return Vec::new(),
        }
        match record {
            Record::Tick(_) => self.settle(),
            _ if self.told.len() >= PARKS => self.settle(),
            _ => Vec::new(),
        }
    }

    /// Ends the pass.
    #[must_use]
    pub fn finish(mut self) -> Vec<Happening> {
        let end = self.collected.recording.until();
        let rest = self.queue.rest();
        self.follow(&rest);
        self.follower.end();
        self.take_stays();
        self.come_to(Nanos(u64::MAX));
        let mut monitors: Vec<_> = self.monitors.drain().collect();
        monitors.sort_unstable_by_key(|(lock, _)| *lock);
        for (lock, (mut monitor, last)) in monitors {
            let piece = monitor.so_far(end.max(last));
            self.held(lock, &piece);
        }
        let still = self.parks.holds().still(end);
        self.told.extend(still.into_iter().map(Happening::Hold));
        self.settle()
    }

    /// Everything before this time is here.
    fn come_to(&mut self, at: Nanos) {
        let due = self.queue.until(at);
        self.follow(&due);
        for stay in self.parks.until(at) {
            self.stay(stay);
        }
        self.idle.sort_by_key(|park| park.to);
        let end = self.idle.partition_point(|park| park.to < at);
        let idle: Vec<Park> = self.idle.drain(..end).collect();
        idle.iter().for_each(|park| self.tell_idle(park));
        let over = self.looks.until(at).into_iter();
        self.told.extend(over.map(Happening::Stay));
    }

    /// What there is to tell, in the order of its ends.
    fn settle(&mut self) -> Vec<Happening> {
        let mut told = std::mem::take(&mut self.told);
        told.sort_by_key(Happening::at);
        told
    }

    fn follow(&mut self, signs: &[Sign]) {
        for sign in signs {
            self.follower.take(sign);
            if let Sign::Event(event) = sign {
                self.take_stays();
                self.hold(event);
                self.stand(event);
            }
        }
    }

    fn take_stays(&mut self) {
        if !self.follower.done.is_empty() {
            let done = std::mem::take(&mut self.follower.done);
            done.into_iter().for_each(|stay| self.stay(stay));
        }
    }

    fn park(&mut self, park: &Park) {
        let is_safe = |lock: LockId| self.safe.contains(&lock);
        if park.end == ParkEnd::Unseen || park.lock.is_some_and(is_safe) {
            return;
        }
        match self.parks.is_owned(park.lock) {
            true => {
                let stays = self.parks.parked(park);
                stays.into_iter().for_each(|stay| self.stay(stay));
            }
            false if self.idle.len() < PARKS => self.idle.push(*park),
            false => self.tell_idle(park),
        }
    }

    fn tell_idle(&mut self, park: &Park) {
        let lock = park.lock.unwrap_or(LockId(0));
        let span = Span {
            site: self.site(park.stack.map(Chain::looked_at), lock),
            ..Span::parked(park)
        };
        self.told.push(Happening::Stay(span));
    }

    /// A look found a thread parked.
    fn found(&mut self, parked: &Parked) {
        if let Some(stay) = self.parks.found(parked) {
            return self.stay(stay);
        }
        let has_parks = self.parks.is_owned(Some(parked.lock)) || self.parks.is_exact();
        if has_parks || self.safe.contains(&parked.lock) {
            return;
        }
        let chain = parked.stack.map(Chain::looked_at);
        let (from, to) = stands(parked);
        let span = Span {
            kind: Kind::Parked,
            lock: Some(parked.lock),
            thread: parked.thread,
            from,
            to,
            length: Length::Estimate,
            stack: parked.stack,
            site: self.site(chain, parked.lock),
            others: 0,
            shares: Shares::new(),
            waker: None,
        };
        self.looked(span, parked.continues);
    }

    fn looked(&mut self, span: Span, continues: bool) {
        let over = self.looks.found(span, continues);
        self.told.extend(over.map(Happening::Stay));
    }

    fn stay(&mut self, stay: Stay) {
        if self.atlas.index_of(stay.lock).is_none() {
            return;
        }
        let (Some(first), Some(last)) = (stay.pieces.first(), stay.pieces.last()) else {
            return;
        };
        let (from, to) = (first.from, last.to.max(first.from));
        let stand = self.stands.get(stay.waiter.0).as_ref();
        let stand = stand.filter(|stand| stand.lock == stay.lock && stand.is_blocked);
        let others = stand.map_or(0, |stand| stand.others);
        let span = Span {
            kind: kind(stay.group),
            lock: Some(stay.lock),
            thread: stay.waiter,
            from,
            to,
            length: match stay.measure {
                Measure::Exact => Length::Exact,
                Measure::Estimate(_) => Length::Estimate,
                Measure::Unknown => Length::Unknown,
            },
            stack: stay.stack,
            site: self.site(stay.stack.map(Chain::at_end), stay.lock),
            others,
            waker: waker(&stay),
            shares: self.shares(&stay),
        };
        match stay.measure {
            Measure::Estimate(is_new) => self.looked(span, !is_new),
            Measure::Exact | Measure::Unknown => self.told.push(Happening::Stay(span)),
        }
    }

    /// Its pieces, those of one holder at one place together.
    fn shares(&mut self, stay: &Stay) -> Shares {
        let mut shares = Shares::new();
        for piece in &stay.pieces {
            let by = by(piece.holder);
            let site = self.holder_site(piece, stay.lock);
            charge(&mut shares, (by, site), Nanos(piece.ns()));
        }
        shares
    }

    fn holder_site(&mut self, piece: &Piece, lock: LockId) -> Option<Frame> {
        let Holder::Thread(thread) = piece.holder else {
            return None;
        };
        let place = || {
            let index = self.atlas.index_of(lock)?;
            self.places.get(&(index, thread)).copied()
        };
        let chain = piece.chain.or_else(place);
        self.site(chain, lock)
    }

    /// The frame that says most of a chain, as far as it is known.
    fn site(&mut self, chain: Option<Chain>, lock: LockId) -> Option<Frame> {
        let chain = chain?;
        let index = self.atlas.index_of(lock).unwrap_or(usize::MAX);
        let atlas = &self.atlas;
        let site = self.sites.entry((chain, index));
        *site.or_insert_with(|| {
            let frame = atlas.told_frame(chain, lock)?;
            Some(match chain.sure {
                Sure::Method => Frame { bci: None, ..frame },
                Sure::Site | Sure::All => frame,
            })
        })
    }

    /// Who holds a monitor that probes tell of.
    fn hold(&mut self, event: &Event) {
        let Some(lock) = event.lock.filter(|&lock| self.follower.is_exact(lock)) else {
            return;
        };
        let Event { at, thread, .. } = *event;
        let losses = &self.collected.losses;
        let (monitor, last) = self.monitors.entry(lock).or_default();
        if !losses.is_empty() && losses.between(*last, at) {
            let _ = monitor.lose(at);
        }
        *last = at;
        let piece = match event.kind {
            EventKind::Entered => monitor.entered(at, thread, event.stack, None),
            EventKind::Exit => monitor.exit(at, thread, event.stack, |acquired, _| acquired),
            EventKind::Wait { .. } => Some(monitor.wait(at, thread)),
            EventKind::Resumed | EventKind::Interrupted => Some(monitor.resumed(at, thread)),
            _ => None,
        };
        if let Some(piece) = piece {
            self.held(lock, &piece);
        }
    }

    fn held(&mut self, lock: LockId, piece: &Piece) {
        if let Holder::Thread(thread) = piece.holder
            && self.atlas.index_of(lock).is_some()
        {
            self.told.push(Happening::Hold(Hold {
                lock,
                thread,
                from: piece.from,
                to: piece.to,
                stack: piece.chain.map(|chain| chain.stack),
            }));
        }
    }

    /// Whether the thread of an event is held up elsewhere than before.
    fn stand(&mut self, event: &Event) {
        let thread = event.thread;
        let now = self.follower.held_up(thread);
        let slot = self.stands.slot(thread.0);
        let before = *self.stands.at(slot);
        if before.map(|stand| (stand.lock, stand.is_blocked)) == now {
            return;
        }
        let index = |lock: LockId| self.atlas.index_of(lock);
        let was = before.and_then(|stand| Some((stand, index(stand.lock)?)));
        let is = now.and_then(|(lock, is_blocked)| Some((lock, is_blocked, index(lock)?)));
        if let Some((stand, index)) = was {
            *self.stands.at(slot) = None;
            self.change(event.at, (stand.lock, index), stand.is_blocked, false);
        }
        if let Some((lock, is_blocked, index)) = is {
            let others = *self.blocked.get(lock.0);
            *self.stands.at(slot) = Some(Stand {
                lock,
                is_blocked,
                others,
            });
            self.change(event.at, (lock, index), is_blocked, true);
        }
    }

    /// One more or one less at a lock.
    fn change(&mut self, at: Nanos, (lock, index): (LockId, usize), is_blocked: bool, comes: bool) {
        let step = |count: &mut u32| {
            *count = match comes {
                true => count.saturating_add(1),
                false => count.saturating_sub(1),
            };
        };
        if is_blocked {
            step(self.blocked.get(lock.0));
        }
        let (blocked, waiting) = &mut self.queues[index];
        step(if is_blocked { blocked } else { waiting });
        let queued = Queued {
            at,
            index,
            blocked: *blocked,
            waiting: *waiting,
        };
        self.told.push(Happening::Queue(queued));
    }
}

fn kind(group: Group) -> Kind {
    match group {
        Group::Monitor => Kind::Monitor,
        Group::AfterWait => Kind::AfterWait,
        Group::Parked => Kind::Acquire,
        Group::Logical | Group::Wait => Kind::Wait,
    }
}

fn by(holder: Holder) -> By {
    match holder {
        Holder::Thread(thread) => By::Thread(thread),
        Holder::Nobody | Holder::Empty | Holder::Cycle => By::Nobody,
        Holder::Unknown(why) => By::Unknown(why),
    }
}

/// Who let it go on: of a wait who notified, else who held the lock last.
fn waker(stay: &Stay) -> Option<Waker> {
    let of_thread = |piece: &Piece| match piece.holder {
        Holder::Thread(thread) => Some(Waker {
            thread,
            at: piece.to,
        }),
        _ => None,
    };
    if stay.measure != Measure::Exact {
        return None;
    }
    match stay.group {
        Group::Wait => of_thread(stay.pieces.first()?),
        _ => stay.pieces.iter().rev().find_map(of_thread),
    }
}

#[cfg(test)]
mod tests;
