//! Waiters that are told, each on an object of its own, by who is in the guard.

use super::{LINKED, Place, Timelines, nearly_all, visit_at, visits};
use crate::region::RegionId;
use crate::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The histories of the whole, one for each guard; as many readings as there are. None if the rooms are not those of
/// the guards.
pub(crate) fn handed_over(guards: &[History], rooms: &[History]) -> Vec<Vec<History>> {
    if super::waits(guards) {
        return Vec::new();
    }
    let lines = Timelines::of(guards);
    let known: Vec<Known> = guards.iter().map(Known::of).collect();
    let Some(kinds) = Kinds::of(rooms) else {
        return Vec::new();
    };
    let mut links = Links::default();
    for room in rooms {
        links.add((guards, &known), &lines, &kinds, room);
    }
    if !links.are_sound() {
        return Vec::new();
    }
    // Those who share a room would look again in any lock.
    let alone = links.shared * LINKED <= links.stays.len();
    let looks_again = links.looks_again(guards, &lines).filter(|_| alone);
    let mut readings = vec![links.join(guards, None)];
    if let Some(again) = looks_again {
        readings.push(links.join(guards, Some(&again)));
    }
    readings
}

/// Regions of the rooms.
struct Kinds {
    waiting: BTreeSet<RegionId>,
    telling: BTreeSet<RegionId>,
}

impl Kinds {
    /// Those who wait never tell.
    fn of(rooms: &[History]) -> Option<Self> {
        let mut kinds = Self {
            waiting: BTreeSet::new(),
            telling: BTreeSet::new(),
        };
        for (_, visit) in rooms.iter().flat_map(visits) {
            if matches!(visit.finish, Finish::Waits { .. }) {
                kinds.waiting.insert(visit.region);
            }
            if visit.notified != Notified::No {
                kinds.telling.insert(visit.region);
            }
        }
        let apart = kinds.waiting.is_disjoint(&kinds.telling);
        (apart && !kinds.waiting.is_empty() && !kinds.telling.is_empty()).then_some(kinds)
    }
}

/// Somebody left the guard, waited in a room, and went on.
#[derive(Clone, Copy)]
struct Stay {
    thread: ThreadId,
    /// The visit to the guard that came before.
    began: Place,
    timeout: Option<Nanos>,
    ended: Option<Nanos>,
    timed_out: bool,
    /// The visit to the guard of who told it, and when it did.
    told: Option<(Place, Nanos)>,
}

#[derive(Default)]
struct Links {
    stays: Vec<Stay>,
    /// Waits that no visit to the guard came before.
    unlinked: usize,
    /// Waits beside another one on the same object.
    shared: usize,
    /// Visits to the guard after which it is not known what it does.
    unsure: BTreeSet<Place>,
}

impl Links {
    fn add(
        &mut self,
        (guards, known): (&[History], &[Known]),
        lines: &Timelines,
        kinds: &Kinds,
        room: &History,
    ) {
        let mut open: BTreeMap<ThreadId, Stay> = BTreeMap::new();
        let mut tells: VecDeque<(Place, Nanos)> = VecDeque::new();
        let mut last_told = None;
        for (_, visit) in visits(room) {
            if kinds.telling.contains(&visit.region) {
                let place = lines.before(visit.thread, visit.at);
                last_told = place.map(|place| (place, visit.at));
                tells.extend(last_told);
                continue;
            }
            if !kinds.waiting.contains(&visit.region) {
                continue;
            }
            if matches!(visit.begin, Begin::Fresh { .. }) {
                let Some(began) = lines.before(visit.thread, visit.at) else {
                    continue;
                };
                if !known[began.object].spans(began.from, visit.at) {
                    self.unsure.insert(began);
                    continue;
                }
                if !is_left(guards, began, visit) {
                    self.unlinked += 1;
                    continue;
                }
                let stay = Stay {
                    thread: visit.thread,
                    began,
                    timeout: None,
                    ended: None,
                    timed_out: false,
                    told: None,
                };
                self.shared += usize::from(!open.is_empty());
                open.insert(visit.thread, stay);
            }
            let Some(stay) = open.get_mut(&visit.thread) else {
                continue;
            };
            if let Finish::Waits { timeout } = visit.finish {
                stay.timeout = stay.timeout.or(timeout);
                continue;
            }
            let mut stay = *stay;
            open.remove(&visit.thread);
            if visit.finish == Finish::Left {
                let after = |told: &(Place, Nanos)| {
                    told.0.object == stay.began.object && told.0.step > stay.began.step
                };
                let known = &known[stay.began.object];
                let seen = known.spans(stay.began.from, visit.at);
                stay.ended = seen.then_some(visit.at);
                // Each telling lets one go on; one that is over lets go all.
                while tells.front().is_some_and(|told| !after(told)) {
                    tells.pop_front();
                }
                stay.told = tells.pop_front().or(last_told.filter(after));
                let timed_out = visit.begin.is_unnotified();
                stay.timed_out = timed_out && stay.told.is_none();
            }
            self.stays.push(stay);
        }
        self.stays.extend(open.into_values());
    }

    /// Each came from the guard, once for each visit, and was told from there.
    fn are_sound(&self) -> bool {
        let began: BTreeSet<Place> = self.stays.iter().map(|s| s.began).collect();
        let all = self.stays.len() + self.unlinked;
        let ended = self
            .stays
            .iter()
            .filter(|s| s.ended.is_some() && !s.timed_out);
        let told = ended.clone().filter(|s| s.told.is_some()).count();
        nearly_all(began.len(), all) && nearly_all(told, ended.count())
    }

    /// Of each stay the next visit of its thread to the guard, if nearly all come back in the region they came from.
    fn looks_again(&self, guards: &[History], lines: &Timelines) -> Option<BTreeSet<Place>> {
        let ended = self.stays.iter().filter_map(|s| Some((s, s.ended?)));
        let mut all = 0;
        let mut again = BTreeSet::new();
        for (stay, ended) in ended.filter(|(s, _)| !s.timed_out) {
            let Some(next) = lines.after(stay.thread, ended) else {
                continue;
            };
            all += 1;
            let region = |place| visit_at(guards, place).map(|v| v.region);
            if next.object == stay.began.object && region(next) == region(stay.began) {
                again.insert(next);
            }
        }
        nearly_all(again.len(), all).then_some(again)
    }

    fn join(&self, guards: &[History], again: Option<&BTreeSet<Place>>) -> Vec<History> {
        let of = |object: usize| self.stays.iter().filter(move |s| s.began.object == object);
        let joined = guards.iter().enumerate();
        joined
            .map(|(object, guard)| {
                let stays: Vec<Stay> = of(object).copied().collect();
                Weave::new((object, guard), &stays, again, &self.unsure).history()
            })
            .collect()
    }
}

/// The thread has left the guard when it enters a room.
fn is_left(guards: &[History], before: Place, visit: &Visit) -> bool {
    let left = visit_at(guards, before).is_some_and(|v| v.finish == Finish::Left);
    left && before.to <= visit.at
}

/// Times between which every visit to a guard is known.
struct Known(Vec<(Nanos, Nanos)>);

impl Known {
    fn of(guard: &History) -> Self {
        let sequences = guard.steps.split(|step| matches!(step, Step::Reset(_)));
        let span = |steps: &[Step]| {
            let visits = steps.iter().filter_map(|step| match step {
                Step::Visit(visit) => Some(visit),
                _ => None,
            });
            let from = visits.clone().map(|v| v.at).min()?;
            Some((from, visits.map(|v| v.until).max()?))
        };
        Self(sequences.filter_map(span).collect())
    }

    /// Nothing is missing from one time to the other.
    fn spans(&self, from: Nanos, to: Nanos) -> bool {
        self.0
            .iter()
            .any(|&(first, last)| first <= from && to <= last)
    }
}

/// One guard and what is woven in.
struct Weave<'a> {
    guard: &'a History,
    object: usize,
    waits: BTreeMap<usize, Stay>,
    /// Those who go on after a step, in the order in which they are told.
    told: BTreeMap<usize, Vec<(Nanos, Stay)>>,
    /// Those whose time was up, by when.
    gave_up: Vec<(Nanos, Stay)>,
    again: Option<&'a BTreeSet<Place>>,
    unsure: &'a BTreeSet<Place>,
}

impl<'a> Weave<'a> {
    fn new(
        (object, guard): (usize, &'a History),
        stays: &[Stay],
        again: Option<&'a BTreeSet<Place>>,
        unsure: &'a BTreeSet<Place>,
    ) -> Self {
        let mut weave = Self {
            guard,
            object,
            waits: BTreeMap::new(),
            told: BTreeMap::new(),
            gave_up: Vec::new(),
            again,
            unsure,
        };
        for &stay in stays {
            weave.waits.insert(stay.began.step, stay);
            match (stay.told, stay.ended) {
                (Some((place, at)), _) => {
                    weave.told.entry(place.step).or_default().push((at, stay));
                }
                (None, Some(at)) if stay.timed_out => weave.gave_up.push((at, stay)),
                _ => {}
            }
        }
        weave.told.values_mut().for_each(|t| t.sort_by_key(|t| t.0));
        weave.gave_up.sort_by_key(|g| std::cmp::Reverse(g.0));
        weave
    }

    fn history(mut self) -> History {
        let mut steps = Vec::with_capacity(self.guard.steps.len());
        for (step, visit) in self.guard.steps.iter().enumerate() {
            let Step::Visit(visit) = visit else {
                steps.push(*visit);
                continue;
            };
            while let Some((at, stay)) = self.gave_up.pop_if(|g| g.0 < visit.at) {
                steps.extend(self.goes_on(stay, at, true));
            }
            steps.push(Step::Visit(self.seen(step, *visit)));
            for (_, stay) in self.told.remove(&step).unwrap_or_default() {
                if self.again.is_none() {
                    steps.extend(self.goes_on(stay, visit.until, false));
                }
            }
        }
        History {
            lock: self.guard.lock,
            steps,
            complete: self.guard.complete,
            still_waiting: Vec::new(),
        }
    }

    /// A visit to the guard, as one to the whole.
    fn seen(&self, step: usize, mut visit: Visit) -> Visit {
        if let Some(stay) = self.waits.get(&step) {
            visit.finish = Finish::Waits {
                timeout: stay.timeout,
            };
        }
        if self.told.contains_key(&step) {
            visit.notified = Notified::All(Mark::Observed);
        }
        let this = Place {
            from: visit.at,
            to: visit.until,
            object: self.object,
            step,
        };
        if self.unsure.contains(&this) {
            visit.finish = Finish::Unknown;
        }
        if self.again.is_some_and(|again| again.contains(&this)) {
            visit.begin = Begin::Resumed { timed_out: false };
        }
        visit
    }

    /// Who was told goes on.
    fn goes_on(&self, stay: Stay, at: Nanos, timed_out: bool) -> Option<Step> {
        let Some(Step::Visit(began)) = self.guard.steps.get(stay.began.step) else {
            return None;
        };
        Some(Step::Visit(Visit {
            at,
            until: at,
            begin: Begin::Resumed { timed_out },
            begin_mark: Mark::Observed,
            finish: Finish::Left,
            finish_mark: Mark::Observed,
            notified: Notified::No,
            ..*began
        }))
    }
}
