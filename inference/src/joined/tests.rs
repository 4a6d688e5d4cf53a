//! Small models of composite locks, run at random, and what their joined histories say.

use super::{crosswise, handed_over, last_acts, within};
use crate::model::Options;
use crate::region::RegionId;
use crate::types::{self, Detail, LockType, Role, TypeInput, Typing, Unseen};
use crate::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const ACQUIRE: u32 = 0;
const RELEASE: u32 = 1;
const WRITE: u32 = 2;
const DONE_WRITING: u32 = 3;
const WAIT: u32 = 4;
const TELL: u32 = 5;

/// The same numbers each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// Somebody who waits: the thread, its room, and whether it wants all.
#[derive(Clone, Copy)]
struct Waiter {
    thread: u32,
    room: usize,
    all: bool,
}

/// A lock that hands over in the order of arrival, each waiter on an object of its own.
struct HandOver {
    permits: i64,
    all: i64,
    line: VecDeque<Waiter>,
    now: u64,
    guard: History,
    rooms: Vec<History>,
}

fn visit(thread: u32, region: u32, at: u64, waits: bool) -> Visit {
    Visit {
        thread: ThreadId(thread + 1),
        region: RegionId(region),
        at: Nanos(at),
        until: Nanos(at + 2),
        begin: Begin::Fresh { blocked: false },
        begin_mark: Mark::Observed,
        finish: match waits {
            true => Finish::Waits { timeout: None },
            false => Finish::Left,
        },
        finish_mark: Mark::Observed,
        notified: Notified::No,
    }
}

fn complete() -> History {
    History {
        complete: true,
        ..History::default()
    }
}

impl HandOver {
    fn new(permits: i64) -> Self {
        Self {
            permits,
            all: permits,
            line: VecDeque::new(),
            now: 0,
            guard: complete(),
            rooms: Vec::new(),
        }
    }

    fn at(&mut self) -> u64 {
        self.now += 10;
        self.now
    }

    /// Comes for one permit, or for all; false: it has to wait.
    fn acquire(&mut self, thread: u32, all: bool) -> bool {
        let wants = if all { self.all } else { 1 };
        let free = self.line.is_empty() && self.permits >= wants;
        let at = self.at();
        let region = if all { WRITE } else { ACQUIRE };
        self.guard
            .steps
            .push(Step::Visit(visit(thread, region, at, false)));
        if free {
            self.permits -= wants;
            return true;
        }
        let room = self.rooms.len();
        let at = self.at();
        self.rooms.push(complete());
        self.rooms[room]
            .steps
            .push(Step::Visit(visit(thread, WAIT, at, true)));
        self.line.push_back(Waiter { thread, room, all });
        false
    }

    /// Gives back, and hands over to whoever comes next: they go on.
    fn release(&mut self, thread: u32, all: bool) -> Vec<(u32, bool)> {
        self.permits += if all { self.all } else { 1 };
        let at = self.at();
        let region = if all { DONE_WRITING } else { RELEASE };
        self.guard
            .steps
            .push(Step::Visit(visit(thread, region, at, false)));
        let mut told = Vec::new();
        while let Some(next) = self.line.front().copied() {
            let wants = if next.all { self.all } else { 1 };
            if self.permits < wants {
                break;
            }
            self.permits -= wants;
            self.line.pop_front();
            let (tells, goes_on) = (self.at(), self.at());
            let steps = &mut self.rooms[next.room].steps;
            steps.push(Step::Visit(Visit {
                notified: Notified::One(Mark::Observed),
                ..visit(thread, TELL, tells, false)
            }));
            steps.push(Step::Visit(Visit {
                begin: Begin::Resumed { timed_out: false },
                ..visit(next.thread, WAIT, goes_on, false)
            }));
            told.push((next.thread, next.all));
        }
        told
    }

    /// Threads come and go at random; every so many of them wants all.
    fn run(mut self, threads: u32, steps: u32, writers: u32) -> Self {
        let mut dice = Dice(7);
        let mut holds: BTreeMap<u32, bool> = BTreeMap::new();
        for _ in 0..steps {
            let thread = dice.below(threads.into()) as u32;
            if self.line.iter().any(|w| w.thread == thread) {
                continue;
            }
            match holds.remove(&thread) {
                Some(all) => holds.extend(self.release(thread, all)),
                None => {
                    let all = thread < writers;
                    if self.acquire(thread, all) {
                        holds.insert(thread, all);
                    }
                }
            }
        }
        self
    }

    fn typing(&self) -> Typing {
        let readings = handed_over(std::slice::from_ref(&self.guard), &self.rooms);
        typing(readings.first().expect("a composite"))
    }
}

fn typing(histories: &[History]) -> Typing {
    types::judge(&TypeInput {
        histories,
        regions: &BTreeMap::new(),
        seeds: &[],
        is_composite: true,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &Options::default(),
    })
}

fn regions(typing: &Typing, role: Role) -> BTreeSet<RegionId> {
    typing.types[0]
        .roles
        .get(&role)
        .cloned()
        .unwrap_or_default()
}

#[test]
fn permits_handed_over_are_a_semaphore() {
    let typing = HandOver::new(3).run(7, 2_000, 0).typing();
    let best = &typing.types[0];
    assert_eq!(best.lock_type, LockType::Semaphore, "{typing:?}");
    assert_eq!(
        best.details.get("permits"),
        Some(&Detail::Count(3)),
        "{typing:?}"
    );
    assert_eq!(
        regions(&typing, Role::Acquire),
        BTreeSet::from([RegionId(ACQUIRE)])
    );
    assert_eq!(best.evidence.contradicted, 0, "{typing:?}");
}

#[test]
fn one_permit_handed_over_is_a_lock_that_nobody_takes_twice() {
    let typing = HandOver::new(1).run(5, 2_000, 0).typing();
    let best = &typing.types[0];
    assert_eq!(best.lock_type, LockType::Lock, "{typing:?}");
    assert_eq!(
        best.details.get("reentrant"),
        Some(&Detail::Flag(false)),
        "{typing:?}"
    );
    let few = HandOver::new(1).run(5, 120, 0).typing();
    assert_eq!(
        few.types[0].details.get("reentrant"),
        None,
        "too few to tell: {few:?}"
    );
}

#[test]
fn readers_and_writers_in_one_line_are_fair() {
    let typing = HandOver::new(100).run(8, 3_000, 2).typing();
    let best = &typing.types[0];
    assert_eq!(best.lock_type, LockType::ReadWrite, "{typing:?}");
    let fair = Detail::Word("fair".to_owned());
    assert_eq!(best.details.get("preference"), Some(&fair), "{typing:?}");
    assert_eq!(
        regions(&typing, Role::WriteLock),
        BTreeSet::from([RegionId(WRITE)])
    );
}

#[test]
fn rooms_that_others_tell_are_none_of_the_guard() {
    let mut lock = HandOver::new(2).run(6, 1_000, 0);
    for room in &mut lock.rooms {
        for step in &mut room.steps {
            if let Step::Visit(v) = step {
                v.thread = if v.region == RegionId(TELL) {
                    ThreadId(99)
                } else {
                    v.thread
                };
            }
        }
    }
    assert!(handed_over(&[lock.guard], &lock.rooms).is_empty());
}

#[test]
fn a_guard_that_is_not_known_to_the_end_hands_over_as_far_as_it_is() {
    let mut lock = HandOver::new(3).run(7, 2_000, 0);
    lock.guard.steps.truncate(900);
    assert_eq!(lock.typing().types[0].lock_type, LockType::Semaphore);
}

#[test]
fn who_waits_within_another_monitor_holds_the_whole() {
    let (mut outer, mut inner) = (complete(), complete());
    let mut at = 0;
    for turn in 0..200u32 {
        let (holder, next) = (turn % 3, (turn + 1) % 3);
        at += 100;
        // The next one comes while the lock is held, waits inside, and gets it when it is given back.
        let mut around = visit(next, ACQUIRE, at, false);
        around.until = Nanos(at + 50);
        outer.steps.push(Step::Visit(around));
        let waits = turn % 4 != 3;
        if waits {
            inner
                .steps
                .push(Step::Visit(visit(next, WAIT, at + 1, true)));
        }
        inner.steps.push(Step::Visit(Visit {
            notified: Notified::One(Mark::Observed),
            at: Nanos(if waits { at + 10 } else { at - 10 }),
            ..visit(holder, TELL, at - 10, false)
        }));
        inner.steps.push(Step::Visit(Visit {
            begin: match waits {
                true => Begin::Resumed { timed_out: false },
                false => Begin::Fresh { blocked: false },
            },
            ..visit(next, WAIT, at + 20, false)
        }));
    }
    let joined = within(&[outer], &[inner]).expect("a composite");
    let typing = typing(&joined);
    assert_eq!(typing.types[0].lock_type, LockType::Lock, "{typing:?}");
    assert_eq!(
        regions(&typing, Role::Lock),
        BTreeSet::from([RegionId(ACQUIRE)])
    );
}

#[test]
fn a_monitor_for_each_end_is_a_queue() {
    let mut dice = Dice(11);
    let (mut room, mut stock) = (complete(), complete());
    let (mut free, mut items, mut at) = (3i64, 0i64, 0u64);
    let mut waiting: [Option<bool>; 4] = [None; 4];
    for _ in 0..3_000 {
        at += 100;
        let thread = dice.below(4) as u32;
        let puts = thread < 2;
        let was = waiting[thread as usize].take().is_some();
        let begin = match was {
            true => Begin::Resumed { timed_out: false },
            false => Begin::Fresh { blocked: false },
        };
        let (count, region) = if puts { (free, ACQUIRE) } else { (items, WAIT) };
        let passes = count > 0;
        if was && !passes {
            waiting[thread as usize] = Some(puts);
            continue;
        }
        let own = Visit {
            begin,
            ..visit(thread, region, at, !passes)
        };
        let (mine, other) = if puts {
            (&mut room, &mut stock)
        } else {
            (&mut stock, &mut room)
        };
        mine.steps.push(Step::Visit(own));
        if !passes {
            waiting[thread as usize] = Some(puts);
            continue;
        }
        let tells = if puts { TELL } else { RELEASE };
        other.steps.push(Step::Visit(Visit {
            notified: Notified::One(Mark::Observed),
            ..visit(thread, tells, at + 10, false)
        }));
        let moved = if puts { 1 } else { -1 };
        (free, items) = (free - moved, items + moved);
    }
    let joined = crosswise(&[room.clone(), stock]).expect("a composite");
    let typing = typing(&joined);
    assert_eq!(
        typing.types[0].lock_type,
        LockType::ProducerConsumer,
        "{typing:?}"
    );
    assert_eq!(
        typing.types[0].details.get("capacity"),
        Some(&Detail::Count(3)),
        "{typing:?}"
    );
    assert!(
        crosswise(&[room.clone(), room]).is_none(),
        "who tells must come from the other end"
    );
}

#[test]
fn what_threads_tell_as_their_last_act_ends_with_them() {
    let told = |object: u32| History {
        steps: vec![
            Step::Visit(visit(0, WAIT, 1_000, true)),
            Step::Visit(Visit {
                notified: Notified::All(Mark::Observed),
                ..visit(10 + object, TELL, 2_000, false)
            }),
            Step::Visit(visit(0, WAIT, 3_000, false)),
        ],
        ..complete()
    };
    let ended = |after: u64| {
        let mut histories: Vec<History> = (0..5).map(told).collect();
        let ends = (0..5)
            .map(|object| (ThreadId(11 + object), Nanos(2_002 + after)))
            .collect();
        last_acts(&mut histories, &ends);
        histories
            .iter()
            .all(|h| matches!(h.steps[2], Step::SubjectEnded(_)))
    };
    assert!(ended(100_000));
    assert!(!ended(100_000_000), "it went on to something else");
}
