//! All candidates for what is left of a lock: found in the events, or proposed by the bytecode.

use super::Detail;
use super::barrier::Barrier;
use super::case::{Candidate, Case, Cast, Checker, Seed, decode, encode};
use super::join::Join;
use super::latch::Latch;
use super::lock::Lock;
use super::producer_consumer::ProducerConsumer;
use super::read_write::ReadWrite;
use super::score::Score;
use super::search::{NONE, Roles, search, value};
use super::semaphore::Semaphore;
use super::{LockType, Role, condition, delay, join, mutex, naming, odds, once, watched};
use std::collections::BTreeSet;

/// The types that are machines, the more specific first.
pub(super) const CHECKERS: [&dyn Checker; 7] = [
    &Join,
    &Barrier,
    &Latch,
    &ReadWrite,
    &ProducerConsumer,
    &Lock,
    &Semaphore,
];

/// How many assignments of one type are rated on the whole log.
const FINALISTS: usize = 2;

/// Regions that never wait among which a search looks for roles.
const QUIET: usize = 8;

/// Every candidate, its evidence included.
pub(super) fn candidates(case: &Case) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = CHECKERS.iter().flat_map(|c| found(case, *c)).collect();
    all.extend(delay::propose(case));
    all.extend(condition::propose(case));
    all.extend(mutex::propose(case));
    all.extend(case.seeds.iter().map(|seed| seeded(case, seed)));
    if case.exact.waits() == 0 {
        all.extend(watched::propose(case, &CHECKERS));
    }
    if case.is_composite {
        // Waiters that each have an object of their own use it once.
        all.retain(|c| c.lock_type != LockType::Latch || c.statics.is_some());
    }
    for candidate in &mut all {
        join_seed(case, candidate);
        let delay = candidate.lock_type == LockType::Delay && candidate.statics.is_none();
        let weighed = watched::weigh(case, candidate);
        if !delay {
            candidate.watched.log_odds += weighed.log_odds;
            candidate.watched.confirmed += weighed.confirmed;
            candidate.watched.contradicted += weighed.contradicted;
            candidate.watched.pro.extend(weighed.pro);
            candidate.watched.contra.extend(weighed.contra);
        }
        let against = [
            delay::instead(case, candidate),
            once::weigh(case, candidate),
        ];
        for against in against.into_iter().flatten() {
            candidate.watched.log_odds += against.log_odds;
            candidate.watched.contradicted += against.contradicted;
            candidate.watched.contra.extend(against.contra);
        }
    }
    all
}

/// What the events suggest for one type, seeds as additional starting points.
fn found(case: &Case, checker: &dyn Checker) -> Vec<Candidate> {
    if case.exact.waits() == 0 {
        return Vec::new();
    }
    let regions = case.regions.len();
    let mut starts = checker.starts(case);
    let of_type = case
        .seeds
        .iter()
        .filter(|s| s.lock_type == checker.lock_type());
    starts.extend(of_type.map(|s| encode(checker, &s.cast, regions)));
    let quiet = case.quiet(QUIET);
    let active = |r: usize| case.windows.large.usage[r].waits > 0 || quiet.contains(&r);
    let options = |r: usize| {
        let codes = if active(r) {
            checker.options(case, r)
        } else {
            Vec::new()
        };
        [vec![NONE], codes].concat()
    };
    let options: Vec<Vec<u8>> = (0..regions).map(options).collect();
    let best = search(&case.windows, starts, &options, &|log, roles| {
        checker.fit(log, roles)
    });
    best.into_iter()
        .take(FINALISTS)
        .map(|(roles, _)| rated(case, checker, &roles))
        .collect()
}

/// The candidate for an assignment, scored on the whole log.
fn rated(case: &Case, checker: &dyn Checker, roles: &Roles) -> Candidate {
    let mut candidate = Candidate::new(checker.lock_type(), decode(checker, roles));
    let score = checker.fit(&case.exact, roles);
    let hint = naming::hint(case, candidate.lock_type, &candidate.cast);
    candidate.exact = Score {
        llr: value(&score, roles) + hint,
        ..score
    };
    let said = checker.explain(&case.exact, roles);
    candidate.details = said.details;
    candidate.all_given_back = said.all_given_back;
    candidate.given_back_by_others = said.given_back_by_others;
    candidate.pro = said.pro;
    candidate.contra = said.contra;
    candidate
}

/// The candidate for a proposal of the static model.
fn seeded(case: &Case, seed: &Seed) -> Candidate {
    let checker = CHECKERS.iter().find(|c| c.lock_type() == seed.lock_type);
    let mut candidate = Candidate::new(seed.lock_type, seed.cast.clone());
    if let Some(checker) = checker.filter(|_| case.exact.waits() > 0) {
        let mut roles = encode(*checker, &seed.cast, case.regions.len());
        let unseen = |r: usize| case.exact.usage[r].stays == 0;
        (0..roles.len())
            .filter(|&r| unseen(r))
            .for_each(|r| roles[r] = NONE);
        candidate = Candidate {
            cast: seed.cast.clone(),
            ..rated(case, *checker, &roles)
        };
    }
    if seed.lock_type == LockType::Join && !join::ends_known(&case.exact) {
        candidate.exact = as_latch(case, seed);
    }
    if seed.lock_type == LockType::Delay {
        let regions = candidate.regions().into_iter();
        candidate.exact.llr = regions.map(|r| delay::ended(case, r)).sum();
    }
    if seed.evidence.borne_out && candidate.exact.llr < Score::IMPOSSIBLE.llr / 2.0 {
        // Its roles are none the machine knows (one operation that locks either way): it says nothing.
        candidate.exact = Score::default();
    }
    candidate.said = true;
    candidate
}

/// The score of a join whose subject is no thread: that it ends is an opening, told by the code as such.
fn as_latch(case: &Case, seed: &Seed) -> Score {
    let waits = |of: &Cast, role| of.get(&role).cloned().unwrap_or_default();
    let joined = waits(&seed.cast, Role::Join);
    let mut latches = case.seeds.iter().filter(|s| s.lock_type == LockType::Latch);
    match latches.find(|s| waits(&s.cast, Role::Await) == joined) {
        Some(latch) if case.exact.waits() > 0 => {
            let roles = encode(&Latch, &latch.cast, case.regions.len());
            rated(case, &Latch, &roles).exact
        }
        _ => Score::default(),
    }
}

/// Adds the evidence of the seed that says the same, its parameters (without conviction only where the
/// events are silent), and its roles for regions that never ran.
fn join_seed(case: &Case, candidate: &mut Candidate) {
    // Code of a lock that one thread alone used is that of a mutex.
    let lock_type = match candidate.lock_type {
        LockType::NotShared => LockType::Mutex,
        other => other,
    };
    let same = |s: &&Seed| s.lock_type == lock_type && agrees(case, candidate, s);
    let best = |a: &&Seed, b: &&Seed| a.evidence.log_odds.total_cmp(&b.evidence.log_odds);
    let Some(seed) = case.seeds.iter().filter(same).max_by(best) else {
        return;
    };
    candidate.statics = Some(seed.evidence.clone());
    let said = odds::is_said(seed);
    if said && seed.evidence.by_amount && !seed.details.contains_key("form") {
        // Who gives says how much, and all of it is kept: that he comes at regular times limits no rate.
        candidate.details.remove("form");
    }
    for (name, value) in &seed.details {
        // It begins with none, and somebody has put some in before all those who use it give back what they took.
        let begins_empty = *name == "permits" && *value == Detail::Count(0);
        if begins_empty && candidate.all_given_back && candidate.details.contains_key(name) {
            continue;
        }
        let known = candidate.details.entry(name);
        let known = known.or_insert_with(|| value.clone());
        if said {
            // What is reckoned from steps depends on what was seen of them.
            known.clone_from(value);
        }
    }
    // A machine that is too simple for all that went as the type leaves out what fits in badly.
    let part_of = |cast: &Cast| {
        let mut own = candidate.cast.iter();
        own.all(|(role, set)| cast.get(role).is_some_and(|all| set.is_subset(all)))
    };
    let whole = odds::is_run(&seed.evidence) && part_of(&seed.cast);
    for (&role, regions) in &seed.cast {
        let silent = regions
            .iter()
            .copied()
            .filter(|&r| whole || case.exact.usage[r].stays == 0);
        let silent: BTreeSet<usize> = silent.collect();
        if !silent.is_empty() {
            candidate.cast.entry(role).or_default().extend(silent);
        }
    }
}

/// At least half of the (role, region) pairs that the log can tell are the same; all of them where
/// the log tells no roles, only who waits, and where the code was run and the candidate fails: with other roles it is
/// not what was run.
fn agrees(case: &Case, candidate: &Candidate, seed: &Seed) -> bool {
    let pairs = |cast: &Cast| -> BTreeSet<(Role, usize)> {
        let all = cast
            .iter()
            .flat_map(|(&role, set)| set.iter().map(move |&r| (role, r)));
        all.filter(|&(_, r)| case.seen(r)).collect()
    };
    let (a, b) = (pairs(&candidate.cast), pairs(&seed.cast));
    let common = a.intersection(&b).count();
    let all = a.union(&b).count();
    let other = odds::is_run(&seed.evidence) && candidate.exact.failed() > odds::DOUBTFUL;
    if case.exact.waits() > 0 && !other {
        common * 2 >= all
    } else {
        common == all
    }
}
