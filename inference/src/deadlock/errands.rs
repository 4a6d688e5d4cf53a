//! What threads take on their way to let others go on: to notify them, to count a latch down, to come to a meeting.
//!
//! What a thread took since it did so last at the same lock may have been what it needed first. Whoever gives back an element
//! of a queue that he had to have needed only what he took since then: without it he would not have come. Which
//! condition is that of a queue is seen by who signals, takes nothing more, and is told then to have put.

use super::step::{Lock, Thread};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What a thread took last, so many of them at most.
const RECENT: usize = 64;
/// Ways to a notify that are told apart.
const WAYS: usize = 64;
/// Notifies after one way of which it is known which they were, at the beginning and at the end.
const TIMES: usize = 32;
/// Locks of which it is known when one thread let others go on there. Who does so at more of them serves one after the other:
/// what he took for one of them he does not need for the next.
const TOLD: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Errands {
    threads: Vec<Course>,
    /// By lock and thread that notifies: what it took on its ways there, as indices of dependencies.
    pub(super) ways: BTreeMap<(Lock, Thread), Ways>,
    /// The same: how many dependencies there were when it did so last.
    pub(super) done: BTreeMap<(Lock, Thread), u32>,
}

/// What one thread did.
#[derive(Debug, Default)]
struct Course {
    /// Counts what it did.
    now: u64,
    /// What it wanted last, and when.
    recent: Vec<(u64, u32)>,
    /// When it let others go on there, and some did; and when anywhere.
    told: BTreeMap<Lock, u64>,
    latest: u64,
    /// When it last got an element out of a queue for which it would have waited.
    had: BTreeMap<Lock, u64>,
    /// Whom it let go on just now, for the how manieth time and after which way, and has taken nothing since.
    just: Option<(Lock, u32, Vec<u32>)>,
}

/// The ways of one thread to one notify.
#[derive(Debug, Default)]
pub(super) struct Ways {
    by_way: BTreeMap<Vec<u32>, Times>,
    count: u32,
}

/// Which of its notifies came after a way: the first and the last ones.
#[derive(Debug, Default)]
struct Times {
    first: Vec<u32>,
    last: VecDeque<u32>,
}

impl Times {
    fn add(&mut self, time: u32) {
        if self.first.len() < TIMES {
            return self.first.push(time);
        }
        if self.last.len() >= TIMES {
            self.last.pop_front();
        }
        self.last.push_back(time);
    }

    fn remove(&mut self, time: u32) {
        self.first.retain(|known| *known != time);
        self.last.retain(|known| *known != time);
    }

    fn all(&self) -> impl Iterator<Item = u32> {
        self.first.iter().chain(&self.last).copied()
    }
}

impl Ways {
    fn add(&mut self, way: Vec<u32>, time: u32) {
        if self.by_way.len() < WAYS || self.by_way.contains_key(&way) {
            self.by_way.entry(way).or_default().add(time);
        }
    }

    /// It came another way that time.
    fn change(&mut self, from: &Vec<u32>, to: Vec<u32>, time: u32) {
        if let Some(times) = self.by_way.get_mut(from) {
            times.remove(time);
            if times.all().next().is_none() {
                self.by_way.remove(from);
            }
            self.add(to, time);
        }
    }

    /// All that it took on any of them.
    pub(super) fn taken(&self) -> impl Iterator<Item = &u32> {
        self.by_way.keys().flatten()
    }

    /// Whether it needed nothing of the kind on one of them.
    pub(super) fn is_any_without(&self, needs: impl Fn(&u32) -> bool) -> bool {
        !self.by_way.keys().all(|way| way.iter().any(&needs))
    }

    /// Which of its notifies came after a way on which it needed nothing of the kind.
    pub(super) fn without(&self, needs: impl Fn(&u32) -> bool) -> BTreeSet<u32> {
        let ways = self.by_way.iter();
        let free = ways.filter(|(way, _)| !way.iter().any(&needs));
        free.flat_map(|(_, times)| times.all()).collect()
    }
}

impl Course {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// What it took since then.
    fn since(&self, then: u64) -> Vec<u32> {
        let recent = self.recent.iter().filter(|(when, _)| *when > then);
        let mut way: Vec<u32> = recent.map(|(_, index)| *index).collect();
        way.sort_unstable();
        way
    }
}

impl Errands {
    fn of(&mut self, thread: Thread) -> &mut Course {
        let index = thread.0 as usize;
        if index >= self.threads.len() {
            self.threads.resize_with(index + 1, Course::default);
        }
        &mut self.threads[index]
    }

    /// A thread wants a lock.
    pub(super) fn wants(&mut self, thread: Thread, index: u32) {
        let course = self.of(thread);
        let now = course.tick();
        let mut recent = course.recent.iter_mut().rev();
        if let Some((when, _)) = recent.find(|(_, known)| *known == index) {
            *when = now;
            return;
        }
        // What it took just before it notifies is what matters.
        if course.recent.len() >= RECENT {
            let oldest = (0..).zip(&course.recent).min_by_key(|(_, (when, _))| *when);
            let oldest = oldest.map_or(0, |(at, _)| at);
            course.recent.swap_remove(oldest);
        }
        course.recent.push((now, index));
    }

    /// It has a lock now.
    pub(super) fn took(&mut self, thread: Thread) {
        self.of(thread).just = None;
    }

    /// It lets others go on. Where nobody waited (`heard`) its way goes on to the next time: a queue signals at the end
    /// where nobody waits before it does at the other. With all that it had to do (`over`) it begins anew.
    pub(super) fn notifies(
        &mut self,
        thread: Thread,
        lock: Lock,
        (heard, over): (bool, bool),
        dependencies: usize,
    ) {
        let course = self.of(thread);
        let now = course.tick();
        let since = match course.told.len() < TOLD {
            true => course.told.get(&lock).copied().unwrap_or(0),
            false => course.latest,
        };
        let way = course.since(since);
        if heard {
            course.latest = now;
            if course.told.len() < TOLD {
                course.told.insert(lock, now);
            }
        }
        if over {
            course.recent.clear();
        }
        let ways = self.ways.entry((lock, thread)).or_default();
        ways.count = ways.count.saturating_add(1);
        let time = ways.count;
        ways.add(way.clone(), time);
        self.of(thread).just = Some((lock, time, way));
        self.done.insert((lock, thread), dependencies as u32);
    }

    /// It has got an element out of a queue.
    pub(super) fn had(&mut self, thread: Thread, queue: Lock) {
        let course = self.of(thread);
        let now = course.tick();
        course.just = None;
        if course.had.len() < TOLD || course.had.contains_key(&queue) {
            course.had.insert(queue, now);
        }
    }

    /// It has put one into a queue. If it had one before, it needed nothing that it took before that.
    pub(super) fn gave(&mut self, thread: Thread, queue: Lock) {
        let course = self.of(thread);
        let had = course.had.get(&queue).copied();
        let (Some((lock, time, way)), Some(had)) = (course.just.take(), had) else {
            return;
        };
        let cut = course.cut(&way, had);
        if let Some(ways) = self.ways.get_mut(&(lock, thread)).filter(|_| cut != way) {
            ways.change(&way, cut, time);
        }
    }
}

impl Course {
    /// What of a way came after that.
    fn cut(&self, way: &[u32], then: u64) -> Vec<u32> {
        let after = self.since(then);
        let kept = way.iter().filter(|index| after.contains(index));
        kept.copied().collect()
    }
}
