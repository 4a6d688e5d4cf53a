//! SEMAPHORE: permits; acquire waits while there are none, release adds one.
//!
//! Its guards are those of an unbounded queue. What tells the two apart is who gives back: a
//! permit is released by a thread that acquired one, an item is taken by another thread than put it.

use super::case::{Case, Checker, Explanation};
use super::log::Log;
use super::score::Score;
use super::search::{NONE, Roles};
use super::tokens::{self, GIVE, TAKE, TRY, code, role};
use super::{Detail, LockType, Role};
use std::collections::BTreeSet;

/// The checker.
pub(super) struct Semaphore;

/// A semaphore need not be released by who acquired (signalling): never costs more than this.
const SIGNALLING: f64 = -1.5;

impl Checker for Semaphore {
    fn lock_type(&self) -> LockType {
        LockType::Semaphore
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        match role(code) {
            TAKE | TRY => &[Role::Acquire],
            GIVE => &[Role::Release],
            _ => &[],
        }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Acquire) {
            TAKE
        } else if roles.contains(&Role::Release) {
            GIVE
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        starts(case)
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        options(case, region)
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        let has = |wanted| roles.iter().any(|&r| role(r) == wanted);
        if !has(TAKE) || !has(GIVE) {
            return Score::IMPOSSIBLE;
        }
        let run = tokens::run(log, roles);
        let paired = run.holders.llr().max(SIGNALLING);
        run.score.plus(paired - tokens::amounts_cost(roles))
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let run = tokens::run(log, roles);
        let mut out = Explanation::default();
        let paired = run.holders.share().unwrap_or(0.0);
        if paired >= 0.5 {
            out.pro.push(format!(
                "{:.0} % of releases are by a thread that had acquired",
                100.0 * paired
            ));
            if let Some(permits) = tokens::usual(&run.totals) {
                out.details.insert("permits", Detail::Count(permits));
            }
        }
        out
    }
}

/// Pairs of one region that waits and one that does not; everything at once; two pairs of
/// different amounts.
fn starts(case: &Case) -> Vec<Roles> {
    let (waiting, quiet) = (case.waiting(6), case.quiet(6));
    let mut all = vec![everything(case, &waiting, &quiet)];
    for &a in &waiting {
        for &b in &quiet {
            all.push(assign(case, &[(a, TAKE), (b, GIVE)]));
        }
    }
    all.extend(graded(case, &waiting, &quiet));
    all
}

fn everything(case: &Case, waiting: &[usize], quiet: &[usize]) -> Roles {
    let notifies = |&&r: &&usize| case.exact.usage[r].notifies > 0;
    let takes = waiting.iter().map(|&r| (r, TAKE));
    let gives = quiet.iter().filter(notifies).map(|&r| (r, GIVE));
    assign(case, &takes.chain(gives).collect::<Vec<_>>())
}

/// `acquire(n)` and `release(n)` beside single ones, paired by who follows whom.
fn graded(case: &Case, waiting: &[usize], quiet: &[usize]) -> Vec<Roles> {
    let mut all = Vec::new();
    let pairs: Vec<(usize, usize)> = waiting
        .iter()
        .filter_map(|&a| case.followers.best(a, quiet).map(|b| (a, b)))
        .collect();
    for &(a, b) in &pairs {
        for &(c, d) in pairs.iter().filter(|p| p.0 != a && p.1 != b) {
            for n in 1..=4 {
                let many = [(c, code(TAKE, n)), (d, code(GIVE, n))];
                all.push(assign(case, &[[(a, TAKE), (b, GIVE)], many].concat()));
            }
        }
    }
    all
}

fn assign(case: &Case, roles: &[(usize, u8)]) -> Roles {
    let mut out = case.nobody();
    roles.iter().for_each(|&(r, code)| out[r] = code);
    out
}

fn options(case: &Case, region: usize) -> Vec<u8> {
    let mut codes = Vec::new();
    if case.can_wait(region) {
        codes.extend((1..=4).map(|n| code(TAKE, n)));
    }
    if !case.waited(region) {
        codes.extend((1..=4).map(|n| code(GIVE, n)));
        codes.push(TRY);
    }
    codes
}
