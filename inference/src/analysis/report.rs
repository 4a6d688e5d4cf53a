//! One logical lock as the report says it.

use super::Shown;
use super::sight::Seen;
use crate::lockclass::ClassKey;
use crate::model::{EvidenceReport, LogicalLock, RegionReport, Stays, Times, Verdict};
use crate::program::Program;
use crate::region::place::Place;
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use crate::stable_name::{Named, short};
use crate::statics::not_run;
use crate::times::Lengths;
use crate::types::{LockType, Role, Typing};
use locklens_trace::ThreadId;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

/// What hurts most first: time blocked, then time waiting, then how often.
pub(super) fn by_pain(a: &LogicalLock, b: &LogicalLock) -> Ordering {
    let key = |lock: &LogicalLock| {
        Reverse((
            lock.blocked.total,
            lock.waits.total,
            lock.blocked.count + lock.waits.count,
        ))
    };
    key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
}

/// What a logical lock's report is made from.
pub(super) struct Report<'r, 'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) table: &'a RegionTable,
    pub(super) seen: Vec<&'r Seen<'a>>,
    pub(super) shown: &'r Shown,
    pub(super) exact: bool,
}

/// Sums over call chains.
#[derive(Default)]
struct Sums {
    blocked: Lengths,
    waits: Lengths,
    timed_out: u64,
}

impl Sums {
    fn add(&mut self, site: &crate::collect::Site) {
        self.blocked.merge(&site.blocked);
        self.waits.merge(&site.waits);
        self.timed_out += site.timed_out;
    }

    fn join(&mut self, other: &Self) {
        self.blocked.merge(&other.blocked);
        self.waits.merge(&other.waits);
        self.timed_out += other.timed_out;
    }

    fn uses(&self) -> u64 {
        self.blocked.count() + self.waits.count()
    }

    fn stays(&self) -> Stays {
        Stays {
            blocked: self.blocked.times(),
            waits: self.waits.times(),
            timed_out: self.timed_out,
        }
    }
}

impl Report<'_, '_> {
    pub(super) fn logical_lock(&self, named: Named, typing: Typing) -> LogicalLock {
        let sites = || self.seen.iter().flat_map(|seen| &seen.log.sites);
        let mut sums = Sums::default();
        sites().for_each(|site| sums.add(site));
        let threads: BTreeSet<ThreadId> = self
            .seen
            .iter()
            .flat_map(|seen| seen.log.threads.iter().copied())
            .collect();
        let (regions, unplaced) = self.region_reports(&typing);
        let classes = self.classes();
        let concrete = { classes.iter() }.filter(|class| named.concrete.contains(*class));
        LogicalLock {
            id: 0,
            concrete: concrete.map(|class| short(class)).collect(),
            name: named.name,
            classes,
            types: or_unknown(typing.types, self.shown.untried),
            runners_up: typing.runners_up,
            contradictions: typing.contradictions,
            regions,
            unplaced,
            instances: self.seen.len() as u64,
            threads: threads.len() as u64,
            locked: (self.exact && self.seen.iter().any(|seen| seen.log.probed))
                .then(|| self.seen.iter().map(|seen| seen.log.entered).sum()),
            blocked: sums.blocked.times(),
            waits: sums.waits.times(),
            timed_out: sums.timed_out,
            still_waiting: sites().map(|site| site.still_waiting).sum(),
            still_blocked: sites().map(|site| site.still_blocked).sum(),
            sampled: None,
            parks: None,
            uses: None,
        }
    }

    /// Most frequent first, then by name.
    fn classes(&self) -> Vec<String> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for seen in &self.seen {
            let name = match seen.class {
                ClassKey::Of(id) => self.program.catalog.class_name(id),
                ClassKey::Mirror(_) => "java.lang.Class".to_owned(),
                ClassKey::Lost(_) => "<unknown>".to_owned(),
            };
            *counts.entry(name).or_default() += 1;
        }
        // Parts of a composite that were never seen contended still are what it is made of.
        for &id in &self.shown.classes {
            let name = self.program.catalog.class_name(id);
            counts.entry(name).or_default();
        }
        let mut classes: Vec<(String, u64)> = counts.into_iter().collect();
        classes.sort_by_key(|&(_, count)| Reverse(count));
        classes.into_iter().map(|(name, _)| name).collect()
    }

    /// The regions with what happened in each, and what happened in none.
    fn region_reports(&self, typing: &Typing) -> (Vec<RegionReport>, Stays) {
        let placed = |id: &RegionId| self.table.get(*id).is_some_and(Region::is_placed);
        let mut ids: Vec<RegionId> = self.shown.regions.iter().copied().filter(placed).collect();
        let (mut sums, mut unplaced) = self.sums_by_region();
        let mut supposed = 0;
        if let [only] = ids[..] {
            supposed = unplaced.uses();
            sums.entry(only).or_default().join(&unplaced);
            unplaced = Sums::default();
        }
        ids.sort_by_key(|id| (Reverse(sums.get(id).map_or(0, Sums::uses)), *id));
        let seen: BTreeSet<RegionId> = self.seen.iter().flat_map(|s| s.regions()).collect();
        let reports = ids.into_iter().filter_map(|id| {
            let Stays {
                blocked,
                waits,
                timed_out,
            } = sums.get(&id).map_or_else(Stays::default, Sums::stays);
            Some(RegionReport {
                roles: roles(typing, id),
                seen: seen.contains(&id),
                blocked,
                waits,
                timed_out,
                supposed,
                ..self.place(id, self.table.get(id)?)
            })
        });
        (reports.collect(), unplaced.stays())
    }

    fn sums_by_region(&self) -> (BTreeMap<RegionId, Sums>, Sums) {
        let known = &self.shown.regions;
        let (mut sums, mut unplaced) = (BTreeMap::<_, Sums>::new(), Sums::default());
        for seen in &self.seen {
            for site in &seen.log.sites {
                let place = site.stack.and_then(|stack| seen.places.get(&stack));
                match place.map(Place::outermost).filter(|id| known.contains(id)) {
                    Some(region) => sums.entry(region).or_default().add(site),
                    None => unplaced.add(site),
                }
            }
        }
        (sums, unplaced)
    }

    /// Where a region is, by name and line.
    fn place(&self, id: RegionId, region: &Region) -> RegionReport {
        let method = self.program.method(region.method);
        let class = self.program.catalog.classes.get(&region.class);
        let (bci, ordinal) = match region.place {
            RegionPlace::Method => (Some(0), None),
            RegionPlace::Block { bci, ordinal } => (Some(bci), Some(ordinal)),
            RegionPlace::Unknown { bci } => (bci, None),
        };
        RegionReport {
            id,
            class: self.program.catalog.class_name(region.class),
            method: method.map_or_else(|| "<unknown>".to_owned(), |m| m.name.clone()),
            descriptor: method.map_or_else(String::new, |m| m.descriptor.clone()),
            ordinal,
            synchronized: matches!(region.place, RegionPlace::Method),
            source: class.and_then(|c| c.source_file.clone()),
            line: method
                .zip(bci)
                .and_then(|(m, bci)| m.line_at(bci))
                .map(u32::from),
            roles: BTreeSet::new(),
            seen: false,
            blocked: Times::default(),
            waits: Times::default(),
            timed_out: 0,
            supposed: 0,
        }
    }
}

fn roles(typing: &Typing, region: RegionId) -> BTreeSet<Role> {
    let all = typing.types.iter().flat_map(|verdict| &verdict.roles);
    all.filter(|(_, regions)| regions.contains(&region))
        .map(|(&role, _)| role)
        .collect()
}

/// No verdict is a verdict too. That nothing was tried stands with the readings; where none was good enough it is said of
/// the lock itself.
fn or_unknown(mut types: Vec<Verdict>, untried: bool) -> Vec<Verdict> {
    if types.is_empty() {
        types.push(Verdict {
            lock_type: LockType::Unknown,
            confidence: 0.0,
            details: BTreeMap::new(),
            roles: BTreeMap::new(),
            evidence: EvidenceReport::default(),
        });
    }
    let unknown = |verdict: &&mut Verdict| untried && verdict.lock_type == LockType::Unknown;
    for verdict in types.iter_mut().filter(unknown) {
        verdict.evidence.contra.push(not_run());
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contra(types: Vec<Verdict>, untried: bool) -> Vec<String> {
        or_unknown(types, untried).swap_remove(0).evidence.contra
    }

    #[test]
    fn an_unknown_lock_that_was_not_run_says_so() {
        let mut unknown = or_unknown(Vec::new(), false);
        assert_eq!(unknown[0].lock_type, LockType::Unknown);
        assert_eq!(unknown[0].evidence, EvidenceReport::default());
        assert_eq!(contra(Vec::new(), true), [not_run()]);
        assert_eq!(contra(unknown.clone(), true), [not_run()]);
        // A type has been read: it says so where its evidence stands.
        unknown[0].lock_type = LockType::Mutex;
        assert!(contra(unknown, true).is_empty());
    }
}
