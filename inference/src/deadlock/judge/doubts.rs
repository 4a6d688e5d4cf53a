//! Why a choice of threads is no better proved: what is not known of it, what was read or waited for that keeps it apart.

use super::{ASKED, Court, TRIED, TRYING, order};
use crate::deadlock::candidates::Cycle;
use crate::deadlock::closure::{Answer, Force, Least, reachable};
use crate::deadlock::finding::{Between, Past};
use crate::deadlock::moments::Moments;
use crate::deadlock::permits::doubtful;
use crate::deadlock::placed::When;
use crate::deadlock::proof::Best;
use crate::deadlock::served::served_otherwise;
use crate::deadlock::step::{Bond, Lock, Nature, Needs, Reading, Site, Thread};
use crate::deadlock::weakness::Weakness;
use std::collections::{BTreeMap, BTreeSet};

impl Court<'_, '_> {
    /// What is not known of a choice whatever the order.
    pub(super) fn unknown(&self, cycle: &Cycle, choice: &[u32]) -> Option<Weakness> {
        if !choice.iter().all(|&index| self.is_sure(index)) {
            return Some(Weakness::Missing);
        }
        let scan = self.suspects.scan;
        if choice.iter().any(|&index| scan.had_more(index)) {
            return Some(Weakness::Before);
        }
        if choice.iter().any(|&index| scan.may_have_been_over(index)) {
            return Some(Weakness::Unreleased);
        }
        if let Some(lock) = doubtful(self.suspects.scan, choice) {
            let by_code = self.suspects.scan.nature(lock).counted_by_code;
            return Some(Weakness::Permits { by_code });
        }
        if let Some(why) = served_otherwise(self.suspects.scan, &cycle.nodes, choice) {
            return Some(why);
        }
        let unknown = |nature: Nature| nature.latch.is_some_and(|needs| needs != Needs::All);
        self.is_any_awaited(cycle, unknown)
            .then_some(Weakness::Count)
    }

    /// The same with what it was that was read.
    pub(super) fn explained(&self, why: Weakness, best: &Best<'_>) -> Weakness {
        match why {
            Weakness::Data(_) => Weakness::Data(self.culprit(best)),
            Weakness::Doubted(_) => Weakness::Doubted(self.culprit(best)),
            Weakness::Opener(_) => Weakness::Opener(self.opener(best)),
            other => other,
        }
    }

    /// What was read that keeps them apart by itself, if it is one thing.
    fn culprit(&self, best: &Best<'_>) -> Option<Reading> {
        let edges = self.history.tracks.iter().flat_map(|track| &track.edges);
        let read = edges.filter_map(|edge| match edge.by {
            Bond::Data(reading) => Some(reading),
            Bond::Must | Bond::Opened(_) | Bond::Presumed | Bond::Stood | Bond::Read => None,
        });
        let read: BTreeSet<Reading> = read.collect();
        let places = self.places(best.cycle, best.choice, When::Later)?;
        let mut work = self.work.min(TRYING);
        let keeps = |reading: &Reading| {
            let least = Least::Only(*reading);
            let force = Force { locks: true, least };
            self.names.reading(*reading).is_some()
                && reachable(self.history, &places, force, &mut work) == Answer::Impossible
        };
        read.into_iter().take(TRIED).find(keeps)
    }

    /// The lock at which one of them was let go on, if that alone keeps them apart; and who can do so there.
    fn opener(&self, best: &Best<'_>) -> Option<(Lock, Option<[Thread; 2]>)> {
        let tracks = (0..).map(Thread).zip(&self.history.tracks);
        let edges = tracks.flat_map(|(waiter, track)| track.edges.iter().map(move |e| (waiter, e)));
        let opened = edges.filter_map(|(waiter, edge)| match edge.by {
            Bond::Opened(lock) => Some((lock, (waiter, edge.thread))),
            Bond::Must | Bond::Presumed | Bond::Stood | Bond::Read | Bond::Data(_) => None,
        });
        let mut at: BTreeMap<Lock, Vec<(Thread, Thread)>> = BTreeMap::new();
        for (lock, who) in opened {
            at.entry(lock).or_default().push(who);
        }
        let places = self.places(best.cycle, best.choice, When::Later)?;
        let mut work = self.work.min(TRYING);
        let mut keeps = |lock: Lock| {
            let force = order(Least::OpenedAt(lock));
            reachable(self.history, &places, force, &mut work) == Answer::Impossible
        };
        let mut each = at.into_iter().take(TRIED);
        let (lock, woken) = each.find(|(lock, _)| keeps(*lock))?;
        // Which of several wake-ups it was is not known.
        let one = match &woken[..] {
            &[one] => Some(one),
            _ => None,
        };
        let others = |(waiter, by): (Thread, Thread)| {
            let mut all = self.history.openers.threads(lock);
            let other = all.find(|&thread| thread != by && thread != waiter)?;
            Some([by, other])
        };
        Some((lock, one.and_then(others)))
    }

    /// What reads permit is so only if nothing else may come between a thread's own acquisitions.
    pub(super) fn as_recorded(&self, cycle: &Cycle, choice: &[u32], by: Force) -> Weakness {
        let stands = self.standing(cycle, choice, by);
        let mut parts = stands.iter().map(|stand| stand.at);
        let unrecorded = parts.find(|&part| self.names.unrecorded(part).is_some());
        unrecorded.map_or(Weakness::Unrecorded, Weakness::Between)
    }

    /// Two of a choice run tasks of one pool, which never had two threads that lived at once.
    pub(super) fn one_at_once(&self, choice: &[u32]) -> Option<Weakness> {
        let scan = self.suspects.scan;
        let threads = choice
            .iter()
            .map(|&index| scan.table.all[index as usize].thread);
        let threads: Vec<Thread> = threads.collect();
        let pools: Vec<_> = threads.iter().map(|&one| self.names.pool(one)).collect();
        let twice =
            (0..pools.len()).find(|&at| pools[at].is_some() && pools[..at].contains(&pools[at]))?;
        let all = scan.begins.iter();
        let mut mates: Vec<(u64, Thread)> = all
            .filter(|(thread, _)| self.names.pool(**thread) == pools[twice])
            .map(|(&thread, &begins)| (begins, thread))
            .collect();
        // Who began before the recording was there all along.
        let known = threads
            .iter()
            .all(|thread| scan.begins.contains_key(thread));
        mates.sort_unstable();
        let over = |pair: &[(u64, Thread)]| {
            let end = scan.ends.get(&pair[0].1);
            end.is_some_and(|&end| end < pair[1].0)
        };
        let apart = known && mates.windows(2).all(over);
        apart.then_some(Weakness::OneAtOnce(threads[twice]))
    }

    /// What one of a choice asks, each time before it comes to its place, and another one answers who was through with his by then.
    pub(super) fn asked_before(&self, choice: &[u32]) -> Option<Weakness> {
        let scan = self.suspects.scan;
        let spots = |index: u32| {
            let moments = self.history.moments.get(&index);
            moments.into_iter().flat_map(|moments| &moments.spots)
        };
        let wants = |index: u32| spots(index).map(|spot| spot.wants).collect::<BTreeSet<_>>();
        let pairs = choice
            .iter()
            .flat_map(|&mine| choice.iter().map(move |&other| (mine, other)));
        let mut found = pairs.filter_map(|(mine, other)| {
            let [asks, answers] = [mine, other].map(|index| &scan.table.all[index as usize]);
            if answers.until >= asks.since {
                return None;
            }
            let ended = scan.ends.get(&answers.thread);
            let others = wants(other);
            let is_there = |(&index, moments): (&u32, &Moments)| {
                let mut spots = moments.spots.iter();
                let other = scan.table.all[index as usize].thread != answers.thread;
                other && spots.any(|spot| others.contains(&spot.wants))
            };
            let of_one = |site: &Option<Site>| {
                let lone = site.and_then(|site| self.lone.get(&site));
                lone.is_none_or(|thread| *thread == Some(answers.thread))
            };
            let alone = others.iter().all(of_one) && !self.history.moments.iter().any(is_there);
            let once = answers.count == 1;
            let past = Past {
                ended: ended.is_some_and(|&end| end < asks.since),
                once,
                // Who runs tasks may run the same one again.
                alone: alone && (once || self.names.pool(answers.thread).is_none()),
            };
            let took = || spots(mine).flat_map(|spot| spot.taken());
            let each = |from: BTreeSet<Option<Site>>| {
                let pairs = from.into_iter();
                let pairs = pairs.flat_map(|mine| others.iter().map(move |&other| (mine, other)));
                pairs.collect::<Vec<_>>()
            };
            let is_every = |all: &[Between], says: &dyn Fn(Between) -> Option<String>| {
                all.len() <= ASKED && all.iter().all(|&between| says(between).is_some())
            };
            let asked = each(wants(mine));
            let awaited = each(took().collect());
            if is_every(&asked, &|between| self.names.asked(between, past)) {
                return asked.last().map(|&at| Weakness::Asked(at, past));
            }
            let awaits = is_every(&awaited, &|between| self.names.awaited(between, past));
            let last = awaited.last().filter(|_| awaits);
            last.map(|&at| Weakness::Awaited(at, past))
        });
        found.next()
    }
}
