//! What may be done with a lock where an exact recording has no probes, and what of its code and events says nothing then.

use super::Study;
use crate::lockclass::Group;
use crate::model::Doubt;
use crate::types::{Evidence, Hypothesis, LockType, RegionFacts, Unseen};
use locklens_trace::LockId;

impl Study<'_> {
    /// Code that was left out may use any lock; who is still blocked on it does.
    pub(super) fn may_be_shared(&self, group: &Group) -> bool {
        let mut doubts = self.collected.recording.incomplete.iter();
        let mut sites = group
            .locks
            .iter()
            .flat_map(|lock| &self.seen[lock].log.sites);
        doubts.any(|doubt| matches!(doubt, Doubt::Unprobed(_) | Doubt::Chosen))
            || sites.any(|site| site.still_blocked > 0)
    }

    /// What code without probes may do with these locks.
    pub(super) fn unseen(&self, group: &Group) -> Unseen {
        let mut unseen = Unseen::default();
        for doubt in &self.collected.recording.incomplete {
            match doubt {
                Doubt::Bare(locks) => {
                    let mut ours = group.locks.iter().chain([&LockId(0)]);
                    unseen.waits |= ours.any(|lock| locks.contains(lock));
                }
                Doubt::Unprobed(_) => unseen.notifies = true,
                _ => {}
            }
        }
        unseen.notifies |= unseen.waits;
        unseen
    }
}

/// What is known of a region: what its code does not do may be done in it all the same.
pub(super) fn as_known(facts: RegionFacts, unseen: Unseen) -> RegionFacts {
    let known = |said: Option<bool>, unseen: bool| said.filter(|does| *does || !unseen);
    RegionFacts {
        may_wait: known(facts.may_wait, unseen.waits),
        may_notify: known(facts.may_notify, unseen.notifies),
        may_notify_all: known(facts.may_notify_all, unseen.notifies),
        ..facts
    }
}

/// What the code proposes, without what rests on nobody waiting, or on nobody notifying.
pub(super) fn standing(
    seeds: &[(Hypothesis, Evidence)],
    unseen: Unseen,
) -> Vec<(Hypothesis, Evidence)> {
    let stands = |(seed, _): &&(Hypothesis, Evidence)| match seed.lock_type {
        LockType::Mutex | LockType::NotShared => !unseen.waits,
        LockType::Delay => !unseen.notifies,
        _ => true,
    };
    seeds.iter().filter(stands).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Details;
    use std::collections::BTreeMap;

    #[test]
    fn that_the_code_never_waits_is_known_only_where_all_of_it_is_seen() {
        let facts = RegionFacts {
            may_wait: Some(false),
            may_notify: Some(true),
            may_notify_all: Some(false),
            ..RegionFacts::default()
        };
        let waits = Unseen {
            waits: true,
            notifies: true,
        };
        let known = as_known(facts.clone(), waits);
        let all = [known.may_wait, known.may_notify, known.may_notify_all];
        assert_eq!(all, [None, Some(true), None]);
        assert_eq!(as_known(facts.clone(), Unseen::default()), facts);
        let seed = |lock_type| {
            let seed = Hypothesis {
                lock_type,
                roles: BTreeMap::new(),
                details: Details::new(),
            };
            (seed, Evidence::default())
        };
        let seeds = [LockType::Mutex, LockType::Delay, LockType::Condition].map(seed);
        let left = |unseen| {
            let left = standing(&seeds, unseen).into_iter();
            left.map(|(seed, _)| seed.lock_type).collect::<Vec<_>>()
        };
        assert_eq!(left(waits), [LockType::Condition]);
        let notifies = Unseen {
            waits: false,
            notifies: true,
        };
        assert_eq!(left(notifies), [LockType::Mutex, LockType::Condition]);
    }
}
