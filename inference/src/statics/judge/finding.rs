//! A reading of a lock while its evidence is being gathered.

use super::super::profile::Var;
use crate::region::RegionId;
use crate::types::{Detail, Details, Evidence, Hypothesis, LockType, Role};
use std::collections::{BTreeMap, BTreeSet};

/// A hypothesis with its evidence so far.
#[derive(Clone, Debug)]
pub(in super::super) struct Finding {
    pub(super) lock_type: LockType,
    pub(super) roles: BTreeMap<Role, BTreeSet<RegionId>>,
    pub(super) details: Details,
    /// The quantities it explains.
    pub(super) vars: BTreeSet<Var>,
    /// A number that a sandbox finds is not that of the lock.
    pub(super) uncounted: bool,
    /// Who waits for the others to leave has made known before that he is there, and so keeps further ones out.
    pub(super) claimed: bool,
    evidence: Evidence,
}

impl Finding {
    pub(super) fn new(lock_type: LockType, vars: impl IntoIterator<Item = Var>) -> Self {
        Self {
            lock_type,
            roles: BTreeMap::new(),
            details: Details::new(),
            vars: vars.into_iter().collect(),
            uncounted: false,
            claimed: false,
            evidence: Evidence::default(),
        }
    }

    /// Gives regions a role.
    pub(super) fn role<'r>(&mut self, role: Role, regions: impl IntoIterator<Item = &'r RegionId>) {
        let regions: Vec<_> = regions.into_iter().copied().collect();
        if !regions.is_empty() {
            self.roles.entry(role).or_default().extend(regions);
        }
    }

    /// Something it predicts is so.
    pub(super) fn pro(&mut self, odds: f64, why: impl Into<String>) {
        self.evidence.log_odds += odds;
        self.evidence.confirmed += 1;
        self.evidence.pro.push(why.into());
    }

    /// Something speaks against it. What is so of several regions is said once.
    pub(super) fn contra(&mut self, odds: f64, why: impl Into<String>) {
        self.evidence.log_odds -= odds;
        self.evidence.contradicted += 1;
        let why = why.into();
        if !self.evidence.contra.contains(&why) {
            self.evidence.contra.push(why);
        }
    }

    /// `pro` if so, else `contra`.
    pub(super) fn weigh(&mut self, so: bool, pro: (f64, &str), contra: (f64, &str)) {
        match so {
            true => self.pro(pro.0, pro.1),
            false if contra.0 > 0.0 => self.contra(contra.0, contra.1),
            false => {}
        }
    }

    /// A number, if it is known and can be one.
    pub(super) fn count(&mut self, key: &'static str, value: Option<i64>) {
        if let Some(value) = value.and_then(|v| u64::try_from(v).ok()) {
            self.details.insert(key, Detail::Count(value));
        }
    }

    /// The number is not known, and how it goes when it is run does not tell: that depends on what is asked for.
    pub(super) fn uncount(&mut self, key: &'static str, why: impl Into<String>) {
        self.details.remove(key);
        self.uncounted = true;
        self.evidence.pro.push(why.into());
    }

    pub(super) fn flag(&mut self, key: &'static str, value: bool) {
        self.details.insert(key, Detail::Flag(value));
    }

    pub(super) fn word(&mut self, key: &'static str, value: &str) {
        self.details.insert(key, Detail::Word(value.to_owned()));
    }

    /// All of the code could be followed.
    pub(super) fn understood(&mut self) {
        self.evidence.understood = true;
    }

    /// Its regions also wait for what regions without a role change.
    pub(super) fn beside(&mut self) {
        self.evidence.beside = true;
    }

    /// A region waits for very much besides, or does what was not read.
    pub(super) fn tangled(&mut self) {
        self.evidence.tangled = true;
    }

    /// How much is taken or given differs from call to call.
    pub(super) fn by_amount(&mut self) {
        self.evidence.by_amount = true;
    }

    pub(super) fn odds(&self) -> f64 {
        self.evidence.log_odds
    }

    /// The other says the same of the same quantities.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.lock_type, &self.roles, &self.vars) == (other.lock_type, &other.roles, &other.vars)
    }

    /// All regions with a role.
    pub(super) fn regions(&self) -> BTreeSet<RegionId> {
        self.roles.values().flatten().copied().collect()
    }

    pub(super) fn finish(self) -> (Hypothesis, Evidence) {
        let hypothesis = Hypothesis {
            lock_type: self.lock_type,
            roles: self.roles,
            details: self.details,
        };
        (hypothesis, self.evidence)
    }
}
