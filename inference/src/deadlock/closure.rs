//! Whether a set of threads can be at their places at the same time: the sync-preserving closure.
//!
//! A run that keeps, of what was recorded, everything that must come before these places, and of every lock the order
//! of its sections, is the recorded run with the rest left out. It exists if what must be in it can be: begin with
//! what comes before each place; whatever is in draws in what its thread did before, what was read, the start of a
//! thread, the notify that ended a wait; and of every lock all sections but the latest must be over, so their releases
//! are in too, and what they draw in. When nothing more is drawn in and no place has been, the threads can stand there.
//! If a place has been drawn in, a later one of its kind is tried: what was in stays in, so every cursor only moves on.
//!
//! The same with less in force answers weaker questions: without locks, whether the order of threads alone keeps them
//! apart; without what was read, whether they are kept apart for sure; with one thing that was read, whether it is that.

use super::history::{Edge, History, NEVER, Section};
use super::openers::Before;
use super::step::{Bond, Lock, Mode, Reading, Thread};
use crate::collect::FastMap;

/// Sections of one semaphore whose permits are counted one by one.
const COUNTED: usize = 64;

/// What draws in besides the order of a thread's own steps, starts, joins and notifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Force {
    pub(super) locks: bool,
    /// How strong a reason must be.
    pub(super) least: Least,
}

/// Which reasons for an order count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Least {
    /// Whoever it was that let a thread go on: only what all had done before who could have been that.
    Must,
    /// Of that only where nobody else could have been it.
    Sole,
    /// In this run each was let go on by whom it was.
    Opened,
    /// The same at this lock only.
    OpenedAt(Lock),
    Presumed,
    /// Of who stood there when the trace began also what he may have waited for.
    Stood,
    Read,
    Data,
    /// What must be or is presumed, and of what was read only this.
    Only(Reading),
}

impl Least {
    fn admits(self, by: Bond) -> bool {
        match (self, by) {
            (_, Bond::Must) | (Self::Data, _) => true,
            (Self::Must | Self::Sole, _) => false,
            (Self::OpenedAt(only), Bond::Opened(lock)) => only == lock,
            (Self::OpenedAt(_), _) => false,
            (_, Bond::Opened(_)) => true,
            (Self::Opened, _) => false,
            (_, Bond::Presumed) => true,
            (Self::Presumed, _) => false,
            (_, Bond::Stood) | (Self::Read, Bond::Read) => true,
            (Self::Only(only), Bond::Data(reading)) => only == reading,
            _ => false,
        }
    }
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Possible,
    Impossible,
    /// The work allowed was used up.
    GivenUp,
}

/// One place: a thread that was about to do something, at these of its steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'h> {
    pub(super) thread: Thread,
    pub(super) moments: &'h [u32],
}

/// Whether there is a moment for each place so that all can be reached and none is passed.
pub(super) fn reachable(
    history: &History<'_>,
    places: &[Place<'_>],
    force: Force,
    work: &mut usize,
) -> Answer {
    reached(history, places, force, work).0
}

/// The same with the earliest such moments, if there are any.
pub(super) fn reached(
    history: &History<'_>,
    places: &[Place<'_>],
    force: Force,
    work: &mut usize,
) -> (Answer, Vec<u32>) {
    let mut closure = Closure::new(history, force, *work);
    let mut at: Vec<usize> = vec![0; places.len()];
    loop {
        let moments = places.iter().zip(&at);
        let moments = moments.map(|(place, &index)| place.moments.get(index).copied());
        let Some(moments) = moments.collect::<Option<Vec<u32>>>() else {
            *work = closure.work;
            return (Answer::Impossible, Vec::new());
        };
        for (place, moment) in places.iter().zip(&moments) {
            closure.include(place.thread, moment - 1);
        }
        if closure.close().is_none() {
            *work = 0;
            return (Answer::GivenUp, Vec::new());
        }
        *work = closure.work;
        if closure.stuck {
            return (Answer::Impossible, Vec::new());
        }
        if !advance(&closure, places, &mut at) {
            return (Answer::Possible, moments);
        }
    }
}

/// Up to where each thread must have come by this step of one; none where the work allowed is used up.
pub(super) fn all_before(
    history: &History<'_>,
    (thread, at): (Thread, u32),
    force: Force,
    work: &mut usize,
) -> Option<Vec<(Thread, u32)>> {
    let mut closure = Closure::new(history, force, *work);
    closure.include(thread, at);
    let closed = closure.close();
    *work = closed.map_or(0, |()| closure.work);
    closed?;
    let all = (0..).map(Thread).zip(&closure.cursors);
    let reached = all.map(|(thread, cursor)| (thread, cursor.reached));
    Some(reached.filter(|(_, reached)| *reached > 0).collect())
}

/// Moves those whose moment has been passed on to the next that has not; false if none was.
fn advance(closure: &Closure<'_>, places: &[Place<'_>], at: &mut [usize]) -> bool {
    let mut moved = false;
    for (place, index) in places.iter().zip(at) {
        let reached = closure.reached(place.thread);
        if place
            .moments
            .get(*index)
            .is_some_and(|&moment| moment <= reached)
        {
            *index = place.moments.partition_point(|&moment| moment <= reached);
            moved = true;
        }
    }
    moved
}

/// How far one thread is in.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    reached: u32,
    sections: usize,
    edges: usize,
}

/// What of one lock is in.
#[derive(Debug, Default)]
struct Latest {
    /// The latest section, unless it has been told to be over.
    alone: Option<(Thread, Section)>,
    /// How far the latest that is not shared begins.
    last_alone: Option<u32>,
    /// Shared ones that need not be over.
    shared: Vec<(Thread, Section)>,
    /// Sections of permits, and whether each must be over.
    permits: Vec<(Thread, Section, bool)>,
    /// Where the latest of these begins.
    last_permit: u32,
}

struct Closure<'h> {
    history: &'h History<'h>,
    force: Force,
    cursors: Vec<Cursor>,
    locks: FastMap<u32, Latest>,
    queue: Vec<Thread>,
    work: usize,
    /// A section must be over that never was.
    stuck: bool,
}

impl<'h> Closure<'h> {
    fn new(history: &'h History<'h>, force: Force, work: usize) -> Self {
        Self {
            history,
            force,
            cursors: vec![Cursor::default(); history.tracks.len()],
            locks: FastMap::default(),
            queue: Vec::new(),
            work: work.saturating_sub(history.tracks.len()),
            stuck: false,
        }
    }

    fn reached(&self, thread: Thread) -> u32 {
        let cursor = self.cursors.get(thread.0 as usize);
        cursor.map_or(0, |cursor| cursor.reached)
    }

    /// The steps of a thread up to this one are in.
    fn include(&mut self, thread: Thread, at: u32) {
        if let Some(cursor) = self.cursors.get_mut(thread.0 as usize)
            && at > cursor.reached
        {
            cursor.reached = at;
            self.queue.push(thread);
        }
    }

    /// Draws in until nothing more is; none where the work allowed is used up.
    fn close(&mut self) -> Option<()> {
        while let Some(thread) = self.queue.pop() {
            self.edges(thread)?;
            if self.force.locks {
                self.sections(thread)?;
            }
        }
        Some(())
    }

    fn edges(&mut self, thread: Thread) -> Option<()> {
        let track = &self.history.tracks[thread.0 as usize];
        let mut cursor = self.cursors[thread.0 as usize];
        while let Some(edge) = track
            .edges
            .get(cursor.edges)
            .filter(|e| e.at <= cursor.reached)
        {
            cursor.edges += 1;
            self.work = self.work.checked_sub(1)?;
            // Who has run it knows what came before; whether it has to be run, that order does not say.
            let holds = self.force.locks || cursor.reached < edge.until;
            match edge.by {
                _ if !holds => {}
                by if self.force.least.admits(by) => self.include(edge.thread, edge.after),
                Bond::Opened(lock) => self.opened((lock, thread), edge)?,
                _ => {}
            }
        }
        self.cursors[thread.0 as usize].edges = cursor.edges;
        Some(())
    }

    /// Whoever let it go on there.
    fn opened(&mut self, who: (Lock, Thread), edge: &Edge) -> Option<()> {
        let (history, least) = (self.history, self.force.least);
        let openers = &history.openers;
        match openers.before(history, who, (edge, least), &mut self.work)? {
            Before::Sole => self.include(edge.thread, edge.after),
            Before::Common(common) => {
                self.work = self.work.checked_sub(common.len())?;
                common
                    .iter()
                    .for_each(|&(thread, at)| self.include(thread, at));
            }
        }
        Some(())
    }

    fn sections(&mut self, thread: Thread) -> Option<()> {
        let track = &self.history.tracks[thread.0 as usize];
        loop {
            // A section of its own may have had to be over meanwhile.
            let cursor = &mut self.cursors[thread.0 as usize];
            let section = track.sections.get(cursor.sections);
            let Some(&section) = section.filter(|s| s.from <= cursor.reached) else {
                return Some(());
            };
            cursor.sections += 1;
            let (over, spent) = self.enter(thread, section);
            self.work = self.work.checked_sub(spent)?;
            for (thread, over) in over {
                self.stuck |= over.to == NEVER;
                self.include(thread, over.to);
            }
        }
    }

    /// One more section of a lock is in: those that must be over for that, and how many were looked at to find them.
    fn enter(&mut self, thread: Thread, section: Section) -> (Vec<(Thread, Section)>, usize) {
        let nature = self.history.scan.nature(section.lock);
        let permits = nature.permits.filter(|_| !nature.counted_by_code);
        let latest = self.locks.entry(section.lock.0).or_default();
        let mut spent = 1;
        let over = match section.mode {
            Mode::Exclusive => {
                spent += latest.shared.len();
                latest.enter(thread, section)
            }
            Mode::Shared => latest.share(thread, section),
            Mode::Permit(_) => {
                let all = permits.and_then(|known| known.all);
                latest.permit(thread, section, all, &mut spent)
            }
        };
        (over, spent)
    }
}

impl Latest {
    fn enter(&mut self, thread: Thread, section: Section) -> Vec<(Thread, Section)> {
        let mine = section.order;
        let (mut over, keep): (Vec<_>, Vec<_>) = self
            .shared
            .drain(..)
            .partition(|(_, shared)| shared.order < mine);
        let passed = keep.iter().any(|(_, shared)| shared.order > mine);
        self.shared = keep;
        let latest = self.last_alone.is_none_or(|last| last < mine);
        if latest {
            self.last_alone = Some(mine);
            over.extend(self.alone.take());
        }
        if latest && !passed {
            self.alone = Some((thread, section));
        } else {
            over.push((thread, section));
        }
        over
    }

    fn share(&mut self, thread: Thread, section: Section) -> Vec<(Thread, Section)> {
        let mine = section.order;
        if self.last_alone.is_some_and(|last| last > mine) {
            return vec![(thread, section)];
        }
        self.shared.push((thread, section));
        self.alone.take().into_iter().collect()
    }

    /// Those that had been given back before others were taken are given back in this run, too: as many of them as it takes,
    /// if it is known how many permits there are, else all.
    fn permit(
        &mut self,
        thread: Thread,
        section: Section,
        all: Option<u32>,
        spent: &mut usize,
    ) -> Vec<(Thread, Section)> {
        self.permits.push((thread, section, false));
        self.last_permit = self.last_permit.max(section.order);
        match all.filter(|_| self.permits.len() <= COUNTED) {
            Some(all) => self.until_enough(u64::from(all), spent),
            None => {
                *spent += self.permits.len();
                let last = self.last_permit;
                let over = self
                    .permits
                    .extract_if(.., |(_, section, _)| section.over <= last);
                over.map(|(thread, section, _)| (thread, section)).collect()
            }
        }
    }

    fn until_enough(&mut self, all: u64, spent: &mut usize) -> Vec<(Thread, Section)> {
        let mut over = Vec::new();
        self.permits.sort_by_key(|(_, section, _)| section.order);
        for at in 0..self.permits.len() {
            let now = self.permits[at].1.order;
            *spent += at + 1;
            while self.out(at, now) > all {
                *spent += at + 1;
                let before = self.permits[..at].iter_mut();
                let open = before.filter(|(_, section, must)| !must && section.over <= now);
                let Some(first) = open.min_by_key(|(_, section, _)| section.over) else {
                    break;
                };
                first.2 = true;
                over.push((first.0, first.1));
            }
        }
        over
    }

    /// Permits that are out when the section at this place begins.
    fn out(&self, at: usize, now: u32) -> u64 {
        let begun = self.permits[..=at].iter();
        let open = begun.filter(|(_, section, must)| !must || section.over > now);
        open.map(|(_, section, _)| u64::from(section.mode.permits()))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_cost_as_much_work_as_is_done_for_them() {
        let (mut latest, mut spent) = (Latest::default(), 0);
        for order in 0..COUNTED as u32 {
            let section = Section {
                lock: Lock(0),
                order,
                from: order,
                to: order,
                over: order + 1,
                mode: Mode::Permit(1),
            };
            spent = 0;
            latest.permit(Thread(0), section, Some(8), &mut spent);
        }
        assert!(spent >= COUNTED * COUNTED / 2, "{spent}");
    }
}
