//! From times by lock object and interval to what is told of logical locks.

use super::Gauge;
use super::chains::Chains;
use super::hold::Uses;
use super::model::{ChainShare, Known, LockPressure, Metrics, Phase, Pressure, Worst};
use super::phases::{Span, phases};
use super::series::{Series, Sum};
use crate::analysis::Analysis;
use crate::collect::Collected;
use crate::model::LogicalLock;
use crate::parked;
use locklens_trace::{LockId, Nanos, StackId};
use std::collections::{BTreeMap, BTreeSet};

/// Intervals of all locks together that are told: where there would be more, they get longer.
const CELLS: u64 = 1 << 22;

/// One lock object of a logical lock: where its time is.
#[derive(Clone, Copy)]
pub(super) struct Object {
    pub(super) slot: u32,
    pub(super) id: LockId,
    /// It is a blocker of parked threads; else a monitor.
    pub(super) parked: bool,
}

/// The recording as a whole, cut into intervals.
pub(super) struct Whole {
    pub(super) length: u64,
    pub(super) intervals: u32,
    begin: u64,
    end: u64,
    pub(super) running: Vec<u64>,
    running_total: u64,
    acquiring_total: u64,
    /// Intervals in which events of monitors were switched off for more than nineteen twentieths.
    paused: Vec<bool>,
}

impl Gauge {
    /// Ends the pass.
    #[must_use]
    pub fn finish(
        mut self,
        collected: &Collected,
        analysis: &Analysis,
        threshold: f64,
    ) -> Pressure {
        self.settle(self.known_to());
        self.settle_holds();
        let own = parked::owning(collected);
        let groups = self.groups(analysis, &own);
        while self.intervals() > 1 && groups.len() as u64 * u64::from(self.intervals()) > CELLS {
            self.widen();
        }
        let mut whole = self.whole(&own);
        whole.pause(&collected.recording.pauses);
        let mut locks: Vec<LockPressure> = groups
            .iter()
            .map(|(&at, objects)| {
                let draft = Draft {
                    gauge: &self,
                    collected,
                    whole: &whole,
                    lock: &analysis.model.locks[at],
                    objects,
                };
                draft.lock(threshold)
            })
            .filter(|lock| lock.acquiring > Nanos(0))
            .collect();
        locks.sort_by(|a, b| b.acquiring.cmp(&a.acquiring).then(a.id.cmp(&b.id)));
        let told = locks
            .iter()
            .fold(0, |sum: u64, lock| sum.saturating_add(lock.acquiring.0));
        Pressure {
            interval: Nanos(self.length),
            asked: self.asked,
            threshold,
            begin: Nanos(self.begin.min(self.last)),
            end: Nanos(self.last),
            threads: self.counted,
            service: self.service,
            only: self.crowd.only.clone(),
            running: Nanos(whole.running_total),
            acquiring: Nanos(whole.acquiring_total),
            elsewhere: Nanos(whole.acquiring_total.saturating_sub(told)),
            unmeasured: self.unmeasured,
            locks,
            metrics: false,
        }
    }

    fn intervals(&self) -> u32 {
        u32::try_from(self.last.div_ceil(self.length)).map_or(u32::MAX, |n| n.max(1))
    }

    /// The objects of each logical lock on which somebody was delayed, by its place in the model.
    pub(super) fn groups(
        &self,
        analysis: &Analysis,
        own: &BTreeSet<LockId>,
    ) -> BTreeMap<usize, Vec<Object>> {
        let mut of_monitor: BTreeMap<LockId, usize> = BTreeMap::new();
        let mut of_parked: BTreeMap<LockId, usize> = BTreeMap::new();
        let locks = analysis.objects.iter().zip(&analysis.model.locks);
        for (at, (objects, lock)) in locks.enumerate() {
            let known = match lock.sampled.is_some() || lock.parks.is_some() {
                true => &mut of_parked,
                false => &mut of_monitor,
            };
            known.extend(objects.iter().map(|&object| (object, at)));
        }
        let mut groups: BTreeMap<usize, Vec<Object>> = BTreeMap::new();
        for (slot, (id, lock)) in (0..).zip(self.locks.iter()) {
            let id = LockId(id);
            let parks = own.contains(&id) && (lock.parks.is_some() || !lock.looks.is_empty());
            let known = [
                (
                    false,
                    of_monitor.get(&id).filter(|_| !lock.sites.is_empty()),
                ),
                (true, of_parked.get(&id).filter(|_| parks)),
            ];
            for (parked, at) in known {
                let object = Object { slot, id, parked };
                at.into_iter()
                    .for_each(|&at| groups.entry(at).or_default().push(object));
            }
        }
        groups
    }

    /// Where the time of a lock object is in which threads acquired it.
    pub(super) fn acquiring(&self, object: &Object) -> Vec<&Series> {
        let lock = self.locks.peek(object.slot);
        match (object.parked, &lock.parks) {
            (false, _) => self.times(&lock.sites),
            (true, Some(parks)) => vec![parks],
            (true, None) => self.times(&lock.looks),
        }
    }

    fn times(&self, sites: &[u32]) -> Vec<&Series> {
        let sites = sites.iter().map(|&site| &self.sites[site as usize].time);
        sites.collect()
    }

    pub(super) fn whole(&self, own: &BTreeSet<LockId>) -> Whole {
        let (mut alive, mut idle, mut acquiring) = (Sum::default(), Sum::default(), Sum::default());
        alive.add(&self.alive);
        idle.add(&self.idle);
        for (slot, (id, lock)) in (0..).zip(self.locks.iter()) {
            self.times(&lock.sites)
                .into_iter()
                .for_each(|time| acquiring.add(time));
            let id = LockId(id);
            let sum = match own.contains(&id) {
                true => &mut acquiring,
                false => &mut idle,
            };
            let parked = Object {
                slot,
                id,
                parked: true,
            };
            self.acquiring(&parked)
                .into_iter()
                .for_each(|time| sum.add(time));
        }
        let (end, length) = (self.intervals(), self.length);
        let acquiring = acquiring.each(end, length);
        let running = alive
            .each(end, length)
            .into_iter()
            .zip(idle.each(end, length));
        // Looks are estimates: nobody acquires who does not run.
        let running = running
            .zip(&acquiring)
            .map(|((alive, idle), &acquiring)| alive.saturating_sub(idle).max(acquiring));
        let running: Vec<u64> = running.collect();
        Whole {
            length,
            intervals: end,
            begin: self.begin.min(self.last),
            end: self.last,
            running_total: total(&running),
            acquiring_total: total(&acquiring),
            running,
            paused: Vec::new(),
        }
    }
}

fn total(all: &[u64]) -> u64 {
    all.iter().fold(0, |sum: u64, &ns| sum.saturating_add(ns))
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Whole {
    /// When an interval begins and ends, as far as it was recorded.
    pub(super) fn bounds(&self, interval: u32) -> (u64, u64) {
        let from = u64::from(interval).saturating_mul(self.length);
        (
            from.max(self.begin),
            from.saturating_add(self.length).min(self.end),
        )
    }

    /// Less than half of it was recorded, and others are longer: chance may make it look like anything.
    fn is_stub(&self, interval: u32) -> bool {
        let (from, to) = self.bounds(interval);
        let length = to.saturating_sub(from);
        length < self.length / 2 && self.end.saturating_sub(self.begin) > 2 * length
    }

    fn shares(&self, times: &[u64]) -> Vec<Option<f64>> {
        let times = times.iter().zip(&self.running);
        times.map(|(&ns, &running)| share(ns, running)).collect()
    }

    /// Learns when events of monitors were switched off.
    fn pause(&mut self, pauses: &[(Nanos, Nanos)]) {
        let mut off = vec![0_u64; self.running.len()];
        for &(from, to) in pauses {
            let of = |at: Nanos| usize::try_from(at.0 / self.length).unwrap_or(usize::MAX);
            let met = off.iter_mut().zip(0..).skip(of(from));
            for (off, interval) in met.take(of(to).saturating_sub(of(from)).saturating_add(1)) {
                let (begin, end) = self.bounds(interval);
                let common = to.0.min(end).saturating_sub(from.0.max(begin));
                *off = off.saturating_add(common);
            }
        }
        let is_all = |(off, interval): (u64, u32)| {
            let (from, to) = self.bounds(interval);
            off > to.saturating_sub(from) / 20 * 19
        };
        self.paused = off.into_iter().zip(0..).map(is_all).collect();
    }

    /// Of intervals in which events of monitors were switched off all the time, or nearly, nothing is known.
    fn leave_out(&self, shares: &mut [Option<f64>]) {
        let all = shares.iter_mut().zip(&self.paused);
        for (share, _) in all.filter(|(_, paused)| **paused) {
            *share = None;
        }
    }

    fn average(&self, acquiring: u64) -> f64 {
        share(acquiring, self.running_total).unwrap_or(0.0)
    }

    fn peak(&self, shares: &[Option<f64>]) -> f64 {
        let counting = (0..).zip(shares).filter(|&(at, _)| !self.is_stub(at));
        counting.filter_map(|(_, share)| *share).fold(0.0, f64::max)
    }
}

/// One logical lock about to be told.
pub(super) struct Draft<'a> {
    pub(super) gauge: &'a Gauge,
    pub(super) collected: &'a Collected,
    pub(super) whole: &'a Whole,
    pub(super) lock: &'a LogicalLock,
    pub(super) objects: &'a [Object],
}

impl Draft<'_> {
    fn lock(&self, threshold: f64) -> LockPressure {
        let whole = self.whole;
        let (times, _) = self.times();
        let acquiring = total(&times);
        let mut shares = whole.shares(&times);
        if self.lock.sampled.is_none() && self.lock.parks.is_none() {
            whole.leave_out(&mut shares);
        }
        let (spans, more_phases) = phases(&shares, threshold, |at| whole.is_stub(at));
        let chains = self.chains();
        LockPressure {
            id: self.lock.id,
            name: self.lock.name.clone(),
            called: self.lock.called(),
            told_as: None,
            known: self.known(),
            acquiring: Nanos(acquiring),
            average: whole.average(acquiring),
            // A stub that is left out of the peak counts for the average.
            peak: whole.peak(&shares).max(whole.average(acquiring)),
            objects: self.objects.len() as u64,
            worst: self.worst(),
            phases: self.phases(&spans, &times, &shares, &chains),
            more_phases,
            chains: self.told(chains.all()),
            metrics: self.metrics(acquiring),
            series: shares,
        }
    }

    /// Of a JVM that ran before nobody knows how many virtual threads there are, nor how many threads found no room in the agent's
    /// table: running time may be far more.
    pub(super) fn known(&self) -> Known {
        let recording = &self.collected.recording;
        let unlisted = recording.virtual_threads && !self.collected.was_launched();
        match unlisted || recording.no_room > 0 {
            true => Known::Estimate,
            false => self.acquiring_known(),
        }
    }

    /// What the time is worth in which threads acquire it.
    fn acquiring_known(&self) -> Known {
        let recording = &self.collected.recording;
        let complete = recording.exact && recording.incomplete.is_empty();
        let whole = recording.is_whole();
        let replaced = recording
            .parks
            .is_some_and(|parks| parks.replaced.is_some());
        match (self.lock.sampled.is_some(), self.lock.parks.is_some()) {
            (_, true) if whole && !replaced => Known::Exact,
            (_, true) => Known::AtLeast,
            (true, false) => Known::Estimate,
            (false, false) if complete && self.uses().probed => Known::Exact,
            (false, false) => Known::AtLeast,
        }
    }

    fn worst(&self) -> Option<Worst> {
        let total = |object: &&Object| {
            let series = self.gauge.acquiring(object).into_iter();
            series.fold(0, |sum: u64, time| sum.saturating_add(time.total()))
        };
        let worst = self.objects.iter().rev().max_by_key(total)?;
        let mut sum = Sum::default();
        self.gauge
            .acquiring(worst)
            .into_iter()
            .for_each(|time| sum.add(time));
        let times = sum.each(self.whole.intervals, self.whole.length);
        let shares = self.whole.shares(&times);
        Some(Worst {
            object: worst.id.0,
            average: self.whole.average(self::total(&times)),
            peak: self
                .whole
                .peak(&shares)
                .max(self.whole.average(self::total(&times))),
        })
    }

    /// How the lock is reached. Of parks that were all recorded, looks say where threads were.
    fn chains(&self) -> Chains {
        let mut chains = Chains::default();
        for object in self.objects {
            let lock = self.gauge.locks.peek(object.slot);
            let sites = match object.parked {
                true => &lock.looks,
                false => &lock.sites,
            };
            for &site in sites {
                let site = &self.gauge.sites[site as usize];
                let stretches = site.time.stretches(self.whole.intervals, self.whole.length);
                chains.add(site.stack, stretches);
            }
        }
        chains
    }

    fn phases(
        &self,
        spans: &[Span],
        times: &[u64],
        shares: &[Option<f64>],
        chains: &Chains,
    ) -> Vec<Phase> {
        let of_each = chains.within(spans);
        let phase = |(span, chains): (&Span, _)| {
            let range = span.first as usize..span.end as usize;
            let (part, whole) = (&times[range.clone()], &self.whole.running[range.clone()]);
            let average = share(total(part), total(whole)).unwrap_or(0.0);
            Phase {
                start: Nanos(self.whole.bounds(span.first).0),
                end: Nanos(self.whole.bounds(span.end - 1).1),
                peak: self.peak_of(span, &shares[range]).max(average),
                average,
                chains: self.told(chains),
            }
        };
        spans.iter().zip(of_each).map(phase).collect()
    }

    fn peak_of(&self, span: &Span, shares: &[Option<f64>]) -> f64 {
        let counting = (span.first..)
            .zip(shares)
            .filter(|&(at, _)| !self.whole.is_stub(at));
        counting.filter_map(|(_, share)| *share).fold(0.0, f64::max)
    }

    fn told(&self, chains: Vec<(Option<StackId>, f64)>) -> Vec<ChainShare> {
        let told = |(stack, share): (Option<StackId>, f64)| ChainShare {
            share,
            chain: stack.and_then(|stack| self.collected.catalog.call_chain(stack)),
            estimated: self.lock.sampled.is_some(),
        };
        chains.into_iter().map(told).collect()
    }

    fn uses(&self) -> Uses {
        let mut uses = Uses {
            probed: true,
            ..Uses::default()
        };
        for object in self.objects {
            uses.join(&self.gauge.locks.peek(object.slot).uses);
        }
        uses
    }

    /// How often a lock of `java.util.concurrent` was taken, and how long it was held, where every operation was recorded and
    /// one thread has it at a time.
    fn operations(&self) -> Option<(u64, u64)> {
        let uses = self.lock.uses.as_ref()?;
        let whole = self.lock.parks.is_some() && self.acquiring_known() == Known::Exact;
        let held = uses.held_alone.known_total()?;
        let alone = uses.shared == 0 && uses.strays == 0 && uses.held_alone.unknown == 0;
        (whole && alone && self.gauge.crowd.only.is_none()).then_some((uses.alone, held.0))
    }

    fn metrics(&self, acquiring: u64) -> Metrics {
        let uses = self.uses();
        let complete = self.acquiring_known() == Known::Exact && self.lock.sampled.is_none();
        let of_monitor = self.lock.sampled.is_none() && self.lock.parks.is_none();
        let elapsed = self.whole.end.saturating_sub(self.whole.begin);
        let seconds = elapsed as f64 / 1e9;
        let slow = of_monitor.then_some(uses.slow);
        let exact = |value: u64| complete.then_some(value);
        let by_gets = |value: u64| complete.then(|| share(value, uses.gets)).flatten();
        let operations = self.operations();
        Metrics {
            gets: match operations {
                Some((gets, _)) => Some(gets),
                None => exact(uses.gets.saturating_add(uses.recursive)),
            },
            slow,
            miss: by_gets(uses.slow),
            recursive: exact(uses.recursive),
            utilisation: match operations {
                Some((_, held)) => share(held, elapsed),
                None => complete.then(|| share(uses.held, elapsed)).flatten(),
            },
            mean_hold: match operations {
                Some((gets, held)) => share(held, gets),
                None => by_gets(uses.held),
            }
            .map(|ns| Nanos(ns as u64)),
            failed_per_second: slow.filter(|_| elapsed > 0).map(|n| n as f64 / seconds),
            of_elapsed: share(acquiring, elapsed).unwrap_or(0.0),
            of_acquiring: share(acquiring, self.whole.acquiring_total).unwrap_or(0.0),
        }
    }
}
