//! Trials: a subject recorded in one way, judged, and compared with the truth.

use super::noise::{damaged, exact, watched};
use super::subject::Subject;
use locklens_inference::model::{Options, Verdict};
use locklens_inference::region::RegionId;
use locklens_inference::types::{
    Evidence, Hypothesis, LockType, Role, TypeInput, Typing, Unseen, judge,
};
use locklens_inference::visit::History;
use std::collections::{BTreeMap, BTreeSet};

/// How a history was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// Every visit.
    Complete,
    /// Every visit, a fifth of the notifies lost or misplaced, resets.
    Damaged,
    /// What contended events show.
    Watched,
}

/// What the static model says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statics {
    /// Nothing: the bytecode is not known.
    None,
    /// The truth, with a weak rival.
    True,
    /// A wrong type, with moderate conviction.
    False,
    /// A wrong type, with as much conviction as a well understood right one.
    Convinced,
}

/// The result of one trial.
pub struct Trial {
    /// What the first type should be.
    pub truth: LockType,
    /// What the judgement says.
    pub typing: Typing,
    /// The types are right, in number and order.
    pub types_right: bool,
    /// The first type is right.
    pub first_right: bool,
    /// Roles that are not as they should be, for messages.
    pub wrong_roles: Vec<String>,
    /// Details that are not as they should be, for messages.
    pub wrong_details: Vec<String>,
}

impl Trial {
    /// Wrong, and sure of it: the worst result.
    pub fn falsely_sure(&self) -> bool {
        !self.first_right && self.confidence() >= 0.9
    }

    /// Confidence of the first type.
    pub fn confidence(&self) -> f64 {
        self.typing.types.first().map_or(0.0, |v| v.confidence)
    }

    /// The first type.
    pub fn said(&self) -> LockType {
        self.typing
            .types
            .first()
            .map_or(LockType::Unknown, |v| v.lock_type)
    }

    /// Types, roles and details are right.
    pub fn all_right(&self) -> bool {
        self.types_right && self.wrong_roles.is_empty() && self.wrong_details.is_empty()
    }

    /// One line on what was said.
    pub fn line(&self) -> String {
        let said: Vec<String> = self.typing.types.iter().map(brief).collect();
        let rivals: Vec<String> = self.typing.runners_up.iter().take(2).map(brief).collect();
        format!(
            "{} | rivals {} | roles {:?} details {:?}",
            said.join(" + "),
            rivals.join(", "),
            self.wrong_roles,
            self.wrong_details
        )
    }
}

fn brief(v: &Verdict) -> String {
    let roles = v.roles.iter().map(|(role, set)| {
        let regions: Vec<String> = set.iter().map(|r| r.index().to_string()).collect();
        format!("{}@{}", role.name(), regions.join(","))
    });
    let roles: Vec<String> = roles.collect();
    let (odds, yes, no) = (
        v.evidence.dynamic_log_odds,
        v.evidence.confirmed,
        v.evidence.contradicted,
    );
    format!(
        "{} {:.2} ({odds:.1} {yes}/{no}: {})",
        v.lock_type,
        v.confidence,
        roles.join(" ")
    )
}

/// Runs, records and judges.
pub fn attempt(subject: &Subject, view: View, statics: Statics, visits: usize, seed: u64) -> Trial {
    let recordings = subject.record(visits, seed);
    let histories = match view {
        View::Complete => exact(&recordings),
        View::Damaged => damaged(&exact(&recordings), 20, seed + 1),
        View::Watched => watched(&recordings, &subject.effects(statics != Statics::None)),
    };
    let typing = assess(subject, &histories, statics);
    if view == View::Watched && subject.types[0][0] == LockType::NotShared {
        // One thread is never contended: there is nothing to see.
        return compare(&subject.clone().or(LockType::Unknown), typing);
    }
    compare(subject, typing)
}

/// Judges histories of a subject.
pub fn assess(subject: &Subject, histories: &[History], statics: Statics) -> Typing {
    let facts = subject.facts(histories, statics != Statics::None);
    judge(&TypeInput {
        histories,
        regions: &facts,
        seeds: &seeds(subject, statics),
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: subject.is_thread,
        options: &Options::default(),
    })
}

/// What the static model would propose.
pub fn seeds(subject: &Subject, statics: Statics) -> Vec<(Hypothesis, Evidence)> {
    match statics {
        Statics::None => Vec::new(),
        Statics::True => true_seeds(subject),
        Statics::False => vec![(false_seed(subject), weight(2.5))],
        Statics::Convinced => vec![(false_seed(subject), weight(5.5))],
    }
}

fn weight(log_odds: f64) -> Evidence {
    Evidence {
        log_odds,
        // What is true of the code shows when it is run.
        borne_out: log_odds > 0.0,
        ..Evidence::default()
    }
}

fn true_seeds(subject: &Subject) -> Vec<(Hypothesis, Evidence)> {
    let types = subject.types.iter().enumerate();
    let mut seeds: Vec<_> = types
        .map(|(i, t)| (hypothesis(subject, i, t[0]), weight(4.0)))
        .collect();
    seeds[0].0.details = subject.details.iter().cloned().collect();
    let mut rival = seeds[0].0.clone();
    rival.lock_type = LockType::Condition;
    rival.roles = BTreeMap::new();
    rival.roles.insert(Role::Wait, seeds[0].0.regions());
    seeds.push((rival, weight(0.5)));
    seeds
}

fn hypothesis(subject: &Subject, which: usize, lock_type: LockType) -> Hypothesis {
    let mut roles: BTreeMap<Role, BTreeSet<RegionId>> = BTreeMap::new();
    for &(_, role, region) in subject.roles.iter().filter(|r| r.0 == which) {
        roles
            .entry(role)
            .or_default()
            .insert(RegionId(region as u32));
    }
    Hypothesis {
        lock_type,
        roles,
        details: BTreeMap::new(),
    }
}

fn false_seed(subject: &Subject) -> Hypothesis {
    let queue = subject.types[0].contains(&LockType::ProducerConsumer);
    let (lock_type, a, b) = if queue {
        (LockType::Latch, Role::Await, Role::CountDown)
    } else {
        (LockType::ProducerConsumer, Role::Take, Role::Put)
    };
    let regions = subject.program.regions.len() as u32;
    let mut roles = BTreeMap::new();
    roles.insert(a, BTreeSet::from([RegionId(0)]));
    roles.insert(b, BTreeSet::from([RegionId(1 % regions)]));
    Hypothesis {
        lock_type,
        roles,
        details: BTreeMap::new(),
    }
}

fn compare(subject: &Subject, typing: Typing) -> Trial {
    let fits = |(want, got): (&Vec<LockType>, LockType)| want.contains(&got);
    let got: Vec<LockType> = typing.types.iter().map(|v| v.lock_type).collect();
    let first_right = got.first().is_some_and(|&t| fits((&subject.types[0], t)));
    let types_right = got.len() == subject.types.len() && subject.types.iter().zip(got).all(fits);
    Trial {
        truth: subject.types[0][0],
        types_right,
        first_right,
        wrong_roles: wrong_roles(subject, &typing),
        wrong_details: wrong_details(subject, &typing),
        typing,
    }
}

fn wrong_roles(subject: &Subject, typing: &Typing) -> Vec<String> {
    let free = |r: &(Role, usize)| subject.free.contains(&r.1);
    let want: BTreeSet<(Role, usize)> = subject.roles.iter().map(|r| (r.1, r.2)).collect();
    let said = typing.types.iter().flat_map(|v| &v.roles);
    let got: BTreeSet<(Role, usize)> = said
        .flat_map(|(&role, set)| set.iter().map(move |r| (role, r.index())))
        .collect();
    let differ = want.symmetric_difference(&got).filter(|r| !free(r));
    differ
        .map(|(role, region)| format!("{}@{region}", role.name()))
        .collect()
}

fn wrong_details(subject: &Subject, typing: &Typing) -> Vec<String> {
    let Some(first) = typing.types.first() else {
        return Vec::new();
    };
    let wrong = |(name, value): &&(&'static str, _)| first.details.get(name) != Some(value);
    let found = subject.details.iter().filter(wrong);
    found
        .map(|(name, _)| format!("{name} = {:?}", first.details.get(name)))
        .collect()
}
