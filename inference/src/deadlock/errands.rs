//! What threads take on their way to let others go on: to notify them, to count a latch down, to come to a meeting.
//!
//! What a thread took since it did so last at the same lock may have been what it needed first. Whoever gives back an element
//! of a queue that he had to have needed only what he took since then: without it he would not have come. Which
//! condition is that of a queue is seen by who signals, takes nothing more, and is told then to have put.
//!
//! Who runs tasks that lie in a queue comes to the next only when it is through with those before: what it took for them is needed
//! for the next one's future, too, unless somebody else runs tasks of that queue who never took it, and would have come to it
//! instead. Of which queue they are is seen by what threads do next when they have completed a future.

use super::recent::Recent;
use super::step::{Lock, Mode, Over, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// Ways to a notify that are told apart.
const WAYS: usize = 64;
/// Notifies one after the other by the same way, so many times of each way.
const RUNS: usize = 64;
/// Locks of which it is known when one thread let others go on there. Who does so at more of them serves one after the other:
/// what he took for one of them he does not need for the next.
const TOLD: usize = 64;
/// Threads that get elements out of one queue.
const FETCHERS: usize = 256;
/// Queues of which one may be that of a task.
const QUEUES: usize = 4;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Errands {
    threads: Vec<Course>,
    /// By lock and thread that notifies: its ways there.
    pub(super) ways: BTreeMap<(Lock, Thread), Ways>,
    /// The same: how many dependencies there were when it did so last.
    pub(super) done: BTreeMap<(Lock, Thread), u32>,
    /// Who got elements out of each queue.
    fetchers: BTreeMap<Lock, Fetchers>,
}

/// What one thread did.
#[derive(Debug, Default)]
struct Course {
    /// Counts what it did.
    now: u64,
    /// What it wanted last, and when.
    recent: Recent,
    /// When it let others go on there, and some did; and when anywhere.
    told: BTreeMap<Lock, u64>,
    latest: u64,
    /// When it completed a future last.
    completed: u64,
    /// When it came to the next task after that, or was through with all that it had to do for others.
    begun: u64,
    /// What it runs, the innermost last.
    running: Vec<Lock>,
    /// When it got the oldest element out of a queue, for which it would have waited, that it has not given back, and how
    /// many of them it has.
    had: BTreeMap<Lock, (u64, u32)>,
    /// When it got any last, and whether that may have lain there.
    fetched: BTreeMap<Lock, (u64, bool)>,
    /// It has completed a future, and got none since then.
    through: bool,
    /// Whom it let go on just now, for the how manieth time and after which way, and has taken nothing since.
    just: Option<(Lock, u32, Way)>,
}

/// How a thread lets others go on.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// By a notify. Where nobody waited (not `heard`) its way goes on to the next time: a queue signals at the end where nobody
    /// waits before it does at the other.
    Notified { heard: bool },
    /// It does its part at a latch.
    Opened { over: Over },
}

/// Who gets elements out of a queue.
#[derive(Debug, Default)]
struct Fetchers {
    threads: BTreeSet<Thread>,
    /// There are others.
    more: bool,
    /// How often somebody did so next when he had completed a future.
    after_tasks: u64,
}

/// What a thread took before it got an element out of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Before {
    pub(super) queue: Lock,
    /// It may have lain there. What is handed from one to the other was not kept waiting by what the other had to do before.
    pub(super) lay: bool,
    pub(super) taken: Box<[u32]>,
}

/// A way to a notify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// What its thread wanted since it notified there last, as indices of dependencies.
    pub(super) taken: Vec<u32>,
    /// What it held when it notified.
    pub(super) held: Box<[(Lock, Mode)]>,
    /// If it completes a future, what it took before it got elements out of the queues that it did so of last: it may have been
    /// there that the task lay.
    pub(super) before: Box<[Before]>,
}

/// The ways of one thread to one notify.
#[derive(Debug, Default)]
pub(super) struct Ways {
    all: Vec<(Way, Times)>,
    count: u32,
    /// There were others.
    more: bool,
}

/// Which of its notifies came after a way, as runs from one to another.
#[derive(Debug, Default)]
struct Times {
    runs: Vec<(u32, u32)>,
    more: bool,
}

impl Times {
    fn add(&mut self, time: u32) {
        let room = self.runs.len() < RUNS;
        match self.runs.last_mut() {
            Some((_, last)) if *last + 1 == time => *last = time,
            _ if room => self.runs.push((time, time)),
            _ => self.more = true,
        }
    }

    /// Takes the latest one back.
    fn remove(&mut self, time: u32) {
        match self.runs.last_mut() {
            Some((first, last)) if *last == time && first == last => drop(self.runs.pop()),
            Some((_, last)) if *last == time => *last -= 1,
            _ => {}
        }
    }
}

impl Ways {
    fn add(&mut self, way: &Way, time: u32) {
        let room = self.all.len() < WAYS;
        match self.all.iter_mut().find(|(known, _)| known == way) {
            Some((_, times)) => times.add(time),
            None if room => {
                let mut times = Times::default();
                times.add(time);
                self.all.push((way.clone(), times));
            }
            None => self.more = true,
        }
    }

    /// It came another way that time, which was the latest.
    fn change(&mut self, from: &Way, to: &Way, time: u32) {
        if let Some(at) = self.all.iter().position(|(known, _)| known == from) {
            let times = &mut self.all[at].1;
            times.remove(time);
            if times.runs.is_empty() && !times.more {
                self.all.swap_remove(at);
            }
        }
        self.add(to, time);
    }

    /// The way to one of its notifies, if it is known.
    pub(super) fn to(&self, time: u32) -> Option<&Way> {
        let came = |times: &Times| {
            times
                .runs
                .iter()
                .any(|&(from, to)| (from..=to).contains(&time))
        };
        let way = self.all.iter().find(|(_, times)| came(times));
        way.map(|(way, _)| way)
    }

    /// How often it notified.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// All that are known.
    pub(super) fn known(&self) -> impl Iterator<Item = &Way> {
        self.all.iter().map(|(way, _)| way)
    }

    /// Whether it may have needed nothing of the kind on one of them.
    pub(super) fn is_any_without(&self, needs: impl Fn(&Way) -> bool) -> bool {
        self.more || !self.all.iter().all(|(way, _)| needs(way))
    }

    /// Which of its notifies came after a way on which it needed nothing of the kind, as runs; none if that is not known of all.
    pub(super) fn without(&self, needs: impl Fn(&Way) -> bool) -> Option<Vec<(u32, u32)>> {
        let free = || self.all.iter().filter(|(way, _)| !needs(way));
        let known = !self.more && !free().any(|(_, times)| times.more);
        let mut runs: Vec<(u32, u32)> =
            free().flat_map(|(_, times)| &times.runs).copied().collect();
        runs.sort_unstable();
        known.then_some(runs)
    }
}

impl Course {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// What it took since then.
    fn since(&self, then: u64) -> Vec<u32> {
        let recent = self.recent.since(then);
        let mut way: Vec<u32> = recent.into_iter().map(|(_, index)| index).collect();
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
        // What it took just before it notifies is what matters.
        course.recent.add(now, index);
    }

    /// It has a lock now.
    pub(super) fn took(&mut self, thread: Thread) {
        self.of(thread).just = None;
    }

    /// It lets others go on; for the how manieth time.
    pub(super) fn notifies(
        &mut self,
        thread: Thread,
        lock: Lock,
        held: Box<[(Lock, Mode)]>,
        how: How,
        dependencies: usize,
    ) -> u32 {
        let (heard, over) = match how {
            How::Notified { heard } => (heard, Over::Nothing),
            How::Opened { over } => (true, over),
        };
        let course = self.of(thread);
        let now = course.tick();
        let since = match course.told.len() < TOLD {
            true => course.told.get(&lock).copied().unwrap_or(0),
            false => course.latest,
        };
        let is_result = over != Over::Nothing;
        let (begun, before) = match is_result {
            true => (course.begun.max(course.completed), course.before()),
            false => (course.begun, Box::default()),
        };
        let taken = course.since(since.max(begun));
        let way = Way {
            taken,
            held,
            before,
        };
        if heard {
            course.latest = now;
            if course.told.len() < TOLD {
                course.told.insert(lock, now);
            }
        }
        if is_result {
            // What is complete within a task that goes on cuts nothing of that.
            if course.running.len() < 2 {
                course.completed = now;
            }
            course.through = true;
        }
        if over == Over::All {
            course.begun = now;
        }
        let ways = self.ways.entry((lock, thread)).or_default();
        ways.count = ways.count.saturating_add(1);
        let time = ways.count;
        ways.add(&way, time);
        self.of(thread).just = Some((lock, time, way));
        self.done.insert((lock, thread), dependencies as u32);
        time
    }

    /// It has got an element out of a queue.
    pub(super) fn had(&mut self, thread: Thread, queue: Lock) {
        let course = self.of(thread);
        let now = course.tick();
        course.just = None;
        if course.had.len() < TOLD || course.had.contains_key(&queue) {
            let (since, count) = course.had.entry(queue).or_default();
            if *count == 0 {
                *since = now;
            }
            *count = count.saturating_add(1);
        }
    }

    /// It has got one out of a queue, however it did.
    pub(super) fn fetched(&mut self, thread: Thread, queue: Lock, lay: bool) {
        let course = self.of(thread);
        let now = course.tick();
        let through = std::mem::take(&mut course.through);
        if through && course.running.is_empty() {
            course.begun = now;
        }
        if course.fetched.len() < TOLD || course.fetched.contains_key(&queue) {
            course.fetched.insert(queue, (now, lay));
        }
        let fetchers = self.fetchers.entry(queue).or_default();
        fetchers.after_tasks += u64::from(through);
        match fetchers.threads.len() < FETCHERS {
            true => drop(fetchers.threads.insert(thread)),
            false => fetchers.more |= !fetchers.threads.contains(&thread),
        }
    }

    /// It begins to run a task: the next one, if it is not within another.
    pub(super) fn begins(&mut self, thread: Thread, task: Lock) {
        let course = self.of(thread);
        let now = course.tick();
        if course.running.is_empty() && std::mem::take(&mut course.through) {
            course.begun = now;
        }
        if course.running.len() < TOLD {
            course.running.push(task);
        }
    }

    /// That is over, and all that has begun since.
    pub(super) fn ends(&mut self, thread: Thread, task: Lock) {
        let running = &mut self.of(thread).running;
        if let Some(from) = running.iter().rposition(|&one| one == task) {
            running.truncate(from);
        }
    }

    /// What it is in the middle of is not known any more.
    pub(super) fn forgets(&mut self, thread: Thread) {
        self.of(thread).running.clear();
    }

    /// How often somebody who had completed a future got an element of this queue next.
    pub(super) fn after_tasks(&self, queue: Lock) -> u64 {
        let fetchers = self.fetchers.get(&queue);
        fetchers.map_or(0, |fetchers| fetchers.after_tasks)
    }

    /// Whether it got elements out of any queue.
    pub(super) fn has_fetched(&self, thread: Thread) -> bool {
        let course = self.threads.get(thread.0 as usize);
        course.is_some_and(|course| !course.fetched.is_empty())
    }

    /// All who get elements out of a queue; none if they are not known.
    pub(super) fn fetchers(&self, queue: Lock) -> Option<&BTreeSet<Thread>> {
        let fetchers = self.fetchers.get(&queue).filter(|fetchers| !fetchers.more);
        fetchers.map(|fetchers| &fetchers.threads)
    }

    /// It has put one into a queue. If it had one before, it needed nothing that it took before that.
    pub(super) fn gave(&mut self, thread: Thread, queue: Lock) {
        let course = self.of(thread);
        let just = course.just.take();
        let had = course.had.get_mut(&queue).filter(|(_, count)| *count > 0);
        let had = had.map(|(since, count)| {
            *count -= 1;
            *since
        });
        let (Some((lock, time, way)), Some(had)) = (just, had) else {
            return;
        };
        let cut = Way {
            taken: course.cut(&way.taken, had),
            held: way.held.clone(),
            before: Box::default(),
        };
        if let Some(ways) = self.ways.get_mut(&(lock, thread)).filter(|_| cut != way) {
            ways.change(&way, &cut, time);
        }
    }
}

impl Course {
    /// What it took, at any time, before it got the last element out of each queue.
    fn before(&self) -> Box<[Before]> {
        let mut latest: Vec<_> = self.fetched.iter().collect();
        latest.sort_by_key(|(_, (when, _))| std::cmp::Reverse(*when));
        let latest = latest.into_iter().take(QUEUES);
        let recent = self.recent.since(0);
        let each = latest.map(|(&queue, &(then, lay))| {
            let taken = recent.iter().filter(|(when, _)| *when <= then);
            let mut taken: Box<[u32]> = taken.map(|(_, index)| *index).collect();
            taken.sort_unstable();
            Before { queue, lay, taken }
        });
        each.collect()
    }

    /// What of a way came after that.
    fn cut(&self, way: &[u32], then: u64) -> Vec<u32> {
        let after = self.since(then);
        let kept = way.iter().filter(|index| after.contains(index));
        kept.copied().collect()
    }
}
