//! One monitor: who holds it, by probes or by contention, and who is blocked on it meanwhile.

use super::evidence::{Evidence, Reasons, Saw, Stretch};
use super::exact::Monitor;
use super::room::{Keep, Room};
use super::stay::{Chain, Group, Holder, Measure, Part, Piece, Stay, Why};
use locklens_trace::{Event, LockId, Nanos, StackId, ThreadId};

/// See the module.
#[derive(Debug)]
pub(super) struct Lock {
    /// Its latest event.
    pub(super) last: Nanos,
    /// Reports do not leave it out.
    is_shown: bool,
    /// Probes tell of it by now.
    is_exact: bool,
    reasons: Reasons,
    evidence: Evidence,
    monitor: Monitor,
    room: Room,
    /// Where the one named last as its holder is held up, if it has been since before that.
    stand: Option<Stand>,
    /// Where the one that is named now is held up, if it is.
    stands_now: Option<Stand>,
    /// Whom a look found to own it who was held up elsewhere, when, …
    seen: Option<(ThreadId, Nanos)>,
    /// … and where that is so still.
    seen_stands: Option<Stand>,
    /// The thread that has come through or was seen to own it last.
    spell: Option<Spell>,
}

/// Since when nobody saw another thread have it, or this one let it go, and when it was seen to have it last.
#[derive(Clone, Copy, Debug)]
struct Spell {
    owner: ThreadId,
    since: Nanos,
    seen: Nanos,
}

/// A thread that is held up by another lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) thread: ThreadId,
    pub(super) since: Nanos,
    pub(super) stack: Option<StackId>,
}

impl Lock {
    pub(super) fn new(reasons: Reasons, is_shown: bool, keep: Keep) -> Self {
        Self {
            last: Nanos(0),
            is_shown,
            is_exact: false,
            reasons,
            evidence: Evidence::default(),
            monitor: Monitor::default(),
            room: Room::new(keep),
            stand: None,
            stands_now: None,
            seen: None,
            seen_stands: None,
            spell: None,
        }
    }

    /// The thread that was named last as its holder, while somebody is blocked, and when.
    pub(super) fn expected(&self) -> Option<(ThreadId, Nanos)> {
        self.evidence.expected()
    }

    /// A look found that a thread owns it that is held up elsewhere.
    pub(super) fn sighted(&mut self, owner: ThreadId, at: Nanos) {
        self.seen = Some((owner, at));
    }

    /// The thread that a look found to own it and to be held up elsewhere, and when.
    pub(super) fn seen(&self) -> Option<(ThreadId, Nanos)> {
        self.seen
    }

    /// The one that was named last has been held up there since before that, or it has not; and the one that a look found.
    pub(super) fn place_holder(&mut self, stand: Option<Stand>, seen: Option<Stand>) {
        self.stand = stand;
        self.stands_now = None;
        self.seen_stands = seen;
    }

    /// Where the one is held up that is about to be named.
    pub(super) fn place_named(&mut self, stand: Option<Stand>) {
        self.stands_now = stand;
    }

    /// From now on these reasons count.
    pub(super) fn judge_by(&mut self, reasons: Reasons) {
        self.reasons = reasons;
    }

    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Something happens at that time. `lost`: events may be missing since the last one.
    pub(super) fn come_to(&mut self, at: Nanos, is_exact: bool, lost: bool) {
        self.last = self.last.max(at);
        if is_exact && !self.is_exact {
            self.break_off(at, None);
            self.is_exact = true;
        }
        if lost {
            let piece = self.monitor.lose(at);
            self.room
                .tell(Piece::unknown(piece.from, piece.to, Why::Lost));
            self.evidence.forget(at);
            self.spell = None;
        }
    }

    /// Probes tell that a thread has it, or will take it again after a wait.
    pub(super) fn is_of(&self, thread: ThreadId) -> bool {
        self.monitor.is_of(thread)
    }

    pub(super) fn enter(&mut self, event: &Event, group: Group) {
        let Event {
            at, thread, owner, ..
        } = *event;
        match self.is_exact {
            true => {
                let piece = self.monitor.so_far(at);
                self.room.tell(piece);
            }
            false => {
                let saw = Saw::of(owner);
                self.spell = match saw {
                    Some(Saw::Thread(owner)) => Some(Spell {
                        owner,
                        since: self.spell_of(owner).map_or(at, |spell| spell.since),
                        seen: at,
                    }),
                    Some(Saw::Nobody) => None,
                    None => self.spell,
                };
                let stretch = self.evidence.enter(at, thread, saw, &self.reasons);
                self.tell(stretch);
            }
        }
        if self.is_shown {
            self.room.enter(thread, group, event.stack, at);
        }
    }

    /// A thread in exactly recorded code wants the monitor again.
    pub(super) fn return_from_wait(&mut self, event: &Event, stack: Option<StackId>) {
        let piece = self.monitor.so_far(event.at);
        self.room.tell(piece);
        if self.is_shown {
            self.room
                .enter(event.thread, Group::AfterWait, stack, event.at);
        }
    }

    pub(super) fn entered(&mut self, event: &Event) {
        let Event { at, thread, .. } = *event;
        let callers = self.room.stack_of(thread);
        match self.is_exact {
            true => {
                let piece = self.monitor.entered(at, thread, event.stack, callers);
                piece.into_iter().for_each(|piece| self.room.tell(piece));
            }
            false => {
                self.spell = Some(Spell {
                    owner: thread,
                    since: at,
                    seen: at,
                });
                let stretch = self.evidence.entered(at, thread, &self.reasons);
                self.tell(stretch);
            }
        }
    }

    pub(super) fn exit(&mut self, event: &Event, fuller: impl Fn(StackId, StackId) -> StackId) {
        let Event { at, thread, .. } = *event;
        if !self.is_exact {
            self.spell = None;
            let stretch = self.evidence.exit(at, thread, &self.reasons);
            stretch.into_iter().for_each(|stretch| self.tell(stretch));
            return;
        }
        let piece = self.monitor.exit(at, thread, event.stack, fuller);
        piece.into_iter().for_each(|piece| self.room.tell(piece));
    }

    pub(super) fn wait(&mut self, event: &Event) {
        let Event { at, thread, .. } = *event;
        match self.is_exact {
            true => {
                let piece = self.monitor.wait(at, thread);
                self.room.tell(piece);
            }
            false => {
                self.spell = None;
                let stretch = self.evidence.wait(at, thread, &self.reasons);
                self.tell(stretch);
            }
        }
    }

    pub(super) fn waited(&mut self, event: &Event) {
        if !self.is_exact {
            let stretch = self.evidence.waited(event.at, event.thread, &self.reasons);
            stretch.into_iter().for_each(|stretch| self.tell(stretch));
        }
    }

    pub(super) fn resumed(&mut self, event: &Event) {
        let Event { at, thread, .. } = *event;
        match self.is_exact {
            true => {
                let piece = self.monitor.resumed(at, thread);
                self.room.tell(piece);
            }
            false => self.entered(event),
        }
    }

    pub(super) fn ended(&mut self, event: &Event) {
        let piece = self.monitor.ended(event.at, event.thread);
        piece.into_iter().for_each(|piece| self.room.tell(piece));
    }

    fn spell_of(&self, owner: ThreadId) -> Option<Spell> {
        self.spell.filter(|spell| spell.owner == owner)
    }

    /// The recording has ended, a thread was seen to own it, and where that was. Nobody came through meanwhile who was blocked: it has
    /// been there all the time. Before it was seen to have it last it may have let go and come back in passing.
    pub(super) fn held_to_the_end(&mut self, owner: ThreadId, chain: StackId) {
        if let Some(spell) = self.spell_of(owner).filter(|_| !self.is_exact) {
            let (holder, chain) = (Holder::Thread(owner), Some(Chain::inside(chain)));
            self.room.restate(spell.since, (holder, chain, true));
            self.room.restate(spell.seen, (holder, chain, false));
        }
    }

    /// The recording ends, and those still blocked were seen to want it of that owner.
    pub(super) fn end(&mut self, at: Nanos, told: Option<Saw>) {
        match self.is_exact {
            true => {
                let piece = self.monitor.so_far(at);
                self.room.tell(piece);
            }
            false => {
                let stretch = self.evidence.break_off(at, None, told, &self.reasons);
                self.tell(stretch);
            }
        }
    }

    /// A thread is blocked no more, since then or since nobody knows when.
    pub(super) fn leave(
        &mut self,
        id: LockId,
        thread: ThreadId,
        until: Option<Nanos>,
    ) -> Option<Stay> {
        if until.is_none() {
            self.break_off(self.last, Some(thread));
        }
        let (blocked, pieces) = self.room.leave(thread, until.unwrap_or(self.last))?;
        let since = blocked.since;
        Some(Stay {
            group: blocked.group,
            lock: id,
            waiter: thread,
            stack: blocked.stack,
            pieces: match until {
                Some(_) => pieces,
                None => vec![Piece::unknown(since, since, Why::Lost)],
            },
            measure: match until {
                Some(_) => Measure::Exact,
                None => Measure::Unknown,
            },
            part: Part::First,
        })
    }

    /// Those who are blocked.
    pub(super) fn blocked(&self) -> Vec<ThreadId> {
        self.room.threads()
    }

    /// Up to now it was as it was; a thread may be gone.
    fn break_off(&mut self, at: Nanos, gone: Option<ThreadId>) {
        if !self.is_exact {
            let stretch = self.evidence.break_off(at, gone, None, &self.reasons);
            self.tell(stretch);
        }
    }

    /// Tells those blocked of a stretch.
    fn tell(&mut self, stretch: Stretch) {
        let Stretch { from, to, .. } = stretch;
        let frozen = |stand: Stand, from| {
            let chain = stand.stack.map(Chain::inside);
            Piece::new(from, to, Holder::Thread(stand.thread), chain)
        };
        let expected = |stand: &Stand| stretch.expected == Some(stand.thread);
        if let Some(stand) = self.stand.filter(expected) {
            return self.room.tell(frozen(stand, from));
        }
        // Who holds it now, and could not take it since then, has held it since then.
        let named = |stand: &Stand| stretch.saw == Some(Saw::Thread(stand.thread));
        let stand = self.stands_now.filter(named).or(self.seen_stands);
        let since = stand.map_or(to, |stand| stand.since.clamp(from, to));
        self.room.tell(match stretch.holder(&self.reasons) {
            Some((thread, is_tested)) => Piece {
                untested: !is_tested,
                ..Piece::new(from, since, Holder::Thread(thread), None)
            },
            None => Piece::unknown(from, since, Why::Unseen),
        });
        let rest = stand.map(|stand| frozen(stand, since));
        rest.into_iter().for_each(|piece| self.room.tell(piece));
    }
}
